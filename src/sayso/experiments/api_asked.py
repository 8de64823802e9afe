"""The weights with which any described API is asked, learnt from the requests of `data/asked`.

    python -m sayso.experiments.api_asked --readers FOLDER [--folds 3] [--write]

FOLDER is what `api_reader` made: this learns on the third of the APIs that its first reader never saw.

Values are learnt as they are dealt out: the best assignment of a request is drawn to the right one (a structured
hinge), beside a softmax over what each slot could take. Then the choice among operations, then when to say nothing: a
request is one for its own functions, and none for those of other groups. `--folds` learns on the other groups and
reports.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sayso.learners.linear import Data, fit_newton
from sayso.targets.api.corpus.asked import Taught, Wanted, taught
from sayso.targets.api.specs.choose import built
from sayso.targets.api.specs.fill import WANTED, State, dealt, gathered, is_default, weighed
from sayso.targets.api.specs.learn import choice_questions, fitted_choice
from sayso.targets.api.specs.lessons import Lesson
from sayso.targets.api.specs.model import Api, Operation, Slot
from sayso.targets.api.specs.prompts.hearing import Heard, with_heard
from sayso.targets.api.specs.reader import Reader, reader_of, shipped_weights
from sayso.targets.api.specs.said.spans import Said, said
from sayso.targets.api.specs.slots.context import Reads, in_context, weights_from
from sayso.targets.api.specs.slots.features import FEATURES, PLACE, Option
from sayso.targets.api.specs.slots.options import options_of

Array = NDArray[np.float64]
Weights = Mapping[str, Mapping[str, float]]
HERE = Path(__file__).parents[1] / "targets" / "api" / "data" / "spec_weights.json"
LOOSE = ("verbose", "chatty")
"""Groups of functions that have nothing to do with each other: a fold takes some of them."""
ORDER = ("order-alike", "order-unlike")
GIVEN = 12.0
"""What makes every right value stronger than none."""
ALONE = HERE.with_name("spec_weights_alone.json")
SHARE, CONTEXT, ASKED = 0.3, 0.5, 0.3
"""How far values go from the weights that stand alone to those that are learnt here, and what the reader counts for a
value and for an operation: chosen on dev, where shares of 0 and 1 are no better."""
MOST_CHOSEN, MOST_DOUBTED = 500, 350
PARTS, HELD = 3, "held"
"""Of so many parts of the APIs the first is held back from the reader of this name."""
ROUNDS, RATE, BATCH, MARGIN, SOFT, PULL = 6, 0.01, 8, 0.3, 0.3, 2e-4
SURE = (
    *("bias", "all", "name", "summary", "covered", "named", "known", "missing", "unused", "fill", "filled"),
    *("asked-for", "name-said", "slots-said", "taken", "meaning", "asks"),
)
NEAR_ONES = 0.5
"""Share of requests that are held against their group without the operation that they ask for."""


@dataclass(frozen=True)
class Dealing:
    """A request for one operation, with all that its slots could take."""

    said: Said
    operation: Operation
    options: tuple[Option, ...]
    rows: NDArray[np.float32]
    right: tuple[bool, ...]
    wanted: dict[str, Any]
    said_of: frozenset[str] = frozenset()
    """Slots that have a value, one that is the default too."""

    def deal(self, scores: Sequence[float], weights: Sequence[float], only_right: bool = False) -> State:
        able = zip(scores, self.options, self.right, strict=True)
        return dealt(
            self.said,
            self.operation,
            [(much, one) for much, one, is_right in able if is_right or not only_right],
            weights,
        )

    def is_met(self, state: State) -> bool:
        return plain(gathered(state.chosen, self.operation)) == self.wanted


def plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        path: json.dumps(value, ensure_ascii=False).casefold() if isinstance(value, str | list | bool) else value
        for path, value in values.items()
    }


def is_right(slot: Slot, value: Any, wanted: Any) -> bool:
    if slot.many and slot.enum:
        return value[0] in wanted
    return plain({"": value}) == plain({"": wanted})


def dealing(operation: Operation, one: Wanted, reads: Reads | None = None, heard: Heard | None = None) -> Dealing:
    cut = said(one.text, one.clock)
    options = tuple(with_heard(cut, operation, in_context(cut, operation, options_of(cut, operation), reads)[0], heard))
    rows = np.zeros((len(options), len(FEATURES)), np.float32)
    for at, option in enumerate(options):
        for place, value in option.features:
            rows[at, place] = value
    slots = operation.slots
    right = tuple(
        slots[option.slot].path in one.values
        and is_right(slots[option.slot], option.value, one.values[slots[option.slot].path])
        for option in options
    )
    wanted = plain({path: value for path, value in one.values.items() if not is_default(operation, path, value)})
    return Dealing(cut, operation, options, rows, right, wanted, frozenset(one.values))


def orders(state: State, operation: Operation) -> Array:
    """How often two values stand in the order of their slots, less how often they do not."""
    found = np.zeros(len(FEATURES))
    for at, one in enumerate(state.chosen):
        for other in state.chosen[:at]:
            if other.slot != one.slot and one.cover and other.cover:
                is_alike = operation.slots[other.slot].kind == operation.slots[one.slot].kind
                sign = 1 if (other.slot < one.slot) == (other.first < one.first) else -1
                found[PLACE[ORDER[not is_alike]]] += sign
    return found


def slope_of(one: Dealing, weights: Array) -> Array:
    """Of the loss of one request."""
    scores = one.rows @ weights
    found = np.zeros(len(weights))
    for at, slot in enumerate(one.operation.slots):
        mine = [place for place, option in enumerate(one.options) if option.slot == at]
        right = [place for place in mine if one.right[place]]
        if not mine or (slot.path in one.wanted and not right):
            continue
        much = np.exp(np.clip(scores[mine] + (WANTED if slot.is_needed else 0.0), -30, 30))
        found += SOFT * (much / (much.sum() + 1.0)) @ one.rows[mine]
        if right:
            best = np.exp(np.clip(scores[right], -30, 30))
            found -= SOFT * (best / best.sum()) @ one.rows[right]
    plainly = list(map(float, weights))
    meant = one.deal([much + GIVEN for much in scores], plainly, only_right=True)
    if one.is_met(meant):
        margins = np.where(one.right, -MARGIN, MARGIN)
        taken = one.deal(list(scores + margins), plainly)
        places = {id(option): place for place, option in enumerate(one.options)}
        for state, sign in ((taken, 1.0), (meant, -1.0)):
            found += sign * orders(state, one.operation)
            for option in state.chosen:
                found += sign * one.rows[places[id(option)]]
    return found


def fit_slots(dealings: Sequence[Dealing], start: Mapping[str, float], seed: int = 0) -> dict[str, float]:
    """Adam over small batches, drawn a little to where it starts, the rate falling to nothing."""
    first = np.array(weighed(start))
    weights, mean, square = first.copy(), np.zeros_like(first), np.zeros_like(first)
    order, draw, step = list(range(len(dealings))), random.Random(seed), 0
    for round_ in range(ROUNDS):
        draw.shuffle(order)
        for begin in range(0, len(order), BATCH):
            step += 1
            batch = order[begin : begin + BATCH]
            slope = sum((slope_of(dealings[at], weights) for at in batch), np.zeros_like(first)) / len(batch)
            slope = slope + 2 * PULL * (weights - first)
            mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
            rate = RATE * (1 - round_ / ROUNDS) + 1e-4
            weights = weights - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return {name: round(float(value), 4) for name, value in zip(FEATURES, weights, strict=True)}


def without_trunk(api: Api, weights: Weights, reads: Reads) -> Reader:
    """What the trunk adds is fitted on top of these weights (`api_heard`), with requests that it never saw."""
    return replace(reader_of(api, weights), reads=reads, hears=None)


def fit_choice(groups: Sequence[Taught], weights: Weights, reads: Reads) -> dict[str, float]:
    questions = []
    for group in groups:
        lessons = [Lesson(one.text, one.operation, one.values) for one in group.wanted if one.operation]
        if lessons:
            questions += choice_questions(group.api, built(group.api.operations), lessons, weights, reads)
    return fitted_choice(questions, weights["choice"], 400, 0.003)


def held_against(
    groups: Sequence[Taught], weights: Weights, reads: Reads, seed: int = 0
) -> Iterator[tuple[dict[str, float], bool]]:
    """What is known of the best reading of a request, and whether the request is one for that operation."""
    draw = random.Random(seed)
    every = [(group, operation) for group in groups for operation in group.api.operations]
    for group in groups:
        whole = without_trunk(group.api, weights, reads)
        strange = [(other, one) for other, one in every if other.name != group.name or group.name in LOOSE]
        for one in group.wanted:
            if not one.operation:
                yield dict(whole.read(one.text, one.clock, 1)[0].told), False
                continue
            found = whole.read(one.text, one.clock, 1)[0]
            if found.operation.id == one.operation:
                yield dict(found.told), True
            alone = replace(group.api, operations=(operation_of(group, one),))
            yield dict(without_trunk(alone, weights, reads).read(one.text, one.clock, 1)[0].told), True
            if draw.random() < NEAR_ONES and len(group.api.operations) > 1:
                others = tuple(other for other in group.api.operations if other.id != one.operation)
                rest = without_trunk(replace(group.api, operations=others), weights, reads)
                yield dict(rest.read(one.text, one.clock, 1)[0].told), False
            other, operation = draw.choice(strange)
            alone = replace(other.api, operations=(operation,))
            yield dict(without_trunk(alone, weights, reads).read(one.text, one.clock, 1)[0].told), False


def fit_sure(groups: Sequence[Taught], weights: Weights, reads: Reads) -> dict[str, float]:
    rows = list(held_against(groups, weights, reads))
    table = np.array([[told.get(name, 0.0) for name in SURE] for told, _ in rows])
    truth = np.array([float(right) for _, right in rows])
    balance = np.where(truth > 0, len(truth) / truth.sum(), len(truth) / (len(truth) - truth.sum())) / 2
    found = fit_newton(Data(table, truth, balance), np.zeros(len(SURE)), 0.5)
    return {name: round(float(value), 4) for name, value in zip(SURE, found, strict=True)}


def learnt(groups: Sequence[Taught], start: Weights, reads: Reads, keep_slots: bool = False) -> Weights:
    weights = start
    if not keep_slots:
        dealings = [
            dealing(operation_of(group, one), one, reads) for group in groups for one in group.wanted if one.operation
        ]
        weights = {**start, "slots": fit_slots(dealings, start["slots"])}
    weights = {**weights, "choice": fit_choice(thinned(groups, MOST_CHOSEN), weights, reads)}
    print(json.dumps({"choice": weights["choice"]}), file=sys.stderr, flush=True)
    return {**weights, "sure": fit_sure(thinned(groups, MOST_DOUBTED), weights, reads)}


def drawn(found: Weights) -> Weights:
    """What ships: towards what is learnt from the weights that stand alone, as far as dev agrees."""
    alone = json.loads(ALONE.read_text(encoding="utf-8"))
    first, last = alone["slots"], found["slots"]
    slots = {name: round(first.get(name, 0.0) + SHARE * (last[name] - first.get(name, 0.0)), 4) for name in FEATURES}
    return {**found, "slots": {**slots, "context": CONTEXT}, "choice": {**alone["choice"], "asks": ASKED}}


def thinned(groups: Sequence[Taught], most: int, seed: int = 0) -> list[Taught]:
    """So many of the requests: few weights need no more."""
    every = [(at, one) for at, group in enumerate(groups) for one in group.wanted]
    kept = random.Random(seed).sample(every, min(most, len(every)))
    return [replace(group, wanted=tuple(one for at, one in kept if at == place)) for place, group in enumerate(groups)]


def operation_of(group: Taught, one: Wanted) -> Operation:
    found = group.api.find(one.operation)
    assert found is not None
    return found


def part_of(name: str, parts: int) -> int:
    return zlib.crc32(name.encode()) % parts


def part(groups: Sequence[Taught], folds: int, fold: int, held: bool) -> list[Taught]:
    """The groups that are held back, or the others; dealt anew, since one part is all that comes here."""
    return [group for group in groups if (part_of(f"{group.name} again", folds) == fold) == held]


@dataclass(frozen=True)
class Learnt:
    """A reader, and the weights of the other features that were learnt with it."""

    reads: Reads
    start: dict[str, float]


def read_learnt(folder: Path, name: str) -> Learnt:
    """One of those that `api_reader` keeps."""
    with np.load(folder / f"reader.{name}.npz") as stored:
        reads = weights_from(dict(stored), json.loads((folder / "settings.json").read_text()), str(folder))
    start = json.loads((folder / f"weights.{name}.json").read_text())
    return Learnt(reads, {**start, "context": 1.0})


def report(groups: Sequence[Taught], weights: Weights, reads: Reads) -> dict[str, float]:
    values = operations = n = 0
    for group in groups:
        reader = without_trunk(group.api, weights, reads)
        for one in group.wanted:
            if not one.operation:
                continue
            n += 1
            made = dealing(operation_of(group, one), one, reads)
            plainly = weighed(weights["slots"])
            values += made.is_met(made.deal(list(made.rows @ np.array(plainly)), plainly))
            operations += reader.read(one.text, one.clock, 1)[0].operation.id == one.operation
    sure = [
        (sum(weights["sure"].get(name, 0.0) * told.get(name, 0.0) for name in SURE) > 0, right)
        for told, right in held_against(groups, weights, reads, seed=1)
    ]
    kept = [said_so for said_so, right in sure if right]
    refused = [not said_so for said_so, right in sure if not right]
    return {
        "n": n,
        "values": values / n,
        "operation": operations / n,
        "answered": sum(kept) / len(kept),
        "refused": sum(refused) / len(refused),
    }


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.api_asked", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--readers", type=Path, required=True, help="folder that `api_reader` made")
    parser.add_argument("--folds", type=int, default=0, help="learn on the other groups and report (0: do not)")
    parser.add_argument("--keep-slots", action="store_true", help="learn the choice and the doubts alone")
    parser.add_argument("--write", action="store_true", help="change the weights that ship")
    args = parser.parse_args(argv)
    learnt_before = read_learnt(args.readers, HELD)
    groups = [group for group in taught() if not part_of(group.name, PARTS)]
    start = {**shipped_weights(), **({} if args.keep_slots else {"slots": learnt_before.start})}
    for fold in range(args.folds):
        weights = learnt(part(groups, args.folds, fold, False), start, learnt_before.reads)
        print(json.dumps(report(part(groups, args.folds, fold, True), weights, learnt_before.reads)), flush=True)
    weights = drawn(learnt(groups, start, learnt_before.reads, args.keep_slots))
    if args.write:
        HERE.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
