"""Notebooks and percent scripts: one more cell, and not another byte."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile, BadRequest, SaysoError, UserError
from sayso.core.types import Piece
from sayso.targets.notebook.hand import files_named
from sayso.targets.notebook.hand.document import Document, read_document

NAMES = ("cells", "cell_type", "source", "metadata", "worksheets", "nbformat_minor", "outputs", "language_info", "id")
CODE = "y = 'é'\nprint(y)"


def cell(kind: str, source: Any, **more: Any) -> dict[str, Any]:
    rest: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, **rest, "source": source, **more}


def notebook(cells: list[dict[str, Any]], minor: int = 4, **more: Any) -> dict[str, Any]:
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": minor, **more}


def read(text: str, name: str = "a.ipynb") -> Document:
    return read_document(text.encode("utf-8", "surrogatepass"), name)


LETTERS = st.text(st.sampled_from('ab\n"\\é\u2028 {}[],:\t'), max_size=12)
KINDS = st.sampled_from(["code", "markdown", "raw"])
SOURCES = st.one_of(LETTERS, st.lists(LETTERS, max_size=3))
CELLS = st.lists(st.builds(lambda kind, source, tags: cell(kind, source, metadata=tags), KINDS, SOURCES,
                           st.dictionaries(LETTERS, LETTERS, max_size=2)), max_size=4)  # fmt: skip
STYLES = st.sampled_from(
    [
        {"indent": 1, "separators": (",", ": ")},
        {"indent": 2, "ensure_ascii": False},
        {"indent": "\t", "ensure_ascii": False},
        {"indent": 0},
        {},
        {"separators": (",", ":")},
    ]
)


@settings(max_examples=120)
@given(CELLS, STYLES, st.sampled_from([4, 5]), st.booleans(), st.sampled_from(["", "\n", "\r\n "]), st.data())
def test_a_cell_put_in_and_taken_out_leaves_the_same_bytes(
    cells: list[dict[str, Any]], style: dict[str, Any], minor: int, windows: bool, end: str, data: st.DataObject
) -> None:
    document = notebook(cells, minor, other={"cells": [1]})
    text = json.dumps(document, **style) + end
    text = text.replace("\n", "\r\n") if windows and "\r" not in end else text
    found = read(text)
    at = data.draw(st.integers(0, len(cells)))
    spliced = found.splice(at, CODE)
    assert spliced.before + spliced.after == text
    content = spliced.content()
    start = len(spliced.before.encode())
    assert content[:start] + content[start + len(spliced.added.encode()) :] == text.encode()
    new = json.loads(content)
    added = new["cells"].pop(at)
    assert new == document
    assert "".join(added["source"]) == CODE and added["cell_type"] == "code" and ("id" in added) == (minor == 5)
    again = read(content.decode())
    assert again.cells[at].text == CODE and again.cells[:at] + again.cells[at + 1 :] == found.cells


@pytest.mark.parametrize(
    "style", [{"indent": 1, "ensure_ascii": False}, {"indent": 2}, {"indent": "\t"}, {}, {"separators": (",", ":")}]
)
@pytest.mark.parametrize("count", [0, 1, 3])
def test_it_is_written_as_its_file_is(style: dict[str, Any], count: int) -> None:
    """As if the whole notebook had been saved anew by the program that saved it."""
    document = notebook([cell("code", ["x = 'ü'\n"], id=f"c{number}") for number in range(count)], 5)
    text = json.dumps(document, **style) + "\n"
    for at in range(count + 1):
        content = read(text).splice(at, CODE).content().decode()
        added = json.loads(content)["cells"][at]
        whole = {**document, "cells": [*document["cells"][:at], added, *document["cells"][at:]]}
        escaped = {"ensure_ascii": False} if not count else {}  # nothing in an empty notebook tells
        assert content == json.dumps(whole, **{**style, **escaped}) + "\n"


def test_jupyter_itself_takes_it() -> None:
    nbformat = pytest.importorskip("nbformat")
    old = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# é"), nbformat.v4.new_code_cell("a = 1\nb")])
    text = nbformat.writes(old) + "\n"
    content = read(text).splice(1, CODE).content().decode()
    new = nbformat.reads(content, as_version=4)
    nbformat.validate(new)
    assert nbformat.writes(new) + "\n" == content


def test_the_text_above_asks_and_blank_cells_say_nothing() -> None:
    document = read(json.dumps(notebook([cell("markdown", "Load it"), cell("code", "a = 1"), cell("raw", "x"),
                                         cell("markdown", ["Show ", "it "]), cell("code", " ")])))  # fmt: skip
    assert document.place(None) == 5
    request = document.request(5, "")
    assert request.text == "Show it" and request.context == (Piece("text", "Load it"), Piece("code", "a = 1"))
    assert document.request(4, "other").context[-1] == Piece("text", "Show it ")
    with pytest.raises(BadRequest, match=r"nothing says what cell 3 of a\.ipynb should do"):
        document.request(2, "")
    with pytest.raises(UserError, match="has 5 cells: there is no place 6"):
        document.place(6)


def test_an_old_notebook_is_read_and_not_written() -> None:
    old_cell = {"cell_type": "code", "input": ["a = 1"], "language": "python", "outputs": []}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": [old_cell]}]}
    document = read(json.dumps(old))
    assert document.cells[0].text == "a = 1"
    with pytest.raises(UserError, match="is of nbformat 3"):
        document.splice(1, CODE)


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        (b"{", "a.ipynb", "not JSON"),
        (b"[]", "a.ipynb", "its JSON is no object"),
        (b'{"cells": []}', "a.ipynb", "names no nbformat"),
        (b'{"nbformat": 9, "cells": []}', "a.ipynb", "nbformat 9 is newer"),
        (b'{"nbformat": 4, "cells": {"a": 1}}', "a.ipynb", "not a notebook of nbformat 4"),
        (b'{"nbformat": 4, "cells": [], "cells": []}', "a.ipynb", 'the key "cells" stands twice'),
        (b'{"nbformat": 4, "cells": [NaN]}', "a.ipynb", "NaN is not a number"),
        (b'{"nbformat": 4, "cells": ' + b"[" * 100_000, "a.ipynb", "nested too deeply"),
        (b'{"nbformat": 4, "cells": [], "metadata": {"language_info": {"name": "R"}}}', "a.ipynb", "notebook in r"),
        (b"\xff", "a.ipynb", "not UTF-8"),
        (b"x", "a.txt", "neither a notebook nor a Python script"),
    ],
)
def test_a_broken_file_is_one_line(content: bytes, name: str, why: str) -> None:
    with pytest.raises((BadFile, UserError)) as caught:
        read_document(content, name)
    assert why in caught.value.message and "\n" not in caught.value.message and caught.value.hint


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "code", "markdown", "x\ny"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=12,
)


@settings(max_examples=80)
@given(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6), st.sampled_from([3, 4]), VALUES)
def test_whatever_the_json_says_it_is_read_or_refused_in_one_line(
    rest: dict[str, Any], version: int, cells: Any
) -> None:
    try:
        found = read(json.dumps({"cells": cells, **rest, "nbformat": version}))
        spliced = found.splice(len(found.cells), CODE)
    except (BadFile, UserError) as error:
        assert "\n" not in error.message
        return
    assert read(spliced.content().decode()).cells[-1].text == CODE


LINES = st.sampled_from(["x = 1", "def f(x):", "    return x", "", "%time x", "# why", "s = '# %% no'", "é = 2  # %%"])
BODIES = st.lists(LINES, max_size=4).map(lambda lines: "\n".join(lines).strip("\n"))
MARKS = st.sampled_from(["# %%", "#%%", "# %% a title", '# %% [markdown] key="x"', "# %% [raw]"])
HEADS = st.sampled_from(["", "#!/usr/bin/env python\n", "# ---\n# jupyter: x\n# ---\n\n", "import os\n", "\n\n"])


@settings(max_examples=150)
@given(HEADS, st.lists(st.tuples(MARKS, BODIES), max_size=4), st.booleans(), st.booleans(), BODIES, st.data())
def test_a_script_keeps_every_byte_and_reads_back(
    head: str, cells: list[tuple[str, str]], windows: bool, ends: bool, code: str, data: st.DataObject
) -> None:
    bodies = [(mark, body if "[" not in mark else body.replace("%", "").replace("\n", " ")) for mark, body in cells]
    text = head + "\n\n".join(f"{mark}\n{'# ' * ('[' in mark)}{body}" for mark, body in bodies) + "\n" * ends
    text = text.replace("\n", "\r\n") if windows else text
    found = read(text, "a.py")
    at = data.draw(st.integers(0, len(found.cells)))
    spliced = found.splice(at, code)
    assert spliced.before + spliced.after == text
    assert not windows or "\n" not in spliced.added.replace("\r\n", "") or "\r\n" not in text
    again = read(spliced.content().decode(), "a.py").cells
    assert again[at].kind == "code" and again[at].text == code.rstrip()
    assert again[:at] + again[at + 1 :] == found.cells


def test_cells_of_a_script() -> None:
    text = "# %% [markdown]\n# # Prices\n#\n# by day\n# %%\n# %matplotlib inline\nx = 1\n\n"
    text += '# %% [md]\n"""\nMore.\n"""\n#%% last\n'
    found = read(text, "a.py")
    assert [(one.kind, one.text) for one in found.cells] == [
        ("text", "# Prices\n\nby day"),
        ("code", "%matplotlib inline\nx = 1"),
        ("text", "More."),
        ("code", ""),
    ]
    assert found.request(3, "").text == "More."
    whole = read("import os\nprint(os.sep)\n", "a.py")
    assert [one.text for one in whole.cells] == ["import os\nprint(os.sep)"]
    assert whole.splice(1, "x").content() == b"import os\nprint(os.sep)\n\n# %%\nx\n"


@pytest.mark.parametrize("code", ["%%bash\nls", "x\n# %%\ny", "#%% z"])
def test_a_cell_that_a_script_cannot_hold_is_refused(code: str) -> None:
    with pytest.raises(SaysoError, match="begins with %%"):
        read("x = 1\n", "a.py").splice(0, code)


def test_a_percent_sign_in_a_string_stays() -> None:
    code = 's = """\n%d items\n"""'
    found = read_document(b"# %%\nx = 1\n", "a.py").splice(1, code)
    assert code in found.added
    assert "# %time x" in read_document(b"# %%\nx = 1\n", "a.py").splice(1, "%time x").added


def test_columns_of_tables_beside_the_notebook_are_told_and_no_value_is(tmp_path: Path) -> None:
    (tmp_path / "trips.csv").write_text("rider,km\nann,3\n")
    (tmp_path / "bare.csv").write_text("1,2\n3,4\n")
    (tmp_path.parent / "out.csv").write_text("secret\n")
    (tmp_path / "link.csv").symlink_to(tmp_path.parent / "out.csv")
    names = ("trips.csv", "bare.csv", "../out.csv", "link.csv", "missing.csv")
    script = "# %%\n" + "".join(f"pd.read_csv('{name}')\n" for name in names)
    document = read(script, "a.py")
    told, cell = document.request(1, "mean km", tmp_path).context
    assert told == Piece("tables", 'trips.csv: "rider", "km"')
    assert document.request(1, "mean km").context == (cell,)


@pytest.mark.parametrize(
    "line", [b"a\rb,c\n", "a\u2028b,c\n".encode(), b"a\x1cb,c\n", b"\x1ba,c\n", b"a\x00,c\n", b"\x1ca,c\n"]
)
def test_a_header_that_is_more_than_a_line_is_no_header(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "a.csv").write_bytes(line)
    document = read("# %%\npd.read_csv('a.csv')\n", "a.py")
    assert [piece.kind for piece in document.request(1, "mean", tmp_path).context] == ["code"]


@pytest.mark.parametrize("name", ["a\\0.csv", "a\\ud800.csv", "pipe.csv", "folder.csv", "loop.csv"])
def test_a_name_that_no_table_can_have_is_passed_over(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    document = read(f"# %%\npd.read_csv('{name}')\n", "a.py")
    assert [piece.kind for piece in document.request(1, "mean", tmp_path).context] == ["code"]
    assert files_named([f"x = '{name}'"], tmp_path) == ()
