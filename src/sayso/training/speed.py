"""Forward and backward of one batch: as written, compiled, or replayed as a CUDA graph; in bf16 where that is quick.

At our sizes a GPU waits for Python: a step of short sentences is hundreds of tiny kernels. A graph launches them all at
once, once per shape of batch, which is why `batches` has few shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

import torch
from torch import Tensor, nn

from sayso.core.errors import UserError
from sayso.models.batch import Batch
from sayso.training.settings import Speed, Training

# Adds the gradients of a batch to those that are there; returns the sum of losses and the number of tokens.
Backward = Callable[[Batch], tuple[Tensor, Tensor]]

# Before a graph is recorded its kernels must have run, or their set-up would be recorded too.
WARM_UPS = 3


def precision_of(settings: Training, device: torch.device) -> AbstractContextManager[object]:
    """bf16 on a GPU unless fp32 is asked for; on a CPU only where it is asked for."""
    return torch.autocast(device.type, torch.bfloat16, enabled=is_lower(settings, device))


def is_lower(settings: Training, device: torch.device) -> bool:
    """Whether a batch is computed in bf16. A CPU without it is refused: some die of an illegal instruction half-way."""
    if settings.precision == "bf16" and device.type == "cpu" and not multiplies_bf16():
        raise UserError(
            "training.precision=bf16 needs a GPU, or a CPU with AVX512-BF16", "--set training.precision=fp32"
        )
    return settings.precision == "bf16" or (settings.precision == "auto" and device.type == "cuda")


def multiplies_bf16() -> bool:
    """Whether this machine's CPU has instructions for it: four times as quick there as single precision."""
    return torch.cpu._is_avx512_bf16_supported()


def speed_of(settings: Training, device: torch.device) -> Speed:
    """`auto` settled for a device; what a device cannot do is refused."""
    if settings.speed == "auto":
        return "graphs" if device.type == "cuda" else "eager"
    if settings.speed == "graphs" and device.type != "cuda":
        raise UserError("training.speed=graphs needs a GPU", "--set training.speed=eager")
    return settings.speed


def make_backward(network: nn.Module, settings: Training, device: torch.device) -> Backward:
    """What one batch of one update runs."""
    loss_of: Callable[[Batch], tuple[Tensor, Tensor]] = network.loss  # type: ignore[assignment]
    speed = speed_of(settings, device)
    if speed == "graphs":
        return Graphs(network, loss_of, settings, device)
    if speed == "compile":
        # One compilation a shape; past its limit torch would go back to slow steps without a word.
        torch._dynamo.config.recompile_limit = max(torch._dynamo.config.recompile_limit, 4 * settings.shapes)
        loss_of = torch.compile(loss_of, dynamic=False)

    def backward(batch: Batch) -> tuple[Tensor, Tensor]:
        with precision_of(settings, device):
            loss, tokens = loss_of(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.detach(), tokens.detach()

    return backward


class Graphs:
    """One recorded graph for every shape of batch; batches are copied into the tensors that it was recorded with."""

    def __init__(
        self,
        network: nn.Module,
        loss_of: Callable[[Batch], tuple[Tensor, Tensor]],
        settings: Training,
        device: torch.device,
    ) -> None:
        self.parameters = [one for one in network.parameters() if one.requires_grad]
        self.loss_of, self.settings, self.device = loss_of, settings, device
        self.pool = torch.cuda.graph_pool_handle()
        self.recorded: dict[tuple[object, ...], tuple[torch.cuda.CUDAGraph, Batch, Tensor, Tensor]] = {}

    def __call__(self, batch: Batch) -> tuple[Tensor, Tensor]:
        shape = (batch.source.shape, batch.target.shape, batch.extra)
        if shape not in self.recorded:
            self.recorded[shape] = self.record(batch)
        graph, held, loss, tokens = self.recorded[shape]
        held.source.copy_(batch.source)
        held.source_extended.copy_(batch.source_extended)
        held.target.copy_(batch.target)
        graph.replay()
        return loss.clone(), tokens.clone()

    def prepare(self, batches: Iterable[Batch]) -> None:
        """Record these before anything is trained, so that all memory is taken at once and none is missing half-way."""
        for one in self.parameters:
            one.grad = torch.zeros_like(one) if one.grad is None else one.grad
        for batch in batches:
            self(batch)
            torch.cuda.empty_cache()  # what warming up took: others may share the GPU

    def record(self, batch: Batch) -> tuple[torch.cuda.CUDAGraph, Batch, Tensor, Tensor]:
        held = Batch(batch.source.clone(), batch.source_extended.clone(), batch.target.clone(), batch.extra)
        before = [one.grad.clone() for one in self.parameters if one.grad is not None]
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(WARM_UPS):
                self.run(held)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self.pool):
            loss, tokens = self.run(held)
        # Warming up added to the gradients, and drew random numbers that the seed of the next step forgets.
        for one, grad in zip(self.parameters, before, strict=True):
            assert one.grad is not None
            one.grad.copy_(grad)
        return graph, held, loss, tokens

    def run(self, batch: Batch) -> tuple[Tensor, Tensor]:
        # Weights change between replays: a cast that autocast keeps from one run to the next would be stale.
        lower = is_lower(self.settings, self.device)
        with torch.autocast("cuda", torch.bfloat16, enabled=lower, cache_enabled=False):
            loss, tokens = self.loss_of(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.detach(), tokens.detach()
