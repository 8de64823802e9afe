"""Count right commands that the bar of mangled names takes for damaged: asked pairs, and NL2Bash's references.

`python -m benchmarks.mangled_names [--json] [--show]`. References are those of train and dev; where the corpus is not
here, the asked pairs alone are read. Nothing is run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence

from sayso.apps.settings import workspace
from sayso.core.errors import MissingData
from sayso.core.types import Request, Split
from sayso.targets.bash.corpus.nl2bash import load
from sayso.targets.bash.request.mangled import mangled
from sayso.targets.bash.systems.recalled import load_recalled
from sayso.targets.bash.tasks import BASH

READ: tuple[Split, ...] = ("train", "dev")


def references() -> Iterator[tuple[str, str]]:
    for split in READ:
        for one in load(workspace(), split):
            yield from ((one.request.text, command) for command in one.references)


def count(pairs: Iterable[tuple[str, str]], show: bool) -> dict[str, int]:
    n = taken = 0
    for request, command in pairs:
        n += 1
        found = list(mangled(BASH.read(Request(request)), command))
        taken += bool(found)
        if found and show:
            print(f"{request}\n    {command}\n    {found}", file=sys.stderr)
    return {"n": n, "taken": taken}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mangled_names", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    parser.add_argument("--show", action="store_true", help="print every command that is taken, to stderr")
    args = parser.parse_args(argv)
    known = load_recalled()
    told = {"asked": count(map(known.pair, range(len(known.lines))), args.show)}
    try:
        told["nl2bash"] = count(references(), args.show)
    except MissingData as error:
        print(f"{error.message} ({error.hint})", file=sys.stderr)
    print(json.dumps(told, indent=None if args.json else 1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
