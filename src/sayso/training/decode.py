"""From a network to answers in ids: searched in batches of like length, kept in npz until they become text at home."""

from __future__ import annotations

import io
import math
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, cast

import numpy as np
import torch
from torch import nn

from sayso.core.errors import BadFile
from sayso.english.vocabulary import BOS, EOS
from sayso.models.graphs import GraphedSteps
from sayso.models.search import SearchSettings, StepModel, beam_search, greedy_search
from sayso.training.arrays import Encoded, ragged, take
from sayso.training.batches import CPU, decoding_batches
from sayso.training.loop import Score
from sayso.training.settings import Decoding, Judge

# Greedy search keeps one row a request: many go through at once, and a GPU takes as long for one.
TOGETHER = 1024
LOOKED_AT = 256
"""Of those that a look replays: what is recorded keeps its memory, which long requests would make large for all."""

# Answers of one request among which a length normalisation is chosen: a beam ends many prefixes on its way.
POOL = 60

# (ids, score), best first
Answer = tuple[tuple[int, ...], float]

# What was said and what was wanted, row by row -> how alike they are
Alike = Callable[[Sequence[Sequence[int]], Sequence[Sequence[int]]], float]


def answer(
    network: nn.Module, whole: Encoded, settings: Decoding, device: torch.device = CPU, kept: int = 0
) -> list[list[Answer]]:
    """At most `k` answers (or `kept`, which a beam may find over its length) to every row, in the order of the rows."""
    found: list[list[Answer]] = [[] for _ in range(len(whole))]
    search = SearchSettings(settings.beam, kept or settings.k, settings.longest, settings.alpha)
    was_training = network.training
    network.eval()
    steps = recorded(network, settings, device)
    for rows, batch in decoding_batches(whole, settings.batch, device, step_of(device)):
        for row, answers in zip(rows, beam_search(steps, batch, search), strict=True):
            found[row] = [(one.ids, one.score) for one in answers]
    network.train(was_training)
    return found


def recorded(network: nn.Module, settings: Decoding, device: torch.device) -> StepModel[Any]:
    """A GPU replays recorded steps, unless told otherwise; elsewhere a network steps for itself."""
    model = cast("StepModel[Any]", network)
    records = settings.recorded and device.type == "cuda"
    return cast("StepModel[Any]", GraphedSteps(model, settings.longest)) if records else model


def step_of(device: torch.device) -> int:
    """Widths of requests are multiples of this: what is recorded should serve several batches."""
    return 8 if device.type == "cuda" else 1


@dataclass(frozen=True)
class MatchOnDev:
    """A score for early stopping: the share of dev rows whose greedy answer is the reference, id for id."""

    dev: Encoded
    settings: Decoding
    device: torch.device = CPU
    steps: dict[int, StepModel[Any]] = field(default_factory=dict)
    """What was recorded of a network: its weights change in place, so the next look replays it."""

    def __call__(self, network: nn.Module) -> float:
        right = 0
        steps = self.steps.setdefault(id(network), recorded(network, self.settings, self.device))
        for rows, batch in decoding_batches(self.dev, TOGETHER, self.device, step_of(self.device)):
            found = greedy_search(steps, batch, self.settings.longest)
            for row, answers in zip(rows, found, strict=True):
                wanted = self.dev.target[row].tolist()
                right += bool(answers) and [BOS, *answers[0].ids, EOS] == wanted
        return right / len(self.dev)


