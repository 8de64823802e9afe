"""A trunk's answers: searched in single precision on the device that trained it, and compared with references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

from sayso.core.errors import UserError
from sayso.english.prompt import CONTEXT, MARKS
from sayso.english.vocabulary import BOS, EOS, PAD
from sayso.models.batch import Batch
from sayso.models.graphs import GraphedSteps
from sayso.models.llama import Llama, LlamaState, Roomy
from sayso.models.search import SearchSettings, beam_search, greedy_search
from sayso.training.arrays import Encoded
from sayso.training.batches import decoding_batches
from sayso.training.decode import Answer

LONGEST = 80
SEARCH = SearchSettings(width=5, n_best=5, longest=LONGEST)
TOGETHER = 256
GREEDY_TOGETHER = 600
TOLD_TOGETHER = 256


class Pair(NamedTuple):
    """What is read and what is said."""

    source: list[int]
    target: list[int]


def steps(network: Llama, longest: int = LONGEST) -> GraphedSteps[LlamaState]:
    return GraphedSteps(Roomy(network, longest), longest)


def greedy_match(network: nn.Module, dev: Encoded, device: torch.device) -> float:
    """The share of dev rows whose greedy answer is the reference, id for id."""
    assert isinstance(network, Llama)
    right = 0
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        for rows, batch in decoding_batches(dev, GREEDY_TOGETHER, device):
            found = greedy_search(steps(network), batch, LONGEST)
            for row, answers in zip(rows, found, strict=True):
                right += bool(answers) and [BOS, *answers[0].ids, EOS] == dev.target[row].tolist()
    return right / len(dev)


def answer_all(network: Llama, whole: Encoded, device: torch.device, width: int = SEARCH.width) -> list[list[Answer]]:
    """As many answers as the beam is wide to every row, in the order of the rows."""
    found: list[list[Answer]] = [[] for _ in range(len(whole))]
    search = replace(SEARCH, width=width, n_best=width)
    network.eval()
    for rows, batch in decoding_batches(whole, TOGETHER if device.type == "cuda" else 16, device):
        for row, answers in zip(rows, beam_search(steps(network, search.longest), batch, search), strict=True):
            found[row] = [(one.ids, one.score) for one in answers]
    return found


@torch.no_grad()
def told_back(
    network: Llama, asked: Encoded, answers: Sequence[Sequence[Answer]], device: torch.device
) -> list[list[float]]:
    """The log-probability of each request, alone before its answers, as what each of them is for."""
    rows = [(row, ids) for row, found in enumerate(answers) for ids, _ in found]
    requests = [asked.source[row].tolist() for row in range(len(asked))]
    if any(CONTEXT in request for request in requests):
        raise UserError("requests with context are not told back", "take rows of requests alone")
    pairs = [
        Pair([requests[row][0], MARKS["code"], *ids, CONTEXT], [BOS, *requests[row][1:], EOS]) for row, ids in rows
    ]
    found: list[list[float]] = [[] for _ in answers]
    order = sorted(range(len(pairs)), key=lambda at: sum(map(len, pairs[at])))
    scores = [0.0] * len(pairs)
    network.eval()
    for first in range(0, len(order), TOLD_TOGETHER):
        some = order[first : first + TOLD_TOGETHER]
        source, target = (padded([pairs[at][part] for at in some], device) for part in (0, 1))
        batch = Batch(source, source, target, 0)
        logits = network.answer_logits(batch).float().flatten(0, 1)
        losses = F.cross_entropy(logits, batch.labels.flatten(), ignore_index=PAD, reduction="none")
        for at, loss in zip(some, losses.view(len(some), -1).sum(1).tolist(), strict=True):
            scores[at] = -loss
    for (row, _), score in zip(rows, scores, strict=True):
        found[row].append(score)
    return found


def padded(rows: Sequence[Sequence[int]], device: torch.device) -> torch.Tensor:
    most = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (most - len(row))] for row in rows], device=device)


def same_ids(answers: Sequence[Sequence[Answer]], dev: Encoded, k: int) -> float:
    """The share of dev rows whose reference is, id for id, among the first k answers."""
    wanted = [tuple(dev.target[row].tolist()[1:-1]) for row in range(len(dev))]
    return round(
        sum(one in [ids for ids, _ in found[:k]] for one, found in zip(wanted, answers, strict=True)) / len(dev), 4
    )
