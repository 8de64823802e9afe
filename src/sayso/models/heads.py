"""From decoder states to words of the output vocabulary, and to the sum of losses that every network returns."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from sayso.english.vocabulary import PAD, UNK


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


def vocabulary_log_probs(logits: Tensor, extra: int) -> Tensor:
    """(rows, vocabulary) -> (rows, vocabulary + extra); what cannot be copied has no probability."""
    log_probs = logits.float().log_softmax(-1)
    return F.pad(log_probs, (0, extra), value=float("-inf")) if extra else log_probs
