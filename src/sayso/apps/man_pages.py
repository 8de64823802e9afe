"""This machine's manual pages, and the index of them that is kept fresh in the background.

`python -m sayso.apps.man_pages` brings it up to date: a process of its own at the lowest priority, which no answer
waits for. It reads pages and runs nothing; programs without a page are only asked by `sayso bash --index-man`.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sayso.apps import settings
from sayso.core.errors import MachineError

USUAL = ("/usr/local/share/man", "/usr/local/man", "/usr/share/man", "/opt/homebrew/share/man")
LOOKS_EVERY = 600.0
"""Seconds between two looks at the folders of a process that lives long."""
STARTS_WITHIN = 20.0
"""Seconds until the new process has left us, on a machine that is very busy."""
LOWEST = 19


def man_folders() -> list[Path]:
    """$MANPATH, else the usual folders that exist and the user's own."""
    given = [Path(part) for part in settings.listed_folders("MANPATH")]
    usual = [*map(Path, USUAL), Path("~/.local/share/man").expanduser()]
    return [folder for folder in (*given, *(usual if not given else ())) if folder.is_dir()]


def programs() -> dict[str, Path]:
    """Every program in the system's folders of $PATH: the sandbox shows no others."""
    found: dict[str, Path] = {}
    for folder in map(Path, settings.listed_folders("PATH")):
        if folder.parts[:2] != ("/", "usr") or not folder.is_dir():
            continue
        for path in sorted(folder.iterdir()):
            if path.name not in found and os.access(path, os.X_OK) and path.is_file():
                found[path.name] = path
    return found


def installed() -> frozenset[str] | None:
    """The names of all that can be run; None where MANPATH says which pages are wanted, whatever is installed."""
    if settings.listed_folders("MANPATH"):
        return None
    folders = [Path(one) for one in settings.listed_folders("PATH") if Path(one).is_dir()]
    return frozenset(path.name for folder in folders for path in folder.iterdir()) or None


def refresh() -> bool:
    """Start bringing the index up to date where that is wanted and needed; true where it was started."""
    chosen = settings.load()
    if not (chosen.man_index and chosen.idle_minutes > 0 and sys.executable):
        return False
    from sayso.targets.bash.manual import is_fresh

    folders = man_folders()
    if not folders or is_fresh(folders, settings.workspace().cache):
        return False
    # -P: a file called json.py in some folder must not become part of the process.
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            [sys.executable, "-P", "-m", "sayso.apps.man_pages"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=settings.passed_on(),
            timeout=STARTS_WITHIN,
            check=False,
        )
        return True
    return False


class Keeper:
    """Has the index looked at now and then, for a process that lives long."""

    def __init__(self, look: Callable[[], object] = refresh, clock: Callable[[], float] = time.monotonic) -> None:
        self.look, self.clock = look, clock
        self.looked: float | None = None

    def rest(self) -> None:
        if self.looked is None or self.clock() - self.looked >= LOOKS_EVERY:
            self.looked = self.clock()
            self.look()


def bring_up_to_date() -> None:
    """Make the index, unless another process is at it; a disk that refuses is no reason to fail."""
    from sayso.targets.bash.manual import build_index, find_pages, is_fresh

    folders, cache = man_folders(), settings.workspace().cache
    with suppress(OSError, MachineError):
        cache.mkdir(parents=True, exist_ok=True)
        with (cache / "man-index.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            pages = find_pages(folders)
            if pages and not is_fresh(folders, cache):
                without = {name: path for name, path in programs().items() if name not in pages}
                build_index(folders, cache, programs=without, installed=installed())


def main() -> int:
    """In a session of its own, so that whoever started it need not wait or live."""
    if os.fork():
        return 0
    os.setsid()
    os.nice(LOWEST)
    bring_up_to_date()
    return 0


if __name__ == "__main__":
    sys.exit(main())
