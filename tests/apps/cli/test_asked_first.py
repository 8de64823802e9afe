"""Nothing runs unless the command and the question were both seen: pipes on one side, pastes, odd bytes in an edit."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

PATIENCE = 30.0


class Talk:
    """A program with a terminal of its own; each of its three streams may be that terminal or not."""

    def __init__(self, words: list[str], folder: Path, **streams: int | IO[bytes]) -> None:
        self.ours, theirs = pty.openpty()
        given: dict[str, Any] = {**dict.fromkeys(("stdin", "stdout", "stderr"), theirs), **streams}
        environment = {**os.environ, "SHELL": "/bin/bash", "NO_COLOR": "1", "TERM": "xterm"}
        self.process = subprocess.Popen(["setsid", "-cw", *words], cwd=folder, env=environment, **given)
        os.close(theirs)
        self.seen = ""

    def wait(self, text: str) -> str:
        """What was shown, once the text stands at its end."""
        deadline = time.monotonic() + PATIENCE
        while not self.seen.rstrip().endswith(text):
            assert time.monotonic() < deadline, f"no {text!r} in {self.seen!r}"
            if select.select([self.ours], [], [], 0.1)[0]:
                self.seen += os.read(self.ours, 4096).decode("utf-8", "replace").replace("\r\n", "\n")
        return self.seen

    def send(self, keys: bytes) -> None:
        self.seen = ""
        os.write(self.ours, keys)

    def end(self) -> int:
        """Everything that is still to be read, then the exit code."""
        try:
            while block := os.read(self.ours, 4096):
                self.seen += block.decode("utf-8", "replace").replace("\r\n", "\n")
        except OSError:  # the other side is closed
            pass
        return self.process.wait(timeout=PATIENCE)


Open = Callable[..., Talk]


@pytest.fixture
def talk(answers: Path, tmp_path: Path) -> Iterator[Open]:
    """talk("--run", "show notes.txt", stderr=DEVNULL)"""
    (tmp_path / "notes.txt").write_text("first line\n")
    opened: list[Talk] = []

    def start(*words: str, **streams: int | IO[bytes]) -> Talk:
        opened.append(Talk([str(answers / "sayso"), *words], tmp_path, **streams))
        return opened[-1]

    yield start
    for one in opened:
        os.close(one.ours)
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait()


def test_a_question_that_nobody_would_see_is_not_asked(talk: Open, tmp_path: Path) -> None:
    with (tmp_path / "said").open("wb") as said:
        one = talk("--run", "show notes.txt", stdout=said, stderr=said)
        assert one.end() == 2
    assert "no terminal to ask in" in (tmp_path / "said").read_text()


def test_the_command_is_in_sight_where_stderr_is_thrown_away(talk: Open, tmp_path: Path) -> None:
    one = talk("--run", "remove notes.txt", stderr=subprocess.DEVNULL)
    assert one.wait("[y/N]").startswith("rm notes.txt\n")
    one.send(b"\n")
    assert one.end() == 0 and (tmp_path / "notes.txt").exists()


def test_json_asks_with_the_command_in_sight(talk: Open, tmp_path: Path) -> None:
    with (tmp_path / "answer").open("wb") as answer:
        one = talk("--run", "--json", "show notes.txt", stdout=answer)
        assert one.wait("[Y/n]").startswith("cat notes.txt\n")
        one.send(b"y")
        assert one.end() == 0
    assert json.loads((tmp_path / "answer").read_text())["ran"]["stdout"] == "first line\n"


def test_what_is_pasted_presses_no_key(talk: Open) -> None:
    one = talk("show notes.txt")
    one.wait(">")
    one.send(b"rm -rf y")
    time.sleep(0.03)
    os.write(one.ours, b"r")  # a slow line brings it in pieces
    assert "run it?" not in one.wait(">")
    one.send(b"r\n")  # a key and Enter may come together over a slow line
    one.wait("run it? [Y/n]")
    one.send(b"yank")
    one.wait(">")
    one.send(b"q")
    assert one.end() == 0 and "first line" not in one.seen


def test_an_edit_with_bytes_that_are_no_text_is_refused(talk: Open) -> None:
    one = talk("show notes.txt")
    one.wait(">")
    one.send(b"e")
    one.wait("$ cat notes.txt")
    one.send(b" \xff\n")
    assert "note: the command is not UTF-8 text" in one.wait(">")
    one.send(b"t")
    one.wait("then:")
    one.send(b"only \xff\n")
    assert "note: the request is not UTF-8 text" in one.wait(">")
    one.send(b"q")
    assert one.end() == 0


def test_any_other_key_says_what_there_is_in_a_narrow_terminal(talk: Open) -> None:
    one = talk("show notes.txt")
    fcntl.ioctl(one.ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    one.wait(">")
    for key in (b"?", b"\n", b"9"):
        one.send(key)
        shown = one.wait("q ?>")
        assert "keys: [r]un, [d]ry run, [e]dit" in shown and max(map(len, shown.split("\n"))) <= 60
