"""How many fresh requests are nearly one of the everyday halves, of the other fresh part, or of NL2Bash's dev and test
parts: counts, no texts.

`python -m benchmarks.fresh_overlap [--of fresh-dev] [--at 0.8]`; words are compared without case and punctuation
(Jaccard).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence

from sayso.apps.settings import workspace
from sayso.core.errors import MissingData
from sayso.targets.bash.everyday.entries import FRESH, HALVES, Half, load_dangerous, load_everyday
from sayso.targets.bash.tasks import COMMAND


def near(requests: Iterable[str], others: Sequence[str], at: float) -> int:
    """How many have a neighbour: ["list all files"], ["Files? List all!"], .8 -> 1"""
    known = [words(other) for other in others]
    return sum(any(len(one & two) >= at * len(one | two) for two in known) for one in map(words, requests))


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def compared(of: Half) -> Iterator[tuple[str, list[str]]]:
    """What a fresh part must lie apart from; NL2Bash only where its corpus is."""
    others: list[Half] = [half for half in (*HALVES, *FRESH) if half != of]
    for half in others:
        yield f"everyday {half}", [entry.request for entry in load_everyday(half)]
        yield f"dangerous {half}", [danger.request for danger in load_dangerous(half)]
    try:
        for split in HALVES:
            yield f"nl2bash {split}", [example.request.text for example in COMMAND.load(workspace(), split)]
    except MissingData as error:
        print(f"NL2Bash not compared: {error.message}", file=sys.stderr)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fresh_overlap", description=__doc__)
    parser.add_argument("--at", type=float, default=0.8, help="share of words from which two requests are near")
    parser.add_argument("--of", choices=FRESH, default="fresh", help="which part is compared with all others")
    args = parser.parse_args(argv)
    fresh = [entry.request for entry in load_everyday(args.of)]
    fresh += [danger.request for danger in load_dangerous(args.of)]
    found = {name: {"n": len(others), "near": near(fresh, others, args.at)} for name, others in compared(args.of)}
    print(json.dumps({"fresh": len(fresh), "at": args.at, "compared": found}, indent=1))
    return 1 if any(one["near"] for one in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
