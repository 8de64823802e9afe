"""What was answered to a request in like words, with the constants of this one: a source that knows 1,100 tools.

The asked pairs are looked up by their words. A pair answers where its request names as many things of each kind as this
one does: "prime factors of 360" -> `factor 360` answers "what are the prime factors of 77". Its score is how alike the
words are; whether that is enough, the weighing says. Needs numpy.
"""

from __future__ import annotations

import io
import lzma
import math
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadBundle
from sayso.core.types import Candidate, Constant, Request
from sayso.neural.arrays import read_npz, shaped
from sayso.neural.bundle import load_bundle
from sayso.targets.bash.evidence.hints import words_of
from sayso.targets.bash.request.constants_used import constants_of, is_used

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

FOLDER = Path(__file__).parents[3] / "bundles" / "bash-recall"
PAIRS, WORDS = "pairs.tsv.xz", "words.npz"
LARGEST = 16 << 20
CURE = "reinstall sayso"
LOOKED_AT, LEAST = 40, 0.2
"""Pairs that are tried, and the likeness below which none is."""
ALIKE = {"path": "file", "glob": "file", "extension": "file"}
"""Kinds of names that stand for each other."""
PLAIN = re.compile(r"[\w.+@:/~*?,=%-]+")
"""Values that mean themselves wherever a command has them."""

Pair = tuple[str, str]


@dataclass(frozen=True)
class Recalled:
    """Translator over known pairs, each a line with a tab: `numbers` are the hashed words of one request after the
    other, `ends` where each request's end."""

    lines: Sequence[str]
    numbers: Array
    ends: Array

    def pair(self, at: int) -> Pair:
        asked, _, command = self.lines[at].partition("\t")
        return asked, command

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._translate(request, k) for request in requests]

    def _translate(self, request: Request, k: int) -> list[Candidate]:
        found: dict[str, Candidate] = {}
        for at, likeness in self.nearest(request.text):
            asked, command = self.pair(at)
            text = exchanged(asked, command, request)
            if text:
                found.setdefault(text, Candidate(text, round(likeness, 4), (f'like "{asked}"',)))
            if len(found) >= k:
                break
        return list(found.values())

    def nearest(self, text: str) -> Iterator[tuple[int, float]]:
        """Places of the pairs whose requests share most of the words, rare ones counting more, with how much."""
        import numpy as np

        index = self.index
        keys = np.array(sorted(set(numbers_of(text))), np.uint32)
        low, high = (np.searchsorted(index.sorted, keys, side) for side in ("left", "right"))
        shared, own = np.zeros(len(self.lines)), 0.0
        for first, last in zip(low.tolist(), high.tolist(), strict=True):
            weight = index.weight(last - first)
            own += weight
            shared[index.owner[first:last]] += weight
        likeness = shared / np.maximum(own + index.totals - shared, 1e-9)
        last = max(0, len(likeness) - LOOKED_AT)
        least = max(LEAST, float(np.partition(likeness, last)[last])) if len(likeness) else LEAST
        places: Array = np.flatnonzero(likeness >= least)
        for at in sorted(places, key=lambda at: -likeness[at])[:LOOKED_AT]:
            yield int(at), float(likeness[at])

    @cached_property
    def index(self) -> Index:
        return index_of(self.numbers, self.ends)


@dataclass(frozen=True)
class Index:
    """Which pair has which word, by word; and the weight of all words of each pair."""

    sorted: Array
    owner: Array
    totals: Array
    count: int

    def weight(self, holders: int) -> float:
        return math.log(1 + self.count / (1 + holders))


def index_of(numbers: Array, ends: Array) -> Index:
    import numpy as np

    lengths = np.diff(ends, prepend=0)
    owner = np.repeat(np.arange(len(ends), dtype=np.int32), lengths)
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    _, inverse, held = np.unique(ordered, return_inverse=True, return_counts=True)
    weights = np.log(1 + len(ends) / (1 + held))[inverse]
    totals = np.bincount(owner[order], weights, len(ends))
    return Index(ordered, owner[order], totals, len(ends))


