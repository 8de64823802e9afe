"""The trained network in numpy; the twin of models/wording_tagger.py."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sayso.targets.api.request.words import GRAMS, SHAPES, grams, shape
from sayso.targets.api.specs.slots.meaning import encoder, token_vectors
from sayso.targets.api.systems.network import DIGITS, Array, Network, backwards
from sayso.targets.api.systems.wording.marks import MARKS, marks


@dataclass(frozen=True)
class Seen:
    """Words of one request as the network sees them."""

    vectors: Array
    grams: NDArray[np.int64]
    shapes: Array


@lru_cache(maxsize=256)
def see(words: tuple[str, ...]) -> Seen:
    """Needs the sentence encoder."""
    reads = encoder()
    assert reads is not None
    return Seen(
        token_vectors(reads, words),
        np.array([grams(word) for word in words], np.int64).reshape(-1, GRAMS),
        np.array([(*shape(word), *known) for word, known in zip(words, marks(words), strict=True)], np.float32).reshape(
            -1, SHAPES + MARKS
        ),
    )


class WordingNetwork(Network):
    def tell(self, seen: Seen) -> tuple[Array, Array, Array]:
        """Tag scores (word, tags), operator scores (word, operators), choice scores (choices) of one request."""
        weights = self.weights
        lengths = np.array([len(seen.vectors)], np.int64)
        letters = weights["grams"][seen.grams].sum(1) / np.maximum((seen.grams > 0).sum(1), 1)[:, None]
        words = seen.vectors @ weights["words"] + weights["words.bias"]
        inside = np.concatenate([words, letters, seen.shapes], -1)[None]
        back = backwards(lengths, inside.shape[1])
        state, layer = inside, 0
        while f"gru{layer}.forward.hidden" in weights:
            onward = self.recur(state, f"gru{layer}.forward")
            turned = np.take_along_axis(state, back[..., None], 1)
            returned = np.take_along_axis(self.recur(turned, f"gru{layer}.backward"), back[..., None], 1)
            state = np.concatenate([onward, returned], -1)
            layer += 1
        out = np.concatenate([state, inside], -1)[0]
        tags = out @ weights["tags.weight"] + weights["tags.bias"]
        operators = out @ weights["operators.weight"] + weights["operators.bias"]
        chosen = (out @ weights["choices.weight"]).max(0) + out.mean(0) @ weights["whole.weight"]
        return tags.round(DIGITS), operators.round(DIGITS), (chosen + weights["choices.bias"]).round(DIGITS)
