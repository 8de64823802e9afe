"""The background process under bad guests: it refuses, goes on, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import json
import socket
import stat
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.daemon import client, wire
from sayso.core.errors import DaemonFailed, SaysoError

Start = Callable[..., "subprocess.Popen[bytes]"]
Ask = Callable[[dict[str, Any]], dict[str, Any] | None]


def ask(text: str, **more: Any) -> dict[str, Any]:
    return client.ask({"do": "answer", "text": text, **more})


def raw_connection() -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(10)
    connection.connect(wire.socket_path())
    return connection


def until(claim: Callable[[], bool], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while not claim():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_it_answers_and_its_socket_is_ours_alone(scripted: Start) -> None:
    process = scripted()
    assert ask("hello") == {"echo": "hello", "pid": process.pid}
    mode = Path(wire.socket_path()).stat().st_mode
    assert stat.S_ISSOCK(mode) and mode & 0o777 == 0o600


def test_an_error_comes_back_as_it_was_raised(scripted: Start) -> None:
    scripted()
    with pytest.raises(SaysoError) as caught:
        ask("refuse")
    error = caught.value
    assert (error.message, error.hint, error.exit_code) == ("weights.bin is cut short", "install sayso again", 2)


def test_a_bug_does_not_end_it(scripted: Start) -> None:
    process = scripted()
    with pytest.raises(DaemonFailed, match="ZeroDivisionError: a bug"):
        ask("break")
    assert ask("again")["pid"] == process.pid


@pytest.mark.parametrize(
    "garbage",
    [b"\xff\xfe\x00garbage\n", b"[1, 2]\n", b"{\n", b"[" * 100_000 + b"\n", b'"' + b"x" * (wire.LONGEST_LINE + 70_000)],
)
def test_garbage_is_refused_and_the_next_guest_served(scripted: Start, garbage: bytes) -> None:
    scripted()
    with raw_connection() as connection:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(garbage)
        try:
            told = connection.makefile().readline()
        except ConnectionResetError:  # it hung up with part of our line unread
            told = ""
    if told:
        assert "cannot read the question" in json.loads(told)["error"]["message"]
    assert ask("hello")["echo"] == "hello"


def test_a_guest_killed_in_the_middle(scripted: Start) -> None:
    scripted()
    with raw_connection() as connection:
        connection.sendall(b'{"do": "answer", "te')
    with raw_connection() as connection:
        wire.send(connection, {"build": wire.build(), "do": "answer", "text": "sleep 0.2"})
    assert ask("hello")["echo"] == "hello"


@pytest.mark.slow
def test_a_silent_guest_is_shown_the_door(scripted: Start) -> None:
    scripted(ASKED_WITHIN=0.5)
    with raw_connection() as connection:
        connection.settimeout(30)
        start = time.monotonic()
        assert connection.recv(1) == b""
        assert 0.4 < time.monotonic() - start < 10


def test_many_guests_at_once_each_get_their_own_answer(scripted: Start) -> None:
    scripted()
    answers: dict[int, str] = {}

    def one(number: int) -> None:
        answers[number] = ask(f"request {number}")["echo"]

    threads = [threading.Thread(target=one, args=(number,)) for number in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: f"request {number}" for number in range(60)}


def test_a_guest_of_another_build_makes_it_leave_at_once(scripted: Start) -> None:
    first = scripted()
    with raw_connection() as connection:
        wire.send(connection, {"build": "0.0.0-other", "do": "answer", "text": "hello"})
        assert wire.Lines(connection).next(5) == {"stale": True}
        second = scripted()  # the lock is free before the guest was told
        assert ask("hello")["pid"] == second.pid
    assert first.wait(timeout=10) == 0


def test_only_one_at_a_time(scripted: Start) -> None:
    first = scripted()
    second = scripted()
    assert second.wait(timeout=10) == 0
    assert ask("hello")["pid"] == first.pid


@pytest.mark.parametrize("left", [b"", b"garbage"])
def test_what_a_dead_one_left_is_no_hindrance(scripted: Start, left: bytes) -> None:
    first = scripted()
    first.kill()
    first.wait()
    assert Path(wire.socket_path()).exists()
    Path(wire.lock_path()).write_bytes(left)
    assert client.connect() is None
    second = scripted()
    assert ask("hello")["pid"] == second.pid


def test_a_file_in_place_of_the_socket_is_no_hindrance(scripted: Start) -> None:
    Path(wire.socket_path()).write_text("no socket")
    assert client.connect() is None
    process = scripted()
    assert ask("hello")["pid"] == process.pid


@pytest.mark.slow
def test_it_ends_when_its_socket_is_removed(scripted: Start) -> None:
    process = scripted(LOOKS_EVERY=0.5)
    Path(wire.socket_path()).unlink()
    assert process.wait(timeout=20) == 0


def test_it_ends_when_idle_and_leaves_no_socket(scripted: Start, user_folders: Path) -> None:
    config = user_folders / "config" / "sayso" / "config.toml"
    config.parent.mkdir()
    config.write_text("idle_minutes = 0.01")
    process = scripted()
    assert ask("hello")["pid"] == process.pid
    assert process.wait(timeout=10) == 0
    assert not Path(wire.socket_path()).exists()


def test_told_to_stop_it_finishes_what_it_is_doing(scripted: Start, ask_running: Ask) -> None:
    process = scripted()
    answers: list[dict[str, Any]] = []
    thread = threading.Thread(target=lambda: answers.append(ask("sleep 0.5")))
    thread.start()
    assert until(lambda: (ask_running({"do": "status"}) or {})["answers"] == 1)
    process.terminate()
    thread.join()
    assert [one["echo"] for one in answers] == ["sleep 0.5"]
    assert process.wait(timeout=10) == 0
    assert not Path(wire.socket_path()).exists()


def test_memory_and_descriptors_stay_flat(scripted: Start, ask_running: Ask) -> None:
    process = scripted()

    def seen() -> tuple[float, int]:
        status = ask_running({"do": "status"})
        assert status is not None
        return status["memory_mb"], len(list(Path(f"/proc/{process.pid}/fd").iterdir()))

    build = wire.build()
    question = {"build": build, "do": "answer", "text": "x" * 30_000}
    for _ in range(30):
        ask_running(question)
    before = seen()
    for _ in range(150):
        ask_running(question)
    after = seen()
    assert after[0] - before[0] < 2
    assert after[1] <= before[1] + 2
