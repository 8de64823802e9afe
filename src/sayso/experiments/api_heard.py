"""What the trunk counts beside everything else that is known of a call of a described API: `data/spec_weights.json`.

    python -m sayso.experiments.api_heard fit --data DATA --kept FILE [--write]
    python -m sayso.experiments.api_heard score --data DATA --kept FILE [TASK...] [--split dev]

Fitted on the groups of `data/asked` that neither the trunk nor the small reader learnt from, `trunk_functions.is_held`:
what counts for a value, for an operation, and when to say nothing. `score` asks tasks with the reader as it ships. FILE
keeps what the trunk said.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from sayso.core.types import Example, Workspace
from sayso.experiments.api_asked import HERE, LOOSE, Dealing, dealing, operation_of
from sayso.experiments.trunk_calls import groups
from sayso.experiments.trunk_functions import is_held
from sayso.learners.linear import Data, fit_newton
from sayso.targets import TASKS
from sayso.targets.api.corpus.asked import Taught, Wanted
from sayso.targets.api.specs.calls import parse_call
from sayso.targets.api.specs.described import brought, reader_for
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.prompts.hearing import Heard, Hearing, Hears
from sayso.targets.api.specs.prompts.shipped import heard_by_trunk, trunk_signature
from sayso.targets.api.specs.prompts.signature import signature_of
from sayso.targets.api.specs.reader import HEARD, Reader, Reading, reader_of, shipped_weights
from sayso.targets.api.specs.scoring import is_right
from sayso.targets.api.specs.slots.context import Reads, shipped
from sayso.targets.api.specs.slots.features import PLACE
from sayso.targets.api.specs.system import ABSTAIN_BELOW, clock_of

START = {"heard": 0.0, "unheard": 0.5, "alone": -1.0, "unsaid": -1.0}
START_ASKED, SHARE = 0.5, 0.2
"""How far weights of values go from where they start to what is fitted: chosen on dev, where half of it is too far."""
TRIED: Mapping[str, Sequence[float]] = {
    "heard": (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0),
    "unheard": (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0),
    "alone": (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0),
    "unsaid": (-4.0, -2.0, -1.0, 0.0, 1.0),
}
ASKED = (0.0, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
PULL, FOLDS = 0.5, 5
Known = tuple[str, dict[str, float], bool]
DEV = ("own-specs", "toolalpaca", "bfcl-simple", "bfcl-multiple")


@dataclass
class Kept:
    """What the trunk said, each prompt once, in a file."""

    path: Path
    hears: Hears = heard_by_trunk
    told: dict[str, Any] = field(default_factory=dict)
    spent: float = 0.0
    asked: int = 0

    def __post_init__(self) -> None:
        if self.path.is_file():
            self.told = dict(json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines())

    def __call__(self, text: str, operation: Operation) -> Hearing:
        prompt = f"{trunk_signature()}\n{operation.id}\n{signature_of(operation, text)}\n{text}"
        key = hashlib.sha256(prompt.encode()).hexdigest()[:24]
        if key not in self.told:
            start = time.process_time()
            heard = self.hears(text, operation).heard()
            self.spent += time.process_time() - start
            self.asked += 1
            self.told[key] = [[list(one) for one in heard.answers], heard.nothing]
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key, self.told[key]], ensure_ascii=False) + "\n")
        kept = self.told[key]
        return Hearing(kept[1], lambda: Heard(tuple((one[0], one[1]) for one in kept[0]), kept[1]))


def value_dealings(some: Sequence[Taught], kept: Kept, reads: Reads | None) -> Iterator[tuple[str, Dealing]]:
    """Requests before the operation that they ask for, where it was heard."""
    for group in some:
        for one in group.wanted:
            if one.operation:
                operation = operation_of(group, one)
                yield group.name, dealing(operation, one, reads, kept(one.text, operation).heard())


def right_values(made: Dealing, plainly: Any) -> bool:
    return made.is_met(made.deal(list(made.rows @ np.array(plainly)), plainly))


def plainly_of(slots: Mapping[str, float], found: Mapping[str, float]) -> list[float]:
    whole = {**slots, **found}
    return [whole.get(name, 0.0) for name in PLACE]


def fit_values(rows: Sequence[Dealing], slots: Mapping[str, float]) -> dict[str, float]:
    """What of each weight makes most requests right, one weight after the other, twice."""
    found = {name: START[name] for name in TRIED}
    for _, name in product(range(2), TRIED):
        able = [
            (sum(right_values(one, plainly_of(slots, {**found, name: much})) for one in rows), -abs(much), much)
            for much in TRIED[name]
        ]
        found[name] = max(able)[2]
    return found


def readings(group: Taught, reader: Reader) -> Iterator[tuple[Wanted, list[Reading]]]:
    for one in group.wanted:
        yield one, reader.read(one.text, one.clock, 12)


def fit_asked(
    some: Sequence[Taught], weights: Mapping[str, Mapping[str, float]], kept: Kept
) -> tuple[float, list[int]]:
    """What being asked for counts for an operation: the right one stands first most often."""
    every = []
    for group in some:
        reader = replace(reader_of(group.api, {**weights, "heard": {**weights["heard"], "asked": 0.0}}), hears=kept)
        for one, found in readings(group, reader):
            if one.operation:
                rows = [(one.score, one.told.get("asked"), one.operation.id) for one in found]
                every.append((rows, one.operation))
    right = [sum(first_of(rows, much) == name for rows, name in every) for much in ASKED]
    return max(zip(right, [-one for one in ASKED], ASKED, strict=True))[2], [*right, len(every)]


def first_of(rows: Sequence[tuple[float, float | None, str]], much: float) -> str:
    heard = [(score + much * asked, name) for score, asked, name in rows if asked is not None]
    return max(heard)[1] if heard else rows[0][2]


def told_of(some: Sequence[Taught], weights: Mapping[str, Mapping[str, float]], kept: Kept) -> Iterator[Known]:
    """(group, what is known of the best reading, whether it is asked for): its own functions, none of them, others."""
    for at, group in enumerate(some):
        reader = replace(reader_of(group.api, weights), hears=kept)
        strange = [other for other in some if other.name != group.name and group.name not in LOOSE]
        for number, one in enumerate(group.wanted):
            found = reader.read(one.text, one.clock, 1)[0]
            if one.operation:
                if found.operation.id == one.operation:
                    yield group.name, dict(found.told), True
                others = tuple(other for other in group.api.operations if other.id != one.operation)
                if number % 2 and others:
                    rest = replace(reader_of(replace(group.api, operations=others), weights), hears=kept)
                    yield group.name, dict(rest.read(one.text, one.clock, 1)[0].told), False
                alone = replace(group.api, operations=(operation_of(group, one),))
                single = replace(reader_of(alone, weights), hears=kept)
                yield group.name, dict(single.read(one.text, one.clock, 1)[0].told), True
            else:
                yield group.name, dict(found.told), False
            if strange:
                other = strange[(at * 7 + number) % len(strange)]
                operation = other.api.operations[number % len(other.api.operations)]
                far = replace(reader_of(replace(other.api, operations=(operation,)), weights), hears=kept)
                yield group.name, dict(far.read(one.text, one.clock, 1)[0].told), False


def drawn(found: Mapping[str, float]) -> dict[str, float]:
    return {name: round(START[name] + SHARE * (much - START[name]), 4) for name, much in found.items()}


def fit_sure(rows: Sequence[Known], before: Mapping[str, float], names: Sequence[str] = HEARD) -> dict[str, float]:
    """What is known without the trunk counts as one number, since the groups are few; what the trunk says beside it."""
    table = np.array([[1.0, summed(before, told), *(told[name] for name in names)] for _, told, _ in rows])
    truth = np.array([float(right) for _, _, right in rows])
    balance = np.where(truth > 0, len(truth) / truth.sum(), len(truth) / (len(truth) - truth.sum())) / 2
    bias, share, *others = fit_newton(Data(table, truth, balance), np.zeros(table.shape[1]), PULL)
    found = {name: share * much for name, much in before.items()} | dict(zip(names, others, strict=True))
    found["bias"] += bias
    return {name: round(float(much), 4) for name, much in found.items()}


def summed(weights: Mapping[str, float], told: Mapping[str, float]) -> float:
    return sum(much * told.get(name, 0.0) for name, much in weights.items())


def in_folds(rows: Sequence[Known], before: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    """How often it says something where it should, and nothing where it should, by weights of other groups."""
    order = sorted({name for name, _, _ in rows}, key=lambda name: hashlib.sha256(name.encode()).digest())
    fold = {name: at % FOLDS for at, name in enumerate(order)}
    kept: list[bool] = []
    refused: list[bool] = []
    for at in range(FOLDS):
        table = fit_sure([one for one in rows if fold[one[0]] != at], before, names)
        for name, told, right in rows:
            if fold[name] == at:
                says = summed(table, told) > 0
                (kept if right else refused).append(says if right else not says)
    return {"answered": float(np.mean(kept)), "refused": float(np.mean(refused)), "n": len(rows)}


def fit(args: argparse.Namespace) -> None:
    kept, weights, reads = Kept(args.kept), shipped_weights(), shipped()
    some = [one for one in groups() if is_held(one.name)]
    rows = list(value_dealings(some, kept, reads))
    say("heard", {"requests": len(rows), "seconds each": round(kept.spent / max(1, kept.asked), 3)})
    alone = plainly_of(weights["slots"], {})
    say("values without it", {"right": np.mean([right_values(made, alone) for _, made in rows])})
    folds = sorted({name for name, _ in rows}, key=lambda name: hashlib.sha256(name.encode()).digest())
    right = []
    for at in range(FOLDS):
        mine = set(folds[at::FOLDS])
        table = fit_values([made for name, made in rows if name not in mine], weights["slots"])
        plainly = plainly_of(weights["slots"], drawn(table))
        right += [right_values(made, plainly) for name, made in rows if name in mine]
    say("values in folds", {"right": np.mean(right)})
    values = fit_values([made for _, made in rows], weights["slots"])
    found = drawn(values)
    say("values", {"fitted": values, "kept": found})
    weights = {**weights, "heard": {**found, "asked": START_ASKED}, "heard-sure": {}}
    much, counts = fit_asked(some, weights, kept)
    weights = {**weights, "heard": {**found, "asked": much}}
    say("operation", {"weights": ASKED, "right": counts[:-1], "n": counts[-1], "chosen": much})
    known = list(told_of(some, weights, kept))
    sure = weights["sure"]
    say("sure in folds", {"with": in_folds(known, sure, HEARD), "without": in_folds(known, sure, ())})
    weights = {**weights, "heard-sure": fit_sure(known, sure)}
    weights = {"heard-right": weights["right"], **weights}
    say("found", {"heard": weights["heard"], "heard-sure": weights["heard-sure"]})
    if args.write:
        HERE.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")


def score(args: argparse.Namespace) -> None:
    kept = Kept(args.kept)
    for name in args.tasks or DEV:
        counts = {"n": 0, "right": 0, "operation": 0, "abstained": 0, "first right": 0}
        for one in list(TASKS[f"api/{name}"].load(Workspace(args.data, args.cache), args.split))[:: args.every]:
            tallied(
                one,
                replace(reader_for(*brought(one.request), args.cache), hears=None if args.without else kept),
                counts,
            )
        n = counts["n"]
        say(name, {key: round(much / n, 3) if key != "n" else n for key, much in counts.items()})
    say("heard", {"asked": kept.asked, "seconds each": round(kept.spent / max(1, kept.asked), 3)})


def tallied(one: Example, reader: Reader, counts: dict[str, int]) -> None:
    found = reader.read(one.request.text, clock_of(one.request), 2)
    abstained = not found or found[0].chance < ABSTAIN_BELOW
    first = bool(one.references and found and is_right(one, found[0].text))
    counts["n"] += 1
    counts["abstained"] += abstained
    counts["first right"] += first
    counts["right"] += (first and not abstained) if one.references else abstained
    if one.references and found:
        counts["operation"] += found[0].operation.id == parse_call(one.references[0]).operation


def say(name: str, figures: Mapping[str, Any]) -> None:
    print(json.dumps({name: figures}, default=float), flush=True)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.api_heard", description=(__doc__ or "").partition("\n")[0]
    )
    commands = parser.add_subparsers(required=True)
    one, two = commands.add_parser("fit"), commands.add_parser("score")
    one.set_defaults(run=fit)
    one.add_argument("--write", action="store_true", help="keep the weights that ship")
    two.set_defaults(run=score)
    two.add_argument("tasks", nargs="*")
    two.add_argument("--split", default="dev", choices=("dev", "test"))
    two.add_argument("--every", type=int, default=1, metavar="N", help="ask only each Nth request (1)")
    two.add_argument("--without", action="store_true", help="without the trunk")
    for command in (one, two):
        command.add_argument("--data", type=Path, required=True, help="the folder with the corpora")
        command.add_argument("--kept", type=Path, required=True, help="a file of what the trunk said, made and read")
        command.add_argument("--cache", type=Path, default=Path("~/.cache/sayso").expanduser())
    args = parser.parse_args(argv)
    args.run(args)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
