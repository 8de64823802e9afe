"""Canonical form, template, grains and explanation of cells."""

from __future__ import annotations

import pytest

from sayso.core.errors import BadInstruction
from sayso.targets.notebook.language import drafts, explain, join, normalise, split, template


@pytest.mark.parametrize(
    ("cell", "made"),
    [
        ("x=1 # one\n\n\ny  = f( x )\n", "x = 1\ny = f(x)"),
        ("if a :\n  b\n  c\nelse: d", "if a:\n    b\n    c\nelse: d"),
        ("# load\n%matplotlib inline\nplot (x)", "%matplotlib inline\nplot(x)"),
        ("%%bash\nls  -l # x\n", "%%bash\nls  -l # x"),
        ("NEWLINE=1\nGLUE", "NEWLINE = 1\nGLUE"),
        ("s = 'a'  'b'", "s = 'a' 'b'"),
    ],
)
def test_the_canonical_form(cell: str, made: str) -> None:
    assert normalise(cell) == made
    assert normalise(made) == made


@pytest.mark.parametrize(
    ("cell", "offset"), [("", 0), ("# only words", 0), ("x = 1\nfor", 9), ("é = (", 4), ("\0", -1)]
)
def test_what_is_no_cell_is_refused_at_its_place(cell: str, offset: int) -> None:
    with pytest.raises(BadInstruction) as caught:
        normalise(cell)
    assert caught.value.offset == offset


def test_a_template_forgets_what_nobody_can_guess() -> None:
    assert template("top = df.head(5)\nprint('first', top)") == "v1 = df.head(0)\nprint('jupyter_string', v1)"
    assert template("a=df.head(10); print('x',a)") == template("b = df.head(7); print('yy', b)")


def test_subtokens_part_names_and_keep_keywords() -> None:
    parts = split("for x_train in y2:\n    z", "subtoken")
    assert parts[:3] == ["for", "SUB_START", "x"] and "NEWLINE" in parts and "INDENT" in parts
    assert join(parts, "subtoken") == "for x_train in y2:\n    z"


def test_a_cell_is_explained_statement_by_statement() -> None:
    cell = (
        "%matplotlib inline\nimport pandas as pd\ndf = pd.read_csv('a.csv').groupby('k').mean()\n"
        "for name in df:\n    if name: print(name)\n!ls data\ndf.plot()\n%time f(x)"
    )
    notes = explain(cell)
    assert [cell[note.start : note.end] for note in notes] == [note.text for note in notes]
    assert [note.gloss for note in notes] == [
        "says where figures are drawn",
        "loads pandas as pd",
        "sets df to what this gives: reads a CSV file into a table, then groups rows, then takes the mean",
        "for each name of df",
        "if name",
        "prints",
        "runs the shell command ls data",
        "draws a line",
        "runs it and says how long it took: f(x)",
    ]


@pytest.mark.parametrize(
    "statement",
    ["def f(a, b=1):\n    return a", "class A: pass", "x: int", "x += 1", "while a: break",
     "with open(p) as f: f.read()",
     "try:\n    a\nexcept E:\n    raise", "assert a, b", "del a, b", "'''doc'''", "a[0]", "async def f(): await g()",
     "global a", "from . import b as c, d", "@d\ndef f(): pass", "lambda: 0", "x = y = 1",
     "if a:\n    %time b\nelse:\n    !c"],
)  # fmt: skip
def test_every_kind_of_statement_has_words(statement: str) -> None:
    notes = explain(statement)
    assert notes and all(note.gloss and statement[note.start : note.end] == note.text for note in notes)


def test_a_draft_of_a_broken_cell_says_why() -> None:
    (draft,) = drafts(["x = ("])
    assert "not valid Python" in draft.problem and draft.risk.level == "unknown"
