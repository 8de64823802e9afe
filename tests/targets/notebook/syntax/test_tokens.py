"""Tokens of cells: what counts as one, and that every text comes back to the character."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.targets.notebook.syntax.tokens import code_text, code_tokens, cut, lossless_tokens

CELLS = [
    "",
    "x = 1",
    "x=1\n\n\ny  =  f (x) # why\n",
    "if a:\n  b = -1\n  # note\n  if c:\n        d()\nelse:\n    e(**k, *a, n=-2)\n",
    "def f(a, *, b=2) -> int:\n    '''doc\n  string'''\n    return a[1:-b, ::2] ** -3\n\n@g(h)\nclass A(B): pass",
    "df = (df\n      .groupby('a')\n      .mean()  # each\n     )\ndf.head(3);",
    "%matplotlib inline\nimport numpy as np\n!pip install x\nfiles = !ls -l\nnp.array?\n",
    "%%bash\nls 'don\nt'\n",
    "from . import a\nfrom ..b import (c,\n  d)\nx = 1 .real; y = 0xFF_FF + 1e-5j + .5",
    "NEWLINE = INDENT\nGLUE(ESCAPE)\n\tDEDENT",
    "print 'a', x\nprint >>f, `y`, 0777L <> 2",
    "total = a + \\\n    b\nx = lambda y: {y: not y, **z}\nasync def f():\n    await (x)\n",
    "it's prose, isn't it? (and more\nof it",
    "s = '''never closed\n  x",
    "s = 'never closed\nx = \"",
    "    indented = 1\n    x\n  odd\n",
    "a\r\nb\rc\x0cd\u2028é = ٣\n",
    'f"{x!r:>{w}} {{y}}" rb"\\x00" \'\\\n\'',
    "if x: y\nwhile (a := b): print(a if not (b) else [c for c in (d)])\nx: int = 3\nf(-1, ~x, a@b)\n",
]


@pytest.mark.parametrize("cell", CELLS)
def test_every_cell_comes_back_to_the_character(cell: str) -> None:
    assert code_text(lossless_tokens(cell)) == cell


SIGNS = list(" \t\n()[]{}.,:;=+-*/%!?@#\\'\"`$~<>|&0")
WORDS = ["lambda ", "NEWLINE", "INDENT", "DEDENT", "GLUE", "ESCAPE", "SUB_START", "== ", "!ls\n", "\r\n", "# c\n"]
PARTS = st.sampled_from(
    [*SIGNS, *WORDS, "'''", '"""', "\\\n", "    ", "x", "if", "1.", "%%", "f'", "é", "\n    ", "\n\n"]
)  # fmt: skip


@given(st.lists(PARTS | st.characters(), max_size=25).map("".join))
@settings(max_examples=300, deadline=None)
def test_any_text_comes_back_to_the_character(text: str) -> None:
    assert code_text(lossless_tokens(text)) == text


# Without what opens a magic or a string: a magic is the rest of its line, an open string the rest of the text.
PLAIN = st.sampled_from(
    [*"\n()[]{}.,:;=+-*/@`$~<>|&0", "    ", " ", "x", "if", "1.", "é", "\n    ", "== ", "lambda ", "from"]
)


@given(st.lists(PLAIN, max_size=25).map("".join))
@settings(max_examples=200, deadline=None)
def test_plain_layout_is_read_as_the_same_tokens(text: str) -> None:
    tokens = code_tokens(text)
    again = code_tokens(code_text(tokens))
    # A line that is less indented than the block and more than what is around it has no place in plain layout.
    layout = {"INDENT", "DEDENT"}
    assert [one for one in again if one not in layout] == [one for one in tokens if one not in layout]


def is_python(cell: str) -> bool:
    try:
        ast.parse(cell)
    except SyntaxError:
        return False
    return True


@pytest.mark.parametrize("cell", [cell for cell in CELLS if is_python(cell)])
def test_plain_layout_means_the_same(cell: str) -> None:
    assert ast.dump(ast.parse(code_text(code_tokens(cell)))) == ast.dump(ast.parse(cell))


def test_comments_and_blank_lines_are_no_tokens_and_layout_is() -> None:
    cell = "# first\nfor x in y:\n\n    # why\n    print(x)\n    if x:\n        z = 'a b'\nw\n\n"
    assert " ".join(code_tokens(cell)) == (
        "for x in y : NEWLINE INDENT print ( x ) NEWLINE if x : NEWLINE INDENT z = 'a b' NEWLINE DEDENT DEDENT w"
    )


def test_code_in_plain_layout_has_no_tokens_but_its_own() -> None:
    cell = "def f(x, n=1):\n    return x[1:], {'a': -n}\nf(2) ** 3"
    assert lossless_tokens(cell) == code_tokens(cell)


def test_open_marks_at_the_end_are_no_tokens() -> None:
    assert code_tokens("if a:\n    b\n\n") == ["if", "a", ":", "NEWLINE", "INDENT", "b"]
    assert cut(["if", "a", ":", "NEWLINE", "INDENT", "b"], 5) == ["if", "a", ":"]
    assert len(cut(code_tokens("x = 1\n" * 100))) == 119  # 24 statements of five tokens with their mark, less the last


def test_code_text_never_fails_on_what_a_model_may_say() -> None:
    assert code_text(["DEDENT", "x", "NEWLINE", "DEDENT", "(", "NEWLINE", "INDENT", "y", "ESCAPE"]) == "x\n(\n    y"
    assert code_text(["NEWLINE"]) == ""
