"""Fit the weighing of Bash answers and its confidence on what came of running them, and say what each column is worth.

`python -m sayso.experiments.fit_weighing OUT [--write] [--columns]`, OUT being what `weighing_outcomes` made. Fitted on
`asked`, `nl2bash` and `everyday`; what is told of each is told by fits that saw none of its fold, of `fresh-dev` and
`steps` by one that never saw them. The start is the bundle's `prior`, weights that `fit_rerank` learnt on cross-fitted
answers to NL2Bash train, or with `--near` the weights that ship; weights are drawn to it. What telling back weighs
stays (`told_weight`): only the best are told back, and which those are depends on all other weights. `--columns` leaves
each column out in turn, `--without` some for good; `--write` puts the fit into the bundle.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sayso.answer.calibrate import Curve, calibration_error
from sayso.answer.combine import known_score, merge, once
from sayso.answer.rerank import TOLD_BEHIND, Combined, believed, of_list, told_back
from sayso.answer.weigh import Against, Weighed, best_first, look
from sayso.answer.weighing import Weighing, from_arrays
from sayso.core.types import Candidate, Draft, Request, Workspace
from sayso.experiments.fit_rerank import LEARNT
from sayso.experiments.weighing_outcomes import SOURCES
from sayso.learners.linear import Adam, Data, Descent, fit_logistic, fit_ranking, platt_targets, rivals
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.targets.bash.evidence.features import NAMES
from sayso.targets.bash.systems.combined import FACTS, RERANK, best_system
from sayso.targets.bash.tasks import BASH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

FITTED = {"asked": 1.0, "nl2bash": 0.5, "everyday": 1.0}
"""Sets that weights are fitted on, and how much a request of each counts."""
SURE_OF = ("asked", "everyday", "elsewhere")
"""Sets that the confidence is fitted on: those where right is what was run, and what no command answers."""
TOLD = (*FITTED, "fresh-dev", "steps", "elsewhere")
FOLDS, ROUNDS, RATE = 5, 600, 0.05
PULL, PULL_ELSE, NEAR = 0.03, 0.003, 1.0
"""How much weights are drawn to the prior, to nought where it knows none, and to those that ship."""
CURVE_ROUNDS, CURVE_RATE, CURVE_PULL, HIGHEST = 3000, 0.3, 3e-3, 0.97


@dataclass(frozen=True)
class Options:
    """All that was proposed for a request, as the weighing sees it."""

    drafts: list[Draft]
    seen: list[Against]
    rows: list[list[float]]


@dataclass(frozen=True)
class Question:
    """A request, what came of its answers, and what is weighed: recipes and steps alone, or all that was proposed."""

    id: str
    set: str
    described: float
    right: Mapping[str, bool]
    scored: bool
    options: Options
    is_alone: bool
    told: Mapping[str, float] = field(default_factory=dict)
    """How likely the request is told back by each text, where that is asked."""

    @property
    def fold(self) -> int:
        return int(hashlib.sha256(f"w:{self.id}".encode()).hexdigest(), 16) % FOLDS


def questions(system: Combined, path: Path, silent: Collection[str] = ()) -> list[Question]:
    """The requests of one set, whether recipes answer alone being settled as when they are asked.

    Sources that are `silent` are not heard.
    """
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        asked = system.target.read(Request(row["request"]))
        steps, quick, recalled, model = (as_candidates([] if name in silent else row[name]) for name in SOURCES)
        read = once(system.target.draft)
        drafts = merge(read, [], quick, steps)
        is_alone = system.is_alone(asked, drafts, look(system.target, asked, drafts))
        drafts = drafts if is_alone else merge(read, model, quick, steps, recalled)
        seen = look(system.target, asked, drafts)
        rows = system.columns(asked, drafts, row["described"]) if drafts else []
        options = Options(drafts, seen, rows)
        known = (row["id"], path.stem, row["described"], row["verdicts"], not row["unscored"])
        found.append(Question(*known, options, is_alone, {} if is_alone else row.get("told", {})))
    return found


def as_candidates(rows: Iterable[Sequence[Any]]) -> list[Candidate]:
    return [Candidate(text, score, tuple(why)) for text, score, why in rows]


def lessons(asked: Iterable[Question]) -> list[tuple[Array, Array, float]]:
    """Columns and truth of the options that may be first, of requests with right and wrong ones."""
    import numpy as np

    found = []
    for one in asked:
        pairs = zip(one.options.drafts, one.options.seen, one.options.rows, strict=True)
        kept = [(row, one.right.get(draft.text, False)) for draft, seen, row in pairs if not seen.barred]
        right = [is_right for _, is_right in kept]
        if one.scored and any(right) and not all(right):
            found.append((np.array([row for row, _ in kept]), np.array(right) / sum(right), FITTED[one.set]))
    return found


def of_units(weighing: Weighing) -> dict[str, float]:
    """Column -> weight of a unit of it."""
    parts = zip(weighing.columns, weighing.weight, weighing.scale, strict=True)
    return {name: weight / scale for name, weight, scale in parts}


def fit_weights(
    asked: Iterable[Question], prior: Mapping[str, float], without: Sequence[str] = (), pull: float | None = None
) -> Weighing:
    """Weights under which the right options together are likely (softmax over the options of a request), by Adam."""
    import numpy as np

    given = lessons(asked)
    whole = np.concatenate([rows for rows, _, _ in given])
    centre, scale = whole.mean(0), np.where(whole.std(0) > 1e-3, whole.std(0), 1.0)
    free = np.array([float(name not in without) for name in NAMES])
    start = np.array([prior.get(name, 0.0) for name in NAMES]) * scale * free
    # The prior is one more column whose weight stays: what is learnt is what differs from it.
    shifted = [((rows - centre) / scale, truth, weight) for rows, truth, weight in given]
    told = rivals([(np.column_stack([rows, rows @ start]), truth, weight) for rows, truth, weight in shifted])
    begin = np.append(np.zeros(len(NAMES)), 1.0)
    known = (PULL if name in LEARNT else PULL_ELSE for name in NAMES)
    pulls = np.array([*(known if pull is None else [pull] * len(NAMES)), 0.0])
    learnt = fit_ranking(told, Adam(RATE, ROUNDS), begin, pulls, free=np.append(free, 0.0))[:-1] * free
    return from_arrays(NAMES, centre, scale, learnt + start)


def ranked(one: Question, weighing: Weighing) -> tuple[list[Weighed], dict[str, float]]:
    """What `Combined.weigh` gives."""
    options = one.options
    if not options.drafts:
        return [], {}
    rows: Sequence[list[float]] = options.rows
    weighed = believed(options.drafts, options.seen, [weighing.score(row) for row in rows])
    if one.told:
        rows = told_back(Request(one.id), weighed, rows, NAMES, lambda _, texts: [told_of(one, text) for text in texts])
        weighed = believed(options.drafts, options.seen, [weighing.score(row) for row in rows])
    order = best_first(weighed)
    if not order:
        return [], {}
    best = max(map(known_score, options.drafts), default=0.0)
    row = rows[next(at for at, some in enumerate(weighed) if some is order[0])]
    return order, {**dict(zip(NAMES, row, strict=True)), **of_list(order, one.is_alone, one.described, best)}


def told_of(one: Question, text: str) -> float:
    """Drafts are mended texts: what is not among the texts that were read counts as the worst."""
    return one.told.get(text, min(one.told.values()))


class Told(Protocol):
    """What was known of a first answer, and whether it is right."""

    @property
    def facts(self) -> Mapping[str, float]: ...
    @property
    def first(self) -> bool: ...


@dataclass(frozen=True)
class Answered:
    """A first answer with what was known of it, and whether it, or one of three, is right."""

    question: Question
    facts: Mapping[str, float]
    first: bool
    three: bool


def answered(asked: Iterable[Question], weighing: Callable[[Question], Weighing]) -> list[Answered]:
    found = []
    for one in asked:
        if one.scored:
            order, facts = ranked(one, weighing(one))
            right = [one.right.get(some.draft.text, False) for some in order[:3]]
            found.append(Answered(one, facts, any(right[:1]), any(right)))
    return found


def crossed(asked: Sequence[Question], fit: Callable[[list[Question]], Any]) -> Callable[[Question], Any]:
    """What is fitted without a request's fold; a set that is not fitted on is told by the fit of all."""
    fits = [fit([one for one in asked if one.set in FITTED and one.fold != fold]) for fold in range(FOLDS)]
    whole = fit([one for one in asked if one.set in FITTED])
    return lambda one: fits[one.fold] if one.set in FITTED else whole


