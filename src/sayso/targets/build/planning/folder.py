"""A folder of the user's read as a tree: every file by name, texts only when asked for, up to a cap that is said."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sayso.core.given import open_plain

MOST_FILES = 20_000
LONGEST = 200_000
"""Bytes of one text; what is longer is read up to here."""
SKIPPED = frozenset((".git", ".hg", ".svn", ".bzr", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache"))
BINARY = b"\0"
PLAIN_NAME = re.compile(r"[\w.+=:,@%][\w.+=:,@%~-]*")
"""A name that is one word of every shell, and no option: steps name files and folders as they are."""


@dataclass(frozen=True)
class Texts(Mapping[str, str]):
    """Texts of files below a folder, read when first asked for; what is no text is ""."""

    folder: Path
    files: Mapping[str, bool]
    kept: dict[str, str] = field(default_factory=dict, compare=False)
    cut: dict[str, int] = field(default_factory=dict, compare=False)
    """Files that were longer than what is read, with their size."""

    def __getitem__(self, path: str) -> str:
        if path not in self.files:
            raise KeyError(path)
        if path not in self.kept:
            self.kept[path] = self.read(path)
        return self.kept[path]

    def read(self, path: str) -> str:
        try:
            with open_plain(self.folder / path) as file:
                raw = file.read(LONGEST)
                size = os.fstat(file.fileno()).st_size
        except OSError:
            return ""
        if size > LONGEST:
            self.cut[path] = size
        return "" if BINARY in raw[:8_000] else raw.decode("utf-8", "replace").replace("\0", "")

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


def list_folder(folder: Path) -> tuple[dict[str, bool], dict[str, int], tuple[str, ...]]:
    """Paths with whether they can be executed, their sizes, and what was left out and why. No link is followed."""
    files: dict[str, bool] = {}
    sizes: dict[str, int] = {}
    left_out: list[str] = []
    odd: list[str] = []
    waiting = [""]
    while waiting:
        inner = waiting.pop(0)
        try:
            with os.scandir(folder / inner) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            left_out.append(f"{inner or '.'}: {error.strerror}")
            continue
        for entry in entries:
            path = f"{inner}/{entry.name}" if inner else entry.name
            if not entry.name.isprintable():
                left_out.append(f"{path!r}: no printable name")
                continue
            if not PLAIN_NAME.fullmatch(entry.name):
                odd.append(path)
                continue
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                if entry.name not in SKIPPED:
                    waiting.append(path)
            elif stat.S_ISREG(mode):
                if len(files) >= MOST_FILES:
                    left_out.append(f"all beyond {MOST_FILES:,} files")
                    return files, sizes, (*left_out, *told_odd(odd))
                files[path] = bool(mode & 0o111)
                sizes[path] = entry.stat(follow_symlinks=False).st_size
    return files, sizes, (*left_out, *told_odd(odd))


def is_plain(path: str) -> bool:
    """Whether a path leads into the tree, by names that are each one word of every shell."""
    return all(PLAIN_NAME.fullmatch(name) and name not in (".", "..") for name in path.split("/"))


def told_odd(paths: list[str]) -> list[str]:
    return [f"{len(paths)} with names that a shell would read otherwise, such as {paths[0]!r}"] if paths else []
