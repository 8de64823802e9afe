"""Which utilities and flags the words of a request call for: a small two-layer network over hashed words.

It sees a request in another way than the trunk does, and so is worth hearing. Words are hashed into buckets, so the
bundle holds numbers and the names of utilities and flags, and no sentence of any corpus. Needs numpy.
"""

from __future__ import annotations

import io
import math
import zlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sayso.english.stems import stem
from sayso.english.tokens import CONSTANT_KINDS, tokenise
from sayso.learners.linear import logistic
from sayso.neural.arrays import read_npz, shaped
from sayso.targets.bash.forms.structure import Part, flag_name, structure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

BUCKETS = 8192
DESCRIBED = "<described>"
"""A label that no command has: the request is worded as NL2Bash describes commands, and not as people ask."""


@dataclass(frozen=True)
class Hints:
    """words (bucket, width) and labels (label, width) meet in a hidden layer; `bias` is how common a label is."""

    names: tuple[str, ...]
    words: Array
    labels: Array
    bias: Array

    def read(self, text: str) -> Called:
        """What a request calls for."""
        import numpy as np

        buckets = buckets_of(text)
        hidden = self.words[buckets].sum(0) / np.sqrt(max(1, len(buckets)))
        logits = self.labels @ hidden + self.bias
        no = -np.logaddexp(0, logits)
        odds = dict(zip(self.names, logits.tolist(), strict=True))
        absent = float(no.sum()) - (float(no[self.names.index(DESCRIBED)]) if DESCRIBED in odds else 0.0)
        return Called(odds, absent)


@dataclass(frozen=True)
class Wording:
    """The one label DESCRIBED in plain Python: a number a bucket, so that a quick answer needs no numpy."""

    table: bytes
    step: float
    bias: float

    def described(self, text: str) -> float:
        """How much a request reads like a description of a command, 0 to 1."""
        buckets = buckets_of(text)
        total = sum(self.table[bucket] - 128 for bucket in buckets)
        return logistic(self.step * total / math.sqrt(max(1, len(buckets))) + self.bias)


def wording(hints: Hints) -> Wording:
    """The part of the network that tells how a request is worded."""
    import numpy as np

    at = hints.names.index(DESCRIBED)
    column = hints.words @ hints.labels[at]
    step = float(np.abs(column).max()) / 127
    return Wording((np.rint(column / step) + 128).astype(np.uint8).tobytes(), step, float(hints.bias[at]))


@dataclass(frozen=True)
class Called:
    """Log-odds of every label, and the log-probability that none is there."""

    odds: dict[str, float]
    nothing: float

    def likelihood(self, labels: Collection[str]) -> float:
        """Log-probability of exactly the known ones of these labels."""
        return self.nothing + sum(self.odds.get(name, 0.0) for name in labels)

    def least(self, labels: Collection[str]) -> float:
        """Log-odds of the label that is least called for."""
        return min((self.odds.get(name, -6.0) for name in labels), default=0.0)

    def missing(self, there: Collection[str]) -> float:
        """Log-odds of the label that is most called for and not there."""
        return max((odds for name, odds in self.odds.items() if name not in there and name != DESCRIBED), default=0.0)


def words_of(text: str) -> list[str]:
    """'find *.py files' -> find, <glob>, file"""
    return [
        f"<{token.kind}>" if token.kind in CONSTANT_KINDS else stem(token.text.lower())
        for token in tokenise(text)
        if token.kind != "mark"
    ]


def buckets_of(text: str) -> list[int]:
    """Where the words and the pairs of neighbours of a request hash to."""
    words = words_of(text)
    pairs = [f"{one} {other}" for one, other in zip(["^", *words], [*words, "$"], strict=True)]
    return sorted({zlib.crc32(word.encode()) % BUCKETS for word in (*words, *pairs)})


@lru_cache(maxsize=50_000)
def labels_of(command: str) -> frozenset[str]:
    """'ls -la | wc' -> ls, ls -l, ls -a, |, wc"""
    return labels_in(structure(command))


def labels_in(parts: Sequence[Part]) -> frozenset[str]:
    """The same of the structure of a command."""
    found = set()
    for part in parts:
        if part.kind in ("utility", "reserved"):
            found.add(part.text)
        elif part.kind == "flag":
            found.add(f"{part.owner} {flag_name(part.owner, part.text)}")
    return frozenset(found)


