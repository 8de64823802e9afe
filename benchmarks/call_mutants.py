"""Small changes to an API call, and what the judge behind `executed` makes of them.

`python -m benchmarks.call_mutants --data DATA` takes calls of Okapi's train parts; a mutant that is judged the same as
its reference is either the same in other words or something that the rows do not show.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sayso.core.errors import BadInstruction
from sayso.core.types import Unscored
from sayso.targets.api.language import fold
from sayso.targets.api.syntax.calls import Call, Clause, Count, Filter, OrderBy, Search, Top, parse_call
from sayso.targets.api.syntax.schema import DOMAINS, Property, domain_of, schema

OTHER = {"text": "Basalt Ridge", "person": "Wilma Okoro", "number": "77"}
TIMES = ("today", "yesterday", "last week", "this month", "last Friday", "next Monday")


@dataclass(frozen=True)
class Mutant:
    text: str
    what: str


def mutants(text: str) -> list[Mutant]:
    """One clause dropped, added or changed; those that are another call."""
    call = parse_call(text)
    found: dict[str, Mutant] = {}
    for changed, what in _changed(call):
        mutant = Mutant(str(changed), what)
        if fold(mutant.text) != fold(text):
            found.setdefault(fold(mutant.text), mutant)
    return list(found.values())


def reordered(text: str, random: Random) -> str:
    """The same call with its clauses in another order."""
    call = parse_call(text)
    return str(Call(call.resource, tuple(random.sample(call.clauses, len(call.clauses)))))


def _changed(call: Call) -> Iterator[tuple[Call, str]]:
    for at, clause in enumerate(call.clauses):
        rest = call.clauses[:at], call.clauses[at + 1 :]
        yield Call(call.resource, (*rest[0], *rest[1])), f"drop {_kind(clause)}"
        for other, what in _others(clause, call):
            yield Call(call.resource, (*rest[0], other, *rest[1])), what
    for clause in _added(call):
        yield Call(call.resource, (*call.clauses, clause)), f"add {_kind(clause)}"
    for resource in schema(domain_of(call.resource)).resources:
        yield Call(resource, call.clauses), "resource"


def _kind(clause: Clause) -> str:
    return type(clause).__name__.upper()


def _others(clause: Clause, call: Call) -> Iterator[tuple[Clause, str]]:
    known = schema(domain_of(call.resource))
    offered = known.properties
    match clause:
        case Filter(name, operator, value):
            own = known.find(name)
            assert own is not None
            yield from ((Filter(name, operator, other), "value") for other in _values(own, value))
            others = {"eq": "ne", "ne": "eq", "gt": "lt", "lt": "gt", "ge": "le", "le": "ge"}
            yield Filter(name, others.get(operator, "eq"), value), "operator"
            if own.type == "time":
                yield from ((Filter(name, one, value), "operator") for one in ("eq", "gt", "ge", "lt", "le"))
            yield from (
                (Filter(one.name, operator, value), "property")
                for one in offered.values()
                if one.type == own.type and one.type not in ("closed", "number") and one.name != name
            )
        case Search(value):
            yield from ((Search(other), "value") for other in (*_cut(value), "basalt ridge"))
        case OrderBy(name, direction):
            yield OrderBy(name, "asc" if direction == "desc" else "desc"), "direction"
            yield from ((OrderBy(one.name, direction), "order") for one in offered.values() if one.sorts)
        case Top(number):
            yield from ((Top(other), "top") for other in (number - 1, number + 1, 2 * number, 10 * number) if other > 0)


def _values(offered: Property, value: str) -> Iterator[str]:
    if offered.values:
        yield from offered.values
    elif offered.type == "time":
        yield from TIMES
    else:
        yield OTHER[offered.type]
        yield from _cut(value)


def _cut(value: str) -> list[str]:
    words = value.split()
    return [" ".join(words[1:]), " ".join(words[:-1])] if len(words) > 1 else [f"{value} ridge"]


def _added(call: Call) -> Iterator[Clause]:
    offered = schema(domain_of(call.resource)).properties
    held = {clause.property for clause in call.clauses if isinstance(clause, Filter)}
    for one in offered.values():
        if one.name not in held and one.operators:
            yield Filter(one.name, one.operators[0], next(_values(one, "")))
    kinds = {type(clause) for clause in call.clauses}
    if Search not in kinds and call.resource in ("message", "event"):
        yield Search("basalt ridge")
    if Count not in kinds:
        yield Count()
    if Top not in kinds:
        yield Top(3)
    if OrderBy not in kinds:
        yield OrderBy(next(one.name for one in offered.values() if one.sorts), "desc")


def measure(calls: Sequence[str], each: int, show: int) -> None:
    """Prints how many mutants are told apart, by what was changed, and whether reordered calls are not."""
    from sayso.targets.api.executed.judge import asked_reference

    random = Random(19)
    told, all_of, unscored = Counter[str](), Counter[str](), Counter[str]()
    same = equal = 0
    kept: list[str] = []
    start, asked = time.process_time(), 0
    for text in calls:
        reference = asked_reference(text)
        asked += 1
        if isinstance(reference, Unscored):
            unscored[reference.reason] += 1
            continue
        same += 1
        equal += reference.answers_like(reordered(text, random))
        options = mutants(text)
        for mutant in random.sample(options, min(each, len(options))) if each else options:
            all_of[mutant.what] += 1
            asked += 1
            if reference.agrees(mutant.text):
                kept.append(f"{mutant.what}\n  {text}\n  {mutant.text}")
            else:
                told[mutant.what] += 1
    spent = time.process_time() - start
    print(
        f"references {len(calls)}, scored {same}, unscored {dict(unscored)}; {1000 * spent / asked:.1f} ms CPU a call"
    )
    print(f"reordered and judged the same: {equal} of {same}")
    print(f"mutants told apart: {sum(told.values())} of {sum(all_of.values())}")
    for what, n in sorted(all_of.items()):
        print(f"  {what:14} {told[what]:5} of {n}")
    for line in kept[:show]:
        print(line)


def train_calls(data: Path, n: int, draw: int = 0, apart_from: Collection[str] = ()) -> list[str]:
    """Distinct calls of the six train parts, drawn evenly from the domains; another `draw` gives others."""
    from sayso.targets.api.corpus.okapi import OKAPI_SPLITS, okapi_rows

    found: list[str] = []
    for domain in DOMAINS:
        rows = {call for split in OKAPI_SPLITS for _, call in okapi_rows(data, split, domain, "train")}
        left = sorted(rows.difference(apart_from))
        found += Random(f"{domain}{draw or ''}").sample(left, n // len(DOMAINS) + 1)
    return Random(19).sample(found, n)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.call_mutants", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
    parser.add_argument("--calls", type=int, default=200, help="how many references (200)")
    parser.add_argument("--draw", type=int, default=1, help="0: the calls that the rows were made with (1: others)")
    parser.add_argument("--each", type=int, default=0, help="at most so many mutants of each (0: all)")
    parser.add_argument("--show", type=int, default=0, help="so many that were judged the same")
    args = parser.parse_args(argv)
    try:
        known = train_calls(args.data, 200) if args.draw else ()
        measure(train_calls(args.data, args.calls, args.draw, known), args.each, args.show)
    except BadInstruction as error:
        print(error.told(), file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
