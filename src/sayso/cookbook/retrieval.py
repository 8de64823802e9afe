"""The nearest known requests: words weighted by how few known requests hold them, typos forgiven, pure Python."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest

from sayso.english.lexicon import Lexicon, Term, guess

RAREST = 6.0
"""The weight of a word that no known request holds; rarer words tell no more than this."""
GUESSED = 0.8
"""A corrected word counts this much of a word that was spelt right."""
PLACE_WEIGHT = 1.0
LIGHT_WEIGHT = 0.7
GUESSES = 10_000
"""Unknown words whose nearest known one is kept; the oldest make room."""
ALIKE, SHORTEST_ALIKE, MOST_ALIKE = 0.55, 5, 12
"""How much of their trigrams two words share (Dice) that may be one word in two languages or badly misspelt."""


@dataclass(frozen=True)
class Key:
    """What a term is looked up by: its canonical stem, its weight, and how sure the spelling is."""

    stem: str
    weight: float
    sure: float = 1.0
    known: bool = True


class Index:
    """Known requests as bags of canonical stems. `groups` says which requests mean the same, so that a word that one
    recipe repeats in all its phrasings is not taken for a common one."""

    def __init__(self, bags: Sequence[Sequence[str]], groups: Sequence[int], lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.bags = [frozenset(bag) - lexicon.stop for bag in bags]
        spread: defaultdict[str, set[int]] = defaultdict(set)
        postings: defaultdict[str, list[int]] = defaultdict(list)
        for at, (bag, group) in enumerate(zip(self.bags, groups, strict=True)):
            for stem in bag:
                spread[stem].add(group)
                postings[stem].append(at)
        count = len(set(groups))
        self.postings: Mapping[str, list[int]] = postings
        self.weights = {stem: min(RAREST, math.log(1 + count / len(found))) for stem, found in spread.items()}
        for stem in {lexicon.stem(word) for word in lexicon.light} & self.weights.keys():
            self.weights[stem] = LIGHT_WEIGHT
        for stem in self.weights:
            if stem.startswith("<"):
                self.weights[stem] = PLACE_WEIGHT
        self.totals = [sum(self.weights[stem] for stem in sorted(bag)) for bag in self.bags]
        self.spellings = sorted(word for word, stem in lexicon.stems.items() if stem in self.weights and word.isalpha())
        self._guess = lru_cache(GUESSES)(self._guessed)

    def keys(self, terms: Sequence[Term]) -> list[Key]:
        """One key a term; a stop word weighs nothing, an unknown word weighs most."""
        return [self._key(term) for term in terms]

    def _key(self, term: Term) -> Key:
        if self.lexicon.is_stop(term):
            return Key(term.stem, 0.0)
        if term.stem in self.weights:
            return Key(term.stem, self.weights[term.stem])
        if term.kind == "place":
            return Key(term.stem, PLACE_WEIGHT)
        if term.kind == "word" and (stem := self._guess(term.text.lower())):
            return Key(stem, self.weights[stem], GUESSED, known=False)
        return Key(term.stem, RAREST, known=False)

    def _guessed(self, word: str) -> str:
        near = guess(word, self.spellings)
        return self.lexicon.stem(near) if near else ""

    def alike(self, terms: Sequence[Term]) -> list[Key]:
        """Keys for the known words that are most like those of a request, "processus" -> process; for suggestions."""
        found = []
        words = (term.text.lower() for term in terms if term.kind == "word" and len(term.text) >= SHORTEST_ALIKE)
        for word in list(dict.fromkeys(words))[:MOST_ALIKE]:
            near = max(((likeness(word, known), known) for known in self.spellings), default=(0.0, ""))
            if near[0] >= ALIKE:
                stem = self.lexicon.stem(near[1])
                found.append(Key(stem, self.weights[stem], near[0], known=False))
        return found

    def nearest(
        self, keys: Sequence[Key], limit: int, leave_out: frozenset[int] = frozenset()
    ) -> list[tuple[int, float]]:
        """Positions of the nearest known requests with the shared weight (0 to 1, Dice), best first."""
        shared: defaultdict[int, float] = defaultdict(float)
        asked = {key.stem: key for key in keys if key.weight and key.stem in self.postings}
        for stem, key in asked.items():
            share = key.weight * key.sure
            for at in self.postings[stem]:
                shared[at] += share
        total = sum(key.weight for key in asked.values()) or 1.0
        for at in leave_out:
            shared.pop(at, None)
        scored = ((-2 * weight / (total + self.totals[at]), at) for at, weight in shared.items())
        return [(at, -score) for score, at in nsmallest(limit, scored)]


def likeness(left: str, right: str) -> float:
    """Dice over character trigrams, word ends included: ("compresion", "compression") -> 0.78"""
    if abs(len(left) - len(right)) > min(len(left), len(right)):
        return 0.0
    a, b = trigrams(left), trigrams(right)
    return 2 * len(a & b) / (len(a) + len(b))


def trigrams(word: str) -> set[str]:
    marked = f" {word} "
    return {marked[at : at + 3] for at in range(len(word))}