@dataclass(frozen=True)
class AlikeOnDev:
    """A score for early stopping: how alike, in ids, the greedy answers to some rows of dev are to their references."""

    dev: Encoded
    settings: Decoding
    device: torch.device
    alike: Alike
    rows: int = 512
    steps: dict[int, StepModel[Any]] = field(default_factory=dict)
    """What was recorded of a network: its weights change in place, so the next look replays it."""

    def __call__(self, network: nn.Module) -> float:
        some = every(self.dev, max(1, len(self.dev) // self.rows))
        said: list[tuple[int, ...]] = [()] * len(some)
        steps = self.steps.setdefault(id(network), recorded(network, self.settings, self.device))
        for places, batch in decoding_batches(some, LOOKED_AT, self.device, step_of(self.device)):
            for place, answers in zip(places, greedy_search(steps, batch, self.settings.longest), strict=True):
                said[place] = answers[0].ids if answers else ()
        return self.alike(said, wanted_of(some))


def every(whole: Encoded, step: int) -> Encoded:
    """Every n-th row."""
    rows = np.arange(0, len(whole), step)
    source = take(whole.source, rows)
    copied = source if whole.source_extended is whole.source else take(whole.source_extended, rows)
    return Encoded(source, copied, take(whole.target, rows), whole.extra[rows])


def wanted_of(whole: Encoded) -> list[tuple[int, ...]]:
    """The references without BOS and EOS."""
    return [tuple(whole.target[row][1:-1].tolist()) for row in range(len(whole))]


def best_alpha(
    network: nn.Module, dev: Encoded, settings: Decoding, judged: Judge, device: torch.device = CPU
) -> tuple[float, dict[float, float]]:
    """The length normalisation whose first answers to dev are most like the references, and what each one scored.

    One search serves all: what a beam finds does not depend on how it is ranked, only when the search may end does.
    """
    pool = replace(settings, k=settings.beam, alpha=max(settings.alphas), alphas=())
    found = answer(network, dev, pool, device, kept=POOL)
    wanted = wanted_of(dev)
    scores = {}
    for alpha in settings.alphas:
        said = [max(row, key=lambda one: ranked(one, pool.alpha, alpha), default=((), 0.0))[0] for row in found]
        scores[alpha] = alike_of(judged)(said, wanted)
    return max(scores, key=lambda alpha: (scores[alpha], -alpha)), scores


def ranked(one: Answer, was: float, alpha: float) -> float:
    """The score of an answer under another alpha; EOS counts."""
    length = len(one[0]) + 1
    return one[1] * float(length ** (was - alpha))


def corpus_bleu(said: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]], order: int = 4) -> float:
    """0 to 100; every order counts one match more than there is, so that a beginner's is no flat 0."""
    matches, totals = [1] * order, [1] * order
    for one, other in zip(said, wanted, strict=True):
        for n in range(1, order + 1):
            own, theirs = (Counter(zip(*(ids[at:] for at in range(n)), strict=False)) for ids in (one, other))
            matches[n - 1] += (own & theirs).total()
            totals[n - 1] += own.total()
    length, reference = sum(map(len, said)), sum(map(len, wanted))
    brevity = min(0.0, 1 - reference / max(length, 1))
    return 100 * math.exp(brevity + sum(math.log(m / n) for m, n in zip(matches, totals, strict=True)) / order)


def corpus_f1(said: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]]) -> float:
    """0 to 100, of what answers and references have in common as sets, all in one pot."""
    common = sum(len(set(one) & set(other)) for one, other in zip(said, wanted, strict=True))
    both = sum(len(set(one)) + len(set(other)) for one, other in zip(said, wanted, strict=True))
    return 200 * common / max(both, 1)


def pack_answers(answers: list[list[Answer]]) -> bytes:
    """npz: the ids of all answers, how many answers each row has, and their scores."""
    ids = ragged([one for row in answers for one, _ in row])
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        allow_pickle=False,
        ids=ids.flat,
        offsets=ids.offsets,
        counts=np.asarray([len(row) for row in answers], np.int32),
        scores=np.asarray([score for row in answers for _, score in row], np.float32),
    )
    return buffer.getvalue()


def unpack_answers(content: bytes, place: str) -> list[list[Answer]]:
    """The inverse of `pack_answers`; scores come back in single precision."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            ids, offsets, counts, scores = (found[name] for name in ("ids", "offsets", "counts", "scores"))
        flat = [tuple(ids[start:end].tolist()) for start, end in pairwise(offsets.tolist())]
        pairs = list(zip(flat, scores.tolist(), strict=True))
        ends = np.cumsum(counts)
        if int(counts.sum()) != len(pairs):
            raise ValueError("counts do not fit")
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise BadFile(f"{place} does not hold answers: {error}", "decode again from the weights") from error
    return [pairs[end - count : end] for end, count in zip(ends.tolist(), counts.tolist(), strict=True)]


def alike_of(judged: Judge) -> Alike:
    return corpus_f1 if judged == "f1" else corpus_bleu


def judge(name: Judge, dev: Encoded, settings: Decoding, device: torch.device) -> Score | None:
    """training.judge → what `fit` calls: None is the loss."""
    if name == "loss":
        return None
    return MatchOnDev(dev, settings, device) if name == "match" else AlikeOnDev(dev, settings, device, alike_of(name))
