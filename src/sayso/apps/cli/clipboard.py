"""Put text on the clipboard: by the program of this desktop where there is one, else by asking the terminal itself."""

from __future__ import annotations

import base64
import shutil
import subprocess

from sayso.apps import settings
from sayso.apps.cli.keyboard import say

# (what must be set, the program): Wayland, X11, macOS, and tmux, which hands on to the terminal around it.
PROGRAMS = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("pbcopy",)),
    ("TMUX", ("tmux", "load-buffer", "-w", "-")),
)
PATIENCE = 5.0


def copy(text: str) -> str:
    """By which way it went: the name of the program, or "the terminal", which may not listen."""
    for variable, command in PROGRAMS:
        if (variable and not settings.personal(variable)) or shutil.which(command[0]) is None:
            continue
        try:
            subprocess.run(
                command,
                input=text.encode(),
                check=True,
                timeout=PATIENCE,
                # wl-copy and xclip stay behind to serve the clipboard: they must not hold our output open.
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return command[0]
    say(f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07")
    return "the terminal"
