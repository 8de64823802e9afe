"""Byte pairs within words (Sennrich et al., 2016): learned from counts of words, applied to any word, undone exactly.

A piece is text whose characters stand for single bytes, so that no word is unknown; the last piece of a word ends in
END. The order of the pieces is the order of the merges: a vocabulary of pieces is all there is to keep.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

END = "▁"
BYTES = tuple(map(chr, range(256)))
FEWEST = 2
"""Times that a pair must stand somewhere to be merged."""

Pair = tuple[str, str]


def symbols(word: str) -> list[str]:
    """ "né" -> n Ã ©▁"""
    spelt = word.encode(errors="replace").decode("latin-1")
    return [*spelt[:-1], spelt[-1] + END] if spelt else [END]


def learn_merges(counts: Mapping[str, int], most: int) -> tuple[str, ...]:
    """The pieces that at most `most` merges make, the first merge first; of equal pairs the first in the alphabet."""
    words = [(symbols(word), counts[word]) for word in sorted(counts)]
    frequency: dict[Pair, int] = defaultdict(int)
    places: dict[Pair, set[int]] = defaultdict(set)
    for at, (parts, n) in enumerate(words):
        for pair in pairwise(parts):
            frequency[pair] += n
            places[pair].add(at)
    heap = [(-n, pair) for pair, n in frequency.items()]
    heapq.heapify(heap)
    made: dict[str, None] = {}
    merges = 0
    while heap and merges < most:
        less, pair = heapq.heappop(heap)
        now = frequency.get(pair, 0)
        if -less != now:  # counted before words changed
            if now:
                heapq.heappush(heap, (-now, pair))
            continue
        if now < FEWEST:
            break
        made.setdefault(pair[0] + pair[1])
        merges += 1
        changed: set[Pair] = set()
        for at in places.pop(pair):
            parts, n = words[at]
            for before in pairwise(parts):
                frequency[before] -= n
            merged = merge(parts, pair)
            for after in pairwise(merged):
                frequency[after] += n
                places[after].add(at)
                changed.add(after)
            words[at] = merged, n
        frequency.pop(pair, None)
        for after in changed:
            if frequency.get(after, 0) > 0:
                heapq.heappush(heap, (-frequency[after], after))
    return tuple(made)


def merge(parts: list[str], pair: Pair) -> list[str]:
    """(l o w o, (l, o)) -> lo w o"""
    found: list[str] = []
    at = 0
    while at < len(parts):
        if at + 1 < len(parts) and (parts[at], parts[at + 1]) == pair:
            found.append(parts[at] + parts[at + 1])
            at += 2
        else:
            found.append(parts[at])
            at += 1
    return found


def all_pieces(made: Iterable[str]) -> tuple[str, ...]:
    """Every single byte, within a word and at its end, and then what the merges made."""
    return tuple(dict.fromkeys([*BYTES, END, *(one + END for one in BYTES), *made]))


@dataclass(frozen=True)
class Merges:
    """Pieces in order; among neighbours the pair whose piece comes first is merged first."""

    pieces: tuple[str, ...]
    known: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)
    """Words that were cut before."""

    @cached_property
    def ranks(self) -> dict[str, int]:
        return {piece: rank for rank, piece in enumerate(self.pieces)}

    def cut(self, word: str) -> tuple[str, ...]:
        """ "lower" -> low er▁"""
        if word not in self.known:
            self.known[word] = self._cut(word)
        return self.known[word]

    def _cut(self, word: str) -> tuple[str, ...]:
        parts = symbols(word)
        none = len(self.pieces)
        while len(parts) > 1:
            rank, pair = min((self.ranks.get(left + right, none), (left, right)) for left, right in pairwise(parts))
            if rank == none:
                break
            parts = merge(parts, pair)
        return tuple(parts)


def put_together(pieces: Iterable[str]) -> list[str]:
    """low er▁ est▁ -> lower est; what no END closes is a word too."""
    joined = "".join(pieces)
    words = joined.split(END)
    if not words[-1]:
        words.pop()
    # A piece that is no text of bytes (a mark, an unknown one) stands as it is.
    return [spell(word) for word in words]


def spell(word: str) -> str:
    try:
        return word.encode("latin-1").decode(errors="replace")
    except UnicodeEncodeError:
        return word
