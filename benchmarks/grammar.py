"""Run a random 5,000 generated commands in the sandbox: which share runs, and why the others do not.

`python -m benchmarks grammar`; `python -m benchmarks.grammar COUNT SEED` runs COUNT commands of one seed and prints the
counts, and whatever did not end with 0, as JSON. The 5,000 are ten seeds of 500.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks import Row
from sayso.sandbox import open_sandbox
from sayso.targets.bash.lessons.grammar import expand
from sayso.targets.bash.lessons.ran import Ran, try_out

COUNT, SEEDS = 500, range(2026, 2036)
FEWEST = 10


def run_commands(count: int, seed: int) -> tuple[Counter[str], list[Ran]]:
    """(results by kind, all that did not end with 0) of the first commands of a seed until `count` of them were run."""
    results: Counter[str] = Counter()
    failed: list[Ran] = []
    tried = 0
    with tempfile.TemporaryDirectory() as cache:
        sandbox = open_sandbox(Path(cache))
        for pair in expand(3 * count, seed):
            ran = try_out(pair.text, pair.command, sandbox)
            results[ran.result] += 1
            tried += ran.has_run or ran.is_fault
            failed += [ran] * bool(ran.exit_code or ran.is_fault)
            if tried == count:
                break
    return results, failed


def run(count: int = COUNT) -> list[Row]:
    start = time.process_time()
    results: Counter[str] = Counter()
    for seed in SEEDS:
        results += run_commands(count, seed)[0]
    seconds = time.process_time() - start
    total = sum(results.values())
    tried = sum(number for result, number in results.items() if result.startswith(("ran", "fault")))
    faults = sum(number for result, number in results.items() if result.startswith("fault"))
    start = time.process_time()
    pairs = sum(1 for _ in expand(4000, SEEDS[0]))
    rate = pairs / (time.process_time() - start)
    return [
        Row("generated commands that run", 100 * (1 - faults / tried), "%", tried),
        Row("generated commands that need what a sandbox lacks", 100 * (1 - tried / total), "%", total),
        Row("CPU of a run outside the sandbox", 1000 * seconds / total, "ms", total),
        Row("pairs generated", rate, "a second of CPU", pairs),
    ]


if __name__ == "__main__":
    found, bad = run_commands(int(sys.argv[1]), int(sys.argv[2]))
    json.dump({"results": dict(found.most_common()), "failed": [one._asdict() for one in bad]}, sys.stdout, indent=1)
    print()
