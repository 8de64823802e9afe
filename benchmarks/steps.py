"""Score a system on requests of two to four acts, by running its answers over each request's own files.

`python -m benchmarks.steps [--half dev|test] [--json] [--show] [--prove]`. 64 requests, written before steps were
joined: `dev` is for choosing by, `test` is held out and not to be read. `--prove` runs the known right and wrong
commands through the checks instead.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.everyday import WORKERS, interval, verdicts
from sayso.answer.answer import Answer, answer
from sayso.apps.settings import workspace
from sayso.core.types import Request, Unscored
from sayso.sandbox import open_sandbox
from sayso.targets.bash.everyday.entries import Entry, Half, faults, load_everyday, load_solutions
from sayso.targets.bash.tasks import BASH, COMMAND

FOLDER = Path(__file__).parent / "step_requests"


def tried(half: Half, name: str) -> list[tuple[Entry, Answer, list[bool] | Unscored]]:
    """Every request with its answer and what running each candidate shows."""
    here = workspace()
    system, sandbox = COMMAND.systems[name](here), open_sandbox(here.cache)
    entries = load_everyday(half, FOLDER)
    answers = [answer(BASH, system, Request(entry.request), 3) for entry in entries]
    with ThreadPoolExecutor(WORKERS) as pool:
        shown = pool.map(lambda pair: verdicts(pair[0], pair[1], sandbox), zip(entries, answers, strict=True))
        return list(zip(entries, answers, shown, strict=True))


def measured(found: Sequence[tuple[Entry, Answer, list[bool] | Unscored]]) -> dict[str, Any]:
    kept = [(one, shown) for _, one, shown in found if not isinstance(shown, Unscored)]
    n, sure = len(kept), [any(shown[:1]) for one, shown in kept if not one.abstained]
    first, three = sum(any(shown[:1]) for _, shown in kept), sum(any(shown) for _, shown in kept)
    return {
        "n": n,
        "unscored": len(found) - n,
        "first": first,
        "interval": interval(first, n) if n else None,
        "one of three": three,
        "answered": len(sure),
        "wrong and sure": sure.count(False),
    }


def prove(half: Half) -> list[str]:
    """Checks that refuse a known solution, or accept a wrong command, nothing, or no files."""
    sandbox, solutions = open_sandbox(workspace().cache), load_solutions(FOLDER)
    entries = load_everyday(half, FOLDER)
    with ThreadPoolExecutor(WORKERS) as pool:
        found = pool.map(lambda entry: faults(entry, solutions[entry.id], sandbox), entries)
        return [fault for some in found for fault in some]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.steps", description=__doc__)
    parser.add_argument("--half", choices=("dev", "test"), default="dev")
    parser.add_argument("--system", choices=sorted(COMMAND.systems), default="default")
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    parser.add_argument("--show", action="store_true", help="print every request with its candidates, to stderr")
    parser.add_argument("--prove", action="store_true", help="try the known right and wrong commands instead")
    args = parser.parse_args(argv)
    if args.prove:
        found = prove(args.half)
        print(json.dumps({"half": args.half, "faults": found}, indent=None if args.json else 1))
        return 1 if found else 0
    shown = tried(args.half, args.system)
    if args.show:
        for entry, one, right in shown:
            print(f"{entry.id} {right} {'unsure ' if one.abstained else ''}{entry.request}", file=sys.stderr)
            for candidate in one.candidates:
                print(f"    {candidate.score:.2f} {candidate.text}", file=sys.stderr)
    print(json.dumps({"half": args.half, "system": args.system, **measured(shown)}, indent=None if args.json else 1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
