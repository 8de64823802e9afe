"""The matrices of a trunk: learnt, frozen under a low-rank adapter (LoRA, Hu et al. 2021), or rounded to four bits.

An adapter is two narrow matrices a and b for every matrix it changes: W' = W + alpha / rank · b a.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.core.errors import BadFile
from sayso.models.checks import require
from sayso.models.int4 import GROUP, rounded, rounded_rows


class Matrix(nn.Module):
    """A linear layer without bias."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        nn.init.normal_(self.weight, std=0.02)
        self.is_rounded = False
        """Whether the forward pass sees what four bits will leave of the weight."""
        self.group = GROUP
        """Weights that share a step."""
        self.reads_bytes = False
        """Whether it sees what eight bits leave of what is multiplied with the weight, as in the exported trunk."""
        self.scale = 0.0
        self.register_parameter("a", None)
        self.register_parameter("b", None)

    def forward(self, x: Tensor) -> Tensor:
        """(…, inputs) -> (…, outputs)"""
        if self.reads_bytes:
            x = rounded_rows(x, self.group)
        y = F.linear(x, rounded(self.weight, self.group) if self.is_rounded else self.weight)
        if self.a is not None:
            y = y + self.scale * F.linear(F.linear(x, self.a), self.b)
        return y

    def adapt(self, rank: int, alpha: float) -> None:
        """Freeze the weight under a new adapter, which changes nothing yet."""
        outputs, inputs = self.weight.shape
        self.weight.requires_grad = False
        self.scale = alpha / rank
        self.a = nn.Parameter(torch.randn(rank, inputs, device=self.weight.device) * inputs**-0.5)
        self.b = nn.Parameter(torch.zeros(outputs, rank, device=self.weight.device))

    def merge(self) -> None:
        """Put the adapter into the weight, and be rid of it."""
        if self.a is not None and self.b is not None:
            with torch.no_grad():
                self.weight.add_(self.scale * self.b @ self.a)
            self.register_parameter("a", None)
            self.register_parameter("b", None)
            self.weight.requires_grad = True


def matrices(network: nn.Module) -> Iterator[tuple[str, Matrix]]:
    """Every Matrix with its name."""
    for name, module in network.named_modules():
        if isinstance(module, Matrix):
            yield name, module


def add_adapter(network: nn.Module, rank: int, alpha: float) -> None:
    """Freeze the whole network and give every matrix an adapter."""
    require(rank >= 1, f"an adapter's rank is {rank}, not at least 1")
    network.requires_grad_(False)
    for _, matrix in matrices(network):
        matrix.adapt(rank, alpha)


def adapter_weights(network: nn.Module) -> dict[str, Tensor]:
    """The narrow matrices by name, for a file."""
    return {
        f"{name}.{part}": tensor.detach()
        for name, matrix in matrices(network)
        for part, tensor in (("a", matrix.a), ("b", matrix.b))
        if tensor is not None
    }


def load_adapter(network: nn.Module, weights: dict[str, Tensor], alpha: float) -> None:
    """Put a finished adapter on a network; its rank is that of its matrices."""
    left = set(weights)
    for name, matrix in matrices(network):
        a, b = weights.get(f"{name}.a"), weights.get(f"{name}.b")
        if a is None or b is None:
            continue
        if (b.shape[0], a.shape[1]) != tuple(matrix.weight.shape) or a.shape[0] != b.shape[1]:
            raise BadFile(f"the adapter of {name} does not fit its matrix", "use the adapter made for this trunk")
        matrix.adapt(a.shape[0], alpha)
        with torch.no_grad():
            assert matrix.a is not None and matrix.b is not None
            matrix.a.copy_(a)
            matrix.b.copy_(b)
        left -= {f"{name}.a", f"{name}.b"}
    if left:
        raise BadFile(f"the trunk has no matrix for {min(left)}", "use the adapter made for this trunk")


def round_matrices(network: nn.Module, is_rounded: bool, group: int = GROUP) -> None:
    """Let every matrix, and what it is multiplied with, be seen as four and eight bits leave it, or as it is."""
    for _, matrix in matrices(network):
        matrix.group = group
        matrix.is_rounded = matrix.reads_bytes = is_rounded


def leave_four_bits(network: nn.Module) -> None:
    """Put what four bits leave of every matrix in its place, so that it need not be worked out at every step."""
    with torch.no_grad():
        for _, matrix in matrices(network):
            matrix.weight.copy_(rounded(matrix.weight, matrix.group))
            matrix.is_rounded, matrix.reads_bytes = False, True


def merge_adapter(network: nn.Module) -> None:
    for _, matrix in matrices(network):
        matrix.merge()
