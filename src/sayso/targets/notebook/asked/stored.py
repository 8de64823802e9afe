"""The asked cells as they are published: `cells.jsonl.xz`, a setting a line with what came of running its cells.

Beside it `made.json` (what was read, and dropped by reason) and `DIGESTS.json`. In the source of the project, not in
its wheel: nobody who asks for cells needs them, since the templates made of them are a bundle.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile
from sayso.core.files import write_atomically
from sayso.core.packed import not_here, read_packed_lines
from sayso.targets.notebook.asked.tried import Tried, read_tried
from sayso.targets.notebook.asked.written import Ask, Setting

NAME = "asked-cells"
FOLDER = Path(__file__).parents[1] / "data" / "asked"
CELLS, MADE, DIGESTS = "cells.jsonl.xz", "made.json", "DIGESTS.json"
HINT = "it comes with the source of the project, not with its wheel"

Asked = tuple[Setting, tuple[Tried, ...]]


def load_asked(folder: Path = FOLDER) -> list[Asked]:
    """Every setting with what came of each of its asks, in the order of their ids."""
    path = folder / CELLS
    if not path.exists():
        raise not_here(path, NAME, HINT)
    return [read_line(line, path) for line in read_packed_lines(path, NAME, HINT)]


def load_made(folder: Path = FOLDER) -> dict[str, Any]:
    path = folder / MADE
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError as error:
        raise not_here(path, NAME, HINT) from error
    except ValueError as error:
        raise BadFile(f"{path} is damaged: {error}", HINT) from error


def store_asked(found: Iterable[Asked], made: Mapping[str, Any], folder: Path) -> None:
    lines = "".join(sorted(as_line(*one) + "\n" for one in found))
    write(folder / CELLS, lzma.compress(lines.encode(), preset=9 | lzma.PRESET_EXTREME))
    write(folder / MADE, (json.dumps(made, indent=1, ensure_ascii=False) + "\n").encode())
    write(folder / DIGESTS, (json.dumps(digests(folder), indent=1) + "\n").encode())


def digests(folder: Path) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in (CELLS, MADE)}


def as_line(setting: Setting, tried: Iterable[Tried]) -> str:
    asks = [
        {"phrasings": ask.phrasings, "code": ask.code, "follows": ask.follows, **asdict(result)}
        for ask, result in zip(setting.asks, tried, strict=True)
    ]
    return json.dumps(
        {"id": setting.id, "hidden": setting.hidden, "shown": setting.shown, "asks": asks}, ensure_ascii=False
    )


def read_line(line: str, path: Path) -> Asked:
    try:
        words = json.loads(line)
        asks = tuple(Ask(tuple(one["phrasings"]), one["code"], one["follows"]) for one in words["asks"])
        setting = Setting(words["id"], words["hidden"], tuple(words["shown"]), asks)
        return setting, tuple(map(read_tried, words["asks"]))
    except (ValueError, KeyError, TypeError) as error:
        raise BadFile(f"{path} is damaged: {error!r}", HINT) from error


def write(path: Path, content: bytes) -> None:
    with write_atomically(path) as file:
        file.write(content)
