"""The real command with its real background process: started, raced for, hung, killed, replaced, unwanted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Running = Callable[[], list[int]]

REQUEST = "list all files in the current folder"


def until(claim: Callable[[], bool], seconds: float = 15) -> bool:
    deadline = time.monotonic() + seconds
    while not claim():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def candidates(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    return [one["text"] for one in json.loads(done.stdout)["candidates"]]


def status(sayso: Run) -> dict[str, Any]:
    done = sayso("daemon", "status", "--json")
    assert done.returncode == 0, done.stderr
    shown: dict[str, Any] = json.loads(done.stdout)
    return shown


def test_the_first_answer_starts_one_that_is_tied_to_nothing(
    sayso: Run, running: Running, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    with (tmp_path / "held").open("w") as held:
        done = sayso("bash", REQUEST, "--json", pass_fds=[held.fileno()], cwd=tmp_path)
        assert candidates(done) and done.stderr == ""
        [process] = running()
        proc = Path(f"/proc/{process}")
        opened = [str(one.readlink()) for one in (proc / "fd").iterdir()]
        assert str(tmp_path / "held") not in opened
    assert [str((proc / "fd" / number).readlink()) for number in "012"] == ["/dev/null"] * 3
    assert str((proc / "cwd").readlink()) == "/"
    assert os.getsid(process) not in (os.getsid(0), process)  # its own session, of which it is not the leader
    assert b"secret" not in (proc / "environ").read_bytes()
    assert b"MALLOC_MMAP_THRESHOLD_=" in (proc / "environ").read_bytes()  # else it weighs a tenth more
    again = sayso("bash", REQUEST, "--json")
    assert candidates(again) == candidates(done)
    assert running() == [process] and status(sayso)["answers"] == 2


def test_the_same_answer_with_and_without_it(sayso: Run, running: Running) -> None:
    alone = sayso("bash", REQUEST, "--json", "--no-daemon")
    assert running() == []
    assert candidates(alone) == candidates(sayso("bash", REQUEST, "--json"))


@pytest.mark.slow
def test_a_killed_one_is_replaced(sayso: Run, running: Running) -> None:
    first = candidates(sayso("bash", REQUEST, "--json"))
    [process] = running()
    os.kill(process, signal.SIGKILL)
    assert until(lambda: running() == [])
    done = sayso("bash", REQUEST, "--json")
    assert candidates(done) == first and done.stderr == ""
    assert len(running()) == 1


@pytest.mark.slow
def test_a_hung_one_costs_two_seconds_and_is_named(sayso: Run, running: Running) -> None:
    first = candidates(sayso("bash", REQUEST, "--json"))
    [process] = running()
    os.kill(process, signal.SIGSTOP)
    done = sayso("bash", REQUEST, "--json")
    assert candidates(done) == first
    assert done.stderr.startswith(f"note: the background process {process} does not answer")
    assert done.stderr.count("\n") == 1
    assert status(sayso) == {"running": True, "responds": False, "pid": process}
    stopped = sayso("daemon", "stop", "--json")
    assert json.loads(stopped.stdout) == {"running": False, "stopped": True, "pid": process}
    assert until(lambda: running() == [])


@pytest.mark.slow
def test_changed_settings_replace_it(
    sayso: Run, running: Running, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    candidates(sayso("bash", REQUEST, "--json"))
    [process] = running()
    monkeypatch.setenv("SAYSO_DATA", str(tmp_path))
    assert status(sayso)["current"] is False
    done = sayso("bash", REQUEST, "--json")
    assert candidates(done) and done.stderr == ""
    assert until(lambda: len(running()) == 1 and running() != [process])
    assert status(sayso)["current"] is True


@pytest.mark.parametrize("what", ["file", "open"])
def test_where_it_cannot_be_the_answer_still_comes(sayso: Run, running: Running, runtime: Path, what: str) -> None:
    folder = runtime / "sayso"
    if what == "file":
        folder.write_text("in the way")
    else:
        folder.mkdir()
        folder.chmod(0o755)
    done = sayso("bash", REQUEST, "--json")
    assert candidates(done)
    assert done.stderr.startswith(f"note: {folder} is ") and done.stderr.count("\n") == 1
    assert running() == []
    assert sayso("daemon", "start").returncode == 3


def test_a_read_only_runtime_folder(sayso: Run, running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/proc")  # nobody may make a folder there, root included
    if os.stat("/proc").st_uid != os.getuid():  # noqa: PTH116
        pytest.skip("/proc belongs to root: for anyone else it is passed over")
    done = sayso("bash", REQUEST, "--json")
    assert candidates(done) and done.stderr.startswith("note: /proc/sayso cannot be made")


def test_switched_off_in_config(sayso: Run, running: Running, user_folders: Path) -> None:
    config = user_folders / "config" / "sayso" / "config.toml"
    config.parent.mkdir()
    config.write_text("idle_minutes = 0\n")
    done = sayso("bash", REQUEST, "--json")
    assert candidates(done) and done.stderr == ""
    assert running() == []
    refused = sayso("daemon", "start")
    assert refused.returncode == 2 and str(config) in refused.stderr


def test_start_status_stop(sayso: Run, running: Running) -> None:
    assert status(sayso) == {"running": False}
    assert json.loads(sayso("daemon", "stop", "--json").stdout) == {"running": False, "stopped": False}
    started = json.loads(sayso("daemon", "start", "--json").stdout)
    assert started["running"] and started["current"] and started["idle_minutes"] == 30
    assert running() == [started["pid"]]
    assert f"running (process {started['pid']}" in sayso("daemon").stdout
    assert sayso("daemon", "stop").stdout == f"stopped (process {started['pid']})\n"
    assert running() == []


@pytest.mark.slow
def test_a_client_killed_while_it_waits(sayso: Run, running: Running) -> None:
    candidates(sayso("bash", REQUEST, "--json"))
    [process] = running()
    os.kill(process, signal.SIGSTOP)
    client = subprocess.Popen([Path(sys.executable).with_name("sayso"), "bash", REQUEST], stdout=subprocess.PIPE)
    time.sleep(0.5)
    client.kill()
    client.communicate()
    os.kill(process, signal.SIGCONT)
    assert candidates(sayso("bash", REQUEST, "--json"))
    assert running() == [process]
