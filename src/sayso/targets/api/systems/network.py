"""The trained network in numpy: words to tag scores and to one score a choice; the twin of models/clause_tagger.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sayso.targets.api.request.words import GRAMS, SHAPES, grams, looks, shape

Array = NDArray[np.floating[Any]]
HIDDEN = 1
"""The id of a word that is not in the vocabulary; 0 pads."""
DIGITS = 9


@dataclass(frozen=True)
class Input:
    """A batch of requests, padded on the right."""

    ids: NDArray[np.int64]
    grams: NDArray[np.int64]
    shapes: Array
    lengths: NDArray[np.int64]


def make_input(requests: Sequence[Sequence[str]], vocabulary: Mapping[str, int]) -> Input:
    lengths = np.array([len(words) for words in requests], dtype=np.int64)
    longest = max(int(lengths.max()), 1)
    ids = np.zeros((len(requests), longest), dtype=np.int64)
    rows = np.zeros((len(requests), longest, GRAMS), dtype=np.int64)
    shapes = np.zeros((len(requests), longest, SHAPES), dtype=np.float32)
    for at, words in enumerate(requests):
        if not words:
            continue
        ids[at, : len(words)] = [vocabulary.get(looks(word), HIDDEN) for word in words]
        rows[at, : len(words)] = [grams(word) for word in words]
        shapes[at, : len(words)] = [shape(word) for word in words]
    return Input(ids, rows, shapes, lengths)


@dataclass(frozen=True)
class Network:
    """Products are taken in double precision and rounded, so that a request's answer does not depend on its company:
    in single precision a product of one row and of many differ in their last digits."""

    weights: Mapping[str, Array]

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", {name: array.astype(np.float64) for name, array in self.weights.items()})

    def __call__(self, given: Input) -> tuple[Array, Array]:
        """Tag scores (requests, words, tags) and choice scores (requests, choices)."""
        weights = self.weights
        mask = np.arange(given.ids.shape[1]) < given.lengths[:, None]
        seen = weights["grams"][given.grams].sum(2) / np.maximum((given.grams > 0).sum(2), 1)[..., None]
        inside = np.concatenate([weights["words"][given.ids], seen, given.shapes], -1) * mask[..., None]
        back = backwards(given.lengths, given.ids.shape[1])
        state = inside
        layer = 0
        while f"gru{layer}.forward.hidden" in weights:
            onward = self.recur(state, f"gru{layer}.forward")
            turned = np.take_along_axis(state, back[..., None], 1)
            returned = np.take_along_axis(self.recur(turned, f"gru{layer}.backward"), back[..., None], 1)
            state = np.concatenate([onward, returned], -1) * mask[..., None]
            layer += 1
        out = np.concatenate([state, inside], -1)
        tags = out @ weights["tags.weight"] + weights["tags.bias"]
        evidence = out @ weights["choices.weight"]
        evidence[~mask] = -1e4
        return tags.round(DIGITS), (evidence.max(1) + weights["choices.bias"]).round(DIGITS)

    def recur(self, state: Array, name: str) -> Array:
        """One direction of a gated recurrent layer; gates are reset, update, new, as torch has them."""
        weights = self.weights
        hidden, bias = weights[f"{name}.hidden"], weights[f"{name}.hidden_bias"]
        given = state @ weights[f"{name}.input"] + weights[f"{name}.input_bias"]
        width = hidden.shape[0]
        last = np.zeros((len(state), width))
        out = np.empty((len(state), state.shape[1], width))
        for at in range(state.shape[1]):
            now, old = given[:, at], last @ hidden + bias
            gates = 1.0 / (1.0 + np.exp(-(now[:, : 2 * width] + old[:, : 2 * width])))
            new = np.tanh(now[:, 2 * width :] + gates[:, :width] * old[:, 2 * width :])
            last = new + gates[:, width:] * (last - new)
            out[:, at] = last
        return out


def backwards(lengths: NDArray[np.int64], longest: int) -> NDArray[np.int64]:
    """Places that turn every request round within its own length."""
    places = np.arange(longest)[None, :]
    return np.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)
