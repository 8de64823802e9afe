"""§3.2 on notebooks of our own: submissions grouped by prompt, one accepted drawn, pairs of exercise and solution."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from tests.targets.notebook.corpus.conftest import code, notebook, text

from sayso.core.types import Example
from sayso.targets.notebook.corpus.curated import Curation, curate, rows
from sayso.targets.notebook.corpus.notebook import Cell, Notebook
from sayso.targets.notebook.corpus.packing import examples_of
from sayso.targets.notebook.corpus.pairs import is_open, pair_solutions, pairs

ASKED = "Write a function that adds one to a number."
GIVEN = "def add(n):\n    # YOUR CODE HERE\n    raise NotImplementedError()"


def submission(student: str, solution: str, ran: bool = True, failed: bool = False, points: int = 2) -> Notebook:
    about = {"grade_id": "add", "solution": True, "grade": False}
    test = {"grade_id": "add-test", "solution": False, "grade": True, "points": points}
    return notebook(
        text("# Sheet"),
        text(ASKED),
        code(solution, executed=ran, nbgrader=about),
        code("two = 2", executed=ran),
        code("assert add(two) == 3", executed=ran, failed=failed, nbgrader=test),
        repository=f"{student}/course",
        path="sheet.ipynb",
    )


def solved(body: str) -> str:
    return f"def add(n):\n    return {body}"


def one_example(*notebooks: Notebook, drawn: Any = ()) -> tuple[Example, Curation]:
    curation = Curation()
    (row,) = rows(curate(notebooks, drawn, curation), {})
    (example,) = examples_of(row)
    return example, curation


def test_one_accepted_submission_stands_for_its_prompt() -> None:
    example, curation = one_example(
        submission("a", solved("n + 1")),
        submission("b", solved("n + 2"), failed=True),
        submission("c", GIVEN),
        submission("d", solved("1 + n"), ran=False),
        submission("e", solved("-~n")),
    )
    assert example.meta["runnable"] in (solved("n + 1"), solved("-~n"))
    others = json.loads(example.meta["submissions"])
    assert [one["runnable"] for one in others] == [
        body for body in (solved("n + 1"), solved("-~n")) if body != example.meta["runnable"]
    ]
    assert [piece.text for piece in example.request.context] == ["# Sheet", GIVEN]
    assert json.loads(example.meta["tests"]) == ["two = 2", "assert add(two) == 3"]
    assert json.loads(example.meta["asserts"]) == [1]
    assert (example.meta["problem"], example.meta["points"]) == ("add", "2")
    assert (curation.found["nbgrader prompts"], curation.submissions) == (1, 5)


def test_a_draw_that_was_made_stays() -> None:
    notebooks = [submission(student, solved(f"{n} + n - {n - 1}")) for n, student in enumerate("abcdefgh")]
    for student in "adh":
        example, _ = one_example(*notebooks, drawn={f"{student}/course:sheet.ipynb:2"})
        assert example.id == f"{student}/course:sheet.ipynb:2"
    assert len({one_example(*notebooks)[0].id for _ in range(3)}) == 1


def test_other_points_are_another_prompt() -> None:
    curation = Curation()
    found = curate([submission("a", solved("n + 1")), submission("b", solved("1 + n"), points=5)], (), curation)
    assert (len(found), curation.found["nbgrader prompts"]) == (2, 2)


def test_what_stands_between_markers_is_the_solution() -> None:
    cell = "def add(n):\n    ### BEGIN SOLUTION\n    return n + 1\n    ### END SOLUTION"
    example, _ = one_example(submission("teacher", cell, ran=False))
    assert example.meta["runnable"] == solved("n + 1")
    assert example.request.context[-1].text == "def add(n):\n    # YOUR CODE HERE\n"


def test_nothing_between_markers_is_no_solution() -> None:
    curation = Curation()
    cell = "import math\n### BEGIN SOLUTION\n\n### END SOLUTION"
    assert curate([submission("teacher", cell)], (), curation) == []
    assert curation.dropped["never solved"] == 1


def test_a_cell_to_be_removed_answers_the_text_above_the_exercise() -> None:
    solution = "# to_remove solution\ntotal = a + 1"
    example, _ = one_example(notebook(text("# T"), code("a = 1"), text(ASKED), code("total = ..."), code(solution)))
    assert (example.request.text, example.meta["runnable"]) == (ASKED, "total = a + 1")
    assert [piece.text for piece in example.request.context] == ["# T", "a = 1", "total = ..."]


SHARED = (text("# Sheet"), code("numbers = [1, 2]"), text("Sum them."))
AFTER = (text("# End"), code("done = True"))


def pair_of(given: Cell, solution: Cell, *more: Cell) -> list[Notebook]:
    exercise = notebook(*SHARED, given, *AFTER, path="sheet.ipynb")
    return [exercise, notebook(*SHARED, solution, *AFTER, *more, path="sheet_solution.ipynb")]


def test_a_pair_gives_the_cell_that_differs() -> None:
    example, curation = one_example(*pair_of(code("# your code"), code("total = sum(numbers)")))
    assert example.id == "own/one:sheet_solution.ipynb:3"
    assert (example.meta["origin"], example.meta["exercise"]) == ("pair", "sheet.ipynb")
    assert [piece.text for piece in example.request.context][-1] == "# your code"
    assert curation.notebooks["exercise and solution pairs"] == 1


@pytest.mark.parametrize(
    ("given", "solution", "reason"),
    [
        ("total = max(numbers)", "total = sum(numbers)", "the exercise's cell is solved too"),
        ("total = 3  # a", "total = 3  # b", "only comments differ"),
    ],
)
def test_cells_that_differ_otherwise_are_dropped(given: str, solution: str, reason: str) -> None:
    dropped: Counter[str] = Counter()
    (pair,) = pairs(pair_of(code(given), code(solution)))
    assert [*pair_solutions(pair, dropped)] == []
    assert dropped[reason] == 1


def test_notebooks_that_share_half_or_less_are_no_pair() -> None:
    exercise, solution = pair_of(code("# your code"), code("total = sum(numbers)"))
    other = notebook(*SHARED, code("a = 1"), code("b = 1"), code("c = 1"), path="other.ipynb")
    assert [pair.exercise.path for pair in pairs([exercise, other, solution])] == ["sheet.ipynb"]
    assert pairs([other, solution]) == []


@pytest.mark.parametrize(
    ("given", "solution", "is_left"),
    [
        ("", "x = 1", True),
        ("x = ", "x = 1", True),
        ("x = ...", "x = 1", True),
        ("import re", "import re\nx = 1", True),
        ("x = 1", "x = 2", False),
        ("x = 1\ny = 2", "x = 1", False),
    ],
)
def test_what_is_left_for_a_student(given: str, solution: str, is_left: bool) -> None:
    assert is_open(given, solution) == is_left
