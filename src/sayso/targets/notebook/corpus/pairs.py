"""Exercise and solution notebooks of one repository (§3.2): most cells are the same, the exercise cells differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from sayso.targets.notebook.corpus.notebook import Cell, Notebook
from sayso.targets.notebook.corpus.solutions import Solution, tests_after
from sayso.targets.notebook.corpus.target_cell import MARKER, target_cell
from sayso.targets.notebook.syntax.tokens import code_tokens

TITLE = re.compile(r"solution|solved|(?<![a-z])sol(?![a-z])", re.I)
LEFT = re.compile(MARKER.pattern + r"|#.*\b(?:complete|implement|write|replace|none\b)|\byour code\b", re.I)
"""What an exercise says where something is to be written."""
SAME = 0.5
"""Share of an exercise notebook's cells that its solution notebook must have too, and more."""


@dataclass(frozen=True)
class Pair:
    exercise: Notebook
    solution: Notebook
    same: float


def has_solution_title(notebook: Notebook) -> bool:
    """The paper looks for the word in the title; here its folders and the usual short forms count too."""
    return TITLE.search(notebook.path) is not None


def pairs(notebooks: Sequence[Notebook]) -> list[Pair]:
    """The nearest exercise notebook of every solution notebook; all are of one repository."""
    exercises = [(one, bag(one)) for one in notebooks if not has_solution_title(one)]
    found = []
    for solution in notebooks:
        if not has_solution_title(solution):
            continue
        own = bag(solution)
        best = max(((share(cells, own), one) for one, cells in exercises), key=lambda two: two[0], default=None)
        if best and best[0] > SAME:
            found.append(Pair(best[1], solution, best[0]))
    return found


def bag(notebook: Notebook) -> Counter[str]:
    return Counter(plain for cell in notebook.cells if (plain := plain_cell(cell)))


def plain_cell(cell: Cell) -> str:
    """A cell as it is compared: layout does not count."""
    text = " ".join(cell.text.split())
    return f"{cell.kind} {text}" if text else ""


def share(exercise: Counter[str], solution: Counter[str]) -> float:
    total = exercise.total()
    return (exercise & solution).total() / total if total else 0.0


def pair_solutions(pair: Pair, dropped: Counter[str]) -> Iterator[Solution]:
    """The solution's cells that stand where the exercise has something to fill in, with what the exercise gives."""
    exercise, solution = pair.exercise.cells, pair.solution.cells
    matcher = SequenceMatcher(None, [*map(plain_cell, exercise)], [*map(plain_cell, solution)], autojunk=False)
    filled = [
        two
        for kind, first, last, start, end in matcher.get_opcodes()
        if kind in ("replace", "insert")
        for two in aligned(exercise, range(first, last), solution, range(start, end))
    ]
    places = {place for _, place in filled}
    for given, place in filled:
        cell = solution[place]
        if not place or solution[place - 1].kind != "text" or not solution[place - 1].text.strip():
            dropped["no Markdown directly above"] += 1
            continue
        left = "" if given is None else exercise[given].text
        if code_tokens(left) == code_tokens(cell.text):
            dropped["only comments differ"] += 1
        elif given is None:
            dropped["no cell for it in the exercise"] += 1
        elif not is_open(left, cell.text):
            dropped["the exercise's cell is solved too"] += 1
        else:
            tests = tests_after(solution, place, places)
            yield Solution(place, place - 1, cell.text, left, "", "", tests, not cell.failed, "pair", instructor=True)


def aligned(
    exercise: Sequence[Cell], left: range, solution: Sequence[Cell], right: range
) -> Iterator[tuple[int | None, int]]:
    """(place in the exercise, place in the solution) of code cells that stand for each other where both differ."""
    ours = [place for place in right if solution[place].kind == "code" and solution[place].text.strip()]
    theirs = [place for place in left if exercise[place].kind == "code"]
    if len(ours) == len(theirs):
        yield from zip(theirs, ours, strict=True)
    else:
        yield from ((None, place) for place in ours)


def is_open(given: str, solved: str) -> bool:
    """Whether a cell is left for the student: it is no target by itself, or only a part of the solution."""
    found = target_cell(given, may_be_old=False)
    if isinstance(found, str) and found != "more than one function":
        return True
    return LEFT.search(given) is not None or is_part(given, solved)


def is_part(given: str, solved: str) -> bool:
    """Whether every line of code that is given stands in the solution too, which has more."""
    lines = [stripped for line in given.splitlines() if (stripped := line.split("#")[0].strip())]
    others = {line.split("#")[0].strip() for line in solved.splitlines()}
    return all(line in others for line in lines) and len(code_tokens(given)) < len(code_tokens(solved))
