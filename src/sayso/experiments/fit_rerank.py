"""Fit hints, and weights to start from, on answers of trunks to NL2Bash train requests that they never saw.

`python -m sayso.experiments.fit_rerank DATA TRAIN.jsonl` (needs numpy): lines of {"id", "answers": [{"text",
"logprob"}]}, ids as `group_examples` gives them. What a request calls for is learnt from NL2Bash train and the
cookbook's phrasings, in folds as well, so that no request is weighed by hints that saw it. The weights are the `prior`
of the bundle; `fit_weighing` draws those that ship to them, and `CHOSEN` was chosen on dev.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.answer.combine import merge
from sayso.cookbook.entry import example_values, spoken
from sayso.cookbook.slots import Cookbook
from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Example, Request, Workspace
from sayso.learners.linear import Adam, fit_ranking, rivals
from sayso.neural.bundle import MANIFEST, load_bundle, write_bundle
from sayso.targets.bash.cookbook.fill import render
from sayso.targets.bash.cookbook.recipes import default_system
from sayso.targets.bash.corpus.nl2bash import group_examples, published_pairs
from sayso.targets.bash.evidence import features
from sayso.targets.bash.evidence.hints import Hints, Lesson, fit_hints, lesson, pack, unpack, wording
from sayso.targets.bash.language import normalise
from sayso.targets.bash.systems.combined import HINTS, RERANK, WORDING
from sayso.targets.bash.tasks import BASH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

FOLDS, STEP = 3, 2
"""Hints are crossed in so many folds; every second request is enough for two dozen weights."""
ROUNDS, RATE, DECAY = 600, 0.05, 0.01
# Chosen on NL2Bash dev and the everyday dev half.
CHOSEN: Mapping[str, Any] = {"sure": 0.85}
LEARNT = frozenset((*features.TRUNK, *features.OF_TEXT))
"""Columns that answers of a trunk alone can teach."""


@dataclass(frozen=True)
class Question:
    """The columns of the options for one request, and which of them are right."""

    rows: list[list[float]]
    right: list[bool]


def phrasing_lessons(book: Cookbook) -> Iterator[Lesson]:
    """Every phrasing of the cookbook with example values in its slots, and its command with the same."""
    for at, phrasing in enumerate(book.phrasings):
        recipe = book.recipes[phrasing.recipe]
        said = {name: value for name, value in example_values(recipe, at).items() if "{" + name + "}" in phrasing.text}
        text = spoken(phrasing.text, recipe, said)
        if read := book.read_as(book.read(text), at):
            yield lesson(text, render(recipe, read.values), is_described=False)


def described_lessons(groups: Sequence[Example]) -> list[Lesson]:
    return [lesson(group.request.text, command, True) for group in groups for command in group.references]


def fold_of(id: str) -> int:
    return int(hashlib.sha256(id.encode()).hexdigest(), 16) % FOLDS


def questions(
    groups: Sequence[Example], answers: Mapping[str, list[Candidate]], hints: Callable[[str], Hints]
) -> Iterator[Question]:
    """One for each request to which the trunk said several things, one of them right."""
    for group in groups:
        options = merge(BASH.draft, answers.get(group.id, []), [])
        wanted = {canonical(command) for command in group.references}
        right = [not option.problem and option.canonical in wanted for option in options]
        if any(right) and not all(right):
            asked = BASH.read(Request(group.request.text))
            yield Question(features.rows(asked, options, 0.0, hints(group.id)), right)


def canonical(command: str) -> str:
    try:
        return normalise(command)
    except BadInstruction:
        return ""


def fit_weights(asked: Sequence[Question]) -> dict[str, float]:
    """Column -> weight of a unit of it, under which the right options together are likely (softmax over the options of
    a request), by Adam."""
    import numpy as np

    whole = np.concatenate([np.array(one.rows) for one in asked])
    centre, scale = whole.mean(0), np.where(whole.std(0) > 1e-3, whole.std(0), 1.0)
    given = rivals(
        [((np.array(one.rows) - centre) / scale, np.array(one.right) / sum(one.right), 1.0) for one in asked]
    )
    free = np.array([name in LEARNT for name in features.NAMES], float)
    weights = fit_ranking(given, Adam(RATE, ROUNDS), np.zeros(len(free)), DECAY, free=free) / scale
    return {
        name: round(float(weight), 6) for name, weight in zip(features.NAMES, weights, strict=True) if name in LEARNT
    }


def read_answers(path: Path) -> dict[str, list[Candidate]]:
    """Id -> what a trunk said, with probabilities."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: [Candidate(one["text"], math.exp(one["logprob"])) for one in row["answers"]] for row in rows}


def fit(workspace: Workspace, answers: Path, folder: Path = RERANK) -> None:
    """Learn hints and weights to start from, and put them into the bundle; all else in it stays what it was."""
    book = default_system(workspace).translator
    assert isinstance(book, Cookbook)
    groups = list(group_examples(published_pairs(workspace.data, "train")))
    phrasings = list(phrasing_lessons(book))
    # Packed and unpacked, so that the reranker sees what the bundle holds.
    crossed = [
        unpack(pack(fit_hints([*described_lessons([one for one in groups if fold_of(one.id) != fold]), *phrasings])))
        for fold in range(FOLDS)
    ]
    asked = list(questions(groups[::STEP], read_answers(answers), lambda id: crossed[fold_of(id)]))
    hints = fit_hints([*described_lessons(groups), *phrasings])
    write(folder, hints, fit_weights(asked))


def write(folder: Path, hints: Hints, prior: Mapping[str, float]) -> None:
    words = wording(hints)
    kept = dict(load_bundle(folder).settings) if (folder / MANIFEST).is_file() else {}
    settings = {
        **kept,
        **CHOSEN,
        "prior": dict(prior),
        "wording": {"step": words.step, "bias": words.bias},
    }
    card = folder / "MODEL_CARD.md"
    write_bundle(
        folder,
        name="bash-rerank",
        target="bash",
        kind="rerank",
        settings=settings,
        files={
            "MODEL_CARD.md": card.read_bytes() if card.is_file() else b"",
            HINTS: pack(hints),
            WORDING: words.table,
        },
        licence="Apache-2.0",
    )


if __name__ == "__main__":
    fit(Workspace(Path(sys.argv[1]), Path(sys.argv[1])), Path(sys.argv[2]))
