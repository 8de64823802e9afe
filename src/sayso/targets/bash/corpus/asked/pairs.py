"""The pairs of the asked corpus: as their writers left them, and as they are published.

Published are `pairs.tsv.xz` (id and five fields a line), `ran.tsv.xz` (id and what came of running the command),
`read.tsv.xz` (what readers said of some), `made.json` (what was read, and dropped by reason) and `DIGESTS.json`.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile, MissingData
from sayso.core.files import write_atomically
from sayso.core.packed import not_here, read_packed_lines

NAME = "asked"
FOLDER = Path(__file__).parents[2] / "data" / NAME
WEIGHING = FOLDER.parent / "asked-weighing"
"""A second corpus in the same form, of which nothing but the weighing of answers learns."""
PAIRS, RAN, READ, MADE, DIGESTS = "pairs.tsv.xz", "ran.tsv.xz", "read.tsv.xz", "made.json", "DIGESTS.json"
HINT = "it comes with the source of the project, not with its wheel"
KINDS = ("one", "steps", "known")
REGISTERS = ("plain", "question", "terse", "jargon", "typo", "polite", "chatty")


@dataclass(frozen=True)
class AskedPair:
    """A request with a command that does it; `id` is the writer and the digest of both texts."""

    id: str
    kind: str
    who: str
    register: str
    request: str
    command: str

    @property
    def digest(self) -> str:
        """The second half of the id: the order in which some of many are drawn."""
        return self.id.rpartition(":")[2]


def asked_pair(writer: str, fields: Iterable[str]) -> AskedPair:
    """Five fields of a writer as a pair with its id."""
    kind, who, register, request, command = (field.strip() for field in fields)
    digest = hashlib.sha256(f"{request}\0{command}".encode()).hexdigest()[:10]
    return AskedPair(f"{writer}:{digest}", kind, who, register, request, command)


def written_rows(path: Path) -> Iterator[list[str]]:
    """The lines of a writer's file, each as its columns; only a line feed ends a line."""
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadFile(
            f"{path} is not UTF-8: {error.reason} at byte {error.start}", "write it again as UTF-8"
        ) from error
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}", "name the files of the writers") from error
    return (line.split("\t") for line in text.split("\n") if line.strip())


def load_asked(folder: Path = FOLDER) -> list[AskedPair]:
    """The published pairs, in the order of their ids."""
    return [AskedPair(*_fields(line, 6, folder / PAIRS)) for line in _packed(folder / PAIRS)]


def load_ran(folder: Path = FOLDER) -> dict[str, str]:
    """Id -> what came of running the command; empty where nothing was run."""
    path = folder / RAN
    found = (_fields(line, 2, path) for line in _packed(path)) if path.exists() else ()
    return {fields[0]: fields[1] for fields in found}


def load_made(folder: Path = FOLDER) -> dict[str, Any]:
    """What was read, and dropped by reason, when the pairs were made."""
    path = folder / MADE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise not_here(path, NAME, HINT) from error
    except ValueError as error:
        raise BadFile(f"{path} is damaged: {error}", HINT) from error
    return dict(found)


def store_asked(pairs: Iterable[AskedPair], made: Mapping[str, Any], folder: Path) -> None:
    """Write the pairs in the order of their ids, beside them how they came to be."""
    rows = sorted((one.id, one.kind, one.who, one.register, one.request, one.command) for one in pairs)
    _write(folder / PAIRS, lzma.compress(_lines(rows), preset=9 | lzma.PRESET_EXTREME))
    _write(folder / MADE, (json.dumps(made, indent=1, ensure_ascii=False) + "\n").encode())
    _note_digests(folder)


def store_ran(results: Mapping[str, str], folder: Path) -> None:
    """Write what came of running commands."""
    _write(folder / RAN, lzma.compress(_lines(sorted(results.items())), preset=9))
    _note_digests(folder)


def digests(folder: Path) -> dict[str, str]:
    """File -> its SHA-256, of those that are there."""
    paths = (folder / name for name in (PAIRS, RAN, READ, MADE))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths if path.exists()}


def _note_digests(folder: Path) -> None:
    _write(folder / DIGESTS, (json.dumps(digests(folder), indent=2) + "\n").encode())


def _packed(path: Path) -> list[str]:
    if not path.exists():
        raise MissingData(f"the {NAME} corpus is not on this machine: no {path}", HINT)
    return read_packed_lines(path, NAME, HINT)


def _fields(line: str, count: int, path: Path) -> list[str]:
    fields = line.split("\t")
    if len(fields) != count:
        raise BadFile(f"{path} is damaged: a line has {len(fields)} fields, not {count}", HINT)
    return fields


def _lines(rows: Iterable[Iterable[str]]) -> bytes:
    return "".join("\t".join(row) + "\n" for row in rows).encode()


def _write(path: Path, content: bytes) -> None:
    with write_atomically(path) as file:
        file.write(content)
