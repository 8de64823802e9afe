"""What a network is given: padded ids of several requests at once, with the ids that copying needs.

Ids 0 to 3 are the specials of english/vocabulary.py; ids from the output vocabulary's size on name one request's words.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from sayso.english.vocabulary import PAD


@dataclass(frozen=True)
class Batch:
    """Right-padded ids; `target` has width 0 when there is nothing to learn from."""

    source: Tensor
    """(batch, time) ids of the input vocabulary, PAD after the end."""
    source_extended: Tensor
    """(batch, time) the same words as output ids, unknown ones as extended ids (== source where nothing is copied)."""
    target: Tensor
    """(batch, time) extended ids, BOS … EOS, PAD after the end."""
    extra: int
    """How many extended ids there are beyond the output vocabulary: the most over the batch."""

    def __len__(self) -> int:
        return self.source.shape[0]

    @property
    def source_mask(self) -> Tensor:
        """(batch, time) True on words. The first place always counts: a row of padding has somewhere to look."""
        first = torch.arange(self.source.shape[1], device=self.source.device) == 0
        return (self.source != PAD) | first

    @property
    def inputs(self) -> Tensor:
        """(batch, time - 1) what a decoder reads: the target without its last place."""
        return self.target[:, :-1]

    @property
    def labels(self) -> Tensor:
        """(batch, time - 1) what a decoder has to say: the target without BOS."""
        return self.target[:, 1:]

    def to(self, device: torch.device | str) -> Batch:
        """The same batch on another device."""
        return Batch(
            self.source.to(device, non_blocking=True),
            self.source_extended.to(device, non_blocking=True),
            self.target.to(device, non_blocking=True),
            self.extra,
        )
