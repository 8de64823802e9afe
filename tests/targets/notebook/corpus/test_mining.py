"""§3.1 on notebooks of our own: which are kept, which cells are targets, in which form; every drop is counted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.targets.notebook.corpus.conftest import code, notebook, text

from sayso.targets.notebook.corpus.mining import mine, mine_notebook
from sayso.targets.notebook.corpus.notebook import Notebook
from sayso.targets.notebook.corpus.sources import Source
from sayso.targets.notebook.corpus.target_cell import TargetCell, target_cell
from sayso.targets.notebook.syntax.tokens import code_tokens

ENGLISH = "Read the numbers of every day from the file and show how the average changes over the months of the year."
GERMAN = "Lies die Zahlen jedes Tages aus der Datei und zeige, wie sich der Durchschnitt in den Monaten verändert hat."


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (notebook(text(ENGLISH), code("x = 1")), ""),
        (notebook(text(GERMAN), code("x = 1")), "not English"),
        (notebook(text("# CNN"), code("x = 1")), ""),
        (notebook(code("x = 1")), "no Markdown"),
        (notebook(text(ENGLISH), code("x = 1"), language="julia"), "not Python"),
        (notebook(text(ENGLISH), code("x <- c(1, 2)\ny <- x %>% sum"), language=""), "not Python"),
        (notebook(text(ENGLISH), code("print 1"), language=""), ""),
        (notebook(text(ENGLISH), *[code("x = 1")] * 3), ""),
        (notebook(text(ENGLISH), *[code("x = 1")] * 4), "more than three code cells a Markdown cell"),
    ],
)
def test_which_notebooks_are_the_papers(found: Notebook, reason: str) -> None:
    assert mine_notebook(found)["dropped"] == reason


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("", "no code"),
        ("# only a comment", "no code"),
        ("%matplotlib inline\n!ls", "no code"),
        ("%%bash\nls | wc", "no code"),
        ("x = = 1", "not valid Python"),
        ("def a(): return 1\ndef b(): return 2", "more than one function"),
        ("class A:\n    def a(self): return 1\n    def b(self): return 2", "more than one function"),
        ("def a(x):\n    '''Add.'''\n    # YOUR CODE HERE\n    raise NotImplementedError()", "never solved"),
        ("def a(x):\n    # TODO: your code here\n    pass", "never solved"),
        ("answer = ____", "never solved"),
        ("total = None  # your code here", "never solved"),
        ("x" * 50_001, "cell of more than 50,000 characters"),
    ],
)
def test_why_a_cell_is_no_target(cell: str, reason: str) -> None:
    assert target_cell(cell) == reason


@pytest.mark.parametrize(
    ("cell", "reference", "runnable"),
    [
        ("x = pd.read_csv('a.csv')  # load", "x = pd.read_csv('jupyter_string')", None),
        ("%time y = f(x)\n", "y = f(x)", None),
        ("print 'a', x", "print('jupyter_string', x)", "print('a', x)"),
        ("class E:\n    def a(self):\n        raise ValueError(1)", None, None),
        ("def later(x):\n    pass", None, None),
        ("for _ in range(3):\n    step()", None, None),
    ],
)
def test_a_target_in_both_forms(cell: str, reference: str | None, runnable: str | None) -> None:
    found = target_cell(cell)
    assert isinstance(found, TargetCell)
    assert found.runnable == (runnable or cell)
    assert found.converted == (runnable is not None)
    assert found.reference == (reference or found.reference)


def test_a_long_target_is_cut_and_runs_whole() -> None:
    cell = "\n".join(f"value_{n} = f({n})" for n in range(60))
    found = target_cell(cell)
    assert isinstance(found, TargetCell)
    assert (found.is_cut, found.tokens, found.runnable) == (True, 60 * 7 - 1, cell)
    assert len(code_tokens(found.reference)) <= 120
    assert code_tokens(cell)[: len(code_tokens(found.reference))] == code_tokens(found.reference)


def test_the_request_is_the_cell_above_and_blank_cells_are_no_context() -> None:
    cells = (
        text("# Title"),
        code("a = 1"),
        code(" "),
        text(ENGLISH),
        code("b = a"),
        code("c = b"),
        text("x"),
        code(""),
    )
    found = mine_notebook(notebook(*cells))
    assert [(one["cell"], one["above"]) for one in found["examples"]] == [(1, 1), (4, 3)]
    assert [row[1] for row in found["cells"]] == ["# Title", "a = 1", ENGLISH]
    assert found["steps"]["no Markdown directly above"] == 2
    assert found["steps"]["no code"] == 1


CELLS = st.lists(
    st.sampled_from(
        [text("# Title"), text(ENGLISH), code("a = 1"), code("b = 'x'"), code(""), code("x = = 1"), code("%pylab")]
    ),
    max_size=12,
)


@settings(max_examples=60)
@given(CELLS)
def test_every_code_cell_is_an_example_or_has_a_reason(cells: list[Any]) -> None:
    found = mine_notebook(notebook(*cells))
    if found["dropped"]:
        return
    steps = found["steps"]
    reasons = ("no code", "not valid Python", "more than one function", "never solved")
    assert steps.get("below Markdown", 0) == len(found["examples"]) + sum(steps.get(one, 0) for one in reasons)
    assert steps.get("code cells", 0) == steps.get("below Markdown", 0) + steps.get("no Markdown directly above", 0)
    for one in found["examples"]:
        assert found["cells"][one["above"] - 1][1] == cells[one["cell"] - 1].text


def test_the_same_target_below_other_cells_has_another_key() -> None:
    def key(*above: Any) -> str:
        return str(mine_notebook(notebook(*above, text(ENGLISH), code("x = f('a')")))["examples"][0]["key"])

    assert key(code("a = 1")) == key(code("a = 1"))
    assert key(code("a = 1")) != key(code("a = 2"))


def test_a_line_that_is_no_notebook_is_one_line() -> None:
    assert "packed:3" in mine(Source("packed:3", line='{"repo": "own/one"}'))["broken"]
    assert "packed:4" in mine(Source("packed:4", line=json.dumps([1])))["broken"]
