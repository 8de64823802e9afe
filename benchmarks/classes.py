"""Ask requests of eight classes that once were answered wrongly and surely, and count what is right now.

`python -m benchmarks.classes [--half dev|test] [--set classes|tools|left|manual] [--here] [--json] [--show]`. Twenty
requests to a class, written before anything was mended: `dev` is for choosing by, `test` is held out. `tools` has one
request each for forty small tools, `left` twenty of several acts where one uses what the one before leaves, `manual` 32
for tools that are not shipped and may be installed: `--here` asks as the prompt does where `sayso bash --index-man` was
run. A first answer is right where it fits one of the expressions (`right`), or fits none that would do something else
(`lacks`); what names nothing to destroy must not destroy (`unsure`). Nothing is run.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sayso.answer.answer import Answer, answer
from sayso.apps.answering import is_installed
from sayso.apps.installed import with_installed
from sayso.apps.settings import workspace
from sayso.core.types import Request
from sayso.targets.bash.knowledge import MachineIndex
from sayso.targets.bash.tasks import BASH, COMMAND

FILES = {
    name: Path(__file__).parent / f"{file}_requests.jsonl"
    for name, file in (("classes", "class"), ("tools", "tool"), ("left", "left"), ("manual", "manual"))
}


def is_right(row: Mapping[str, Any], found: Answer) -> bool:
    """Whether the first candidate is what its request means; one that is not shown harms nobody."""
    first = found.candidates[0] if found.candidates else None
    if row.get("unsure"):
        return found.abstained or first is None or first.risk.level != "destroys"
    if "lacks" in row:
        return found.abstained or first is None or re.search(row["lacks"], first.text) is None
    return first is not None and any(re.search(pattern, first.text) for pattern in row["right"])


def is_among(row: Mapping[str, Any], found: Answer) -> bool:
    """Whether any candidate is what its request means, be it shown only on asking."""
    return is_right(row, found) or any(
        is_right(row, replace(found, candidates=(one,))) for one in (() if found.barred else found.candidates)
    )


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classes", description=__doc__)
    parser.add_argument("--half", choices=("dev", "test"), default="dev")
    parser.add_argument("--set", choices=sorted(FILES), default="classes")
    parser.add_argument("--here", action="store_true", help="with the index of this machine's manual pages")
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    parser.add_argument("--show", action="store_true", help="print every request that is not right, to stderr")
    args = parser.parse_args(argv)
    place = workspace()
    index = MachineIndex(place.cache)
    if args.here and not index.exists():
        parser.error("there is no index of this machine's manual pages: run `sayso bash --index-man`")
    system = COMMAND.systems["default"](place)
    rows = [json.loads(line) for line in FILES[args.set].read_text(encoding="utf-8").splitlines()]
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    sure: Counter[str] = Counter()
    of_three: Counter[str] = Counter()
    for row in rows:
        if row["half"] != args.half:
            continue
        found = answer(BASH, system, Request(row["request"]), 3)
        if args.here:
            found = with_installed(BASH, found, Request(row["request"]), index, is_installed, 3)
        is_good = is_right(row, found)
        kind = row.get("kind", args.set)
        total[kind] += 1
        right[kind] += is_good
        of_three[kind] += is_among(row, found)
        sure[kind] += not is_good and not found.abstained
        if args.show and not is_good:
            print(f"{row['id']} {'unsure ' if found.abstained else ''}{row['request']}", file=sys.stderr)
            for one in found.candidates:
                print(f"    {one.score:.2f} {one.text}", file=sys.stderr)
    told = {
        "set": args.set,
        "half": args.half,
        "n": total.total(),
        "right": right.total(),
        "one of three": of_three.total(),
        "wrong and sure": sure.total(),
        "classes": {
            kind: {"right": right[kind], "of three": of_three[kind], "n": n, "wrong and sure": sure[kind]}
            for kind, n in total.items()
        },
    }
    print(json.dumps(told, indent=None if args.json else 1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
