"""The Bash language: reading the whole NL2Bash corpus, the first reading of a process, and a million broken commands.

The figure to beat for the corpus is bashlex's 20.7 s for parsing alone; ours reads, types and rewrites in that time.
`python -m benchmarks.bash_language --mutants 1000000` runs the broken commands alone and prints every fault.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks import Row, bash_fuzz
from sayso import scale
from sayso.apps.settings import workspace
from sayso.core.errors import BadInstruction
from sayso.targets.bash import language
from sayso.targets.bash.syntax.parser import tree_or_error

BASHLEX_SECONDS = 20.7
MUTANTS = 1_000_000
ON_A_PAGE, FEWEST = 50_000, 5_000
"""Mutants of `python -m benchmarks`; the million has a command of its own."""
CHUNK = 5_000
TIMES = 9
# Only the parser: sayso.targets as a whole also holds the tasks of every language.
FIRST_PARSE = """
import sys, time, types
import sayso.core.types
package = types.ModuleType("sayso.targets")
package.__path__ = [sys.argv[1]]
sys.modules["sayso.targets"] = package
start = time.process_time()
from sayso.targets.bash.syntax.parser import parse
parse("find . -name x | wc -l")
print(time.process_time() - start)
"""


def run(mutants: int = ON_A_PAGE) -> list[Row]:
    return [*corpus(), first_parse(), *fuzz(mutants)]


def corpus() -> list[Row]:
    path = workspace().data / "nl2bash" / "all.cm.xz"
    if not path.is_file():
        return []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        commands = file.read().splitlines()
    times = []
    for _ in range(3):
        tree_or_error.cache_clear()
        start = time.process_time()
        for command in commands:
            try:
                language.normalise(command)
                language.template(command)
            except BadInstruction:
                continue
        times.append(time.process_time() - start)
    seconds = statistics.median(times)
    name = "parse, template and canonical form of NL2Bash"
    ratio = seconds / BASHLEX_SECONDS
    return [Row(name, seconds, "s CPU", len(commands), ratio, "bashlex, parsing alone", limit=5.0)]


def first_parse() -> Row:
    command = [sys.executable, "-c", FIRST_PARSE, str(Path(language.__file__).parents[1])]
    times = []
    with tempfile.TemporaryDirectory(prefix="sayso-bench-") as folder:
        # As after an installation: bytecode is there, whatever this shell says about writing it.
        variables = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(TIMES + 1):
            done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
            times.append(1000 * float(done.stdout))
    times = times[1:]
    return Row("first parse of a process", statistics.median(times), "ms CPU", TIMES, limit=60.0)


def fuzz(n: int) -> list[Row]:
    """No exception but BadInstruction, no unstable form, nothing unread called safe, nothing above a second."""
    start = time.perf_counter()
    broken = sum(len(found) for _, found in surveys(0, n // CHUNK, 2))
    return [
        Row("broken commands, promises not kept", broken, "commands", n, limit=0),
        Row("broken commands, time for each", 1e6 * (time.perf_counter() - start) / n, "µs", n),
    ]


def surveys(first: int, last: int, processes: int) -> Iterator[tuple[int, list[tuple[str, list[str]]]]]:
    """The faults of every seed from `first` to before `last`; CHUNK mutants are made from one."""
    seeds = range(first, last)
    survey = partial(bash_fuzz.survey, n=CHUNK)
    for seed, result in zip(seeds, scale.map(survey, seeds, scale.Processes(processes), chunk=1), strict=True):
        if isinstance(result, scale.Done):
            yield seed, result.value
        else:
            yield seed, [("", [f"the worker failed: {result}"])] * CHUNK


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bash_language", description="Broken commands alone.")
    parser.add_argument("--mutants", type=int, default=MUTANTS, help=f"how many, in steps of {CHUNK} (%(default)s)")
    parser.add_argument("--first", type=int, default=0, help=f"seed of the first {CHUNK} (%(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="(%(default)s)")
    args = parser.parse_args(argv)
    broken = 0
    for seed, found in surveys(args.first, args.first + args.mutants // CHUNK, args.processes):
        broken += len(found)
        for command, faults in found:
            print(json.dumps({"seed": seed, "command": command, "faults": faults}, ensure_ascii=False), flush=True)
        print(f"{(seed - args.first + 1) * CHUNK} mutants, {broken} with a fault", file=sys.stderr, flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
