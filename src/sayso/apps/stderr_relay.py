"""Between a shell's commands and its terminal: passes standard error on, and keeps the end of the last that failed.

A pseudo-terminal, so that programs still see a terminal behind their standard error: colours and progress stay. One
small process a shell, started by the hook of `sayso fix` where the user asked for it. What is kept is one file that
only the user can read; a command that succeeds removes it, and it goes with the shell.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import select
import signal
import termios
from pathlib import Path

MOST = 20_000
"""Bytes kept; the end says most."""
BLOCK = 65_536
LOOKS = 3.0
"""Seconds after which an idle relay looks whether its shell still lives."""
PIECES = 0.005
"""Seconds for which the rest of a line is waited for."""
MARK = b"\x1e"


class Kept:
    """What was said since the last mark. A mark is `MARK token number exit-code MARK`, which is not passed on."""

    def __init__(self, token: str, file: Path) -> None:
        self.begin = MARK + token.encode() + b" "
        self.file = file
        self.said = b""
        self.held = b""

    def take(self, block: bytes) -> tuple[bytes, list[str]]:
        """What is to be passed on, and the numbers of the commands that ended with it."""
        rest, shown, ended = self.held + block, b"", []
        self.held = b""
        while rest:
            at = rest.find(MARK)
            if at < 0:
                at = len(rest)
            shown, self.said, rest = shown + rest[:at], (self.said + rest[:at])[-MOST:], rest[at:]
            if not rest:
                break
            end = rest.find(MARK, 1)
            if rest.startswith(self.begin) and end > 0:
                number, _, code = rest[len(self.begin) : end].decode("ascii", "replace").partition(" ")
                self.end(code)
                ended.append(number)
                rest = rest[end + 1 :]
            elif len(rest) < len(self.begin) + 20 and self.begin.startswith(rest[: len(self.begin)]):
                self.held, rest = rest, b""  # the rest of a mark is on its way
            else:  # some program's own
                shown, self.said, rest = shown + MARK, self.said + MARK, rest[1:]
        return shown, ended

    def end(self, code: str) -> None:
        """A command has ended: one that failed is kept, in place of the one before."""
        said, self.said = self.said, b""
        # A full disk or a folder that was cleaned up costs a file: without the relay the shell has no standard error.
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)
            if code in ("0", "130", "148") or not said.strip():  # Ctrl-C and Ctrl-Z are no failures
                return
            with os.fdopen(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(said)


def start(shell: int, folder: Path) -> str:
    """Goes to the background and gives what the hook reads: terminal, process, file, pipe of answers, token."""
    folder.mkdir(mode=0o700, exist_ok=True)
    token = secrets.token_hex(8)
    kept, answers = folder / f"{shell}.stderr", folder / f"{shell}.answers"
    for one in (kept, answers):
        one.unlink(missing_ok=True)
    os.mkfifo(answers, 0o600)
    outer, inner = os.openpty()
    mode = termios.tcgetattr(inner)
    mode[1] &= ~termios.OPOST  # the real terminal ends lines
    mode[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(inner, termios.TCSANOW, mode)
    screen = os.dup(2)
    process = os.fork()
    if process:
        return f"{os.ttyname(inner)} {process} {kept} {answers} {token}"
    os.setsid()
    with Path(os.devnull).open("r+b") as nothing:  # whoever waits for our output has it
        for number in (0, 1, 2):
            os.dup2(nothing.fileno(), number)
    for ignored in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(ignored, signal.SIG_IGN)
    try:
        relay(shell, outer, inner, screen, Kept(token, kept), answers)
    finally:
        for one in (kept, answers):
            one.unlink(missing_ok=True)
        os._exit(0)


def relay(shell: int, outer: int, inner: int, screen: int, kept: Kept, answers: Path) -> None:
    """Until the shell is gone. `inner` stays open here: a terminal that nobody has open would end."""
    told = os.open(answers, os.O_RDWR | os.O_NONBLOCK)  # for both, so that it never waits for a reader
    same_size(screen, inner)
    while True:
        if not select.select([outer], [], [], LOOKS)[0]:
            same_size(screen, inner)
            if not lives(shell):
                return
            continue
        block = os.read(outer, BLOCK)
        # Tools write a line in pieces, and zsh marks the end of one that is not yet whole when its prompt comes.
        while not block.endswith((b"\n", MARK)) and len(block) < BLOCK and select.select([outer], [], [], PIECES)[0]:
            block += os.read(outer, BLOCK)
        shown, ended = kept.take(block)
        while shown:
            shown = shown[os.write(screen, shown) :]
        for number in ended:
            same_size(screen, inner)
            with contextlib.suppress(BlockingIOError):  # a shell that reads no answers needs none
                os.write(told, f"{number}\n".encode())


def same_size(screen: int, inner: int) -> None:
    with contextlib.suppress(OSError):
        fcntl.ioctl(inner, termios.TIOCSWINSZ, fcntl.ioctl(screen, termios.TIOCGWINSZ, b"\0" * 8))


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True
