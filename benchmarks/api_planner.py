"""How many of Okapi's calls Microsoft Graph refuses as they stand, by rule: `python -m benchmarks.api_planner`.

Distinct calls of the release, all parts of both splits; one call may be rewritten by several rules.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from sayso.core.errors import SaysoError
from sayso.core.types import Split
from sayso.targets.api.corpus.okapi import OKAPI_SPLITS, okapi_rows
from sayso.targets.api.requests import Clock
from sayso.targets.api.requests.odata import query_of
from sayso.targets.api.requests.planner import RULES, plan
from sayso.targets.api.syntax.schema import DOMAINS

PARTS: tuple[Split, ...] = ("train", "dev", "test")
CLOCK = Clock(datetime(2026, 11, 16, 10, tzinfo=UTC), UTC)
"""Which rule holds depends on no date."""


def counted(data: Path, domain: str) -> dict[str, int]:
    """Of the calls of a domain: all, rewritten, with work left to this side, and by each rule."""
    calls = {call for split in OKAPI_SPLITS for part in PARTS for _, call in okapi_rows(data, split, domain, part)}
    found = Counter({"calls": len(calls)})
    for call in calls:
        planned = plan(query_of(call, CLOCK))
        found.update(planned.rules)
        found["rewritten"] += bool(planned.rules)
        found["left to this side"] += bool(planned.client)
    return {name: found[name] for name in ("calls", "rewritten", "left to this side", *RULES)}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.api_planner", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("SAYSO_DATA"), help="the corpora ($SAYSO_DATA)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    args = parser.parse_args(argv)
    if args.data is None:
        parser.error("say where the corpora lie, by --data or $SAYSO_DATA")
    try:
        found = {domain: counted(Path(args.data), domain) for domain in DOMAINS}
    except SaysoError as error:
        print(error.told(), file=sys.stderr)
        return error.exit_code
    if args.json:
        print(json.dumps(found))
        return 0
    print("".join(f"{name:>18}" for name in ("", *DOMAINS)))
    for name in found[DOMAINS[0]]:
        cells = (f"{one[name]:,} ({one[name] / one['calls']:.1%})" for one in found.values())
        print(f"{name:>18}" + "".join(f"{cell:>18}" for cell in cells))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