def numbers_of(text: str) -> Iterator[int]:
    """The words of a request, each as a number; a constant is the word of its kind."""
    return (zlib.crc32(word.encode()) for word in words_of(text))


def exchanged(asked: str, command: str, request: Request) -> str:
    """The command with the constants of another request in the places of its own; "" where they do not fit."""
    old, new = constants_of(Request(asked)), constants_of(request)
    pairs = matched(old, new)
    if pairs is None:
        return ""
    values: dict[str, str] = {}
    for one, other in pairs:
        if one.value == other.value:
            continue
        if not (one.value and PLAIN.fullmatch(other.value) and stands_in(one.value, command)):
            return ""
        if values.setdefault(one.value, other.value) != other.value:
            return ""
    if values:
        places = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
        command = re.sub(bounded(places), lambda found: values[found[0]], command)
    return command if all(is_used(token, command) for token in new) else ""


def matched(old: Iterable[Constant], new: Iterable[Constant]) -> list[tuple[Constant, Constant]] | None:
    """Constants of one request beside those of another, kind by kind in order; None where they are not as many."""
    sides: tuple[dict[str, list[Constant]], dict[str, list[Constant]]] = ({}, {})
    for side, constants in zip(sides, (old, new), strict=True):
        for one in constants:
            side.setdefault(ALIKE.get(one.kind, one.kind), []).append(one)
    if {kind: len(some) for kind, some in sides[0].items()} != {kind: len(some) for kind, some in sides[1].items()}:
        return None
    return [pair for kind, some in sides[0].items() for pair in zip(some, sides[1][kind], strict=True)]


def bounded(pattern: str) -> str:
    return rf"(?<![\w.])(?:{pattern})(?![\w])"


def stands_in(value: str, command: str) -> bool:
    return re.search(bounded(re.escape(value)), command) is not None


def remembered(pairs: Iterable[Pair]) -> Recalled:
    """Pairs with their words; one of more than a line is left out."""
    import numpy as np

    kept = [pair for pair in pairs if not set("\t\n") & set("".join(pair))]
    words = [sorted(set(numbers_of(asked))) for asked, _ in kept]
    flat = np.array([number for some in words for number in some], np.uint32)
    ends = np.cumsum([len(some) for some in words]).astype(np.int32)
    return Recalled(["\t".join(pair) for pair in kept], flat, ends)


def packed(pairs: Iterable[Pair]) -> dict[str, bytes]:
    """The files of a bundle."""
    import numpy as np

    memory = remembered(pairs)
    file = io.BytesIO()
    np.savez_compressed(file, numbers=memory.numbers, ends=memory.ends)
    text = "".join(f"{line}\n" for line in memory.lines)
    return {PAIRS: lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME), WORDS: file.getvalue()}


@cache
def load_recalled(folder: Path = FOLDER) -> Recalled:
    import numpy as np

    bundle = load_bundle(folder)
    try:
        text = lzma.LZMADecompressor(memlimit=256 << 20).decompress(bundle.read(PAIRS), LARGEST).decode()
    except (lzma.LZMAError, UnicodeDecodeError) as error:
        raise BadBundle(f"{folder}: its pairs are damaged: {error}", CURE) from error
    lines = [line for line in text.split("\n") if line]
    found = read_npz(bundle.read(WORDS), bundle.place(WORDS))
    ends = shaped(found.get("ends"), f"{bundle.place(WORDS)}: ends", len(lines))
    if len(ends) and (np.diff(ends, prepend=0) < 0).any():
        raise BadBundle(f"{bundle.place(WORDS)}: ends go backwards", CURE)
    numbers = shaped(found.get("numbers"), f"{bundle.place(WORDS)}: numbers", int(ends[-1]) if len(ends) else 0)
    return Recalled(lines, numbers, ends)
