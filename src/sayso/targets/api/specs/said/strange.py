"""Words of a request that nobody knows: neither the description nor the 24,000 words that have vectors.

Where no slot took one it most likely is a value that was not read, and a call without it says less than was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sayso.english.stems import stem
from sayso.targets.api.specs.said.spans import Said
from sayso.targets.api.specs.slots.likeness import lexicon
from sayso.targets.api.specs.words import name_words, stop_words

SHORTEST = 3


def strange_words(said: Said, is_described: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """(place, word); `is_described`: whether a stem is one of the description, or a slip of the pen for one."""
    for at, token in enumerate(said.tokens):
        low = token.low.removesuffix("'s")
        if token.kind != "word" or not low.isalpha() or len(low) < SHORTEST or low in stop_words():
            continue
        parts = {low, *name_words(token.text)}
        if not any(lexicon().place(one) >= 0 for one in parts) and not any(is_described(stem(one)) for one in parts):
            yield at, token.text
