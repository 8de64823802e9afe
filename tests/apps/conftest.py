"""Real `sayso` processes in folders of their own; no background process outlives its test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
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


def end_daemons(runtime: Path) -> None:
    """End what still runs there; a process that will not end is a failure."""
    for process in daemons(runtime):
        os.kill(process, signal.SIGCONT)
        os.kill(process, signal.SIGTERM)
    deadline = time.monotonic() + 10
    while daemons(runtime) and time.monotonic() < deadline:
        time.sleep(0.02)
    left = daemons(runtime)
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert not left, f"background processes that did not end: {left}"


def runner(variables: Mapping[str, str] | None = None) -> Run:
    """The installed command, run for real; without variables, in the environment of the test."""
    program = Path(sys.executable).with_name("sayso")

    def run(*arguments: str | bytes, timeout: float = 60, **options: object) -> subprocess.CompletedProcess[str]:
        settings: dict[str, object] = {"stdin": subprocess.DEVNULL, **options}
        if "input" in settings:
            del settings["stdin"]
        if variables is not None:
            given = settings.get("env", {})
            assert isinstance(given, dict)
            settings["env"] = {**os.environ, **variables, **given}
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
def runtime(user_folders: Path) -> Iterator[Path]:
    """The runtime folder of this test; no background process there outlives it."""
    folder = Path(os.environ["XDG_RUNTIME_DIR"])
    yield folder
    end_daemons(folder)


@pytest.fixture
def sayso(runtime: Path) -> Run:
    """sayso("bash", "list files"): with a background process of its own, for tests that change or break something."""
    return runner()


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """The same with one background process for the whole file, for tests that only ask; `env` adds variables."""
    home = tmp_path_factory.mktemp("warm")
    names = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "HOME")
    yield runner(dict.fromkeys(names, str(home)))
    end_daemons(home)


@pytest.fixture
def running(runtime: Path) -> Callable[[], list[int]]:
    """running(): the background processes of this test."""
    return lambda: daemons(runtime)
