"""Dev and test (§3.2): solutions of assignments and exercises, one for each prompt, with the tests beside it."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sayso.targets.notebook.corpus.assembling import SEED
from sayso.targets.notebook.corpus.english import is_english, is_python
from sayso.targets.notebook.corpus.held import plain
from sayso.targets.notebook.corpus.mining import shown_cells
from sayso.targets.notebook.corpus.notebook import Notebook
from sayso.targets.notebook.corpus.packing import example_id
from sayso.targets.notebook.corpus.pairs import pair_solutions, pairs
from sayso.targets.notebook.corpus.solutions import Solution, solutions
from sayso.targets.notebook.corpus.target_cell import TargetCell, target_cell
from sayso.targets.notebook.syntax.tokens import code_tokens


@dataclass(frozen=True)
class Submission:
    """A solution with its notebook; `target` is None where it is none, for the reason in `flaw`."""

    notebook: Notebook
    solution: Solution
    target: TargetCell | None
    flaw: str = ""
    exercise: str = ""
    """Path of the exercise notebook of a pair."""

    @property
    def id(self) -> str:
        return example_id(self.notebook.repository, self.notebook.path, self.solution.cell)


@dataclass(frozen=True)
class Prompt:
    """What an instructor asked for: the submission that is its example, and all that there are, wrong ones too."""

    chosen: Submission
    submissions: tuple[Submission, ...]


@dataclass
class Curation:
    """What became of every solution cell that was found."""

    notebooks: Counter[str] = field(default_factory=Counter)
    """Notebooks with nbgrader metadata, pairs of notebooks."""
    found: Counter[str] = field(default_factory=Counter)
    """Solution cells, prompts and examples by origin."""
    dropped: Counter[str] = field(default_factory=Counter)
    submissions: int = 0
    """Of nbgrader prompts, in all."""
    agreed: Counter[str] = field(default_factory=Counter)
    """Solutions of pairs by the number of other repositories that have the same cell."""

    def as_json(self) -> dict[str, Any]:
        return {
            "notebooks": dict(self.notebooks),
            "found": dict(self.found),
            "submissions": self.submissions,
            "agreed": dict(sorted(self.agreed.items())),
            "dropped": dict(self.dropped.most_common()),
        }


def curate(
    notebooks: Iterable[Notebook], drawn: Collection[str] = (), curation: Curation | None = None
) -> list[Prompt]:
    """One accepted submission for each prompt. `notebooks` come repository by repository; `drawn` are ids of the
    submissions that an earlier draw took, which stay; where it took none, one is drawn at random."""
    curation = curation if curation is not None else Curation()
    prompts: dict[tuple[str, ...], list[Submission]] = defaultdict(list)
    for _, group in groupby(notebooks, key=lambda one: one.repository):
        for submission in of_repository([*group], curation):
            prompts[prompt_of(submission)].append(submission)
    chosen = []
    seen: set[tuple[str, str]] = set()
    for key, submissions in prompts.items():
        origin = submissions[0].solution.origin
        curation.found[f"{origin} prompts"] += 1
        if origin == "nbgrader":
            curation.submissions += len(submissions)
        one = choose(key, submissions, drawn, curation)
        if one is None:
            continue
        assert one.target is not None
        same = (plain(one.notebook.cells[one.solution.request].text), one.target.reference)
        if same in seen:
            curation.dropped["same target and request"] += 1
            continue
        seen.add(same)
        curation.found[f"{origin} examples"] += 1
        chosen.append(Prompt(one, tuple(submissions)))
    return chosen


def of_repository(notebooks: Sequence[Notebook], curation: Curation) -> Iterator[Submission]:
    usable = [one for one in notebooks if is_python(one) and is_english(one)]
    taken: set[str] = set()
    for notebook in usable:
        curation.notebooks["with nbgrader metadata"] += any(cell.nbgrader for cell in notebook.cells)
        for solution in solutions(notebook):
            submission = checked(notebook, solution)
            taken.add(submission.id)
            curation.found[f"{solution.origin} cells"] += 1
            yield submission
    for pair in pairs(usable):
        curation.notebooks["exercise and solution pairs"] += 1
        for solution in pair_solutions(pair, curation.dropped):
            submission = checked(pair.solution, solution, pair.exercise.path)
            if submission.id not in taken:
                taken.add(submission.id)
                curation.found["pair cells"] += 1
                yield submission


def checked(notebook: Notebook, solution: Solution, exercise: str = "") -> Submission:
    """The same checks as on the training part."""
    found = target_cell(solution.code)
    if isinstance(found, str):
        return Submission(notebook, solution, None, found, exercise)
    if solution.given and code_tokens(solution.given) == code_tokens(solution.code):
        return Submission(notebook, solution, None, "never solved", exercise)
    if not solution.accepted:
        return Submission(notebook, solution, None, "failed or was never run", exercise)
    return Submission(notebook, solution, found, "", exercise)


def prompt_of(submission: Submission) -> tuple[str, ...]:
    """What all submissions to one prompt share: in nbgrader its id and points, and what it says, since an id may be
    used twice in a course and empty cells share their checksum. Elsewhere a prompt has one solution."""
    solution = submission.solution
    if solution.origin != "nbgrader" or not solution.problem:
        return (submission.id,)
    asked = plain(submission.notebook.cells[solution.request].text)
    course = submission.notebook.repository if solution.problem.startswith("answer:") else ""
    return (solution.problem, solution.points, asked, course)


def choose(
    key: tuple[str, ...], submissions: Sequence[Submission], drawn: Collection[str], curation: Curation
) -> Submission | None:
    good = [one for one in submissions if one.target is not None]
    if not good:
        curation.dropped[submissions[0].flaw] += 1
        return None
    curation.found["accepted submissions"] += len(good)
    return next((one for one in good if one.id in drawn), None) or random.Random(f"{SEED} {key}").choice(good)


def rows(prompts: Sequence[Prompt], stored: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Rows for packing, a notebook each; `stored` are the examples beside the corpus, by id."""
    by_notebook: dict[tuple[str, str], list[Prompt]] = defaultdict(list)
    for prompt in prompts:
        by_notebook[prompt.chosen.notebook.repository, prompt.chosen.notebook.path].append(prompt)
    for (repository, path), of_notebook in by_notebook.items():
        cells = shown_cells(of_notebook[0].chosen.notebook)
        examples = [
            row_of(prompt, cells, stored.get(prompt.chosen.id, {}))
            for prompt in sorted(of_notebook, key=lambda one: one.chosen.solution.cell)
        ]
        last = max(one["above"] for one in examples)
        yield {"repository": repository, "path": path, "cells": cells[:last], "examples": examples}