def fit_curve(trials: Sequence[Told], names: Sequence[str] = FACTS) -> Curve:
    """Platt's logistic over the facts, its targets neither 0 nor 1, drawn a little to nought."""
    import numpy as np

    kept = [one for one in trials if one.facts]
    columns = np.array([[one.facts[name] for name in names] for one in kept])
    centre, scale = columns.mean(0), columns.std(0) + 1e-6
    scale = np.where(columns.std(0) > 1e-3, scale, 1e6)
    rows = np.column_stack([(columns - centre) / scale, np.ones(len(kept))])
    data = Data(rows, platt_targets([one.first for one in kept]), 1 / len(kept))
    pull = np.array([*[CURVE_PULL] * len(names), 0.0])
    *weights, bias = fit_logistic(data, Descent(CURVE_RATE, CURVE_ROUNDS), np.zeros(len(pull)), pull)
    plain = np.array(weights) / scale
    named = {name: round(float(weight), 5) for name, weight in zip(names, plain, strict=True)}
    return Curve(round(float(bias - plain @ centre), 5), named, HIGHEST)


def told_curve(trials: Sequence[Answered], abstain_below: float) -> dict[str, Any]:
    """Every answer with the confidence of a curve that did not see its fold."""
    some = [one for one in trials if one.question.set in SURE_OF]
    curves = [fit_curve([one for one in some if one.question.fold != fold]) for fold in range(FOLDS)]
    sure = [(one, curves[one.question.fold](one.facts) if one.facts else 0.0) for one in trials]
    found: dict[str, Any] = {}
    for name in ("all", *TOLD):
        points = [(score, one.first) for one, score in sure if name in ("all", one.question.set)]
        given = [right for score, right in points if score >= abstain_below]
        found[name] = {
            "n": len(points),
            "right": round(sum(right for _, right in points) / max(1, len(points)), 3),
            "ece": round(calibration_error(points), 3),
            "answered": round(len(given) / max(1, len(points)), 3),
            "right of answered": round(sum(given) / max(1, len(given)), 3),
        }
    return found


