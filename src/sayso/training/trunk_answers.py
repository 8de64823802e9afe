"""A trunk's answers: searched in single precision on the device that trained it, and compared with references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import nn

from sayso.english.vocabulary import BOS, EOS
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


def same_ids(answers: Sequence[Sequence[Answer]], dev: Encoded, k: int) -> float:
    """The share of dev rows whose reference is, id for id, among the first k answers."""
    wanted = [tuple(dev.target[row].tolist()[1:-1]) for row in range(len(dev))]
    return round(
        sum(one in [ids for ids, _ in found[:k]] for one, found in zip(wanted, answers, strict=True)) / len(dev), 4
    )
