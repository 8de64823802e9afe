"""A request looked at for one operation: which of its words name slots, and how near they are to what slots take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sayso.english.stems import stem
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.said.spans import Said
from sayso.targets.api.specs.slots.views import View, own_words, views_of
from sayso.targets.api.specs.words import negations

if TYPE_CHECKING:
    from sayso.targets.api.specs.slots.likeness import Array


@dataclass(frozen=True)
class Looked:
    """A request looked at for one operation: stems of its tokens, and which of them name slots."""

    said: Said
    stems: tuple[str, ...]
    views: tuple[View, ...]
    own: frozenset[str]
    namers: tuple[frozenset[int], ...]
    """For each token, the slots that it is in the name of."""
    names: tuple[bool, ...]
    """For each token, whether it is a word of any slot's name: the `ID` of "user ID 7"."""
    fits: Array
    """(span, slot): how well the words of a span are what the slot takes."""
    near: Array
    """(token, slot): how near a word is to the slot's name."""
    best: tuple[float, ...]
    """For each slot, how well the span fits that fits it best."""
    has_quoted: bool


def look(said: Said, operation: Operation) -> Looked:
    views = views_of(operation)
    stems = tuple(stem(token.low.removesuffix("'s")) for token in said.tokens)
    namers = tuple(frozenset(view.at for view in views if one in view.name) for one in stems)
    every = {stem(word) for view in views for word in view.words}
    names = tuple(one in every and not said.tokens[at].text.isdigit() for at, one in enumerate(stems))
    fits, near = compared(said, views)
    best = tuple(float(one) for one in fits.max(0)) if len(said.spans) else (0.0,) * len(views)
    quoted = any(span.kind == "quoted" for span in said.spans)
    return Looked(said, stems, views, own_words(operation), namers, names, fits, near, best, quoted)


def compared(said: Said, views: Sequence[View]) -> tuple[Array, Array]:
    import numpy as np

    if not views:
        return np.zeros((len(said.spans), 0), np.float32), np.zeros((len(said.tokens), 0), np.float32)
    fits = said.kinds @ np.stack([view.takes for view in views]).T
    words = np.concatenate([view.name_vectors for view in views])
    starts = np.cumsum([0, *(len(view.name_vectors) for view in views[:-1])])
    return fits, np.maximum.reduceat(said.vectors @ words.T, starts, axis=1)


def negated(looked: Looked, at: int, reach: int = 3) -> bool:
    words = looked.said.tokens
    for back in range(1, reach + 1):
        if at - back < 0:
            return False
        low = words[at - back].low
        if low in negations() or low.endswith("n't"):
            return True
        if low in ("but", ";", ".", "and") or words[at - back].text in ".;":
            return False
    return False
