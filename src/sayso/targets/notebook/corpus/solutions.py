"""Solutions inside of one notebook (§3.2): nbgrader cells, cells between solution markers, cells to be removed.

nbgrader keeps with a cell its points, its id, whether it is graded by tests or by hand, and whether it is a solution;
what the instructor gave is the cell without what stands between the markers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from sayso.targets.notebook.corpus.notebook import Cell, Notebook

BEGIN = re.compile(r"^[^\S\n]*#+[^\S\n]*(?:BEGIN|START) SOLUTION.*$", re.M)
REGION = re.compile(
    r"^([^\S\n]*)#+[^\S\n]*(?:BEGIN|START) SOLUTION[^\n]*\n(.*?)^[^\S\n]*#+[^\S\n]*(?:END|STOP) SOLUTION[^\n]*$\n?",
    re.M | re.S,
)
TO_REMOVE = re.compile(r"^[^\S\n]*#[^\S\n]*to_remove solution[^\S\n]*$\n?", re.M)
ASSERTS = re.compile(r"^[^\S\n]*(?:assert\b|(?:nt\.|nose\.tools\.|t\.|np\.testing\.)?assert_\w+\()", re.M)
GIVEN = "# YOUR CODE HERE"


@dataclass(frozen=True)
class Solution:
    """A cell that answers the prompt at `request`. `given` is what the instructor left for the student to fill.

    `problem` is the same for every submission to one prompt; `accepted`: it ran, all tests of the notebook with it,
    without an error, or the instructor wrote it.
    """

    cell: int
    request: int
    code: str
    given: str
    problem: str
    points: str
    tests: tuple[int, ...]
    """Places of the cells with asserts."""
    accepted: bool
    origin: str
    by_hand: bool = False
    instructor: bool = False


def solutions(notebook: Notebook) -> Iterator[Solution]:
    """Every solution cell of a notebook, solved or not, that has Markdown directly above it."""
    cells = notebook.cells
    for place, cell in enumerate(cells):
        if cell.kind != "code":
            continue
        if TO_REMOVE.search(cell.text):
            yield from removed_solution(cells, place)
        elif is_solution(cell) and place and cells[place - 1].kind == "text" and cells[place - 1].text.strip():
            yield graded_solution(cells, place)


def is_solution(cell: Cell) -> bool:
    return bool(cell.nbgrader.get("solution")) or answer_tag(cell) != "" or BEGIN.search(cell.text) is not None


def answer_tag(cell: Cell) -> str:
    """nbchkr marks an answer by a tag."""
    return next((tag for tag in cell.tags if tag.startswith("answer:")), "")


def graded_solution(cells: Sequence[Cell], place: int) -> Solution:
    cell = cells[place]
    marked = REGION.search(cell.text) is not None
    tests = tests_after(cells, place)
    graded = next((cells[one].nbgrader for one in tests if cells[one].nbgrader.get("grade_id")), {})
    about = cell.nbgrader
    problem = about.get("grade_id") or answer_tag(cell) or graded.get("grade_id") or about.get("checksum") or ""
    points = about.get("points", graded.get("points", ""))
    ran = cell.executed and not cell.failed and all(cells[one].executed and not cells[one].failed for one in tests)
    failed = cell.failed or any(cells[one].failed for one in tests)
    return Solution(
        place,
        place - 1,
        REGION.sub(r"\2", cell.text).rstrip("\n") if marked else cell.text,
        REGION.sub(rf"\1{GIVEN}\n", cell.text) if marked else "",
        str(problem),
        str(points),
        tests,
        ran or (marked and not failed),
        "nbgrader",
        bool(about.get("grade")),
        marked,
    )


def removed_solution(cells: Sequence[Cell], place: int) -> Iterator[Solution]:
    """A solution that stands below the exercise and is cut out of what students get."""
    above = place - 1
    given = ""
    if above >= 0 and cells[above].kind == "code":
        given, above = cells[above].text, above - 1
    if above < 0 or cells[above].kind != "text" or not cells[above].text.strip():
        return
    code = TO_REMOVE.sub("", cells[place].text)
    yield Solution(place, above, code, given, "", "", (), not cells[place].failed, "to_remove", instructor=True)


def tests_after(cells: Sequence[Cell], place: int, others: Collection[int] = ()) -> tuple[int, ...]:
    """The cells with asserts that follow a solution, up to the next text or solution; graded ones also below text."""
    found: list[int] = []
    below_text = False
    for after in range(place + 1, len(cells)):
        cell = cells[after]
        if cell.kind == "text":
            below_text = True
        elif cell.kind == "code" and cell.text.strip():
            graded = bool(cell.nbgrader.get("grade")) and not cell.nbgrader.get("solution")
            if (below_text and not graded) or is_solution(cell) or after in others:
                break
            if graded or ASSERTS.search(cell.text):
                found.append(after)
    return tuple(one for one in found if ASSERTS.search(cells[one].text))
