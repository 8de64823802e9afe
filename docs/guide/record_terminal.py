"""Record a session at the terminal as an asciicast and a picture: `python docs/guide/record_terminal.py OUT_FOLDER`.

Plays real keys into a real shell in tmux, in a folder of its own; the picture is the last screen, drawn by Chromium.
"""

import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

COLUMNS, ROWS = 96, 30
# What is typed, and how many seconds are left to read what follows.
KEYS: list[tuple[str, float]] = [
    ('sayso "delete all log files older than 30 days"\n', 3.0),
    ("d", 3.0),
    ("t", 1.0),
    ("only in the folder old\n", 2.5),
    ("q", 1.0),
    ("sayso fix -- 'gti status'\n", 2.5),
]


def tmux(*words: str) -> str:
    return subprocess.run(["tmux", "-L", "sayso-recording", *words], check=True, capture_output=True, text=True).stdout


def record(folder: Path) -> tuple[list[tuple[float, str]], str]:
    """What the terminal was sent, with times, and its last screen with colours."""
    fifo = folder.parent / "screen"
    os.mkfifo(fifo)
    shell = f"cd {shlex.quote(str(folder))} && PS1='$ ' exec bash --norc --noprofile -i"
    tmux("-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), shell)
    tmux("set", "-g", "status", "off")
    sent: list[tuple[float, str]] = []
    begun = time.monotonic()

    def listen() -> None:
        with fifo.open("rb", buffering=0) as screen:
            while piece := screen.read(4096):
                sent.append((time.monotonic() - begun, piece.decode(errors="replace")))

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    tmux("pipe-pane", "-o", f"cat > {shlex.quote(str(fifo))}")
    time.sleep(0.5)
    tmux("send-keys", "-l", "clear\n")
    time.sleep(0.5)
    for text, pause in KEYS:
        for key in text:
            tmux("send-keys", "-l", key)
            time.sleep(0.03)
        time.sleep(pause)
    last = tmux("capture-pane", "-p", "-e")
    tmux("kill-server")
    listener.join(timeout=5)
    return sent, last


def make_files(folder: Path) -> None:
    old = time.time() - 40 * 86400
    for name in ("app.log", "old/a.log", "old/b.log", "notes.txt"):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("something\n" * 100)
        os.utime(path, (old, old))


def draw(screen: str, out: Path) -> None:
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text.from_ansi(screen.rstrip()))
    drawing = out.with_suffix(".svg")
    drawing.write_text(console.export_svg(title="sayso"))
    chromium = shutil.which("chromium") or sys.exit("chromium is not installed")
    page = f"--screenshot={out.resolve()}", f"file://{drawing.resolve()}"
    flags = "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1200,742"
    subprocess.run([chromium, *flags, *page], check=True, capture_output=True, timeout=120)
    drawing.unlink()


out = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
with tempfile.TemporaryDirectory() as scratch:
    project = Path(scratch) / "project"
    project.mkdir()
    make_files(project)
    sent, last = record(project)
with (out / "terminal.cast").open("w") as cast:
    cast.write(json.dumps({"version": 2, "width": COLUMNS, "height": ROWS, "title": "sayso"}) + "\n")
    cast.writelines(json.dumps([round(when, 3), "o", text]) + "\n" for when, text in sent)
draw(last, out / "terminal.png")
