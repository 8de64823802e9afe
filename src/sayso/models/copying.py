"""Saying words of the request: one distribution with a generated and a copied part, over extended ids.

`PointerMixture` mixes two distributions for a Transformer (See et al. 2017); copynet.py has one softmax for both.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.english.vocabulary import PAD, UNK
from sayso.models.heads import count

# Stands for log 0 inside sums that gradients pass through, where -inf would give nan.
NEVER = -1e9


def matching(ids: Tensor, source_extended: Tensor, mask: Tensor) -> Tensor:
    """(batch, steps) ids -> (batch, steps, places): where the source says the same word."""
    return (ids[..., None] == source_extended[:, None]) & mask[:, None]


def copying_loss(generated: Tensor, copied: Tensor, labels: Tensor, matches: Tensor) -> tuple[Tensor, Tensor]:
    """The sum of negative log-likelihoods, where a label's probability is all that leads to it.

    `generated` (batch, steps, vocabulary) and `copied` (batch, steps, places) are log-probabilities that sum to 1
    together. A label that neither the vocabulary nor the source holds counts as UNK.
    """
    size = generated.shape[-1]
    is_known = labels < size
    can_be_said = is_known | matches.any(-1)
    by_word = generated.gather(-1, torch.where(is_known, labels, UNK)[..., None]).squeeze(-1)
    by_word = torch.where(is_known | ~can_be_said, by_word, NEVER)
    by_copy = copied.masked_fill(~matches, NEVER).logsumexp(-1)
    losses = -torch.logaddexp(by_word, by_copy)
    return torch.where(labels != PAD, losses, 0.0).sum(), count(labels)


def copying_log_probs(generated: Tensor, copied: Tensor, source_extended: Tensor, extra: int) -> Tensor:
    """(requests, width, …) parts -> (requests * width, vocabulary + extra) log-probabilities."""
    generated = F.pad(generated, (0, extra), value=float("-inf"))
    words = source_extended[:, None].expand_as(copied)
    summed = torch.zeros_like(generated).scatter_add(-1, words, copied.exp())
    return torch.logaddexp(generated, summed.log()).flatten(0, 1)


class PointerMixture(nn.Module):
    """A gate between the vocabulary and a pointer over the source."""

    def __init__(self, width: int, memory_width: int) -> None:
        super().__init__()
        self.query = nn.Linear(width, memory_width, bias=False)
        self.gate = nn.Linear(width + memory_width, 1)
        self.scale = memory_width**-0.5

    def forward(self, states: Tensor, logits: Tensor, memory: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """(batch, steps, width) and their logits -> generated and copied log-probabilities."""
        scores = (self.query(states) @ memory.transpose(1, 2)).float() * self.scale  # (batch, steps, places)
        pointed = scores.masked_fill(~mask[:, None], float("-inf")).log_softmax(-1)
        read = pointed.exp().to(memory.dtype) @ memory
        gate = self.gate(torch.cat([states, read], -1)).float()  # (batch, steps, 1)
        return F.logsigmoid(gate) + logits.float().log_softmax(-1), F.logsigmoid(-gate) + pointed
