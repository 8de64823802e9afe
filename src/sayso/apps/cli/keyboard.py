"""Questions to whoever sits at the terminal: one key, yes or no, a line to edit. Ctrl-C goes through; Ctrl-D is no."""

from __future__ import annotations

import os
import sys

from sayso.apps import settings
from sayso.core.errors import MissingPart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

END = "\x04"
"""What `read_key` gives for Ctrl-D and where the input ends."""


def is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def say(text: str) -> None:
    """To the terminal: stdout where that is one, else stderr, so that an answer in a pipe stays clean."""
    stream = sys.stdout if is_terminal(sys.stdout) else sys.stderr
    stream.write(text)
    stream.flush()


def read_key(prompt: str) -> str:
    """The key pressed, in small letters; keys that send more than one character, such as arrows, are ""."""
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
        pressed = os.read(number, 64)
    finally:
        signal.signal(signal.SIGCONT, resumed)
        termios.tcsetattr(number, termios.TCSADRAIN, before)
    if pressed in (b"", END.encode()):
        return END
    return "" if pressed[:1] == b"\x1b" else pressed.decode("utf-8", "replace")[0].lower()


def agrees(question: str, by_default: bool) -> bool:
    """One key; Enter takes the default, and every other key than y is a no."""
    key = read_key(f"{question} {'[Y/n]' if by_default else '[y/N]'} ")
    agreed = key == "y" or (by_default and key in ("\n", "\r"))
    say("yes\n" if agreed else "no\n")
    return agreed


def edit(text: str) -> str:
    """The text as the user leaves it; emptied, or given up with Ctrl-C or Ctrl-D, it stays as it was."""
    try:
        import readline
    except ImportError:
        return in_editor(text)
    if "\n" in text:
        return in_editor(text)
    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        return input("$ ").strip() or text
    except (EOFError, KeyboardInterrupt):
        say("\n")
        return text
    finally:
        readline.set_startup_hook(None)


def in_editor(text: str) -> str:
    """Through $VISUAL or $EDITOR, else vi."""
    import shlex
    import subprocess
    import tempfile
    from pathlib import Path

    program = shlex.split(settings.personal("VISUAL") or settings.personal("EDITOR") or "vi")
    with tempfile.TemporaryDirectory(prefix="sayso-") as folder:
        file = Path(folder, "command.sh")
        file.write_text(f"{text}\n", encoding="utf-8")
        try:
            subprocess.run([*program, str(file)], check=False)
        except OSError as error:
            raise MissingPart(
                f"{program[0]} cannot be started: {error.strerror}", "set EDITOR to your editor"
            ) from error
        return file.read_text(encoding="utf-8", errors="replace").strip() or text
