"""The one training loop: `fit` yields what happens, and its caller prints, draws or stops.

Gradients are sums over tokens, divided once by the number of tokens of the whole update, so accumulation and several
processes give what one large batch gives. The randomness of an update is drawn from (seed, update, process) alone:
looking at dev, saving and resuming change nothing.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim import Adam, AdamW, Optimizer

from sayso.core.errors import RunFailed, UserError
from sayso.models.batch import Batch
from sayso.training.batches import Batches
from sayso.training.checkpoint import Checkpoints, Position
from sayso.training.schedule import rate_at
from sayso.training.settings import Training
from sayso.training.speed import Backward, Graphs, make_backward, precision_of
from sayso.training.together import World

ALONE = World()
HALVINGS = 3
"""Of a batch that does not fit into memory, before that is said."""


@dataclass(frozen=True)
class Step:
    """Updates since the last such event: mean loss a token, the last rate and gradient norm, tokens a second."""

    step: int
    epoch: int
    loss: float
    rate: float
    norm: float
    tokens_per_second: float


@dataclass(frozen=True)
class Evaluated:
    """A look at dev: the loss a token, and the score that decides (a callback's, else the negative loss)."""

    step: int
    loss: float
    score: float
    better: bool


@dataclass(frozen=True)
class Saved:
    step: int
    path: Path


@dataclass(frozen=True)
class Stopped:
    """The last event. `reason` is epochs, steps, patience or time."""

    step: int
    reason: str
    best_step: int


Event = Step | Evaluated | Saved | Stopped
Score = Callable[[nn.Module], float]


@dataclass(frozen=True)
class Run:
    """What `fit` is told beside the settings."""

    seed: int = 0
    world: World = ALONE
    checkpoints: Checkpoints | None = None
    """Where to save, and what to take up if something is there."""
    keep_best: Callable[[int], None] | None = None
    """Called with the step whenever dev was never better, while the network holds those weights."""
    score: Score | None = None
    """What dev is judged by, higher is better; without it, the loss."""
    seconds: float = math.inf
    report_every: int = 20


def fit(
    network: nn.Module, train: Batches, settings: Training, dev: Batches | None = None, run: Run | None = None
) -> Iterator[Event]:
    """Train until epochs, steps, patience or time are used up; ends with a saved checkpoint and `Stopped`."""
    run = run or Run()
    if settings.schedule == "timed" and not math.isfinite(run.seconds):
        raise UserError("training.schedule=timed needs a time", "add --minutes, or take another schedule")
    started = time.monotonic()
    optimiser = make_optimiser(network, settings, train.device)
    found = run.checkpoints.load(network, optimiser) if run.checkpoints else None
    position = found or Position()
    backward = make_backward(network, settings, train.device)
    meter = Meter()
    network.train()
    if isinstance(backward, Graphs):
        backward.prepare(train.one_of_each())
    reason = why_stop(position, settings, run, started)
    while not reason:
        for group in groups(train.epoch(position.epoch, position.batch), settings.accumulate):
            step = position.step + 1
            rate = rate_at(settings, step, (time.monotonic() - started) / max(run.seconds, 1e-9))
            meter.add(update(optimiser, backward, group, rate, settings, run, step))
            position = replace(position, step=step, batch=position.batch + len(group))
            ends_epoch = position.batch >= train.per_epoch
            if ends_epoch:
                position = replace(position, epoch=position.epoch + 1, batch=0)
            reason = why_stop(position, settings, run, started)
            looks = dev is not None and (bool(reason) or due(step, settings.evaluate_every, ends_epoch))
            saves = bool(reason) or due(step, settings.save_every, looks or (dev is None and ends_epoch))
            if saves or looks or step % run.report_every == 0:
                yield meter.report(step, position.epoch, rate)  # nothing that is not finite is looked at or saved
            if looks and dev is not None:
                position, event = look(network, dev, settings, run, position)
                yield event
                reason = reason or why_stop(position, settings, run, started)
            if (saves or reason) and run.checkpoints and run.world.leads:
                yield Saved(step, run.checkpoints.save(position, network, optimiser))
            if reason:
                break
    yield Stopped(position.step, reason, position.best_step)


def groups(batches: Iterator[Batch], size: int) -> Iterator[list[Batch]]:
    while group := list(islice(batches, size)):
        yield group


def due(step: int, every: int, otherwise: bool) -> bool:
    return step % every == 0 if every else otherwise


def why_stop(position: Position, settings: Training, run: Run, started: float) -> str:
    if position.epoch >= settings.epochs:
        return "epochs"
    if settings.steps and position.step >= settings.steps:
        return "steps"
    if settings.patience and position.waited >= settings.patience:
        return "patience"
    late = time.monotonic() - started >= run.seconds
    return "time" if math.isfinite(run.seconds) and run.world.agree(late) else ""


def total_steps(settings: Training, train: Batches) -> int:
    """How many updates there will be if nothing stops them earlier."""
    most = settings.epochs * -(-train.per_epoch // settings.accumulate)
    return min(most, settings.steps) if settings.steps else most


def make_optimiser(network: nn.Module, settings: Training, device: torch.device) -> Optimizer:
    chosen: type[Adam] = {"adam": Adam, "adamw": AdamW}[settings.optimiser]
    # One kernel for all parameters where torch has one; both devices that we train on do.
    fused = device.type in ("cpu", "cuda")
    return chosen(
        [parameter for parameter in network.parameters() if parameter.requires_grad],
        lr=settings.rate,
        betas=(settings.beta1, settings.beta2),
        eps=settings.epsilon,
        weight_decay=settings.decay,
        fused=fused,
    )


def update(
    optimiser: Optimizer,
    backward: Backward,
    group: list[Batch],
    rate: float,
    settings: Training,
    run: Run,
    step: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """Change the weights once; the sum of losses, the number of tokens, the norm of the gradient, all on the device."""
    parameters = [one for part in optimiser.param_groups for one in part["params"]]
    seed_step(run.seed, step, run.world.rank, parameters[0].device)
    for parameter in parameters:
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
    gradients = [one.grad for one in parameters if one.grad is not None]
    totals = summed(backward, group, gradients, settings, step)
    run.world.sum([*gradients, *totals])
    loss, tokens = totals
    norm = torch.nn.utils.get_total_norm(gradients) / tokens
    scale = 1 / tokens
    if settings.clip:
        scale = scale * (settings.clip / (norm + 1e-6)).clamp(max=1.0)
    torch._foreach_mul_(gradients, scale)
    for part in optimiser.param_groups:
        part["lr"] = rate
    optimiser.step()
    return loss, tokens, norm


def summed(
    backward: Backward, group: Sequence[Batch], gradients: Sequence[Tensor], settings: Training, step: int
) -> list[Tensor]:
    """The sums of losses and tokens over a group, its gradients left in theirs.

    What does not fit into memory is tried again in halves, from the beginning, which sums to the same.
    """
    for halvings in range(HALVINGS + 1):
        torch._foreach_zero_(list(gradients))
        totals: list[Tensor] = []
        batch = group[0]
        try:
            for batch in group:
                for part in parts(batch, 2**halvings):
                    loss, tokens = backward(part)
                    totals = [loss, tokens.float()] if not totals else [totals[0] + loss, totals[1] + tokens]
            return totals
        except RuntimeError as error:  # torch.OutOfMemoryError is one; the CPU's allocator raises the bare class
            if not is_out_of_memory(error):
                raise
            if halvings == HALVINGS or isinstance(backward, Graphs):  # a recording that failed is not taken up
                raise out_of_memory(batch, settings, step) from error
        if batch.source.is_cuda:
            torch.cuda.empty_cache()
    raise AssertionError("the last try returns or raises")


def parts(batch: Batch, number: int) -> Iterator[Batch]:
    """A batch in so many of like size, as far as it has rows."""
    size = -(-len(batch) // number)
    for at in range(0, len(batch), size):
        some = slice(at, at + size)
        yield Batch(batch.source[some], batch.source_extended[some], batch.target[some], batch.extra)


def seed_step(seed: int, step: int, rank: int, device: torch.device) -> None:
    """Dropout and all else that is drawn in this update; nothing is carried over from the one before."""
    words = np.random.SeedSequence([seed, step, rank]).generate_state(2)
    torch.default_generator.manual_seed(int(words[0]) << 31 ^ int(words[1]))
    if device.type == "cuda":
        torch.cuda.manual_seed(int(words[0]) << 31 ^ int(words[1]))
    random.seed(int(words[0]))
    np.random.seed(int(words[1]))


def is_out_of_memory(error: RuntimeError) -> bool:
    return isinstance(error, torch.OutOfMemoryError) or "can't allocate memory" in str(error)


def out_of_memory(batch: Batch, settings: Training, step: int) -> RunFailed:
    rows, source, target = len(batch), batch.source.shape[1], batch.target.shape[1]
    smaller = max(1, settings.batch // 2)
    return RunFailed(
        f"out of memory at step {step}: a batch of {rows} examples of {source} + {target} tokens does not fit",
        f"--set batch={smaller} --set accumulate={settings.accumulate * 2}, which trains the same",
    )


def look(
    network: nn.Module, dev: Batches, settings: Training, run: Run, position: Position
) -> tuple[Position, Evaluated]:
    """Evaluate on dev and remember whether it was the best so far."""
    loss = mean_loss(network, dev, settings, run.world)
    if not math.isfinite(loss):
        raise RunFailed(f"step {position.step}: the loss on dev is {loss}", "lower it with --set training.rate=…")
    score = -loss
    if run.score:
        network.eval()
        with torch.no_grad():
            score = run.score(network)
        network.train()
    # Of equal scores the lower loss is better: early on, a share of right answers stays at zero for long.
    better = position.best is None or (score, -loss) > (position.best, -position.best_loss)
    position = replace(
        position,
        best=score if better else position.best,
        best_loss=loss if better else position.best_loss,
        best_step=position.step if better else position.best_step,
        waited=0 if better else position.waited + 1,
        looked_at=position.step,
    )
    if better and run.keep_best and run.world.leads:
        run.keep_best(position.step)
    return position, Evaluated(position.step, loss, score, better)


def mean_loss(network: nn.Module, dev: Batches, settings: Training, world: World = ALONE) -> float:
    """The loss a token, without dropout."""
    was_training = network.training
    network.eval()
    total = torch.zeros(2, dtype=torch.float64, device=dev.device)
    with torch.no_grad(), precision_of(settings, dev.device):
        for batch in dev.in_order():
            loss, tokens = network.loss(batch)  # type: ignore[operator]
            total += torch.stack([loss.double(), tokens.double()])
    network.train(was_training)
    world.sum([total])
    return float(total[0] / total[1])


class Meter:
    """Losses since the last report, fetched from the device all at once: a look at each would stall it."""

    def __init__(self) -> None:
        self.kept: list[tuple[Tensor, Tensor, Tensor]] = []
        self.since = time.monotonic()

    def add(self, numbers: tuple[Tensor, Tensor, Tensor]) -> None:
        self.kept.append(numbers)

    def report(self, step: int, epoch: int, rate: float) -> Step:
        """The event; a loss or gradient that is no number ends the run and names its step."""
        rows = torch.stack([torch.stack([one.float() for one in numbers]) for numbers in self.kept]).tolist()
        now = time.monotonic()
        first = step - len(rows) + 1
        for number, (loss, tokens, norm) in enumerate(rows, first):
            if not math.isfinite(loss) or not math.isfinite(norm) or not tokens:
                what = f"the loss is {loss}" if not math.isfinite(loss) else f"the gradient's norm is {norm}"
                raise RunFailed(
                    f"step {number}: {what}", "lower the rate (--set training.rate=…) or clip (--set training.clip=1)"
                )
        tokens = sum(row[1] for row in rows)
        event = Step(
            step,
            epoch,
            sum(row[0] for row in rows) / tokens,
            rate,
            rows[-1][2],
            tokens / max(now - self.since, 1e-9),
        )
        self.kept, self.since = [], now
        return event
