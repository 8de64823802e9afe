"""From decoder states to words of the output vocabulary, and to the sum of losses that every network returns."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from sayso.english.vocabulary import PAD, UNK

PART = 16_384
"""Places whose logits a GPU holds at once: those of a whole batch, in single precision, are most of its memory."""


def known(ids: Tensor, size: int) -> Tensor:
    """Extended ids become UNK: what an embedding, or a network that does not copy, makes of them."""
    return torch.where(ids < size, ids, UNK)


def count(labels: Tensor) -> Tensor:
    """How many labels there are to learn."""
    return (labels != PAD).sum()


def vocabulary_loss(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """(…, vocabulary) and labels (…) -> the sum of negative log-likelihoods, and the number of labels."""
    flat = logits.float().flatten(0, -2)
    wanted = known(labels, logits.shape[-1]).flatten()
    return F.cross_entropy(flat, wanted, ignore_index=PAD, reduction="sum"), count(labels)


def projected_loss(
    states: Tensor, project: Callable[[Tensor], Tensor], labels: Tensor, part: int = 0
) -> tuple[Tensor, Tensor]:
    """The same from what comes before the logits, (…, width): on a GPU in parts, worked out again for the gradient."""
    part = part or (PART if states.is_cuda else 0)
    if not part or labels.numel() <= part:
        return vocabulary_loss(project(states), labels)

    def loss_of(some: Tensor, wanted: Tensor) -> Tensor:
        return vocabulary_loss(project(some), wanted)[0]

    pairs = zip(torch.split(states.flatten(0, -2), part), torch.split(labels.flatten(), part), strict=True)
    if not torch.is_grad_enabled():
        return torch.stack([loss_of(*pair) for pair in pairs]).sum(), count(labels)
    losses = [checkpoint(loss_of, *pair, use_reentrant=False, preserve_rng_state=False) for pair in pairs]
    return torch.stack(losses).sum(), count(labels)


def vocabulary_log_probs(logits: Tensor, extra: int) -> Tensor:
    """(rows, vocabulary) -> (rows, vocabulary + extra); what cannot be copied has no probability."""
    log_probs = logits.float().log_softmax(-1)
    return F.pad(log_probs, (0, extra), value=float("-inf")) if extra else log_probs
