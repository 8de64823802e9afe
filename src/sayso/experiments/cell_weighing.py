"""What weighs cells of recipes and of a trunk, fitted on cells that ran.

    python -m sayso.experiments.cell_weighing OUT --known FILE [--trunk DIR [--answers FILE]] [--asks N]

First recipes alone: asks of the settings that are not held out, answered by recipes of other settings; each proposal
is run beside the right cell and compared. Then, with a trunk, the held-out settings, which no trunk has seen: proposals
and drawn cells together, cross-fitted by setting; where a machine with a GPU drew them (`answers`, as trunk_streams
sends them home), nothing is drawn here. OUT becomes the bundle: recipes of all settings, and both weighings. The file
`known` keeps verdicts, so that only new cells run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import math
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sayso.answer.weighing import Weighing, from_arrays
from sayso.core.types import Request
from sayso.english.prompt import load_trunk_tokens
from sayso.experiments.asked_lessons import is_held
from sayso.experiments.cell_recipes import FILES, LIVE, digest, drawn_asks, recipes_of, request_for
from sayso.experiments.notebook_prompts import asked_held
from sayso.experiments.notebook_replayed import Replayed
from sayso.learners.linear import Adam, fit_ranking, rivals
from sayso.neural.bundle import write_bundle
from sayso.neural.translator import TOKENIZER
from sayso.targets.notebook.asked.compared import Compared, Comparing
from sayso.targets.notebook.asked.stored import FOLDER, Asked, load_asked
from sayso.targets.notebook.kernel_packages import fetched
from sayso.targets.notebook.recipes.source import COLUMNS, Recipes
from sayso.targets.notebook.recipes.stored import FILE, KIND, packed
from sayso.targets.notebook.systems.asked_cells import JOINT, NAME, Joint, at_hand
from sayso.targets.notebook.systems.cells import Model
from sayso.targets.notebook.systems.columns import Option

FOLDS = 4
RUN = 10
"""Proposals of a request that are run."""
STEPS = Adam(rate=0.03, rounds=1500)
PULL = 0.002
PRIOR = {
    "near": 2.0, "request_share": 2.0, "phrasing_share": 1.0, "sure": 1.0, "missing": -1.0, "guesses": -0.3,
    "misfits": -1.0, "beside": 1.0, "unused_columns": -1.5, "unused_numbers": -1.5, "unused_texts": -1.5, "deeds": 0.5,
    "other_deeds": -1.5, "words_explained": 0.5, "code_explained": 0.5, "votes": 0.7, "common": 0.3,
}  # fmt: skip
"""Which proposals are run before anything is fitted."""

Array = NDArray[np.float64]


@dataclass
class Question:
    """One request with its options as rows, and which of them did what the right cell does."""

    setting: str
    texts: list[str]
    rows: Array
    right: list[bool]
    problems: tuple[str, ...] = ()
    """Of each option, "" where it is right."""


def fold_of(setting: str) -> int:
    return digest(f"fold:{setting}") % FOLDS


def prior() -> Weighing:
    n = len(COLUMNS)
    return Weighing(COLUMNS, (0.0,) * n, (1.0,) * n, tuple(PRIOR.get(name, 0.0) for name in COLUMNS))


Item = tuple[Asked, int, str, list[str], list[list[float]]]
"""An ask, its place, the phrasing, the cells that answer it and the columns of each."""


def judged(items: Sequence[Item], comparing: Comparing) -> list[Question | None]:
    """None where nothing can be scored."""
    cells = [Compared(one[0], place, phrasing, tuple(texts)) for one, place, phrasing, texts, _ in items]
    return [
        None if verdict.unscored else Question(one[0].id, texts, np.array(rows, float), verdict.right, verdict.problems)
        for (one, _, _, texts, rows), verdict in zip(items, comparing.verdicts(cells), strict=True)
    ]


def scored(questions: Iterable[Question | None]) -> list[Question]:
    return [one for one in questions if one is not None and one.texts]


def proposed(recipes: Recipes, weighing: Weighing, request: Request, most: int) -> tuple[list[str], list[list[float]]]:
    found = sorted(recipes.propose(request), key=lambda one: -weighing.score(one.row))[:most]
    return [one.text for one in found], [list(one.row) for one in found]


def alone_questions(
    asked: Sequence[Asked], n: int, weighing: Weighing, comparing: Comparing, seed: int
) -> list[Question]:
    """Asks of train settings, answered by recipes of the other folds."""
    items: list[Item] = []
    train = [one for one in asked if not is_held(one[0].id)]
    for fold in range(FOLDS):
        recipes = recipes_of(one for one in train if fold_of(one[0].id) != fold)
        own = [one for one in train if fold_of(one[0].id) == fold]
        for one, place, phrasing, way in drawn_asks(own, n // FOLDS, str(seed)):
            texts, rows = proposed(recipes, weighing, request_for(one, place, phrasing, way), RUN)
            items.append((one, place, phrasing, texts, rows))
    return scored(judged(items, comparing))


def fitted(questions: Sequence[Question], columns: Sequence[str], start: Array | None = None) -> Weighing:
    """A softmax over the options and "none of these", which is right where none is."""
    every = np.concatenate([one.rows for one in questions])
    centre, scale = every.mean(0), np.maximum(every.std(0), 1e-3)
    centre[0], scale[0] = 0.0, 1.0  # bias
    asked = []
    for one in questions:
        truth = np.array(one.right, float)
        asked.append(((one.rows - centre) / scale, truth / max(1.0, truth.sum()), 1.0))
    weight = fit_ranking(rivals(asked), STEPS, np.zeros(len(columns)) if start is None else start, PULL, none=True)
    return from_arrays(columns, centre, scale, weight)


def ranks(one: Question, weighing: Weighing) -> list[int]:
    """Places of its options, best first."""
    return sorted(range(len(one.texts)), key=lambda place: -weighing.score(one.rows[place].tolist()))


def at_k(questions: Sequence[Question], weighings: Sequence[Weighing], k: int) -> list[bool]:
    pairs = zip(questions, weighings, strict=True)
    return [any(one.right[place] for place in ranks(one, weighing)[:k]) for one, weighing in pairs]


def by_setting(questions: Sequence[Question], columns: Sequence[str], folds: int = 5) -> list[Weighing]:
    """For each question the weights that were fitted without its setting."""
    names = sorted({one.setting for one in questions}, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    part = {name: place % folds for place, name in enumerate(names)}
    made = {
        fold: fitted([one for one in questions if one.texts and part[one.setting] != fold], columns)
        for fold in range(folds)
    }
    return [made[part[one.setting]] for one in questions]


def cross_fitted(questions: Sequence[Question], columns: Sequence[str]) -> dict[str, float]:
    """tests@1 and @5 on settings that the weights were not fitted on."""
    weighings = by_setting(questions, columns)
    told = {f"tests@{k}": round(float(np.mean(at_k(questions, weighings, k))), 4) for k in (1, 3, 5)}
    best = round(float(np.mean([any(one.right) for one in questions])), 4)
    return {"n": len(questions), "settings": len({one.setting for one in questions}), **told, "any": best}


def held_asks(asked: Sequence[Asked], limit: int) -> list[tuple[Asked, int]]:
    """Asks of held-out settings, in an order that any part of which has all kinds."""
    held = [(one, place) for one in asked if is_held(one[0].id) for place in range(len(one[0].asks))]
    random.Random(1).shuffle(held)
    return held[:limit]


def joint_questions(
    asked: Sequence[Asked], alone: Weighing, trunk: Model, comparing: Comparing, ways: Sequence[str], limit: int
) -> list[Question]:
    """Held-out settings: what recipes of the others propose, and what the trunk draws, in the columns of both."""
    recipes = recipes_of(one for one in asked if not is_held(one[0].id))
    joint = Joint(recipes, alone, None, trunk)
    items = []
    for number, (one, place) in enumerate(held_asks(asked, limit)):
        phrasing = one[0].asks[place].phrasings[0]
        options, rows = joint.rows(request_for(one, place, phrasing, ways[number % len(ways)]))
        if options:
            items.append((one, place, phrasing, [option.text for option in options], rows))
    return scored(judged(items, comparing))


@dataclass
class Remembered:
    """A trunk whose draws are kept in a file: a CPU needs seconds for each."""

    trunk: Model
    signature: str
    path: Path | None

    def __post_init__(self) -> None:
        is_there = self.path is not None and self.path.is_file()
        self.kept: dict[str, Any] = json.loads(self.path.read_text("utf-8")) if self.path and is_there else {}

    def options(self, request: Request) -> tuple[list[Option], bool]:
        pieces = [f"{piece.kind} {piece.name} {piece.text}" for piece in request.context]
        key = hashlib.sha256("\0".join([self.signature, request.text, *pieces]).encode()).hexdigest()[:24]
        if key not in self.kept:
            options, is_cut = self.trunk.options(request)
            self.kept[key] = [[asdict(one) for one in options], is_cut]
            if self.path:
                self.path.write_text(json.dumps(self.kept), "utf-8")
        options, is_cut = self.kept[key]
        return [Option(**one) for one in options], bool(is_cut)


def replayed(answers: Path, tokenizer: Path) -> Replayed:
    """What was answered to the requests of held-out settings (`notebook_prompts`), as a trunk that draws it."""
    said = json.loads(lzma.decompress(answers.read_bytes()))
    return Replayed({one.request: said[f"asked {one.id}"] for one in asked_held()}, load_trunk_tokens(tokenizer))


def least_share(questions: Sequence[Question], weighing: Weighing) -> float:
    """Where to say "I don't know": below it lies a twentieth of the right first answers."""
    shares = []
    for one in questions:
        scores = [weighing.score(row) for row in one.rows.tolist()]
        top = max(0.0, *scores)
        best = max(range(len(scores)), key=lambda place: scores[place])
        if one.right[best]:
            shares.append(math.exp(scores[best] - top) / (sum(math.exp(x - top) for x in scores) + math.exp(-top)))
    return round(float(np.quantile(shares, 0.05)), 4) if shares else 0.0


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.cell_weighing", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--asked", type=Path, default=FOLDER, metavar="DIR", help="where the corpus is stored")
    parser.add_argument("--cache", type=Path, required=True, help="where `sayso data get kernel` put the packages")
    parser.add_argument("--known", type=Path, help="a file that keeps verdicts")
    parser.add_argument("--asks", type=int, default=1000, help="of train settings, that are run (%(default)s)")
    parser.add_argument("--trunk", type=Path, help="a bundle of notebook cells; without it recipes alone are fitted")
    parser.add_argument("--drawn", type=Path, help="a file that keeps what the trunk draws")
    parser.add_argument("--answers", type=Path, help="what the trunk drew elsewhere, with names told as a kernel does")
    parser.add_argument("--held", type=int, default=1000, help="asks of held-out settings (%(default)s)")
    parser.add_argument("--keep-weights", action="store_true", help="new recipes, weighed as the installed ones are")
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args(argv)
    asked = load_asked(args.asked)
    if args.keep_weights:
        there = at_hand().settings
        kept = {name: there[name] for name in ("weighings", "abstain_below")}
        note = {"weighed": "as they were fitted with recipes made before"}
        store(args.out, recipes_of(asked), kept, {**there["facts"], "these recipes": note})
        return 0
    comparing = Comparing(fetched(args.cache), args.cache, args.known)
    first = alone_questions(asked, args.asks, prior(), comparing, args.seed)
    alone = fitted(first, COLUMNS)
    told: dict[str, Any] = {"recipes alone": {**cross_fitted(first, COLUMNS), "weights": alone.named()}}
    weighings, least = {"alone": alone.as_json()}, {"alone": least_share(first, alone)}
    if args.trunk:
        from sayso.targets.notebook.systems.cells import opened

        trunk: Model
        ways: tuple[str, ...]
        if args.answers:
            trunk, ways = replayed(args.answers, args.trunk / TOKENIZER), (LIVE,)
        else:
            found = opened(args.trunk)
            trunk, ways = Remembered(found.translator.model, found.bundle, args.drawn), (LIVE, FILES)
        both = joint_questions(asked, alone, trunk, comparing, ways, args.held)
        joint = fitted(both, JOINT)
        told["with the trunk"] = {**cross_fitted(both, JOINT), "weights": joint.named()}
        weighings["joint"], least["joint"] = joint.as_json(), least_share(both, joint)
    store(args.out, recipes_of(asked), {"weighings": weighings, "abstain_below": least}, told)
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    return 0


def store(out: Path, recipes: Recipes, settings: Mapping[str, Any], told: Mapping[str, Any]) -> None:
    facts = {name: {key: value for key, value in some.items() if key != "weights"} for name, some in told.items()}
    card = CARD.format(templates=len(recipes.templates), settings=len({one.group for one in recipes.templates}))
    write_bundle(
        out,
        name=NAME,
        target="notebook",
        kind=KIND,
        settings={**settings, "facts": facts},
        files={FILE: packed(recipes), "MODEL_CARD.md": card.encode()},
        licence="Apache-2.0",
    )


CARD = """# notebook-recipes

**What it is.** {templates} notebook cells of {settings} small notebooks, each with the requests that asked for it, as
templates: names of tables and columns, numbers, texts and what is done (mean, sum, larger, as bars) are slots that a
new request fills with what its notebook has. No network. Beside them counts (which words of a request go with which
words of a cell) and the weights that put filled cells in order.

**Where it is from.** The asked cells of this project (`docs/corpora/asked-cells.md`), all machine-written; nothing of
users.

**Learnt from** cells that ran: proposals for asks of other settings were run in the sandbox beside the right cell, and
compared. Where a trunk of notebook cells is installed its cells are weighed together with these, by weights fitted on
settings that the trunk did not learn from.

**For** short requests for the next cell of a notebook, in English. It answers only what is like something that was
asked; the score of a cell is the belief that it does what is asked, and below a fitted one it says that it does not
know. It runs nothing.

Licence: Apache-2.0. Made by `python -m sayso.experiments.cell_weighing`.
"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
