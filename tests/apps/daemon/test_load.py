"""Many clients at once: one process answers them all, in turn, and nobody loads the models for himself."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.daemon import client, launch, server, wire
from sayso.apps.daemon.turns import Turn, Turns
from sayso.core.errors import DaemonFailed

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Running = Callable[[], list[int]]
Start = Callable[[], "subprocess.Popen[bytes]"]
Ask = Callable[[dict[str, Any]], dict[str, Any] | None]


def ask(text: str, say: Callable[[str], None] | None = None) -> dict[str, Any]:
    return client.ask({"do": "answer", "text": text}, say)


def asked(text: str) -> socket.socket:
    """A guest who has asked and was heard."""
    connection = client.connect()
    assert connection
    wire.send(connection, {"build": wire.build(), "do": "answer", "text": text})
    assert wire.Lines(connection).next(10) == {"heard": True}
    return connection


def until(claim: Callable[[], bool], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while not claim():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_fifty_at_once_are_served_by_one_however_long_the_queue(
    scripted: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "HEARD_WITHIN", 0.2)  # the last waits for five times as long
    process = scripted()
    with ThreadPoolExecutor(50) as pool:
        replies = list(pool.map(lambda number: ask(f"sleep {0.02 + number / 1e6}"), range(50)))
    assert {reply["pid"] for reply in replies} == {process.pid}
    assert len({reply["echo"] for reply in replies}) == 50


def test_the_word_to_a_waiting_user_names_process_and_queue(scripted: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "HEARD_WITHIN", 0.2)
    process = scripted()
    said: list[str] = []
    with asked("sleep 1.5"), asked("hello"):
        ask("hello", said.append)
    assert len(said) == 1 and said[0].startswith(f"waiting for the background process {process.pid}")
    assert ask("hello", said.append)["echo"] == "hello"
    assert len(said) == 1  # nothing to say of what is quick


def test_a_guest_who_has_gone_loses_his_turn(scripted: Start, ask_running: Ask) -> None:
    scripted()
    with asked("sleep 0.8"):
        for _ in range(5):
            asked("sleep 30").close()
        start = time.monotonic()
        assert ask("hello")["echo"] == "hello"
    assert time.monotonic() - start < 5
    status = ask_running({"do": "status"})
    assert status and (status["dropped"], status["answers"]) == (5, 2)


def test_a_guest_who_only_says_no_more_keeps_his_turn(scripted: Start) -> None:
    scripted()
    with asked("sleep 0.6"), asked("hello") as connection:
        connection.shutdown(socket.SHUT_WR)
        lines, said = wire.Lines(connection), []
        while (message := lines.next(5)) is not None:
            said.append(message)
    assert said[-1]["reply"]["echo"] == "hello"


def test_turns_are_taken_in_order_and_counted() -> None:
    done: list[int] = []
    go = threading.Event()

    def work(question: dict[str, Any]) -> dict[str, Any]:
        go.wait(10)
        done.append(question["n"])
        return {"n": question["n"]}

    turns = Turns(work)
    turns.start()
    asked: list[Turn] = [turns.ask({"n": 0})]
    assert until(lambda: turns.current is asked[0])
    asked += [turns.ask({"n": n}) for n in range(1, 6)]
    assert [turns.before(turn) for turn in asked] == [0, 1, 2, 3, 4, 5]
    turns.give_up(asked[2])
    assert [turns.before(turn) for turn in asked[3:]] == [2, 3, 4]
    go.set()
    assert asked[-1].done.wait(10)
    assert done == [0, 1, 3, 4, 5] and asked[4].message == {"n": 4}


def test_who_works_rests_while_nobody_asks_and_then_works_on() -> None:
    rested: list[str] = []
    turns = Turns(lambda question: question, lambda: rested.append(threading.current_thread().name), pause=0.01)
    turns.start()
    assert until(lambda: len(rested) >= 2)
    turn = turns.ask({"n": 1})
    assert turn.done.wait(10) and turn.message == {"n": 1}
    count = len(rested)
    assert until(lambda: len(rested) > count), "it rests again"
    assert set(rested) != {threading.main_thread().name} and len(set(rested)) == 1, "the thread that answers"


@contextmanager
def serving(answering: server.Answering) -> Iterator[tuple[server.Server, threading.Thread]]:
    held = server.lock()
    assert held is not None
    one = server.Server(answering, wire.build(), 60, held)
    thread = threading.Thread(target=one.serve)
    thread.start()
    yield one, thread
    one.tell()
    thread.join(10)


def test_an_answer_that_never_comes_costs_the_others_nothing(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "STUCK_AFTER", 0.4)
    monkeypatch.setattr(server, "FINISHES_WITHIN", 0.5)
    never = threading.Event()

    def answering(question: Any) -> dict[str, Any]:
        never.wait(20)
        return {}

    def last_word(connection: socket.socket) -> dict[str, Any] | None:
        return client.Words(connection, None).last()

    with serving(answering) as (one, thread), asked("first") as first, asked("second") as second:
        assert last_word(first) == {"failed": "no answer within 0.4 seconds"}
        assert last_word(second) == {"stale": True}  # another process will answer
        assert client.connect() is None
        thread.join(10)
        assert one.leaving and not thread.is_alive()
    never.set()


def test_one_that_has_grown_too_large_makes_room(runtime: Path) -> None:
    with serving(lambda question: {"echo": question["text"]}) as (one, thread):
        assert ask("hello")["echo"] == "hello"
        one.largest = 1
        assert ask("again")["echo"] == "again"
        thread.join(10)
        assert client.connect() is None and not thread.is_alive()


def test_clients_that_find_none_start_one_between_them(
    scripted: Start, monkeypatch: pytest.MonkeyPatch, runtime: Path
) -> None:
    started: list[int] = []

    def slowly() -> None:
        time.sleep(0.3)
        started.append(scripted().pid)

    monkeypatch.setattr(launch, "launch", slowly)
    with ThreadPoolExecutor(12) as pool:
        replies = list(pool.map(lambda number: ask(f"request {number}"), range(12)))
    assert len(started) == 1
    assert [reply["pid"] for reply in replies] == 12 * started


def test_where_the_first_client_hangs_the_next_starts_one(
    scripted: Start, monkeypatch: pytest.MonkeyPatch, runtime: Path
) -> None:
    import fcntl

    monkeypatch.setattr(launch, "LISTENS_WITHIN", 0.3)
    monkeypatch.setattr(launch, "launch", lambda: scripted() and None)
    with open(wire.starting_path(), "w") as held:  # noqa: PTH123
        fcntl.flock(held, fcntl.LOCK_EX)
        assert ask("hello")["echo"] == "hello"


def test_one_that_cannot_start_is_said_at_once(monkeypatch: pytest.MonkeyPatch, runtime: Path) -> None:
    monkeypatch.setattr(launch, "launch", lambda: None)
    with pytest.raises(DaemonFailed, match="did not start"):
        ask("hello")


@contextmanager
def listening(backlog: int, serve: Callable[[socket.socket], None]) -> Iterator[None]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(wire.socket_path())
        listener.listen(backlog)
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        yield
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def answer_each(listener: socket.socket, pause: float) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection, contextlib.suppress(OSError):  # who has lost patience has gone
            time.sleep(pause)
            if connection.recv(65536):
                connection.sendall(b'{"reply": {"echo": "late"}}\n')


def test_a_process_that_is_slow_to_hear_is_waited_for(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "HEARD_WITHIN", 0.1)
    said: list[str] = []
    with listening(5, lambda listener: answer_each(listener, 0.5)):
        assert ask("hello", said.append) == {"echo": "late"}
        monkeypatch.setattr(client, "SILENT_WITHIN", 0.2)
        with pytest.raises(DaemonFailed, match=f"process {os.getpid()} does not answer"):
            ask("hello")
    assert said == [f"waiting for the background process {os.getpid()}"]


def test_a_full_queue_of_the_kernel_is_waited_for(runtime: Path) -> None:
    def serve(listener: socket.socket) -> None:
        time.sleep(0.3)
        answer_each(listener, 0)

    with listening(0, serve):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
            other.connect(wire.socket_path())
        assert ask("hello") == {"echo": "late"}


@pytest.mark.slow
def test_twelve_real_clients_at_once_are_answered_by_one_process(running: Running, runtime: Path) -> None:
    program = str(Path(sys.executable).with_name("sayso"))
    command = [program, "bash", "list all files in the current folder", "--json"]
    clients = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(12)]
    told = [one.communicate(timeout=120) for one in clients]
    assert [(one.returncode, err) for one, (_, err) in zip(clients, told, strict=True)] == 12 * [(0, "")]
    assert len({json.loads(out)["candidates"][0]["text"] for out, _ in told}) == 1
    assert len(running()) == 1
    done = subprocess.run([program, "daemon", "status", "--json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["answers"] == 12
