"""The weights with which any described API is asked, learnt from the requests of `data/asked`.

    python -m sayso.experiments.api_asked [--folds 3] [--write]

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
from sayso.targets.api.specs.lessons import THEN, Lesson
from sayso.targets.api.specs.model import Operation, Slot
from sayso.targets.api.specs.options import FEATURES, PLACE, Option, options_of
from sayso.targets.api.specs.reader import reader_of, shipped_weights
from sayso.targets.api.specs.spans import Said, said

Array = NDArray[np.float64]
Weights = Mapping[str, Mapping[str, float]]
HERE = Path(__file__).parents[1] / "targets" / "api" / "data" / "spec_weights.json"
LOOSE = ("verbose", "chatty")
"""Groups of functions that have nothing to do with each other: a fold takes some of them."""
ORDER = ("order-alike", "order-unlike")
GIVEN = 12.0
"""What makes every right value stronger than none."""
SHARE = 0.6
"""Of the way from where the weights start to where they are learnt: chosen on dev, where 0 and 1 are both worse."""
ROUNDS, RATE, BATCH, MARGIN, SOFT, PULL = 25, 0.01, 8, 0.3, 0.3, 2e-4
SURE = (
    *("bias", "all", "name", "summary", "covered", "named", "known", "missing", "unused", "fill", "filled"),
    *("asked-for", "name-said", "slots-said", "taken", "meaning"),
)
OTHERS = 3
"""Functions of other groups that a request is held against, each alone."""


@dataclass(frozen=True)
class Dealing:
    """A request for one operation, with all that its slots could take."""

    said: Said
    operation: Operation
    options: tuple[Option, ...]
    rows: Array
    right: tuple[bool, ...]
    wanted: dict[str, Any]

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


def dealing(operation: Operation, one: Wanted) -> Dealing:
    cut = said(one.text, THEN)
    options = tuple(options_of(cut, operation))
    rows = np.zeros((len(options), len(FEATURES)))
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
    return Dealing(cut, operation, options, rows, right, wanted)


def orders(state: State, operation: Operation) -> Array:
    """How often two values stand in the order of their slots, less how often they do not."""
    found = np.zeros(len(FEATURES))
    for at, one in enumerate(state.chosen):
        for other in state.chosen[:at]:
            if other.slot != one.slot:
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
    mixed = first + SHARE * (weights - first)
    return {name: round(float(value), 4) for name, value in zip(FEATURES, mixed, strict=True)}


def fit_choice(groups: Sequence[Taught], weights: Weights) -> dict[str, float]:
    questions = []
    for group in groups:
        lessons = [Lesson(one.text, one.operation, one.values) for one in group.wanted if one.operation]
        if lessons:
            questions += choice_questions(group.api, built(group.api.operations), lessons, weights)
    return fitted_choice(questions, weights["choice"], 400, 0.003)


def held_against(groups: Sequence[Taught], weights: Weights, seed: int = 0) -> Iterator[tuple[dict[str, float], bool]]:
    """What is known of the best reading of a request, and whether the request is one for that operation."""
    draw = random.Random(seed)
    every = [(group.name, group.api, operation) for group in groups for operation in group.api.operations]
    alone = {
        (name, operation.id): reader_of(replace(api, operations=(operation,)), weights)
        for name, api, operation in every
    }
    whole = {group.name: reader_of(group.api, weights) for group in groups}
    for group in groups:
        strange = [(name, operation.id) for name, _, operation in every if name != group.name or name in LOOSE]
        for one in group.wanted:
            if not one.operation:
                yield dict(whole[group.name].read(one.text, THEN, 1)[0].told), False
                continue
            found = whole[group.name].read(one.text, THEN, 1)[0]
            if found.operation.id == one.operation:
                yield dict(found.told), True
            yield dict(alone[group.name, one.operation].read(one.text, THEN, 1)[0].told), True
            others = [key for key in draw.sample(strange, OTHERS) if key[1] != one.operation]
            for key in others:
                yield dict(alone[key].read(one.text, THEN, 1)[0].told), False
            other = draw.choice([name for name in whole if name != group.name])
            yield dict(whole[other].read(one.text, THEN, 1)[0].told), False


def fit_sure(groups: Sequence[Taught], weights: Weights) -> dict[str, float]:
    rows = list(held_against(groups, weights))
    table = np.array([[told.get(name, 0.0) for name in SURE] for told, _ in rows])
    truth = np.array([float(right) for _, right in rows])
    balance = np.where(truth > 0, len(truth) / truth.sum(), len(truth) / (len(truth) - truth.sum())) / 2
    found = fit_newton(Data(table, truth, balance), np.zeros(len(SURE)), 0.5)
    return {name: round(float(value), 4) for name, value in zip(SURE, found, strict=True)}


def learnt(groups: Sequence[Taught], start: Weights, keep_slots: bool = False) -> Weights:
    if keep_slots:
        weights = {**start, "choice": fit_choice(groups, start)}
        return {**weights, "sure": fit_sure(groups, weights)}
    dealings = [dealing(operation_of(group, one), one) for group in groups for one in group.wanted if one.operation]
    weights = {**start, "slots": fit_slots(dealings, start["slots"])}
    weights = {**weights, "choice": fit_choice(groups, weights)}
    return {**weights, "sure": fit_sure(groups, weights)}


def operation_of(group: Taught, one: Wanted) -> Operation:
    found = group.api.find(one.operation)
    assert found is not None
    return found


def fold_of(group: Taught, one: Wanted, folds: int) -> int:
    return zlib.crc32((group.name + (one.operation if group.name in LOOSE else "")).encode()) % folds


def part(groups: Sequence[Taught], folds: int, fold: int, held: bool) -> list[Taught]:
    """The groups with those of their requests that are held back, or with the others."""
    kept = [
        replace(group, wanted=tuple(one for one in group.wanted if (fold_of(group, one, folds) == fold) == held))
        for group in groups
    ]
    return [group for group in kept if group.wanted]


def report(groups: Sequence[Taught], weights: Weights) -> dict[str, float]:
    values = operations = n = 0
    for group in groups:
        reader = reader_of(group.api, weights)
        for one in group.wanted:
            if not one.operation:
                continue
            n += 1
            made = dealing(operation_of(group, one), one)
            plainly = weighed(weights["slots"])
            values += made.is_met(made.deal(list(made.rows @ np.array(plainly)), plainly))
            operations += reader.read(one.text, THEN, 1)[0].operation.id == one.operation
    sure = [
        (sum(weights["sure"].get(name, 0.0) * told.get(name, 0.0) for name in SURE) > 0, right)
        for told, right in held_against(groups, weights, seed=1)
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
    parser.add_argument("--folds", type=int, default=0, help="learn on the other groups and report (0: do not)")
    parser.add_argument("--keep-slots", action="store_true", help="learn the choice and the doubts alone")
    parser.add_argument("--write", action="store_true", help="change the weights that ship")
    args = parser.parse_args(argv)
    groups = list(taught())
    start = shipped_weights()
    for fold in range(args.folds):
        weights = learnt(part(groups, args.folds, fold, False), start)
        print(json.dumps(report(part(groups, args.folds, fold, True), weights)))
    weights = learnt(groups, start, args.keep_slots)
    print(json.dumps({"learnt on": report(groups, weights)}))
    if args.write:
        HERE.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
