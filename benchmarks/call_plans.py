"""Rewritten calls asked of a service that refuses what Graph refuses, beside the same calls asked of one that does not.

`python -m benchmarks.call_plans --data DATA` takes calls of Okapi's train parts, in pages of seven rows.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.call_mutants import train_calls
from sayso.core.errors import RunFailed
from sayso.core.types import Unscored
from sayso.targets.api.executed.judge import CLOCKS
from sayso.targets.api.executed.seeding import seeded
from sayso.targets.api.requests.client import Get, answer_of
from sayso.targets.api.requests.odata import query_of, url_of
from sayso.targets.api.requests.planner import Restrictions, plan
from sayso.targets.api.service.app import ROOT, open_service
from sayso.targets.api.service.calling import Client, client_of
from sayso.targets.api.service.model import graph_model
from sayso.targets.api.service.restricted import as_graph

PAGE = 7


@dataclass(frozen=True)
class Compared:
    rules: tuple[str, ...]
    refused: bool
    """Whether Graph would refuse the call as it stands."""
    same: bool
    """Whether the plan gives the rows and the number that the call gives where nothing is refused."""


def compare(call: str) -> Compared | Unscored:
    """Raises RunFailed where the plan itself is refused."""
    query = query_of(call, CLOCKS[0])
    rows = seeded(query, graph_model(), CLOCKS[0].now, 0)
    if isinstance(rows, Unscored):
        return rows
    whole = client_of(open_service(graph_model(), rows))
    strict = client_of(open_service(graph_model(), rows, as_graph, PAGE))
    planned = plan(query)
    wanted = answer_of(plan(query, Restrictions()), getting(whole), ROOT)
    found = answer_of(planned, getting(strict), ROOT)
    return Compared(planned.rules, strict.get(url_of(query, ROOT)).status == 400, found == wanted)


def getting(client: Client) -> Get:
    def get(url: str) -> Mapping[str, Any]:
        answer = client.get(url)
        if answer.status != 200:
            raise RunFailed(f"refused: {url}: {answer.body.decode()}")
        found: Mapping[str, Any] = answer.read()
        return found

    return get


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.call_plans", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
    parser.add_argument("--calls", type=int, default=1_000, help="how many calls (1000)")
    args = parser.parse_args(argv)
    rules, met, unscored, differing = Counter[str](), Counter[tuple[bool, bool]](), Counter[str](), list[str]()
    for call in train_calls(args.data, args.calls):
        found = compare(call)
        if isinstance(found, Unscored):
            unscored[found.reason] += 1
            continue
        rules.update(found.rules or ["as it stands"])
        met[found.refused, bool(found.rules)] += 1
        differing += [] if found.same else [call]
    print(f"calls {args.calls}, without rows {dict(unscored)}; rules {dict(rules)}")
    for (refused, rewritten), n in sorted(met.items()):
        print(f"  {'refused' if refused else 'answered'} as it stands, {'' if rewritten else 'not '}rewritten: {n}")
    print(f"other rows or another number than where nothing is refused: {len(differing)}")
    print("\n".join(differing[:20]))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
