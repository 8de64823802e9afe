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
LONGEST = 64
"""Characters of a word that teaches; a longer one is cut into stretches of so many, so that its cost stays in line."""

Pair = tuple[str, str]


def symbols(word: str) -> list[str]:
    """ "né" -> n Ã ©▁"""
    spelt = word.encode(errors="replace").decode("latin-1")
    return [*spelt[:-1], spelt[-1] + END] if spelt else [END]


def learn_merges(counts: Mapping[str, int], most: int) -> tuple[str, ...]:
    """The pieces that at most `most` merges make, the first merge first; of equal pairs the first in the alphabet.

    Words seen once, and those too long to be words, teach nothing.
    """
    kept = sorted(word for word, n in counts.items() if n >= FEWEST and len(word) <= LONGEST)
    words = [symbols(word) for word in kept]
    often = [counts[word] for word in kept]
    frequency: dict[Pair, int] = defaultdict(int)
    places: dict[Pair, set[int]] = defaultdict(set)
    for at, parts in enumerate(words):
        for pair in pairwise(parts):
            frequency[pair] += often[at]
            places[pair].add(at)
    heap = [(-n, pair) for pair, n in frequency.items()]
    heapq.heapify(heap)
    made: dict[str, None] = {}
    for _ in range(most):
        best = pop_most_frequent(heap, frequency)
        if best is None:
            break
        piece = best[0] + best[1]
        made.setdefault(piece)
        new: set[Pair] = set()
        for at in places.pop(best):
            parts, n = words[at], often[at]
            merged = merge(parts, best)
            if len(merged) == len(parts):  # an earlier merge took one side of the pair away
                continue
            for pair in pairwise(parts):
                frequency[pair] -= n
            for pair in pairwise(merged):
                frequency[pair] += n
                if piece in pair:
                    places[pair].add(at)
                    new.add(pair)
            words[at] = merged
        for pair in new:
            heapq.heappush(heap, (-frequency[pair], pair))
    return tuple(made)


def pop_most_frequent(heap: list[tuple[int, Pair]], frequency: Mapping[Pair, int]) -> Pair | None:
    """Counts fall while pairs wait: one that has fallen waits again where it belongs."""
    while heap:
        less, pair = heapq.heappop(heap)
        now = frequency[pair]
        if -less == now and now >= FEWEST:
            return pair
        if now >= FEWEST and -less > now:
            heapq.heappush(heap, (-now, pair))
    return None


def merge(parts: list[str], pair: Pair) -> list[str]:
    """(l o w o, (l, o)) -> lo w o"""
    left, right = pair
    found: list[str] = []
    at, last = 0, len(parts) - 1
    while at <= last:
        part = parts[at]
        if part == left and at < last and parts[at + 1] == right:
            found.append(left + right)
            at += 2
        else:
            found.append(part)
            at += 1
    return found


def all_pieces(made: Iterable[str]) -> tuple[str, ...]:
    """Every single byte, within a word and at its end, and then what the merges made."""
    return tuple(dict.fromkeys([*BYTES, END, *(one + END for one in BYTES), *made]))


@dataclass(frozen=True)
class Merges:
    """Pieces in order; among neighbours the pair whose piece comes first is merged first, from the left."""

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
        starts = range(0, len(parts), LONGEST)
        return tuple(piece for start in starts for piece in self._merged(parts[start : start + LONGEST]))

    def _merged(self, parts: list[str]) -> list[str]:
        none = len(self.pieces)
        rank = self.ranks.get
        waiting = [rank(left + right, none) for left, right in pairwise(parts)]
        while waiting and (best := min(waiting)) < none:
            at = waiting.index(best)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
            del waiting[at]
            if at:
                waiting[at - 1] = rank(parts[at - 1] + parts[at], none)
            if at < len(waiting):
                waiting[at] = rank(parts[at] + parts[at + 1], none)
        return parts


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
