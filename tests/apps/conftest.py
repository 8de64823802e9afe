"""Real `sayso` processes in folders of their own; no background process outlives its test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def daemons(runtime: Path) -> list[int]:
    """The background processes whose socket lies in this folder, as /proc shows them."""
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            command = (process / "cmdline").read_bytes()
            variables = (process / "environ").read_bytes()
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        mine = f"XDG_RUNTIME_DIR={runtime}".encode() in variables.split(b"\0")
        if mine and b"daemon" in command and state != "Z":
            found.append(int(process.name))
    return found


@pytest.fixture
def runtime(user_folders: Path) -> Iterator[Path]:
    """The runtime folder of this test; what still runs at its end is ended, and must end."""
    folder = Path(os.environ["XDG_RUNTIME_DIR"])
    yield folder
    for process in daemons(folder):
        os.kill(process, signal.SIGCONT)
        os.kill(process, signal.SIGTERM)
    deadline = time.monotonic() + 10
    while daemons(folder) and time.monotonic() < deadline:
        time.sleep(0.02)
    left = daemons(folder)
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert not left, f"background processes that did not end: {left}"


@pytest.fixture
def sayso(runtime: Path) -> Run:
    """sayso("bash", "list files"): the installed command, run for real."""
    program = Path(sys.executable).with_name("sayso")

    def run(*arguments: str | bytes, timeout: float = 60, **options: object) -> subprocess.CompletedProcess[str]:
        settings: dict[str, object] = {"stdin": subprocess.DEVNULL, **options}
        if "input" in settings:
            del settings["stdin"]
        return subprocess.run(  # type: ignore[call-overload,no-any-return]
            [program, *arguments],
            stdout=settings.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            text=True,
            timeout=timeout,
            **settings,
        )

    return run


@pytest.fixture
def running(runtime: Path) -> Callable[[], list[int]]:
    """running(): the background processes of this test."""
    return lambda: daemons(runtime)
