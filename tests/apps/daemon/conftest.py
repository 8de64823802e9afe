"""A scripted background process, started for real."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.daemon import client

Start = Callable[..., "subprocess.Popen[bytes]"]
Ask = Callable[[dict[str, Any]], dict[str, Any] | None]


@pytest.fixture
def ask_running() -> Ask:
    """ask_running(question): the reply of the process that runs, whatever its build; None where none runs."""

    def ask(question: dict[str, Any]) -> dict[str, Any] | None:
        connection = client.connect()
        if connection is None:
            return None
        with connection:
            return client.exchange(connection, question)

    return ask


@pytest.fixture
def scripted(runtime: Path) -> Iterator[Start]:
    """scripted(ASKED_WITHIN=0.5): start one, with such seconds, and wait until it listens or gives up; ended with the
    test."""
    started: list[subprocess.Popen[bytes]] = []

    def start(**seconds: float) -> subprocess.Popen[bytes]:
        reader, writer = os.pipe()
        program = Path(__file__).with_name("scripted_daemon.py")
        words = [f"{name}={value}" for name, value in seconds.items()]
        process = subprocess.Popen([sys.executable, program, str(writer), *words], pass_fds=[writer])
        os.close(writer)
        os.read(reader, 1)
        os.close(reader)
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.terminate()
        process.wait(timeout=10)
