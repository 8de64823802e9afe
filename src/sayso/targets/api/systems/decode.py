"""Scores of tags to readings: the best tags (Viterbi), how sure each is, and the next best where a word is in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sayso.targets.api.systems.network import Array

DOUBT = 0.02
"""A word is in doubt when another tag has at least so much of its probability."""
NEVER = -1e4
Lengths = NDArray[np.int64]


@dataclass(frozen=True)
class Chain:
    """Tag scores of a batch (requests, words, tags), and how tags start and follow each other."""

    scores: Array
    starts: Array
    moves: Array
    lengths: Lengths

    def best(self) -> tuple[list[tuple[int, ...]], Array]:
        """The likeliest tags of each request, and their unnormalised scores."""
        n, longest, _ = self.scores.shape
        best = self.scores[:, 0] + self.starts
        came = np.zeros(self.scores.shape, dtype=np.int16)
        for at in range(1, longest):
            each = best[:, :, None] + self.moves
            came[:, at] = each.argmax(1)
            after = each.max(1) + self.scores[:, at]
            best = np.where((at < self.lengths)[:, None], after, best)
        last = best.argmax(1)
        paths = []
        for row in range(n):
            tag, path = int(last[row]), []
            for at in range(int(self.lengths[row]) - 1, -1, -1):
                path.append(tag)
                tag = int(came[row, at, tag])
            paths.append(tuple(reversed(path)))
        return paths, best.max(1)

    def marginals(self) -> tuple[Array, Array]:
        """Log-probability of each tag of each word, and the log of the sum over all tags of each request."""
        longest = self.scores.shape[1]
        forward, backward = np.empty_like(self.scores), np.zeros_like(self.scores)
        forward[:, 0] = self.scores[:, 0] + self.starts
        for at in range(1, longest):
            after = add_up(forward[:, at - 1][:, :, None] + self.moves, 1) + self.scores[:, at]
            forward[:, at] = np.where((at < self.lengths)[:, None], after, forward[:, at - 1])
        for at in range(longest - 2, -1, -1):
            before = add_up(self.moves + (self.scores[:, at + 1] + backward[:, at + 1])[:, None, :], 2)
            backward[:, at] = np.where((at + 1 < self.lengths)[:, None], before, 0.0)
        total = forward + backward
        return total - add_up(total, 2)[..., None], add_up(forward[:, -1], 1)

    def next_best(self, row: int, path: Sequence[int], sure: Array, most: int) -> list[tuple[tuple[int, ...], float]]:
        """Other tags for one request, each the best that differs at a word in doubt, with their scores."""
        length = int(self.lengths[row])
        doubts = sorted((float(sure[at, path[at]]), at) for at in range(length))[:most]
        places = [at for score, at in doubts if score < np.log1p(-DOUBT)]
        if not places:
            return []
        scores = np.repeat(self.scores[row : row + 1, :length], len(places), 0)
        for turn, at in enumerate(places):
            scores[turn, at, path[at]] = NEVER
        others = Chain(scores, self.starts, self.moves, np.full(len(places), length))
        paths, totals = others.best()
        return list(dict(zip(paths, totals.tolist(), strict=True)).items())


def add_up(scores: Array, axis: int) -> Array:
    """log Σ exp along an axis"""
    top = scores.max(axis, keepdims=True)
    total: Array = np.log(np.exp(scores - top).sum(axis)) + np.squeeze(top, axis)
    return total


def log_softmax(scores: Array) -> Array:
    found: Array = scores - add_up(scores, -1)[..., None]
    return found
