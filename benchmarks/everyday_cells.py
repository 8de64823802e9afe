"""`python -m benchmarks.everyday_cells [HALF]`: every everyday check on its right cell, on nothing, on wrong ones.

A right cell must pass and everything else be rejected, or the request measures nothing. Needs `sayso data get kernel`.
No system is asked: the test half may be looked at so.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections.abc import Iterator, Sequence
from itertools import islice

from benchmarks import Row
from sayso.apps import settings
from sayso.core.errors import SaysoError
from sayso.core.types import Split
from sayso.sandbox import open_sandbox
from sayso.targets.notebook.everyday import entries, examples
from sayso.targets.notebook.everyday.judging import Judge
from sayso.targets.notebook.kernel_packages import fetched
from sayso.targets.notebook.metrics.tests import BLANK

HALVES: tuple[Split, ...] = ("dev", "test")
FEWEST = 5


def run(most: int | None = None) -> list[Row]:
    before = used()
    lines = [*islice(problems(HALVES), most)]
    n = len(lines)
    return [
        Row("everyday checks that judge wrongly", float(sum(map(bool, lines))), "", n, limit=0.0),
        Row("judging one request", (used() - before) / n, "CPU s", n),
    ]


def used() -> float:
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def problems(halves: Sequence[Split]) -> Iterator[str]:
    """One text a request, "" where its check judges right."""
    cache = settings.workspace().cache
    kernel = fetched(cache)
    judge = Judge(open_sandbox(cache, readable=kernel.shown), cache, kernel)
    wrong = {entry.id: entry.ask.wrong for entry in entries()}
    for half in halves:
        for example in examples(half):
            found = judge.problems(example, [example.meta["runnable"], BLANK, *wrong[example.id]])
            refused = [f"the right cell is rejected: {found[0]}"] if found[0] else []
            texts = zip(["nothing", *wrong[example.id]], found[1:], strict=True)
            accepted = [f"accepted: {text}" for text, why in texts if not why]
            yield f"{example.id}: {'; '.join([*refused, *accepted])}" if refused or accepted else ""


def main(halves: Sequence[Split]) -> int:
    n = bad = 0
    try:
        for line in problems(halves):
            n, bad = n + 1, bad + bool(line)
            if line:
                print(line, flush=True)
    except SaysoError as error:
        print(error.told(), file=sys.stderr)
        return error.exit_code
    print(f"{n} requests, {bad} with a problem")
    return 1 if bad or not n else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everyday_cells", description=__doc__)
    parser.add_argument("halves", nargs="*", choices=[*HALVES, []], metavar="HALF")
    sys.exit(main(parser.parse_args().halves or HALVES))
