"""The whole corpus looked through once more: solutions that other repositories have too, and what §3.2 counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby

from sayso.targets.notebook.corpus.curated import Curation, Prompt
from sayso.targets.notebook.corpus.held import number, plain
from sayso.targets.notebook.corpus.notebook import Notebook
from sayso.targets.notebook.corpus.pairs import has_solution_title, pairs

NEEDED = 2
"""Other repositories in which the paper wants to see a solution."""


def look_elsewhere(prompts: Sequence[Prompt], notebooks: Iterable[Notebook], curation: Curation) -> None:
    """Fill what a curation tells about all repositories, those of train too."""
    wanted: dict[int, set[str]] = defaultdict(set)
    for prompt in prompts:
        if prompt.chosen.solution.origin == "pair":
            wanted[solution_number(prompt)] = set()
    every: Counter[str] = Counter()
    for repository, group in groupby(notebooks, key=lambda one: one.repository):
        of_repository = [*group]
        for notebook in of_repository:
            every["with nbgrader metadata, all repositories"] += any(cell.nbgrader for cell in notebook.cells)
            for cell in notebook.cells:
                if cell.kind == "code" and (found := number(plain(cell.text))) in wanted:
                    wanted[found].add(repository)
        if any(map(has_solution_title, of_repository)):
            every["exercise and solution pairs, all repositories"] += len(pairs(of_repository))
    curation.notebooks.update(every)
    for prompt in prompts:
        if prompt.chosen.solution.origin == "pair":
            others = len(wanted[solution_number(prompt)] - {prompt.chosen.notebook.repository})
            curation.agreed[f"{min(others, NEEDED)}{'+' if others >= NEEDED else ''} others"] += 1


def solution_number(prompt: Prompt) -> int:
    chosen = prompt.chosen
    return number(plain(chosen.notebook.cells[chosen.solution.cell].text))
