"""A linear-chain conditional random field, run in plain Python: the best tags of a sequence, and how likely each is.

It is fitted in experiments; here are weights of features by tag, and of steps from a tag to the next.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LOWEST = -1e9


@dataclass(frozen=True)
class Crf:
    """`emit[feature]` and `step[tag]` have a number a tag, in the order of `tags`; `start` those of the first item."""

    tags: tuple[str, ...]
    emit: Mapping[str, Sequence[float]]
    step: Sequence[Sequence[float]]
    start: Sequence[float]

    def scores(self, features: Sequence[str]) -> list[float]:
        found = [0.0] * len(self.tags)
        for name in features:
            if weights := self.emit.get(name):
                for at, weight in enumerate(weights):
                    found[at] += weight
        return found

    def best(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Viterbi."""
        if not rows:
            return []
        n = range(len(self.tags))
        scores = [start + own for start, own in zip(self.start, self.scores(rows[0]), strict=True)]
        back: list[list[int]] = []
        for row in rows[1:]:
            own = self.scores(row)
            came = [max(n, key=lambda before: scores[before] + self.step[before][tag]) for tag in n]
            scores = [scores[came[tag]] + self.step[came[tag]][tag] + own[tag] for tag in n]
            back.append(came)
        at = max(n, key=lambda tag: scores[tag])
        path = [at]
        for came in reversed(back):
            at = came[at]
            path.append(at)
        return [self.tags[at] for at in reversed(path)]

    def chances(self, rows: Sequence[Sequence[str]]) -> list[list[float]]:
        """Forward and backward: of each item, how likely each tag is."""
        if not rows:
            return []
        n = range(len(self.tags))
        own = [self.scores(row) for row in rows]
        ahead = [[start + mine for start, mine in zip(self.start, own[0], strict=True)]]
        for mine in own[1:]:
            last = ahead[-1]
            ahead.append([mine[tag] + logsum([last[one] + self.step[one][tag] for one in n]) for tag in n])
        behind = [[0.0] * len(self.tags)]
        for mine in reversed(own[1:]):
            last = behind[-1]
            behind.append([logsum([self.step[tag][one] + mine[one] + last[one] for one in n]) for tag in n])
        behind.reverse()
        whole = logsum(ahead[-1])
        return [
            [math.exp(a + b - whole) for a, b in zip(one, other, strict=True)]
            for one, other in zip(ahead, behind, strict=True)
        ]


def logsum(values: Sequence[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(value - top) for value in values))


def as_json(crf: Crf) -> dict[str, object]:
    """Weights to three places; a feature that weighs nothing is left out."""
    emit = {name: [round(weight, 3) for weight in weights] for name, weights in sorted(crf.emit.items())}
    return {
        "tags": list(crf.tags),
        "emit": {name: weights for name, weights in emit.items() if any(weights)},
        "step": [[round(weight, 3) for weight in row] for row in crf.step],
        "start": [round(weight, 3) for weight in crf.start],
    }


def from_json(row: Mapping[str, object]) -> Crf:
    """The inverse of `as_json`."""
    return Crf(tuple(row["tags"]), row["emit"], row["step"], row["start"])  # type: ignore[arg-type]


@cache
def read_crfs(path: Path) -> Mapping[str, Crf]:
    """Every tagger of a file, by name."""
    rows = json.loads(gzip.decompress(path.read_bytes()))
    return {name: from_json(row) for name, row in rows.items()}
