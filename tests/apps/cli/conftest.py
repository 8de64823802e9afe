"""A terminal to type into: tmux, with scripted answers behind a real `sayso`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PATIENCE = 30.0


class Screen:
    """One pane of a tmux server of its own. Everything waits by looking, not by sleeping."""

    def __init__(self, socket: Path, folder: Path, command: str, columns: int = 100) -> None:
        self.tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        size = ["-x", str(columns), "-y", "40"]
        options = ["set", "-g", "set-clipboard", "on", ";", "set", "-g", "escape-time", "0", ";"]
        self.run(*options, "new-session", "-d", *size, "-c", str(folder), command)

    def run(self, *arguments: str) -> str:
        done = subprocess.run([*self.tmux, *arguments], capture_output=True, text=True, check=True)
        return done.stdout

    def type(self, text: str) -> None:
        self.run("send-keys", "-l", "--", text)

    def press(self, *keys: str) -> None:
        """Keys as tmux names them: Enter, C-g, M-s."""
        self.run("send-keys", *keys)

    def enter(self, line: str) -> None:
        self.type(line)
        self.press("Enter")

    def text(self) -> str:
        """What is to be seen, without blanks at the ends of lines."""
        return "\n".join(line.rstrip() for line in self.run("capture-pane", "-p", "-J").splitlines()).rstrip()

    def wait(self, pattern: str) -> str:
        """The screen, once it shows what the pattern asks for."""
        deadline = time.monotonic() + PATIENCE
        while not re.search(pattern, shown := self.text(), re.M):
            assert time.monotonic() < deadline, f"no {pattern!r} on the screen:\n{shown}"
            time.sleep(0.03)
        return shown

    def close(self) -> None:
        subprocess.run([*self.tmux, "kill-server"], capture_output=True, check=False)


Open = Callable[..., Screen]


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Scripted answers in the background, for a whole file; gives the folder of their socket."""
    folder = tmp_path_factory.mktemp("run")
    reader, writer = os.pipe()
    program = Path(__file__).with_name("scripted_answers.py")
    names = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "HOME")
    environment = {**os.environ, **dict.fromkeys(names, str(folder))}
    process = subprocess.Popen([sys.executable, program, str(writer)], pass_fds=[writer], env=environment)
    os.close(writer)
    os.read(reader, 1)
    os.close(reader)
    yield folder
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=10)


@pytest.fixture
def answers(scripted: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every `sayso` of this test has scripted answers; gives the folder of the program."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(scripted))
    return Path(sys.executable).parent


@pytest.fixture
def terminal(
    answers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, need: Callable[[str, str], None]
) -> Iterator[Open]:
    """terminal("zsh -f"): a shell in an empty folder, with `sayso` on PATH and nothing of the user's."""
    need("tmux", "apt install tmux")
    monkeypatch.setenv("PATH", f"{answers}:{os.environ['PATH']}")
    for name in ("TMUX", "DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR", "EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("SHELL", "/bin/bash")
    folder = tmp_path / "here"
    folder.mkdir()
    opened: list[Screen] = []

    def start(
        command: str = "env PS1='ready> ' bash --norc --noprofile", columns: int = 100, **variables: str
    ) -> Screen:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        opened.append(Screen(tmp_path / f"tmux{len(opened)}", folder, command, columns))
        return opened[-1]

    yield start
    for screen in opened:
        screen.close()


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """The folder in which `terminal` opens its shells."""
    return tmp_path / "here"
