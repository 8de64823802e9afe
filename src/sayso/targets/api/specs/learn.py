"""What speaks for a value and for an operation, weighed: softmax over rivals, fitted on lessons from descriptions.

Starts from the weights that ship (`experiments/api_specs.py` made them from many public ones) and stays near them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.progress import Progress, silent
from sayso.learners.linear import Adam, Steps, fit_ranking, rivals
from sayso.targets.api.specs.choose import CHOICE, Index, after_filling, features_of, first_scores, meant
from sayso.targets.api.specs.fill import fill, weighed
from sayso.targets.api.specs.lessons import THEN, Lesson, all_lessons
from sayso.targets.api.specs.model import Api, Operation
from sayso.targets.api.specs.said.spans import said
from sayso.targets.api.specs.slots.context import Reads, shipped
from sayso.targets.api.specs.slots.features import FEATURES
from sayso.targets.api.specs.slots.options import options_of

Weights = Mapping[str, Mapping[str, float]]
SEED = 20
EACH, MOST = 4, 96
RIVALS = 24
MOST_LEARNT = 1000
"""Operations beyond which lessons are no help: each looks at every one of them."""
TRIED = 5
NEAR = 1.0
"""How strongly the weights of one description stay with those that ship: its lessons are easier than people."""


@dataclass(frozen=True)
class Near:
    """Steps that are drawn back to where they start, more the further they go."""

    steps: Steps
    pull: float

    def __call__(self, start: Any, slope: Callable[[Any], Any]) -> Any:
        return self.steps(start, lambda weights: slope(weights) + self.pull * (weights - start))


def slot_questions(operation: Operation, lesson: Lesson, draw: random.Random) -> list[tuple[Any, Any, float]]:
    """For every slot with options, those options and which of them is the value; a slot that is not said has none."""
    import numpy as np

    by_slot: dict[int, list[Any]] = {}
    for option in options_of(said(lesson.text, THEN), operation):
        by_slot.setdefault(option.slot, []).append(option)
    found = []
    for at, options in by_slot.items():
        path = operation.slots[at].path
        right = [path in lesson.values and one.value == lesson.values[path] for one in options]
        if path in lesson.values and not any(right):
            continue
        if path not in lesson.values and draw.random() > 0.35:
            continue
        kept = [i for i, one in enumerate(right) if one]
        others = [i for i, one in enumerate(right) if not one]
        kept += draw.sample(others, min(len(others), RIVALS - min(len(kept), 4)))
        rows = np.zeros((len(kept), len(FEATURES)))
        for row, i in enumerate(kept):
            for place, value in options[i].features:
                rows[row, place] = value
        truth = np.array([float(right[i]) for i in kept])
        found.append((rows, truth / max(1.0, truth.sum()), 1.0))
    return found


def fitted_slots(
    questions: Sequence[tuple[Any, Any, float]], start: Mapping[str, float], rounds: int, pull: float
) -> dict[str, float]:
    import numpy as np

    first = np.array(weighed(start))
    asked = rivals(questions)

    shifted = fit_ranking(asked, Near(Adam(0.05, rounds), pull), first, 0.0, none=True)
    return {name: round(float(value), 4) for name, value in zip(FEATURES, shifted, strict=True)}


def choice_questions(
    api: Api,
    index: Index,
    lessons: Sequence[Lesson],
    weights: Weights,
    reads: Reads | None,
    progress: Progress = silent,
) -> list[tuple[Any, Any, float]]:
    import numpy as np

    places = {one.id: at for at, one in enumerate(api.operations)}
    slots = weighed(weights["slots"])
    found = []
    for done, lesson in enumerate(lessons):
        cut = said(lesson.text, THEN)
        rows, _ = features_of(index, cut)
        scores = first_scores(rows, weights["choice"])
        order = [int(at) for at in np.argsort(-scores, kind="stable")[:TRIED]]
        right = places[lesson.operation]
        tried = [right, *(at for at in order if at != right)]
        for at in tried:
            filled = fill(cut, api.operations[at], slots, reads)
            for name, value in after_filling(
                cut, api.operations[at], filled, meant(index, cut, api.operations[at], at)
            ).items():
                rows[at, CHOICE.index(name)] = value
        truth = np.array([1.0, *([0.0] * (len(tried) - 1))])
        found.append((rows[tried], truth, 1.0))
        progress("learning", done + 1, len(lessons))
    return found


def fitted_choice(
    questions: Sequence[tuple[Any, Any, float]], start: Mapping[str, float], rounds: int, pull: float
) -> dict[str, float]:
    import numpy as np

    first = np.array([start.get(name, 0.0) for name in CHOICE])
    found = fit_ranking(rivals(questions), Near(Adam(0.03, rounds), pull), first, 0.0)
    return {name: round(float(value), 4) for name, value in zip(CHOICE, found, strict=True)}


def learnt(api: Api, index: Index, start: Weights, progress: Progress = silent) -> Weights:
    """The weights of one description: choice between its operations is fitted to it, values stay as they ship."""
    lessons = all_lessons(api.operations, SEED, EACH, MOST) if 2 <= len(api.operations) <= MOST_LEARNT else []
    if not lessons:
        return start
    questions = choice_questions(api, index, lessons, start, shipped(), progress)
    return {**start, "choice": fitted_choice(questions, start["choice"], 60, NEAR)}
