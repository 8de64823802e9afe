"""From a network to answers in ids: searched in batches of like length, kept in npz until they become text at home."""

from __future__ import annotations

import io
import math
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
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
from sayso.training.settings import Decoding

# Greedy search keeps one row a request: many go through at once, and a GPU takes as long for one.
TOGETHER = 1024

# (ids, score), best first
Answer = tuple[tuple[int, ...], float]


def answer(network: nn.Module, whole: Encoded, settings: Decoding, device: torch.device = CPU) -> list[list[Answer]]:
    """At most `k` answers to every row, in the order of the rows."""
    found: list[list[Answer]] = [[] for _ in range(len(whole))]
    search = SearchSettings(settings.beam, settings.k, settings.longest, settings.alpha)
    was_training = network.training
    network.eval()
    steps = recorded(network, settings, device)
    for rows, batch in decoding_batches(whole, settings.batch, device, step_of(device)):
        for row, answers in zip(rows, beam_search(steps, batch, search), strict=True):
            found[row] = [(one.ids, one.score) for one in answers]
    network.train(was_training)
    return found


def recorded(network: nn.Module, settings: Decoding, device: torch.device) -> StepModel[Any]:
    """A GPU replays recorded steps; elsewhere a network steps for itself."""
    model = cast("StepModel[Any]", network)
    return cast("StepModel[Any]", GraphedSteps(model, settings.longest)) if device.type == "cuda" else model


def step_of(device: torch.device) -> int:
    """Widths of requests are multiples of this: what is recorded should serve several batches."""
    return 8 if device.type == "cuda" else 1


@dataclass(frozen=True)
class MatchOnDev:
    """A score for early stopping: the share of dev rows whose greedy answer is the reference, id for id."""

    dev: Encoded
    settings: Decoding
    device: torch.device = CPU

    def __call__(self, network: nn.Module) -> float:
        right = 0
        steps = recorded(network, self.settings, self.device)
        for rows, batch in decoding_batches(self.dev, TOGETHER, self.device, step_of(self.device)):
            found = greedy_search(steps, batch, self.settings.longest)
            for row, answers in zip(rows, found, strict=True):
                wanted = self.dev.target[row].tolist()
                right += bool(answers) and [BOS, *answers[0].ids, EOS] == wanted
        return right / len(self.dev)


@dataclass(frozen=True)
class BleuOnDev:
    """A score for early stopping: the corpus BLEU, in ids, of the greedy answers to some rows of dev."""

    dev: Encoded
    settings: Decoding
    device: torch.device = CPU
    rows: int = 512

    def __call__(self, network: nn.Module) -> float:
        step = max(1, len(self.dev) // self.rows)
        rows = np.arange(0, len(self.dev), step)
        some = Encoded(take(self.dev.source, rows), take(self.dev.source_extended, rows), take(self.dev.target, rows),
                       self.dev.extra[rows])  # fmt: skip
        said: list[tuple[int, ...]] = [()] * len(rows)
        steps = recorded(network, self.settings, self.device)
        for places, batch in decoding_batches(some, TOGETHER, self.device, step_of(self.device)):
            for place, answers in zip(places, greedy_search(steps, batch, self.settings.longest), strict=True):
                said[place] = answers[0].ids if answers else ()
        return corpus_bleu(said, [tuple(some.target[row][1:-1].tolist()) for row in range(len(rows))])


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


def judge(name: str, dev: Encoded, settings: Decoding, device: torch.device) -> Score | None:
    """training.judge → what `fit` calls: None is the loss."""
    judges = {"match": MatchOnDev, "bleu": BleuOnDev}
    return judges[name](dev, settings, device) if name in judges else None
