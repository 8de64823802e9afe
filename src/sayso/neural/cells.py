"""A trunk that reads a notebook and draws the next cell, several times; what it has read it keeps for the next request.

Its bundle may leave the words out where they are those of the embedded trunk, whose digest it then names.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadBundle
from sayso.core.types import Request
from sayso.english.byte_bpe import ByteBpe
from sayso.english.cells import MOST, Row, read_row
from sayso.neural import fields
from sayso.neural.bundle import MANIFEST, Bundle, load_bundle, reading
from sayso.neural.drawing import Draws, draw, whole_lines
from sayso.neural.installed import find_bundle
from sayso.neural.runtime import Kept, Trunk
from sayso.neural.translator import CURE, GRAPH, KIND, read_pieces, read_settings, read_vocabulary
from sayso.neural.weights import check_stored, graph_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORDS = ("embed.q", "embed.d")
TARGET = "notebook"


@dataclass(frozen=True)
class Answer:
    """A cell that was drawn: its text, the trunk's log-probability, how many ids, and whether it came to its end."""

    text: str
    log_prob: float
    ids: int
    is_ended: bool


@dataclass
class CellTrunk:
    """One request at a time uses what was read before; others that come meanwhile read anew."""

    trunk: Trunk
    tokens: Remembering
    draws: Draws
    most: int = MOST
    tells_tables: bool = False
    """Whether the trunk has learnt to read columns."""
    kept: list[Kept] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Request) -> tuple[Row, list[Answer]]:
        """The likeliest cell id by id, then drawn ones; two that read the same are told once."""
        row = read_row(self.tokens, request, self.most, self.tells_tables)
        with self.lock:
            kept = self.kept.pop() if self.kept else None
        found, ended, kept = draw(self.trunk, row.ids, self.draws, kept, self.most)
        with self.lock:
            self.kept[:] = [kept]
        best: dict[str, Answer] = {}
        for one, is_ended in zip(found, ended, strict=True):
            text = self.tokens.decode(one.ids)
            text = text if is_ended else whole_lines(text)
            best.setdefault(text, Answer(text, one.log_prob, len(one.ids) + is_ended, is_ended))
        return row, list(best.values())


class Remembering:
    """Tokens of cells that were cut before: a notebook's next request has the same cells above it."""

    def __init__(self, tokens: ByteBpe) -> None:
        self.tokens = tokens
        self.encode = lru_cache(maxsize=4096)(tokens.encode)

    def decode(self, ids: tuple[int, ...]) -> str:
        return self.tokens.decode(ids)


def load_cells(folder: Path) -> tuple[CellTrunk, Bundle]:
    """The trunk of a bundle of notebook cells."""
    bundle = load_bundle(folder)
    if bundle.kind != KIND or bundle.target != TARGET:
        raise BadBundle(f"{folder} is a {bundle.kind} for {bundle.target or 'any target'}, not for cells", CURE)
    with reading(bundle, "trunk", CURE):
        shape, _ = read_settings(bundle)
        draws = read_draws(bundle)
        tokens = read_vocabulary(bundle, shape)
        stored = read_pieces(bundle, "weights")
        if WORDS[0] not in stored:
            stored |= words_of(bundle)
        check_stored(stored, shape, bundle.place("weights"))
        trunk = Trunk(bundle.read(GRAPH), graph_weights(stored, shape), shape)
    if MOST + draws.longest > shape.places:
        raise BadBundle(f"{folder} wants answers of {draws.longest} ids in a trunk of {shape.places} places", CURE)
    return CellTrunk(trunk, Remembering(tokens), draws, tells_tables=bundle.settings.get("tables") is True), bundle


def words_of(bundle: Bundle) -> dict[str, NDArray[Any]]:
    """The words of the embedded trunk, which must be the ones that this one learnt with."""
    owner = load_bundle(find_bundle("trunk"))
    words = stored_words(owner)
    if bundle.settings.get("words") != digest_of_words(words):
        raise BadBundle(f"{bundle.folder} was made for other words than {owner.folder} holds", CURE)
    return words


def stored_words(trunk: Bundle) -> dict[str, NDArray[Any]]:
    """The words of a trunk, in eight bits with their steps."""
    stored = read_pieces(trunk, "weights")
    if missing := [name for name in WORDS if name not in stored]:
        raise BadBundle(f"{trunk.folder} holds no {missing[0]}", CURE)
    return {name: stored[name] for name in WORDS}


def digest_of_words(words: Mapping[str, NDArray[Any]]) -> str:
    """Names the words alone: matrices may be trained anew around them."""
    return hashlib.sha256(b"".join(words[name].tobytes() for name in WORDS)).hexdigest()


def read_draws(bundle: Bundle) -> Draws:
    place = f"{bundle.place(MANIFEST)}: draws"
    given = fields.table(bundle.settings.get("draws", {}), place)
    whole = {
        name: fields.whole(given[name], f"{place}.{name}", 1, 1024) for name in ("answers", "longest") if name in given
    }
    real = {
        name: fields.number(given[name], f"{place}.{name}", 1e-6, 100)
        for name in ("temperature", "share")
        if name in given
    }
    return Draws(**whole, **real)  # type: ignore[arg-type]
