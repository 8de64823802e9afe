"""Several processes that train one network (torchrun): who one is among them, and sums over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import Tensor

from sayso.core.errors import RunFailed


@dataclass(frozen=True)
class World:
    """One process among `size`; alone by default, where a sum is what it was."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this process prints and saves."""
        return self.rank == 0

    def sum(self, tensors: Sequence[Tensor]) -> None:
        """Replace each tensor by its sum over all processes: one message, whatever their number."""
        if self.size == 1:
            return
        flat = torch.cat([tensor.reshape(-1).to(tensors[0].dtype) for tensor in tensors])
        try:
            dist.all_reduce(flat)
        except RuntimeError as error:  # gloo and nccl say in their own ways that nobody answers
            raise RunFailed(
                f"process {self.rank} lost another of the {self.size} processes that train together",
                "what it said stands above; the same command with --resume goes on from the last checkpoint",
            ) from error
        at = 0
        for tensor in tensors:
            tensor.copy_(flat[at : at + tensor.numel()].view_as(tensor))
            at += tensor.numel()

    def wait(self) -> None:
        """Until every process has come here."""
        if self.size > 1:
            dist.barrier()

    def agree(self, claim: bool) -> bool:
        """Whether any process claims it, so that all stop at the same step."""
        if self.size == 1:
            return claim
        flag = torch.tensor([float(claim)])
        self.sum([flag])
        return bool(flag.item())


def join_world(device: torch.device) -> World:
    """This process's place under torchrun; alone when started in another way."""
    if not dist.is_torchelastic_launched():
        return World()
    if not dist.is_initialized():
        # gloo also carries the small CPU flags of `agree`; nccl cannot
        dist.init_process_group("cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo")
    if device.type == "cuda":  # a device without a number is the current one
        torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())
    return World(dist.get_rank(), dist.get_world_size())


def leave_world() -> None:
    if dist.is_initialized():
        dist.destroy_process_group()