def told(trials: Sequence[Answered]) -> dict[str, list[int]]:
    """Set -> first right, one of three right, requests that are scored."""
    return {
        name: [sum(one.first for one in some), sum(one.three for one in some), len(some)]
        for name in TOLD
        if (some := [one for one in trials if one.question.set == name])
    }


def write(weighing: Weighing, curve: Curve, abstain_below: float, folder: Path = RERANK) -> None:
    """Put weights and curve into the bundle; everything else in it stays."""
    bundle = load_bundle(folder)
    fitted = {"bias": curve.bias, "weights": dict(curve.weights), "highest": curve.highest}
    write_bundle(
        folder,
        name=bundle.name,
        target=bundle.target,
        kind=bundle.kind,
        settings={
            **bundle.settings,
            "weighing": weighing.as_json(),
            "curve": fitted,
            "abstain_below": abstain_below,
        },
        files={name: bundle.read(name) for name in bundle.files},
        licence=bundle.licence,
    )


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--near", action="store_true", help="draw weights to those that ship")
    parser.add_argument("--columns", action="store_true", help="leave each column out in turn")
    parser.add_argument("--without", nargs="*", default=(), choices=NAMES, help="columns that count nothing")
    parser.add_argument("--below", type=float, default=0.35, help="the confidence below which nothing is answered")
    args = parser.parse_args(argv)
    system = best_system(BASH, Workspace(args.out, args.out)).translator
    assert isinstance(system, Combined)
    shipped = of_units(system.weighing)
    prior = shipped if args.near else {**load_bundle(RERANK).settings["prior"], TOLD_BEHIND: shipped[TOLD_BEHIND]}
    fit = partial(fit_weights, prior=prior, pull=NEAR if args.near else None)
    there = [name for name in TOLD if (args.out / f"{name}.jsonl").is_file()]
    asked = [one for name in there for one in questions(system, args.out / f"{name}.jsonl")]
    print(json.dumps({"as it ships": told(answered(asked, lambda one: system.weighing))}))
    trials = answered(asked, crossed(asked, partial(fit, without=args.without)))
    print(json.dumps({"crossed": told(trials), "confidence": told_curve(trials, args.below)}, indent=1))
    for name in NAMES if args.columns else ():
        without = answered(asked, crossed(asked, partial(fit, without=(*args.without, name))))
        print(json.dumps({"without": name, **told(without)}))
    if args.write:
        weighing = fit([one for one in asked if one.set in FITTED], without=args.without)
        write(weighing, fit_curve([one for one in trials if one.question.set in SURE_OF]), args.below)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
