"""Weights as they travel and ship: whole, in half precision, or as int8 with one scale a row; always safetensors."""

from __future__ import annotations

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from sayso.core.errors import BadFile
from sayso.training.checkpoint import Tensors
from sayso.training.settings import Ship

SCALE = "::scale"


def pack_weights(weights: Tensors, ship: Ship) -> bytes:
    """`int8` rounds matrices only: vectors are small, and norms and biases suffer most."""
    packed: Tensors = {}
    for name, tensor in weights.items():
        if not tensor.is_floating_point() or ship == "fp32":
            packed[name] = tensor
        elif ship == "int8" and tensor.ndim == 2:
            packed[name], packed[name + SCALE] = quantise(tensor)
        else:
            packed[name] = tensor.half()
    return save({name: tensor.contiguous() for name, tensor in packed.items()})


def unpack_weights(content: bytes, place: str) -> Tensors:
    """The weights in float32 again; `place` names them in the error."""
    try:
        packed = load(content)
    except (SafetensorError, ValueError) as error:
        raise BadFile(f"{place} does not hold weights: {error}", "get it again from where it was made") from error
    weights: Tensors = {}
    for name, tensor in packed.items():
        if name.endswith(SCALE):
            continue
        scale = packed.get(name + SCALE)
        if scale is not None:
            weights[name] = tensor.float() * scale.float()[:, None]
        else:
            weights[name] = tensor.float() if tensor.is_floating_point() else tensor
    return weights


def quantise(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """(rows, columns) -> int8 of the same shape and (rows,) scales; the largest of a row is ±127."""
    scale = matrix.abs().amax(1).clamp(min=1e-12) / 127
    return torch.round(matrix / scale[:, None]).to(torch.int8), scale.float()
