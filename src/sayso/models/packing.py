"""Padded batches without their padding: on a CPU, what is done word by word is done for words alone.

A GPU would have to wait for the number of words, and its recorded steps need fixed shapes: there nothing is packed.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Packing:
    """Which places of (batch, time) hold words."""

    batch: int
    time: int
    places: Tensor
    """(words,) rising, counted through the whole batch."""

    def pack(self, padded: Tensor) -> Tensor:
        """(batch, time, …) -> (words, …)"""
        return padded.flatten(0, 1).index_select(0, self.places)

    def spread(self, packed: Tensor) -> Tensor:
        """(words, …) -> (batch, time, …), zeros where there is no word."""
        flat = packed.new_zeros(self.batch * self.time, *packed.shape[1:])
        return flat.index_copy(0, self.places, packed).view(self.batch, self.time, *packed.shape[1:])


def find_packing(mask: Tensor) -> Packing | None:
    """(batch, time), True on words; None where packing does not pay: full batches, GPUs, compiled steps."""
    if mask.device.type != "cpu" or torch.compiler.is_compiling() or bool(mask.all()):
        return None
    batch, time = mask.shape
    return Packing(batch, time, mask.flatten().nonzero()[:, 0])
