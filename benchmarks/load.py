"""The background process under load: what it weighs, fifty clients at once, ten thousand requests with flat memory.

`python -m benchmarks.load [--requests N] [--only weight|crowd|marathon]` does the same with a line every 500 requests.
The model is asked in a small share of the requests only, since it takes ten times as long as a recipe: see varied.py.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import Row
from benchmarks.varied import Varied
from sayso.apps.daemon import client, wire
from sayso.core.errors import DaemonFailed, SaysoError

CLIENTS, REQUESTS, WARM, EVERY = 50, 10_000, 1000, 500
MOST_GROWTH = 5.0
FEWEST = 1_200
"""Per cent that memory may grow after the first thousand requests."""
DEAR_SECONDS = 0.12
"""CPU time of the process from which on a request has gone to the model."""
HEAVIEST = 380.0
"""Megabytes that the process may hold after `MIXED`."""
MIXED = (
    "list the five largest files under this folder",
    "count the lines in all python files",
    "delete all the .tmp files older than 10 days in /var/tmp",
    "find every file modified yesterday and copy it to /backup",
    "replace foo with bar in all .conf files and show what changed",
    "show the names of users whose shell is bash sorted",
    "which process listens on port 8080",
    "make a zip of the photos folder but leave out the raw ones",
    "clone https://github.com/a/b.git and build it with make",
    "sum the third column of sales.csv by region, biggest first",
    "what changed in git since monday",
    "convert all wav files here to mp3",
    "how many times does each ip address appear in access.log, top ten",
    "rename every jpeg to start with the date it was taken",
    "find the longest line of notes.md",
    "split big.csv into pieces of 1000 lines and keep the header in each",
    "stop the container called web and start it again with the new image",
    "watch the memory of the process named postgres every 5 seconds",
    "encrypt notes.txt with a password",
    "sing me a song about the sea",
)
"""What a day brings: known and not, of one act and of several, and one that is none."""
SAYSO = str(Path(sys.executable).with_name("sayso"))
TICK, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


def run(requests: int = REQUESTS, seed: int = 1) -> list[Row]:
    rows: list[Row] = []
    for part in ("weight", "crowd", "marathon"):
        rows += measured(part, requests, seed)
    return rows


def measured(part: str, requests: int, seed: int) -> list[Row]:
    """One of the parts, for a user who has no background process yet."""
    with own_folders() as variables:
        if part == "weight":
            return weight(variables)
        if part == "crowd":
            return [*crowd(variables, "no process running"), *crowd(variables, "process running")]
        return marathon(variables, requests, seed)


@contextmanager
def own_folders() -> Iterator[dict[str, str]]:
    """Variables of a user who has no background process yet; whichever was started is ended."""
    with tempfile.TemporaryDirectory(prefix="sayso-load-") as folder:
        changed = dict.fromkeys(("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"), folder)
        before = dict(os.environ)
        os.environ.update(changed)  # for the client in this process
        try:
            yield dict(os.environ)
        finally:
            subprocess.run([SAYSO, "daemon", "stop"], stdout=subprocess.DEVNULL, check=False)
            os.environ.clear()
            os.environ.update(before)


def weight(variables: Mapping[str, str]) -> list[Row]:
    """What the process holds once it has answered a few requests of many kinds, everything loaded."""
    subprocess.run([SAYSO, "daemon", "start"], env=variables, stdout=subprocess.DEVNULL, check=True)
    for text in MIXED:
        ask(wire.build(), text)
    held = resident_of(int(status()["pid"])) / 1e6
    return [Row(f"memory after {len(MIXED)} mixed requests", held, "MB", len(MIXED), limit=HEAVIEST)]


def crowd(variables: Mapping[str, str], name: str) -> list[Row]:
    """Fifty real clients at once: how long each waited, what all processes held in memory, and who answered."""
    before = status().get("answers", 0)
    texts = list(islice(Varied(random.Random(7), share=0.0), CLIENTS))
    waits: list[float] = []
    alone: list[str] = []

    def one(text: str) -> None:
        began = time.monotonic()
        done = subprocess.run(
            [SAYSO, "bash", "--json", text], env=variables, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        waits.append(time.monotonic() - began)
        if done.returncode or "without it" in done.stderr:
            alone.append(done.stderr)

    threads = [threading.Thread(target=one, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    peak, processes = 0.0, set[int]()
    while any(thread.is_alive() for thread in threads):
        held = resident(variables["XDG_RUNTIME_DIR"])
        peak = max(peak, sum(held.values()))
        processes |= {process for process in held if b"sayso.apps.daemon" in command(process)}
        time.sleep(0.05)
    served = int(status()["answers"]) - before
    waits.sort()
    what = f"{CLIENTS} clients at once, {name}"
    return [
        Row(f"{what}: median wait", statistics.median(waits), "s", CLIENTS),
        Row(f"{what}: 95th percentile", waits[int(0.95 * CLIENTS)], "s", CLIENTS),
        Row(f"{what}: memory of all at the most", peak / 1e6, "MB", CLIENTS),
        Row(f"{what}: answered by themselves", CLIENTS - served + len(alone), "clients", CLIENTS, limit=0),
        Row(f"{what}: background processes seen", len(processes), "processes", CLIENTS, limit=1),
    ]


def marathon(variables: Mapping[str, str], requests: int, seed: int) -> list[Row]:
    """Varied requests one after the other; what the process holds after the first thousand and at the end."""
    subprocess.run([SAYSO, "daemon", "start"], env=variables, stdout=subprocess.DEVNULL, check=True)
    process = int(status()["pid"])
    build, varied = wire.build(), Varied(random.Random(seed))
    held: dict[int, float] = {}
    dear = refused = 0
    began = time.monotonic()
    for number, text in enumerate(islice(varied, requests), 1):
        before = cpu_seconds(process)
        try:
            ask(build, text)
        except DaemonFailed:
            raise
        except SaysoError:  # garbage that cannot be read
            refused += 1
        if cpu_seconds(process) - before >= DEAR_SECONDS:
            varied.is_dear()
            dear += 1
        if number % EVERY == 0 or number == requests:
            held[number] = resident_of(process) / 1e6
            seconds = time.monotonic() - began
            print(
                f"{number} requests, {held[number]:.1f} MB, {dear} to the model, {refused} refused, {seconds:.0f} s",
                file=sys.stderr,
                flush=True,
            )
    warm = held[min(WARM, requests)]
    growth = 100 * (held[requests] / warm - 1)
    return [
        Row(f"memory after {min(WARM, requests):,} requests", warm, "MB", 1),
        Row(f"memory after {requests:,} requests", held[requests], "MB", 1),
        Row("growth between them", growth, "%", requests, limit=MOST_GROWTH),
        Row("CPU time of an answer, mean", 1000 * cpu_seconds(process) / requests, "ms CPU", requests),
        Row("requests that went to the model", 100 * dear / requests, "%", requests),
    ]


def ask(build: str, text: str) -> dict[str, Any]:
    connection = client.connect()
    if connection is None:
        raise DaemonFailed("the background process has ended")
    with connection:
        reply = client.exchange(connection, {"build": build, "do": "answer", "target": "bash", "text": text, "k": 3})
    if reply is None:
        raise DaemonFailed("the background process made room for another")
    return reply


def status() -> dict[str, Any]:
    connection = client.connect()
    if connection is None:
        return {}
    with connection:
        return client.exchange(connection, {"do": "status"}) or {}


def resident(runtime: str) -> dict[int, int]:
    """Process → bytes in memory, of all that have this runtime folder, this one left out."""
    mark, found = f"XDG_RUNTIME_DIR={runtime}".encode(), {}
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    found[int(process.name)] = resident_of(int(process.name))
            except OSError:
                continue
    return found


def command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def resident_of(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__.partition("\n")[0])
    parser.add_argument("--requests", type=int, default=REQUESTS, metavar="N", help=f"how many ({REQUESTS})")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which requests (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--only", choices=("weight", "crowd", "marathon"), help="one of the parts")
    args = parser.parse_args(argv)
    rows = measured(args.only, args.requests, args.seed) if args.only else run(args.requests, args.seed)
    if args.json:
        print(json.dumps([{**vars(row), "kept": row.kept} for row in rows]))
    else:
        from benchmarks.__main__ import table

        print("\n".join(table(rows)))
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
