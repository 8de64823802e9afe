"""Training rows with the context that their request has in use: the nearest other asked pairs (trunk_examples.py).

A row never sees its own pair, nor that pair about other names or typed in haste, nor one of nearly the same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from random import Random

from sayso.core.types import Piece
from sayso.english.prompt import Tokens
from sayso.experiments.trunk_data import ARTICLES
from sayso.experiments.trunk_examples import Examples
from sayso.targets.bash.corpus.asked.pairs import load_asked
from sayso.targets.bash.corpus.unseen import Pair
from sayso.targets.bash.systems.recalled import Recalled, numbers_of, remembered

ALIKE, TWIN = 0.8, 0.6
"""The share of words in common (Jaccard, articles aside) from which on a pair is the row's own; lower where their
commands have one shape."""
WORD = re.compile(r"\w+")


def with_context(
    pairs: Iterable[Pair], tokens: Tokens, share: float = 1 / 3, seed: int = 0, memory: Recalled | None = None
) -> Iterator[Piece | None]:
    """For each pair its piece of context, or None: for those that are not drawn, and those that nothing is like."""
    examples = Examples(memory or remembered((one.request, one.command) for one in load_asked()), tokens)
    words, shapes = Cached(examples.memory), dict[int, str]()
    random = Random(seed)
    for pair in pairs:
        yield examples.beside(pair.text, is_own(pair, words, shapes)) if random.random() < share else None


class Cached(dict[int, frozenset[int]]):
    """The words of a remembered request by its place, articles aside."""

    def __init__(self, memory: Recalled) -> None:
        super().__init__()
        self.memory = memory

    def __missing__(self, place: int) -> frozenset[int]:
        found = self[place] = words_in(self.memory.pair(place)[0])
        return found


def is_own(pair: Pair, known: Cached, shapes: dict[int, str]) -> Callable[[int], bool]:
    words, shape = words_in(pair.text), shape_of(pair.text, pair.command)

    def told(place: int) -> bool:
        common = len(words & known[place]) / max(1, len(words | known[place]))
        if common >= ALIKE or common < TWIN:
            return common >= ALIKE
        if place not in shapes:
            shapes[place] = shape_of(*known.memory.pair(place))
        return shapes[place] == shape

    return told


def words_in(text: str) -> frozenset[int]:
    return frozenset(numbers_of(" ".join(word for word in text.split() if word.lower() not in ARTICLES)))


def shape_of(text: str, command: str) -> str:
    """The command without what its request names: `wc -l a.txt` of "lines of a.txt" -> `wc -l _._`"""
    named = set(WORD.findall(text))
    return WORD.sub(lambda found: "_" if found[0] in named else found[0], command)
