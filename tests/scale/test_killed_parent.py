"""A run that is killed leaves no worker, nothing that a worker started, and every shard that it had written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from sayso.core.errors import SandboxFailed
from sayso.sandbox import open_sandbox

WORKERS = 4
GONE_WITHIN = 2.0
RUN = """
import sys
from pathlib import Path
from sayso import scale
import scale_jobs

folder = Path(sys.argv[1])
items = [(n, str(folder)) for n in range(40)]
job = getattr(scale_jobs, sys.argv[2])
scale.map_shards(job, items, folder / "out", scale.Processes({workers}), shard=1)
"""


def mine(mark: str) -> list[int]:
    """Every living process that has this mark in its environment: the run, its workers, and theirs."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                state = (process / "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z" and mark.encode() in (process / "environ").read_bytes().split(b"\0"):
                    found.append(int(process.name))
            except OSError:
                continue
    return found


def until(claim: object, seconds: float) -> bool:
    assert callable(claim)
    deadline = time.monotonic() + seconds
    while not claim():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def mark(tmp_path: Path) -> Iterator[str]:
    name = f"SAYSO_TEST_RUN={tmp_path}"
    yield name
    for process in mine(name):
        os.kill(process, signal.SIGKILL)


def hears_signals() -> None:
    """Whatever started the tests, `nohup` say, may have these ignored."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def started(mark: str, folder: Path, jobs_folder: Path, job: str) -> subprocess.Popen[bytes]:
    """The run, once each of its workers is at an item that takes a minute."""
    name, _, value = mark.partition("=")
    process = subprocess.Popen(
        [sys.executable, "-c", RUN.format(workers=WORKERS), str(folder), job],
        env={**os.environ, name: value, "PYTHONPATH": str(jobs_folder)},
        stderr=subprocess.DEVNULL,
        # However the tests were started, this process can be interrupted.
        preexec_fn=hears_signals,
    )
    assert until(lambda: len(list(folder.glob("busy-*"))) == WORKERS, 30), "the workers never got to work"
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGINT])
def test_a_killed_run_leaves_no_process_and_keeps_its_shards(
    jobs: ModuleType, jobs_folder: Path, tmp_path: Path, mark: str, number: signal.Signals
) -> None:
    # Each worker has started a program, which must go with it.
    process = started(mark, tmp_path, jobs_folder, "stay_after_three")
    # The run itself writes them, when it hears of an item that is done: on a busy machine after the next was begun.
    assert until(lambda: len(list((tmp_path / "out").glob("shard-*.jsonl"))) == 3, 30), "what was done was not written"
    shards = sorted((tmp_path / "out").glob("shard-*.jsonl"))
    process.send_signal(number)
    process.wait(timeout=10)
    assert until(lambda: not mine(mark), GONE_WITHIN), f"left behind: {mine(mark)}"
    kept = [json.loads(path.read_text().splitlines()[1])["value"] for path in shards]
    assert kept == [0, 2, 4]


def test_a_worker_that_never_runs_python_code_goes_too(
    jobs: ModuleType, jobs_folder: Path, tmp_path: Path, mark: str
) -> None:
    process = started(mark, tmp_path, jobs_folder, "search_for_ever")
    process.kill()
    process.wait(timeout=10)
    assert until(lambda: not mine(mark), GONE_WITHIN), f"left behind: {mine(mark)}"


def named(name: str) -> list[str]:
    """The command lines of processes that have this in theirs."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if name in line:
                found.append(line)
    return found


@pytest.mark.sandbox
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_run_leaves_no_sandbox(
    jobs: ModuleType, jobs_folder: Path, tmp_path: Path, mark: str, number: signal.Signals
) -> None:
    try:
        open_sandbox(tmp_path / "tried")
    except SandboxFailed as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"{error.message}: {error.hint}")
    process = started(mark, tmp_path, jobs_folder, "stay_in_a_sandbox")
    sleeps = f"./{tmp_path.name}-sleeps 50"
    assert until(lambda: sum(line.startswith(sleeps) for line in named(sleeps)) == WORKERS, 20), named(tmp_path.name)
    process.send_signal(number)
    process.wait(timeout=10)
    assert until(lambda: not mine(mark), GONE_WITHIN), f"left behind: {mine(mark)}"
    assert until(lambda: not named(tmp_path.name), 2 * GONE_WITHIN), f"left behind: {named(tmp_path.name)}"