def row_of(prompt: Prompt, cells: Sequence[Sequence[Any]], stored: Mapping[str, Any]) -> dict[str, Any]:
    one = prompt.chosen
    solution, target = one.solution, one.target
    assert target is not None
    row: dict[str, Any] = {
        "cell": solution.cell,
        "above": sum(place <= solution.request for _, _, place in cells),
        "reference": target.reference,
        "runnable": target.runnable,
        "tokens": target.tokens,
        "origin": solution.origin,
        "assignment": f"{one.notebook.repository.partition('/')[2]}:{one.notebook.path}",
        "meta": meta_of(prompt, stored),
    }
    if given := boilerplate(prompt):
        row["boilerplate"] = given
    return row


def boilerplate(prompt: Prompt) -> str:
    """What the instructor gave in the cell: of this submission, else of one that nobody filled in."""
    blank = (one.solution.code for one in prompt.submissions if one.flaw == "never solved")
    given = prompt.chosen.solution.given or next(blank, "")
    return given if given.strip() else ""


def meta_of(prompt: Prompt, stored: Mapping[str, Any]) -> dict[str, str]:
    """Text only. `tests`: the code cells below the target up to its last assert; `asserts`: which of them assert."""
    one = prompt.chosen
    solution, cells = one.solution, one.notebook.cells
    meta: dict[str, str] = {"points": solution.points, "problem": solution.problem, "exercise": one.exercise}
    if solution.tests:
        below = [
            place
            for place in range(solution.cell + 1, solution.tests[-1] + 1)
            if cells[place].kind == "code" and cells[place].text.strip()
        ]
        meta["tests"] = json.dumps([cells[place].text for place in below])
        meta["asserts"] = json.dumps([below.index(place) for place in solution.tests])
    others = [
        {"id": other.id, "runnable": other.target.runnable}
        for other in prompt.submissions
        if other.target is not None and other.id != one.id
    ]
    if others:
        meta["submissions"] = json.dumps(others)
    for name in ("exec_pass", "tests_pass_without_solution", "std_only"):
        if name in stored:
            meta[name] = json.dumps(stored[name])
    if stored.get("files"):
        meta["files"] = json.dumps(stored["files"])
    return {name: value for name, value in meta.items() if value}
