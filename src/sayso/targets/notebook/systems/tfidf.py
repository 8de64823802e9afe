"""Texts by tf-idf cosine: an inverted index in numpy arrays, made once and kept in a file.

Weights are counts times ln((1 + n) / (1 + texts with the word)) + 1, rows of length 1; the paper prints no formula.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sayso.core.errors import BadFile
from sayso.core.files import write_atomically

WORD = re.compile(r"[^\W_]\w*")
LOOKED_AT = 64
"""Best texts that are put in order."""


def words_of(text: str) -> list[str]:
    """Plot `x`, then plot_y! -> plot x then plot_y"""
    return WORD.findall(text.lower())


@dataclass(frozen=True)
class Index:
    """`rows` and `weights` of the word with number i lie at starts[i]:starts[i + 1]."""

    words: tuple[str, ...]
    idf: NDArray[np.float32]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    n: int

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def vector(self, text: str) -> dict[str, float]:
        """Words with their weights; a word that no text has weighs most."""
        counts = Counter(words_of(text))
        most = math.log(1 + self.n) + 1
        found = {
            word: count * (float(self.idf[self.numbers[word]]) if word in self.numbers else most)
            for word, count in counts.items()
        }
        length = math.sqrt(sum(value * value for value in found.values()))
        return {word: value / length for word, value in found.items()}

    def nearest(self, text: str, most: int = LOOKED_AT) -> list[tuple[int, float]]:
        """The rows with the highest cosines, best first, ties in their order; none that shares no word."""
        scores = np.zeros(self.n, np.float32)
        for word, value in self.vector(text).items():
            if (number := self.numbers.get(word)) is not None:
                span = slice(self.starts[number], self.starts[number + 1])
                scores[self.rows[span]] += self.weights[span] * np.float32(value)
        least = np.partition(scores, -most)[-most] if most < self.n else np.float32(0)
        rows = np.flatnonzero((scores >= least) & (scores > 0))
        ordered = rows[np.lexsort((rows, -scores[rows]))][:most]
        return [(int(row), round(float(scores[row]), 6)) for row in ordered]


def build(texts: Iterable[str]) -> Index:
    numbers: dict[str, int] = {}
    keys, rows, counts = array("i"), array("i"), array("f")
    n = 0
    for row, text in enumerate(texts):
        n = row + 1
        for word, count in Counter(words_of(text)).items():
            keys.append(numbers.setdefault(word, len(numbers)))
            rows.append(row)
            counts.append(count)
    key, row_of = np.frombuffer(keys, np.int32), np.frombuffer(rows, np.int32)
    having = np.bincount(key, minlength=len(numbers))
    idf = (np.log((1 + n) / (1 + having)) + 1).astype(np.float32)
    raw = np.frombuffer(counts, np.float32).astype(np.float64) * idf[key]
    lengths = np.sqrt(np.bincount(row_of, weights=raw * raw, minlength=n))
    weights = (raw / lengths[row_of]).astype(np.float32)
    order = np.argsort(key, kind="stable")
    starts = np.concatenate([[0], np.cumsum(having)]).astype(np.int64)
    return Index(tuple(numbers), idf, starts, row_of[order], weights[order], n)


def save(index: Index, path: Path) -> None:
    words = np.frombuffer("\n".join(index.words).encode("utf-8", "surrogatepass"), np.uint8)
    with write_atomically(path) as file:
        np.savez(
            file, words=words, idf=index.idf, starts=index.starts, rows=index.rows, weights=index.weights,
            n=np.array(index.n),
        )  # fmt: skip


def load(path: Path) -> Index:
    try:
        with np.load(path, allow_pickle=False) as found:
            parts: dict[str, Any] = {name: found[name] for name in found.files}
        words = tuple(parts.pop("words").tobytes().decode("utf-8", "surrogatepass").split("\n"))
        return Index(words=words, n=int(parts.pop("n")), **parts)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(f"{path} is no index: {error}", f"remove it: rm {path}") from error
