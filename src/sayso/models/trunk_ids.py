"""Our ids and a pretrained trunk's: its id t is id t + 4 here, and its own special ids go by our names for them."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.english.vocabulary import BOS, EOS, PAD, SPECIALS, UNK
from sayso.models.checks import require
from sayso.models.heads import count, known

NO = float("-inf")


class TrunkIds(nn.Module):
    """Between our ids (specials, then words) and a trunk's."""

    to_trunk: Tensor

    def __init__(self, size: int, start: int, end: int, unknown: int) -> None:
        super().__init__()
        specials = {BOS: start, EOS: end, UNK: unknown}
        for one in specials.values():
            require(one < size, f"start, end or unknown: the trunk has no id {one}, only {size} ids")
        self.specials, self.size = specials, size
        table = torch.cat([torch.zeros(len(SPECIALS), dtype=torch.long), torch.arange(size)])
        for ours, theirs in specials.items():
            table[ours] = theirs
        self.register_buffer("to_trunk", table, persistent=False)

    @property
    def output_size(self) -> int:
        """How many ids there are on our side."""
        return len(SPECIALS) + self.size

    def forward(self, ids: Tensor) -> Tensor:
        """Ours to the trunk's; PAD becomes 0, which a mask has to hide."""
        return self.to_trunk[known(ids, self.output_size)]

    def loss(self, logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        """(batch, time, trunk's ids) and our labels -> the sum of negative log-likelihoods, and how many there are."""
        wanted = torch.where(labels == PAD, -100, self(labels))
        summed = F.cross_entropy(logits.float().flatten(0, 1), wanted.flatten(), ignore_index=-100, reduction="sum")
        return summed, count(labels)

    def log_probs(self, logits: Tensor, extra: int) -> Tensor:
        """(rows, trunk's ids) -> (rows, our ids + extra); every id of the trunk has one name on our side."""
        log_probs = F.pad(logits.float().log_softmax(-1), (len(SPECIALS), extra), value=NO)
        for ours, theirs in self.specials.items():
            log_probs[:, ours] = log_probs[:, len(SPECIALS) + theirs]
            log_probs[:, len(SPECIALS) + theirs] = NO
        return log_probs
