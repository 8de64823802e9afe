"""What one run in the sandbox costs: CPU time of start and teardown, and starts a second on two threads.

The script does nothing, so all of it is the sandbox's own. CPU time is that of the launcher and everything below it,
the script included; the ratio is to a bare `bash -c true`.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import threading
import time
from pathlib import Path

from benchmarks import Row
from sayso.core.types import FileSpec, Limits
from sayso.sandbox.bubblewrap import BubblewrapSandbox

BATCHES, RUNS = 10, 10  # the kernel tells CPU time in steps of 10 ms, so runs are counted ten at a time
LIMIT_MS = 30.0


def run() -> list[Row]:
    bare = bare_shell()
    with tempfile.TemporaryDirectory(prefix="sayso-bench-") as folder:
        sandbox = BubblewrapSandbox(Path(folder))
        try:
            empty = cpu_per_run(sandbox, [])
            files = [FileSpec(f"d{number % 5}/f{number}", b"x" * 100) for number in range(20)]
            filled = cpu_per_run(sandbox, files)
            serial, two = (starts_per_second(sandbox, threads) for threads in (1, 2))
        finally:
            sandbox.close()
    n = BATCHES * RUNS
    return [
        Row("sandbox, start and teardown", empty, "ms of CPU", n, empty / bare, "bash -c true", LIMIT_MS),
        Row("sandbox, the same with 20 files", filled, "ms of CPU", n, filled / bare, "bash -c true", LIMIT_MS),
        Row("sandbox, starts, one thread", serial, "a second", n),
        Row("sandbox, starts, two threads", two, "a second", n, two / serial, "one thread"),
    ]


def bare_shell() -> float:
    """Milliseconds of CPU of a shell that does nothing, outside."""

    def once() -> float:
        process = os.posix_spawn("/bin/bash", ["bash", "-c", "true"], {})
        usage = os.wait4(process, 0)[2]
        return (usage.ru_utime + usage.ru_stime) * 1000

    return statistics.median(once() for _ in range(BATCHES * RUNS))


def cpu_per_run(sandbox: BubblewrapSandbox, files: list[FileSpec]) -> float:
    """The median over batches of milliseconds a run."""
    sandbox.run("true", files, Limits())
    costs = []
    for _ in range(BATCHES):
        start = cpu_seconds()
        for _ in range(RUNS):
            sandbox.run("true", files, Limits())
        time.sleep(0.1)  # a run answers before its last process is gone
        costs.append((cpu_seconds() - start) * 1000 / RUNS)
    return statistics.median(costs)


def starts_per_second(sandbox: BubblewrapSandbox, threads: int) -> float:
    count = BATCHES * RUNS // threads

    def work() -> None:
        for _ in range(count):
            sandbox.run("true", [], Limits())

    workers = [threading.Thread(target=work) for _ in range(threads)]
    start = time.monotonic()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return count * threads / (time.monotonic() - start)


def cpu_seconds() -> float:
    """CPU time of our children, the launcher among them, and of all that they waited for."""
    total, waiting = 0, children(os.getpid())
    while waiting:
        process = waiting.pop()
        waiting += children(process)
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def children(process: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []
