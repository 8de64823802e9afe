"""Two BLEUs: sacrebleu's over a corpus (JuICe §7.2) and the sentence BLEU of the NL2Bash release (table 15).

They are not comparable: the first pools n-gram counts over all examples, the second averages one value per example.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Literal

from sayso.core.errors import BadInstruction, MissingPart
from sayso.core.types import Candidate, Example, Score, Unscored
from sayso.metrics.average import NO_REFERENCE, Pooling, mean_score, score, separate

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU

ORDER = 4


def unchanged(text: str) -> str:
    return text


@dataclass(frozen=True)
class CorpusBleu:
    """sacrebleu's corpus BLEU of the first candidate; a statistic is [length, reference length, 4 matches, 4 totals].

    `canonical` prepares the text, and where it raises `BadInstruction` the raw text is used; a target that splits code
    itself joins the tokens with spaces and sets tokenizer="none".
    """

    name: str
    canonical: Callable[[str], str] = unchanged
    canonical_name: str = "raw"
    tokenizer: str = "13a"
    smoothing: Literal["exp", "none"] = "exp"

    pooling: ClassVar[Pooling] = "sum"

    @property
    def signature(self) -> str:
        form = f"canonical:{self.canonical_name}|tokenizer:{self.tokenizer}|smoothing:{self.smoothing}"
        return f"bleu_corpus|k:1|{form}|references:all|sacrebleu:{_sacrebleu_version()}|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> list[int] | Unscored:
        if not example.references:
            return NO_REFERENCE
        text = self._prepare(candidates[0].text) if candidates else ""
        references = [[self._prepare(reference)] for reference in example.references]
        one = _scorer(self.tokenizer).corpus_score([text], references)
        return [int(one.sys_len), int(one.ref_len), *map(int, one.counts), *map(int, one.totals)]

    def reduce(self, stats: Sequence[list[int] | Unscored]) -> Score:
        scored, unscored = separate(stats)
        own, reference, *counts = [sum(column) for column in zip(*scored, strict=True)] or [0] * (2 + 2 * ORDER)
        bleu = _scorer(self.tokenizer).compute_bleu(
            counts[:ORDER], counts[ORDER:], own, reference, smooth_method=self.smoothing
        )
        return score(self.name, self.signature, float(bleu.score), len(scored), unscored)

    def _prepare(self, text: str) -> str:
        try:
            return self.canonical(text)
        except BadInstruction:
            return text


@dataclass(frozen=True)
class SentenceBleu:
    """The BLEU of the NL2Bash release: the best of the first k candidates, averaged over examples, times 100.

    The reading that gives the released ST-CopyNet its 56.3 and 63.1 (k = 1, 3) was found by measuring: characters of
    the raw text, spaces included; all references clip the counts of one candidate together; the reference length is the
    closest, the shorter of two as close; one order without a match makes the whole 0, so nothing under 4 items scores.
    """

    name: str
    k: int
    split: Callable[[str], Sequence[str]] = tuple
    split_name: str = "characters"

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return f"bleu_sentence|k:{self.k}|split:{self.split_name}|smoothing:none|references:all|average:examples|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> float | Unscored:
        if not example.references:
            return NO_REFERENCE
        references = [self.split(reference) for reference in example.references]
        clips = [_most_frequent(references, n) for n in range(1, ORDER + 1)]
        lengths = [len(reference) for reference in references]
        return max((_sentence_bleu(self.split(one.text), clips, lengths) for one in candidates[: self.k]), default=0.0)

    def reduce(self, stats: Sequence[float | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


def _sentence_bleu(items: Sequence[str], clips: Sequence[Counter[tuple[str, ...]]], lengths: Sequence[int]) -> float:
    logs = 0.0
    for n, clip in enumerate(clips, start=1):
        counts = _ngrams(items, n)
        matched = sum(min(count, clip[ngram]) for ngram, count in counts.items())
        if not matched:
            return 0.0
        logs += math.log(matched / counts.total()) / len(clips)
    closest = min(lengths, key=lambda length: (abs(length - len(items)), length))
    return 100 * math.exp(min(0.0, 1 - closest / len(items)) + logs)


def _most_frequent(references: Sequence[Sequence[str]], n: int) -> Counter[tuple[str, ...]]:
    """For every n-gram the highest count that one reference has."""
    clip: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        clip |= _ngrams(reference, n)
    return clip


def _ngrams(items: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(items[i : i + n]) for i in range(len(items) - n + 1))


@lru_cache
def _scorer(tokenizer: str) -> BLEU:
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise _no_sacrebleu() from error
    return BLEU(tokenize=tokenizer, force=True)


@lru_cache
def _sacrebleu_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("sacrebleu")
    except PackageNotFoundError as error:
        raise _no_sacrebleu() from error


def _no_sacrebleu() -> MissingPart:
    return MissingPart("corpus BLEU needs sacrebleu, which is not installed", "pip install 'sayso[train]'")