def pack(hints: Hints) -> bytes:
    """An npz in which rows are rounded to eight bits, each with a step of its own."""
    import numpy as np

    file = io.BytesIO()
    parts = {}
    for name, rows in (("words", hints.words), ("labels", hints.labels)):
        step = np.maximum(np.abs(rows).max(1, keepdims=True), 1e-9) / 127
        parts[name], parts[f"{name}_step"] = np.rint(rows / step).astype(np.int8), step.astype(np.float16)
    names = np.frombuffer("\n".join(hints.names).encode(), np.uint8)
    np.savez_compressed(file, names=names, bias=hints.bias.astype(np.float32), **parts)
    return file.getvalue()


def unpack(content: bytes, place: str = "hints.npz") -> Hints:
    """The inverse of `pack`; raises BadBundle where the arrays do not go together."""
    import numpy as np

    found = read_npz(content, place)
    names = bytes(shaped(found.get("names"), f"{place}: names", -1).astype(np.uint8)).decode("utf-8", "replace")
    labels = tuple(names.split("\n"))
    width = shaped(found.get("words"), f"{place}: words", BUCKETS, -1).shape[1]
    rows = []
    for name, count in (("words", BUCKETS), ("labels", len(labels))):
        steps = shaped(found.get(f"{name}_step"), f"{place}: {name}_step", count, 1)
        numbers = shaped(found.get(name), f"{place}: {name}", count, width)
        rows.append(numbers.astype(np.float32) * steps.astype(np.float32))
    return Hints(labels, rows[0], rows[1], shaped(found.get("bias"), f"{place}: bias", len(labels)))


@dataclass(frozen=True)
class Lesson:
    """A request, and what it calls for."""

    text: str
    labels: frozenset[str]


def lesson(text: str, command: str, is_described: bool) -> Lesson:
    return Lesson(text, labels_of(command) | ({DESCRIBED} if is_described else frozenset()))


def truth_of(lessons: Sequence[Lesson], fewest: int) -> tuple[tuple[str, ...], Array]:
    """The labels that stand in `fewest` lessons or more, and which lesson (row) has which."""
    import numpy as np

    counts = Counter(name for one in lessons for name in one.labels)
    names = tuple(sorted(name for name, count in counts.items() if count >= fewest))
    place = {name: at for at, name in enumerate(names)}
    truth = np.zeros((len(lessons), len(names)), np.float32)
    for row, one in enumerate(lessons):
        truth[row, [place[name] for name in one.labels if name in place]] = 1
    return names, truth


def fit_hints(lessons: Sequence[Lesson], fewest: int = 4, width: int = 48, epochs: int = 10, seed: int = 0) -> Hints:
    """Binary cross-entropy, by Adagrad with words dropped at random."""
    import numpy as np

    rng = np.random.default_rng(seed)
    names, truth = truth_of(lessons, fewest)
    read = [buckets_of(one.text) for one in lessons]
    common = (truth.sum(0) + 0.5) / (len(lessons) + 1)
    values = [
        (rng.standard_normal((BUCKETS, width)) * 0.1).astype(np.float32),
        (rng.standard_normal((len(names), width)) * 0.1).astype(np.float32),
        np.log(common / (1 - common)).astype(np.float32),
    ]
    squares = [np.full_like(value, 1e-6) for value in values]
    for epoch in range(epochs):
        rate = 0.1 * (1 - epoch / epochs)
        for rows in np.array_split(rng.permutation(len(lessons)), max(1, len(lessons) // 64)):
            bags = np.zeros((len(rows), BUCKETS), np.float32)
            for row, at in enumerate(rows):
                bags[row, read[at]] = 1 / np.sqrt(max(1, len(read[at])))
            seen = np.flatnonzero(bags.any(0))
            bags = bags[:, seen] * (rng.random((len(rows), len(seen))) > 0.2)
            hidden = bags @ values[0][seen]
            error = (1 / (1 + np.exp(-(hidden @ values[1].T + values[2]))) - truth[rows]) * (8 / len(rows))
            slopes = [bags.T @ (error @ values[1]), error.T @ hidden, error.sum(0)]
            for at, (value, square, slope) in enumerate(zip(values, squares, slopes, strict=True)):
                where: Any = seen if at == 0 else slice(None)
                square[where] += slope**2
                value[where] -= rate * slope / np.sqrt(square[where])
    return Hints(names, values[0], values[1], values[2])
