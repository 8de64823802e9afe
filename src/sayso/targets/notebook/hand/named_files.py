"""Files that cells name and that lie beside their notebook: a cell that is tried in the sandbox finds them there."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from sayso.core.errors import BadFile
from sayso.core.given import read_plain
from sayso.core.types import Piece
from sayso.targets.notebook.syntax.canonical import parse
from sayso.targets.notebook.syntax.magics import without_magics

LARGEST, MOST = 16 << 20, 64 << 20
"""Bytes of one file, and of all."""


def files_named(codes: Iterable[str], folder: Path) -> tuple[Piece, ...]:
    """Only files in or below the folder, by relative paths, and no links that lead out of it."""
    found: dict[str, Piece] = {}
    room = MOST
    for name in dict.fromkeys(name for code in codes for name in named(code)):
        path = folder / name
        try:
            if not path.resolve().is_relative_to(folder.resolve()):
                continue
            content = read_plain(path, min(LARGEST, room))
        except (OSError, ValueError, RuntimeError, BadFile):  # RuntimeError: a link to itself
            continue
        room -= len(content)
        found[name] = Piece("file", content.decode("utf-8", "surrogateescape"), name)
    return tuple(found.values())


def named(code: str) -> Iterator[str]:
    """Strings of a cell that may be a path below its folder."""
    try:
        tree = parse(without_magics(code))
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) < 256:
            path = PurePosixPath(node.value)
            if "\n" not in node.value and not path.is_absolute() and ".." not in path.parts and path.parts:
                yield str(path)
