"""`sayso doctor` on silence: it sees a socket, an open queue and a runtime that nobody has checked."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from sayso.apps import leftovers, settings
from sayso.apps.cli import doctor, main
from sayso.apps.cli.silence_check import loud
from sayso.neural import onnx_runtime


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(doctor, "LOOKS", (doctor.telemetry,))


def row(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main.main(["doctor", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["rows"]
    assert isinstance(found, dict) and found["name"] == "telemetry"
    return found


def test_a_silent_process_has_nothing_open() -> None:
    left, right = socket.socketpair()
    with left, right:
        assert loud(os.getpid()) == []


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_network_socket_is_seen(kind: socket.SocketKind) -> None:
    with socket.socket(socket.AF_INET, kind) as one:
        one.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            one.listen()
        assert loud(os.getpid()) == [f"a {'tcp' if kind == socket.SOCK_STREAM else 'udp'} socket"]


def test_a_process_that_is_gone_has_nothing() -> None:
    assert loud(2**22 + 1) == []


def test_doctor_says_that_it_is_off_and_what_was_checked(capsys: pytest.CaptureFixture[str]) -> None:
    found = row(capsys)
    assert found["ok"] and "nothing leaves the machine" in found["detail"]
    assert "no network socket" in found["detail"] and "no id of this machine is kept" in found["detail"]


def test_doctor_removes_what_was_left(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(settings.shared_cache(), *leftovers.FOLDERS)
    folder.mkdir(parents=True)
    (folder / "deviceid").write_text("x")
    assert row(capsys)["ok"] and not folder.exists()


def test_doctor_hears_a_socket_and_an_open_queue(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(settings.shared_cache(), *leftovers.FOLDERS)
    folder.mkdir(parents=True)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one, (folder / "onnxruntime.db").open("w"):
        one.bind(("127.0.0.1", 0))
        found = row(capsys)
    assert not found["ok"] and "a udp socket" in found["detail"] and "onnxruntime.db" in found["detail"]


def test_doctor_says_that_a_runtime_is_unchecked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx_runtime.load_onnxruntime(), "__version__", "1.40.0")
    found = row(capsys)
    assert not found["ok"] and "1.40.0" in found["detail"] and "onnxruntime<1.32" in found["cure"]


def test_another_process_of_ours_is_looked_at() -> None:
    code = "import socket; s = socket.create_server(('127.0.0.1', 0)); print(1, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout and process.stdout.readline()
        assert loud(process.pid) == ["a tcp socket"]
        process.communicate(b"\n")


def test_the_checked_versions_are_those_that_may_be_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    (allowed,) = [one for one in project["dependencies"] if one.startswith("onnxruntime")]
    assert allowed.endswith(f"<{'.'.join(map(str, onnx_runtime.CHECKED_BELOW))}")
    assert (
        onnx_runtime.is_checked("1.31.1")
        and not onnx_runtime.is_checked("1.32.0")
        and not onnx_runtime.is_checked("2.0")
    )
    assert not onnx_runtime.is_checked("unknown")
