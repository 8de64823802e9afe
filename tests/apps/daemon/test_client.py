"""The thin client against a process that hangs, dies, lies or belongs to someone else."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from sayso.apps.daemon import client, wire
from sayso.core.errors import DaemonFailed, SaysoError

Start = Callable[[], "subprocess.Popen[bytes]"]
Ask = Callable[[dict[str, Any]], dict[str, Any] | None]


@contextmanager
def listening(says: bytes) -> Iterator[None]:
    """Someone who says the same to everybody and hangs up."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        Path(wire.socket_path()).unlink(missing_ok=True)
        listener.bind(wire.socket_path())
        listener.listen()

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65536)
                    connection.sendall(says)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_nobody_there(runtime: Path, ask_running: Ask) -> None:
    assert client.connect() is None
    assert ask_running({"do": "status"}) is None


def test_a_hung_process_is_named_within_seconds(scripted: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    process = scripted()
    os.kill(process.pid, signal.SIGSTOP)
    monkeypatch.setattr(client, "HEARD_WITHIN", 0.3)
    with pytest.raises(DaemonFailed, match=f"process {process.pid} does not answer") as caught:
        client.ask({"do": "answer", "text": "hello"})
    assert "sayso daemon stop" in caught.value.hint


def test_a_process_that_dies_while_it_works(scripted: Start) -> None:
    scripted()
    with pytest.raises(DaemonFailed, match=r"ended while it worked|broke off"):
        client.ask({"do": "answer", "text": "die"})


@pytest.mark.parametrize("says", [b"\xff\n", b"17\n", b"{" * 10 + b"\n"])
def test_a_process_that_talks_nonsense(runtime: Path, ask_running: Ask, says: bytes) -> None:
    with listening(says), pytest.raises(DaemonFailed, match="broke off"):
        ask_running({"do": "status"})


def test_a_socket_path_that_is_too_long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    with pytest.raises(DaemonFailed, match="too long for a socket"):
        client.ask({"do": "status"})


def test_the_build_follows_code_and_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert wire.build() == wire.build()
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "one.py").write_text("a = 1\n")
    monkeypatch.setattr(wire, "package_folders", [str(tmp_path)])
    seen = {wire.build()}
    (tmp_path / "part" / "one.py").write_text("a = 22\n")
    seen.add(wire.build())
    (tmp_path / "part" / "__pycache__").mkdir()
    (tmp_path / "part" / "__pycache__" / "one.pyc").touch()
    assert wire.build() in seen
    monkeypatch.setenv("SAYSO_DATA", "/elsewhere")
    seen.add(wire.build())
    assert len(seen) == 3


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)


@hypothesis_settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.dictionaries(st.text(), values, max_size=3), max_size=3))
def test_lines_carry_any_json_across(messages: list[dict[str, object]]) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for message in messages:
            wire.send(ours, message)
        ours.close()
        lines = wire.Lines(theirs)
        assert [lines.next(5) for _ in messages] == messages
        assert lines.next(5) is None


def test_a_line_that_trickles_in_is_timed_as_a_whole() -> None:
    ours, theirs = socket.socketpair()
    stop = threading.Event()

    def trickle() -> None:
        while not stop.wait(0.02):
            ours.sendall(b"x")

    with ours, theirs:
        thread = threading.Thread(target=trickle)
        thread.start()
        with pytest.raises(TimeoutError):
            wire.Lines(theirs).next(0.2)
        stop.set()
        thread.join()


@given(st.text(), st.text(), st.integers(0, 3))
def test_errors_cross_unchanged(message: str, hint: str, code: int) -> None:
    error = SaysoError(message, hint)
    error.exit_code = code
    back = wire.to_error(wire.from_error(error))
    assert (back.message, back.hint, back.exit_code) == (message, hint, code)


def test_weights_installed_beside_it_make_another_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "site-packages"
    (place / "other-1.0.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(place))
    before = wire.build()
    assert wire.build() == before
    (place / "another-1.0.dist-info").mkdir()
    assert wire.build() == before, "only ours count"
    (place / "sayso_notebook-0.1.0.dist-info").mkdir()
    with_weights = wire.build()
    assert with_weights != before
    (place / "sayso_notebook-0.1.0.dist-info").rename(place / "sayso_notebook-0.2.0.dist-info")
    assert wire.build() not in (before, with_weights)
