"""Results on their way home: one growing stream, cut into a few files of limited size, with a digest for everything.

A machine that is lent for minutes sends back what lies in a folder when time is up, and only so many files of so many
bytes. So a result goes out as soon as it is there, and the index beside the pieces is always right about them.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile
from sayso.core.files import write_atomically

FORMAT = 1
INDEX = "pieces.json"
CURE = "copy the whole output folder again, or run the job again"


@dataclass(frozen=True)
class Limits:
    """What may come back: the index is one of the files."""

    files: int = 8
    piece: int = 16 << 20
    total: int = 64 << 20

    @property
    def most(self) -> int:
        """Bytes of results; a little is left for the index."""
        return min(self.total - (1 << 20), (self.files - 1) * self.piece)


LIMITS = Limits()


class Outbox:
    """Named results, appended one after the other. An outbox that is opened again goes on where it was."""

    def __init__(self, folder: Path, limits: Limits = LIMITS) -> None:
        self.folder, self.limits = folder, limits
        self.index: dict[str, Any] = {"format": FORMAT, "piece": limits.piece, "results": {}, "left_out": {}}
        self.last = b""
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / INDEX).is_file():
            self.index = read_index(folder)
            whole = self.size // self.piece
            if self.size % self.piece:
                self.last = (folder / piece_name(whole)).read_bytes()[: self.size % self.piece]

    @property
    def piece(self) -> int:
        return int(self.index["piece"])

    @property
    def size(self) -> int:
        """Bytes so far."""
        return sum(facts["size"] for facts in self.index["results"].values())

    def __contains__(self, name: str) -> bool:
        return name in self.index["results"]

    def put(self, name: str, content: bytes, reserve: int = 0) -> bool:
        """Append a result and write the index; False, and a note in the index, where there is no room for it.

        `reserve` bytes are left free for what is still to come.
        """
        if name in self:
            raise BadFile(f"{name} is already among the results in {self.folder}", "give another --out")
        start = self.size
        fits = start + len(content) <= self.limits.most - reserve
        if fits:
            self.append(content, start)
            digest = hashlib.sha256(content).hexdigest()
            self.index["results"][name] = {"start": start, "size": len(content), "sha256": digest}
            self.index["left_out"].pop(name, None)
        else:
            self.index["left_out"][name] = len(content)
        with write_atomically(self.folder / INDEX) as file:
            file.write(json.dumps(self.index, indent=1).encode() + b"\n")
        return fits

    def append(self, content: bytes, start: int) -> None:
        """Fill the last piece, then begin new ones; a piece is replaced whole, so that it is never half of one."""
        pending = self.last + content
        number = start // self.piece
        while pending:
            with write_atomically(self.folder / piece_name(number)) as file:
                file.write(pending[: self.piece])
            self.last = pending if len(pending) < self.piece else b""
            pending = pending[self.piece :]
            number += 1


def piece_name(number: int) -> str:
    return f"piece-{number:02d}.bin"


def read_index(folder: Path) -> dict[str, Any]:
    path = folder / INDEX
    try:
        index = json.loads(path.read_bytes())
        if index["format"] != FORMAT:
            raise BadFile(f"{path} has format {index['format']}; this sayso reads {FORMAT}", CURE)
        facts = [(int(one["start"]), int(one["size"]), str(one["sha256"])) for one in index["results"].values()]
        place = 0
        for start, size, _ in facts:
            if start != place or size < 0:
                raise ValueError("results overlap or leave gaps")
            place += size
        if int(index["piece"]) < 1 or not isinstance(index["left_out"], dict):
            raise ValueError("no size of pieces")
    except FileNotFoundError as error:
        raise BadFile(f"{folder} holds no results: it has no {INDEX}", CURE) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadFile(f"{path} does not list results: {error}", CURE) from error
    return dict(index)


def join_pieces(folder: Path) -> dict[str, bytes]:
    """Every result by name, its digest checked; a missing or altered piece is a BadFile that names the result."""
    index = read_index(folder)
    total = sum(facts["size"] for facts in index["results"].values())
    stream = bytearray()
    for number in range(-(-total // index["piece"])):
        path = folder / piece_name(number)
        try:
            stream += path.read_bytes()[: index["piece"]]
        except OSError as error:
            raise BadFile(f"{path} cannot be read: {error.strerror}", CURE) from error
        if len(stream) < min(total, (number + 1) * index["piece"]):
            raise BadFile(f"{path} is cut short", CURE)
    results = {}
    for name, facts in index["results"].items():
        content = bytes(stream[facts["start"] : facts["start"] + facts["size"]])
        if hashlib.sha256(content).hexdigest() != facts["sha256"]:
            raise BadFile(f"{name} in {folder} was altered: it does not have the digest that was written", CURE)
        results[name] = content
    return results
