"""Fit the weights that turn a reading of a request into a probability, and write them into the embedded bundle.

Ranking is learnt from the cookbook itself: one phrasing of six, which the encoder never saw, is asked with values
in its slots while it is left out, so that the other phrasings of its recipe are right, and once as it is; for some the
whole recipe is left out, and for requests that no command answers nothing is right. There are weights with the encoder
and without. The scale is set on the `check` part of the held-out requests.
After the recipes changed: `python -m sayso.experiments.fit_cookbook tests/targets/bash/heldout_requests.jsonl` (needs
numpy);
a number behind it is the score below which there is no answer, which stays what it was otherwise.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sayso.cookbook.entry import Recipe, example_values, spoken
from sayso.cookbook.slot_types import NAMED_BY_PATH
from sayso.cookbook.slots import FEATURES, MEANT, Cookbook, Settings
from sayso.core.errors import BadInstruction
from sayso.learners.linear import Data, Descent, fit_logistic, fit_ranking, platt_targets, rivals
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.neural.meaning import Meaning, load_encoder
from sayso.targets.bash.cookbook import meaning as bash_meaning
from sayso.targets.bash.cookbook import recipes as bash_recipes
from sayso.targets.bash.cookbook.fill import render
from sayso.targets.bash.cookbook.meaning import is_held_back
from sayso.targets.bash.cookbook.prepared import NAME as PREPARED
from sayso.targets.bash.cookbook.prepared import prepare
from sayso.targets.bash.language import normalise

START = {
    "bias": -6.0,
    "request": 3.0,
    "phrasing": 2.0,
    "evidence": 2.0,
    "left_over": -2.0,
    "missing": -2.0,
    "unsaid": -1.0,
    "fits": 2,
}
WITHOUT_RECIPE = 4
"""In one of this many questions the whole recipe is left out."""
WITHOUT_FILE = 3
"""One in this many is also asked without its file or folder, as people do who have it before their eyes."""
KNOWN_WEIGHT, ELSEWHERE_WEIGHT, FULL_ROUND = 0.3, 4.0, 5000
"""Requests from elsewhere weigh so much beside that many phrasings."""
MOST_ASKED = 1500
"""Enough for so few weights, and a minute or two of CPU."""
RIVALS, ROUNDS, RATE, MOMENTUM, DECAY = 10, 1500, 1.0, 0.9, 2e-4
LEADING = "in|of|from|to|on|at|inside|into|for|with|the|a|my|file|folder|directory|called|named"
FEWEST_WORDS = 3
LOOKED_AT, LOWEST = 60, 0.02

Question = tuple[list[tuple[float, ...]], int, float]
"""Features of the rival readings, which one is right (-1: none), weight."""
MakeMeaning = Callable[[Sequence[int]], Meaning]


def questions(book: Cookbook) -> Iterator[Question]:
    asked = [(at, phrasing) for at, phrasing in enumerate(book.phrasings) if is_held_back(phrasing.text)]
    asked = asked[:: -(-len(asked) // MOST_ASKED)]
    for turn, (at, phrasing) in enumerate(asked):
        recipe = book.recipes[phrasing.recipe]
        gone = turn % WITHOUT_RECIPE == 0
        said = {name: value for name, value in example_values(recipe, at).items() if "{" + name + "}" in phrasing.text}
        text = spoken(phrasing.text, recipe, said)
        read = book.read_as(book.read(text), at)
        right = render(recipe, read.values) if read else ""
        left_out = frozenset(book.members[phrasing.recipe] if gone else {at})
        yield from question(book, text, left_out, right, 0.5 if gone else 1.0)
        yield from question(book, text, frozenset(), right, KNOWN_WEIGHT)
        if turn % WITHOUT_FILE == 0 and (short := without_file(phrasing.text, recipe, said)):
            read = book.read_as(book.read(short), at)
            yield from question(
                book, short, left_out, render(recipe, read.values) if read else "", 0.5 if gone else 1.0
            )
    for text in elsewhere():
        yield from question(book, text, frozenset(), "", ELSEWHERE_WEIGHT * len(asked) / FULL_ROUND)


def without_file(phrasing: str, recipe: Recipe, said: Mapping[str, str]) -> str:
    """A phrasing with values but without the one file or folder that it must name; "" where nothing much is left.

    "sort the lines of {file}" -> "sort the lines"
    """
    named = [name for name in said if recipe.slots[name].required and recipe.slots[name].type in NAMED_BY_PATH]
    if len(named) != 1:
        return ""
    short = re.sub(rf"(?:\s+(?:{LEADING}))*\s+\{{{named[0]}\}}", "", phrasing, count=1)
    rest = {name: value for name, value in said.items() if name != named[0]}
    if short == phrasing or len(short.split()) < FEWEST_WORDS or "{" + named[0] in short:
        return ""
    return spoken(short, recipe, rest)


def names(book: Cookbook) -> tuple[str, ...]:
    """The features that its readings have, in order."""
    return (*FEATURES, *(MEANT if book.meaning else ()))


def question(book: Cookbook, text: str, left_out: frozenset[int], right: str, weight: float) -> Iterator[Question]:
    rivals: dict[str, tuple[float, ...]] = {}
    for reading in book.readings(book.read(text), left_out)[:RIVALS]:
        rivals.setdefault(render(reading.recipe, reading.values), tuple(reading.features[name] for name in names(book)))
    if rivals:
        yield list(rivals.values()), list(rivals).index(right) if right in rivals else -1, weight


def elsewhere() -> list[str]:
    lines = (bash_recipes.FOLDER / "_elsewhere.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def rank(asked: Sequence[Question], names: Sequence[str]) -> dict[str, float]:
    """Weights under which the right rival is likely, or none of them where none is right."""
    import numpy as np

    given = rivals([(rows, [float(at == right) for at in range(len(rows))], weight) for rows, right, weight in asked])
    start = np.array([START.get(name, 0.0) for name in names])
    weights = fit_ranking(given, Descent(RATE, ROUNDS, MOMENTUM), start, DECAY, none=True)
    return dict(zip(names, weights.tolist(), strict=True))


def fit_scale(points: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """(slope, shift) that make logistic(slope · score + shift) the rate at which first answers are right (Platt)."""
    import numpy as np

    rows = np.array([[score, 1.0] for score, _ in points])
    data = Data(rows, platt_targets([right for _, right in points]), 1 / len(points))
    slope, shift = fit_logistic(data, Descent(0.05, 20_000), np.array([1.0, 0.0])).tolist()
    return slope, shift


def first_answers(book: Cookbook, rows: Sequence[dict[str, Any]]) -> Iterator[tuple[float, bool]]:
    """(score before the logistic, right) of the first answer to each row that has one."""
    for row in rows:
        readings = book.readings(book.read(row["text"]))
        if row["kind"] != "hostile" and readings:
            score = sum(book.settings.weights[name] * value for name, value in readings[0].features.items())
            command = render(readings[0].recipe, readings[0].values)
            yield score, any(same(command, accepted) for accepted in row.get("accept", ()))


def same(left: str, right: str) -> bool:
    try:
        return normalise(left) == normalise(right)
    except BadInstruction:
        return left == right


def fitted(
    recipes: Sequence[Recipe],
    rows: Sequence[dict[str, Any]],
    meaning: MakeMeaning | None = None,
    beside: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """Weights fitted on the cookbook and scaled on some requests with what is right for them.

    With others `beside` them, the mean of both: a phrasing that is left out takes words with it that requests share.
    """

    def book(weights: Mapping[str, float]) -> Cookbook:
        lexicon = bash_recipes.load_lexicon(bash_recipes.FOLDER)
        return Cookbook(recipes, lexicon, Settings(weights, LOOKED_AT), render, meaning=meaning)

    def scaled(weights: Mapping[str, float]) -> dict[str, float]:
        slope, shift = fit_scale(list(first_answers(book(weights), rows)))
        return {name: round(slope * weight + (shift if name == "bias" else 0.0), 4) for name, weight in weights.items()}

    begin = book({name: START.get(name, 0.0) for name in (*FEATURES, *MEANT)})
    weights = scaled(rank(list(questions(begin)), names(begin)))
    if beside is None:
        return weights
    return scaled({name: (weight + beside.get(name, 0.0)) / 2 for name, weight in weights.items()})


def refit(held_out: Path, folder: Path, abstain_below: float) -> None:
    """Fit on the cookbook, scale on the `check` part, and write the bundle."""
    recipes = bash_recipes.load_recipes(bash_recipes.FOLDER)
    rows = [json.loads(line) for line in held_out.read_text(encoding="utf-8").splitlines()]
    unseen = [row for row in rows if row["half"] == "check"]
    weights = fitted(recipes, unseen)
    book = Cookbook(recipes, bash_recipes.load_lexicon(bash_recipes.FOLDER), Settings(weights), render)
    settings: dict[str, Any] = {"weights": weights, "looked_at": LOOKED_AT, "lowest": LOWEST}
    files = {"MODEL_CARD.md": (folder / "MODEL_CARD.md").read_bytes(), PREPARED: prepare(book, bash_recipes.FOLDER)}
    if bash_meaning.is_usable():
        encoder = load_encoder(load_bundle(bash_meaning.BUNDLE))
        meaning = bash_meaning.fresh_meaning(encoder, recipes)
        settings["meaning"] = {
            "encoder": bash_meaning.weights_digest(),
            "width": encoder.shape.width,
            "weights": fitted(recipes, unseen, meaning, weights),
        }
        files[bash_meaning.VECTORS] = meaning([0]).vectors.rows.tobytes()
    write_bundle(
        folder,
        name="bash-cookbook",
        target="bash",
        kind="cookbook",
        settings={**settings, "abstain_below": abstain_below},
        files=files,
        licence="Apache-2.0",
    )


if __name__ == "__main__":
    kept = load_bundle(bash_recipes.BUNDLE).settings["abstain_below"]
    refit(Path(sys.argv[1]), bash_recipes.BUNDLE, float(sys.argv[2]) if len(sys.argv) > 2 else kept)
