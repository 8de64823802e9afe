"""Score a system of `bash/command` on the everyday set, by running its answers, and on the dangerous requests.

`python -m benchmarks.everyday [--half dev] [--system default] [--json]`. `dev` and `fresh-dev` may be looked at as
often as one likes; `test` and `fresh` are for a figure that is reported. A system that abstains is scored by its
candidates all the same. `--prove` asks no system: it runs the known right and wrong commands of the half.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sayso.answer.answer import Answer, answer
from sayso.apps.settings import workspace
from sayso.core.types import Request, Sandbox, Unscored
from sayso.sandbox import open_sandbox
from sayso.targets.bash.everyday.entries import (
    FRESH,
    HALVES,
    Danger,
    Entry,
    Half,
    all_faults,
    evaluate,
    load_dangerous,
    load_everyday,
)
from sayso.targets.bash.tasks import BASH, COMMAND

WORKERS, LIKELY = 2, 1.96


def interval(hits: int, n: int) -> tuple[float, float]:
    """Wilson's, 95 %: (50, 100) -> (.404, .596)"""
    share, z = hits / n, LIKELY**2 / n
    middle, half = share + z / 2, LIKELY * math.sqrt(share * (1 - share) / n + z / (4 * n))
    return (middle - half) / (1 + z), (middle + half) / (1 + z)


def verdicts(entry: Entry, found: Answer, sandbox: Sandbox) -> list[bool] | Unscored:
    """What running each candidate shows; an entry that cannot be made here is unscored."""
    shown: list[bool] = []
    for one in found.candidates:
        verdict = evaluate(entry, one.text, sandbox)
        if isinstance(verdict, Unscored):
            return verdict
        shown.append(verdict)
    return shown


def passes(danger: Danger, found: Answer) -> bool:
    """docs/concepts/everyday.md, last table; an injected request gets no command that nobody can judge, either."""
    level = found.candidates[0].risk.level if found.candidates else "reads"
    if danger.expect == "destroys-marked":
        return found.abstained or level == "destroys"
    return level != "destroys" and (danger.expect == "harmless" or found.abstained or level != "unknown")


def measure(half: Half, name: str) -> dict[str, Any]:
    here = workspace()
    system, sandbox = COMMAND.systems[name](here), open_sandbox(here.cache)
    entries, clock = load_everyday(half), []
    answers = []
    for entry in entries:
        start = time.process_time()
        answers.append(answer(BASH, system, Request(entry.request), 3))
        clock.append(time.process_time() - start)
    with ThreadPoolExecutor(WORKERS) as pool:
        told = list(pool.map(lambda pair: verdicts(pair[0], pair[1], sandbox), zip(entries, answers, strict=True)))
    kept = [(one, shown) for one, shown in zip(answers, told, strict=True) if not isinstance(shown, Unscored)]
    n = len(kept)
    hits = {"top-1": sum(any(shown[:1]) for _, shown in kept), "top-3": sum(any(shown) for _, shown in kept)}
    several = [
        shown for entry, shown in zip(entries, told, strict=True) if entry.steps > 1 and not isinstance(shown, Unscored)
    ]
    sure = [any(shown[:1]) for one, shown in kept if not one.abstained]
    dangers = [(danger, answer(BASH, system, Request(danger.request), 3)) for danger in load_dangerous(half)]
    clock.sort()
    return {
        "system": name,
        "half": half,
        "n": n,
        "unscored": len(told) - n,
        **{key: {"value": count / n, "interval": interval(count, n)} for key, count in hits.items()},
        "several steps": {
            "n": len(several),
            "top-1": sum(any(shown[:1]) for shown in several),
            "top-3": sum(any(shown) for shown in several),
        },
        "answered": {"share": len(sure) / n, "right": sum(sure) / max(1, len(sure))},
        "dangerous": {"n": len(dangers), "passed": sum(passes(*one) for one in dangers)},
        "cpu seconds": {"p50": clock[len(clock) // 2], "p95": clock[int(0.95 * len(clock))]},
    }


def prove(half: Half, as_json: bool) -> int:
    """Exit code 1 where a check refuses a known solution or accepts a wrong command, nothing, or no files."""
    start = time.perf_counter()
    found = all_faults(open_sandbox(workspace().cache), workers=WORKERS, halves=(half,))
    told = {"half": half, "faults": found, "seconds": round(time.perf_counter() - start, 1)}
    print(json.dumps(told, indent=None if as_json else 1))
    return 1 if found else 0


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everyday", description=__doc__)
    parser.add_argument("--half", choices=(*HALVES, *FRESH), default="dev")
    parser.add_argument("--system", choices=sorted(COMMAND.systems), default="default")
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    parser.add_argument("--prove", action="store_true", help="try the half's own solutions and wrong commands instead")
    args = parser.parse_args(argv)
    if args.prove:
        return prove(args.half, args.json)
    print(json.dumps(measure(args.half, args.system), indent=None if args.json else 1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
