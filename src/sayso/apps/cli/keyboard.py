"""Questions to whoever sits at the terminal: one key, yes or no, a line to edit. Ctrl-C goes through; Ctrl-D is no."""

from __future__ import annotations

import os
import sys

from sayso.apps import settings
from sayso.apps.requests import not_utf8
from sayso.core.errors import MissingPart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

END = "\x04"
"""What `read_key` gives for Ctrl-D and where the input ends."""
QUIET = 0.15
"""Seconds without input after which a paste is over."""


def is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def screen() -> TextIO:
    """Where questions go: stdout where that is a terminal, else stderr, so that an answer in a pipe stays clean."""
    return sys.stdout if is_terminal(sys.stdout) else sys.stderr


def can_ask() -> bool:
    """Whether a question is seen, and its answer heard."""
    return is_terminal(sys.stdin) and is_terminal(screen())


def say(text: str) -> None:
    stream = screen()
    stream.write(text)
    stream.flush()


def read_key(prompt: str) -> str:
    """The key pressed, in small letters, an Enter behind it left out; arrows, and what was pasted, are ""."""
    import select
    import signal
    import termios
    import tty

    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)

    def ask(*_: object) -> None:
        # Before the question is seen: what was typed earlier answers something else and is dropped.
        tty.setcbreak(number, termios.TCSAFLUSH)
        say(prompt)

    # After Ctrl-Z and `fg` the terminal is as the shell left it, and the question is out of sight.
    resumed = signal.signal(signal.SIGCONT, ask)
    try:
        ask()
        text = os.read(number, 64).decode("utf-8", "replace")
        pressed = text.rstrip("\r\n") or text[:1] or END
        if len(pressed) > 1:  # the rest of what was pasted may still be on its way
            while select.select([number], [], [], QUIET)[0] and os.read(number, 4096):
                pass
    except KeyboardInterrupt:
        say("\n")
        raise
    finally:
        signal.signal(signal.SIGCONT, resumed)
        termios.tcsetattr(number, termios.TCSADRAIN, before)
    return pressed.lower() if len(pressed) == 1 and pressed != "\x1b" else ""


def agrees(question: str, by_default: bool) -> bool:
    """One key; Enter takes the default, and every other key than y is a no."""
    key = read_key(f"{question} {'[Y/n]' if by_default else '[y/N]'} ")
    agreed = key == "y" or (by_default and key in ("\n", "\r"))
    say("yes\n" if agreed else "no\n")
    return agreed


def read_line(prompt: str) -> str:
    """What is typed; "" where it is given up with Ctrl-C or Ctrl-D. BadRequest where it is no text."""
    try:
        return input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        say("\n")
        return ""
    except UnicodeDecodeError as error:
        raise not_utf8(error.start, "line") from error


def edit(text: str) -> str:
    """The text as the user leaves it; emptied or given up, it stays as it was."""
    try:
        import readline
    except ImportError:
        return in_editor(text)
    if "\n" in text:
        return in_editor(text)
    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        return read_line("$ ") or text
    finally:
        readline.set_startup_hook(None)


def in_editor(text: str) -> str:
    """Through $VISUAL or $EDITOR, else vi."""
    import shlex
    import subprocess
    import tempfile
    from pathlib import Path

    from sayso.core.silence import as_found

    editor = settings.personal("VISUAL") or settings.personal("EDITOR") or "vi"
    try:
        with tempfile.TemporaryDirectory(prefix="sayso-") as folder:
            file = Path(folder, "command.sh")
            file.write_text(f"{text}\n", encoding="utf-8")
            subprocess.run([*shlex.split(editor), str(file)], check=False, env=as_found())
            return file.read_text(encoding="utf-8", errors="replace").strip() or text
    except (OSError, ValueError) as error:  # no such program, no room for a file, an open quote
        raise MissingPart(f"{editor} cannot edit it: {error}", "set EDITOR to your editor") from error
