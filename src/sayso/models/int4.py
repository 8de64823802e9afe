"""Weights in groups of 32 with four bits each: packed, unpacked, and rounded while they are still being trained.
Words and what is multiplied have eight bits in the runtime that ships, and are rounded here as there.

A weight is q · d + m with q from 0 to 15. Of llama.cpp's Q4_1, which pretrained trunks come in, m is stored; our own
rounding is symmetric, as Q4_0 and ONNX's MatMulNBits have it: d is the largest of a group over -8, and m is -8 · d.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

GROUP = 32


@dataclass(frozen=True)
class Packed:
    """A matrix (out, in). The low halves of 16 bytes are the first 16 weights of a group, the high ones the rest."""

    q: Tensor
    """(out, in / 2) uint8"""
    d: Tensor
    """(out, in / 32) float16"""
    m: Tensor | None = None
    """(out, in / 32) float16; without it, -8 d"""


def unpack(packed: Packed) -> Tensor:
    """(out, in) in float32."""
    groups = packed.q.reshape(*packed.q.shape[:-1], -1, GROUP // 2)
    numbers = torch.cat([groups & 15, groups >> 4], -1).float()  # (out, groups, 32)
    d = packed.d.float()[..., None]
    m = -8 * d if packed.m is None else packed.m.float()[..., None]
    return (numbers * d + m).flatten(-2)


def pack(weight: Tensor, group: int = GROUP) -> Packed:
    """The nearest symmetric four-bit numbers of a matrix whose rows are whole groups; several groups of 32 may share
    a step, which is stored for each."""
    numbers, d = _round(weight, group)
    first, second = (numbers + 8).to(torch.uint8).reshape(*weight.shape[:-1], -1, GROUP).chunk(2, -1)
    return Packed((first | second << 4).flatten(-2), d[..., 0].half().repeat_interleave(group // GROUP, -1))


def rounded(weight: Tensor, group: int = GROUP) -> Tensor:
    """What `pack` and `unpack` leave of a matrix; gradients go through untouched (Bengio et al., 2013)."""
    numbers, d = _round(weight.detach(), group)
    return weight + ((numbers * d).flatten(-2) - weight).detach()


def _round(weight: Tensor, group: int) -> tuple[Tensor, Tensor]:
    """(out, groups, group) whole numbers from -8 to 7 and (out, groups, 1) steps that float16 can hold."""
    groups = weight.float().reshape(*weight.shape[:-1], -1, group)
    low, high = groups.aminmax(dim=-1, keepdim=True)  # a GPU looks for two extremes sooner than for one place
    largest = torch.where(-low > high, low, high)
    d = (largest / -8).half().float()
    steps = torch.where(d == 0, 1.0, d)
    return (groups / steps).round().clamp(-8, 7), d


def rounded_rows(x: Tensor, group: int = GROUP) -> Tensor:
    """(…, inputs) as MatMulNBits reads them at accuracy level 4: whole numbers from -127 to 127 in the matrix's groups.

    Gradients go through untouched.
    """
    with torch.no_grad():
        groups = x.float().reshape(*x.shape[:-1], -1, group)
        steps = groups.abs().amax(-1, keepdim=True) / 127
        near = (groups / steps.clamp(min=torch.finfo(torch.float32).tiny)).round_() * steps
        change = near.flatten(-2) - x
    return x + change


def rounded_words(words: Tensor) -> Tensor:
    """A table of words as a bundle holds it: eight bits in groups of 32, with steps that float16 can hold."""
    groups = words.float().reshape(*words.shape[:-1], -1, GROUP)
    d = (groups.abs().amax(-1, keepdim=True) / 127).half().float()
    return ((groups / torch.where(d == 0, 1.0, d)).round().clamp(-127, 127) * d).flatten(-2)
