"""A stack of networks (`models/stacked.py`) with their data: trained by one recorded graph, answered all at once.

Each network has its own rows and seed; the rate follows a cosine over the time that the stack is given. Dev is answered
now and then, and every network keeps the weights that were best on it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.english.vocabulary import BOS, EOS, PAD
from sayso.models import make_network
from sayso.models.copynet import CopyNetSettings
from sayso.models.stacked import Parameters, Rows, make_drop, stack
from sayso.models.stacked_copynet import StackedCopyNet
from sayso.models.stacked_transformer import StackedTransformer
from sayso.models.stacked_trunk import PREFIX, CutTrunk, head_shape, make_head
from sayso.training.decode import Answer
from sayso.training.stacked_data import Member, Table, make_table, orders

WARM_UP, CLIP, MOST = 200, 1.0, 8_000
SHARE = 0.99  # of the rows of train that are not too long
DEV_ROWS = 256  # of each network, when dev is looked at
TOGETHER = 24_000  # rows that are answered at once, all networks together


@dataclass(frozen=True)
class Looked:
    """A look at dev: the mean loss since the last one, and the share of answers that are the reference, by network."""

    step: int
    losses: list[float]
    scores: list[float]


class Adam:
    """Adam over stacked weights, at a rate that lies on the device; gradients may come in any layout.

    A GPU has one kernel for all of it, which wants gradients laid out as the weights are: they get places of their own.
    `shares` are parts of the rate, one for each leaf.
    """

    def __init__(
        self, leaves: Sequence[Tensor], speed: Tensor, *, fused: bool, shares: Sequence[float] | None = None
    ) -> None:
        self.leaves, self.speed = leaves, speed
        self.shares = list(shares or [1.0] * len(leaves))
        for one in leaves:
            one.grad = torch.zeros_like(one)
        self.rates = {share: torch.zeros_like(speed) for share in self.shares}
        groups = [
            {"params": [one for one, own in zip(leaves, self.shares, strict=True) if own == share], "lr": rate}
            for share, rate in self.rates.items()
        ]
        self.fused = torch.optim.Adam(groups, fused=True, capturable=True) if fused else None
        self.means = [] if fused else [torch.zeros_like(one, requires_grad=False) for one in leaves]
        self.squares = [torch.zeros_like(one) for one in self.means]
        self.count = torch.zeros((), device=speed.device)

    @torch.no_grad()
    def move(self, gradients: Sequence[Tensor], scale: Tensor) -> None:
        """One update; `scale` (networks,) multiplies each network's gradients."""
        for leaf, gradient in zip(self.leaves, gradients, strict=True):
            torch.mul(gradient.to(leaf.dtype), scale.view(-1, *[1] * (gradient.dim() - 1)), out=leaf.grad)
        for share, rate in self.rates.items():
            torch.mul(self.speed, share, out=rate)
        if self.fused:
            self.fused.step()
            return
        self.count += 1
        warm, root = 1 - 0.9**self.count, (1 - 0.999**self.count).sqrt()
        for leaf, share, mean, square in zip(self.leaves, self.shares, self.means, self.squares, strict=True):
            assert leaf.grad is not None
            mean.lerp_(leaf.grad, 0.1)
            square.mul_(0.999).addcmul_(leaf.grad, leaf.grad, value=0.001)
            leaf.sub_(self.rates[share] / warm * mean / (square.sqrt() / root + 1e-8))


@dataclass(frozen=True)
class Trunk:
    """A pretrained encoder that every network starts from, and its part of the rate."""

    encoder: CutTrunk
    share: float = 1.0


def make_model(network: nn.Module, sizes: Tensor, trunk: Trunk | None) -> StackedCopyNet | StackedTransformer:
    """What computes all of the networks, given one of them and the sizes of their vocabularies."""
    if trunk is not None:
        copies = any("pointer" in name for name, _ in network.named_parameters())
        return StackedTransformer(head_shape(network), sizes, False, copies, trunk.encoder.model)
    settings: Any = network.settings
    if isinstance(settings, CopyNetSettings):
        return StackedCopyNet(settings, sizes)
    return StackedTransformer(settings.shape, sizes, settings.shared, settings.copies)


class Stack:
    """Networks that differ in data, seed, rate of dropout and vocabulary alone."""

    def __init__(
        self,
        members: Sequence[Member],
        device: torch.device,
        splits: Sequence[str],
        *,
        lower: bool | None = None,
        trunk: Trunk | None = None,
    ) -> None:
        self.members, self.device, self.trunk = members, device, trunk
        networks = []
        for one in members:
            torch.manual_seed(one.job.seed)
            networks.append(
                make_network(one.job.network, {**one.job.model, **one.data.sizes})
                if trunk is None
                else make_head(one.job.model, trunk.encoder, one.data.output_size)
            )
        sizes = torch.tensor([one.data.output_size for one in members], device=device)
        self.largest = int(sizes.max())
        self.model = make_model(networks[0], sizes, trunk)
        # A recurrence is bound by the number of its kernels, not by their width: single precision costs it nothing.
        recurrent = isinstance(self.model, StackedCopyNet)
        self.lower = (device.type == "cuda" and not recurrent) if lower is None else lower
        weights = {} if trunk is None else trunk.encoder.copies(len(members))
        self.weights = {name: one.to(device).requires_grad_() for name, one in (weights | stack(networks)).items()}
        self.drop = make_drop(torch.tensor([float(one.job.model["dropout"]) for one in members], device=device))
        shares = {"train": SHARE}
        self.tables = {
            split: make_table(members, split, self.largest, device, shares.get(split, 1.0)) for split in splits
        }
        if trunk is not None:
            self.tables = {
                split: replace(table, source=trunk.encoder.renumber(table.source))
                for split, table in self.tables.items()
            }
        self.best = {name: one.detach().clone() for name, one in self.weights.items()}
        self.best_score = [-1.0] * len(members)
        self.best_step = [0] * len(members)
        self.step = 0
        self.notes: list[str] = []
        """What did not work, and was done in another way."""

    def cast(self, parameters: Mapping[str, Tensor]) -> Parameters:
        return {name: one.to(torch.bfloat16) if self.lower else one for name, one in parameters.items()}

    def fit(self, rate: float, until: float, looks: int, batch: int = 32, most: int = MOST) -> Iterator[Looked]:
        """Train until then (of time.monotonic), or for so many updates where that is less, and look at dev so often.

        The weights that were best are kept.
        """
        networks = len(self.members)
        index = torch.zeros(networks, batch, dtype=torch.long, device=self.device)
        speed = torch.zeros((), device=self.device)
        order = torch.from_numpy(orders(self.members, self.tables["train"], most, batch)).to(self.device)
        index.copy_(order[:, 0])
        run = self.make_run(index, speed)
        began = time.monotonic()
        total, since, looked, done = torch.zeros(networks, device=self.device), 0, 0, 0.0
        while done < 1:
            warm = min(1.0, (self.step + 1) / WARM_UP)
            speed.fill_(rate * warm * max(0.01, (1 + math.cos(math.pi * done)) / 2))
            index.copy_(order[:, self.step])
            total += run()
            self.step += 1
            since += 1
            if self.device.type == "cuda" and self.step % 20 == 0:
                torch.cuda.synchronize()  # or the clock would run ahead of the device
            done = max((time.monotonic() - began) / max(until - began, 1e-3), self.step / most)
            if done * looks >= looked + 1 or done >= 1:
                looked += 1
                yield self.look((total / since).tolist())
                total, since = torch.zeros_like(total), 0

    def make_run(self, index: Tensor, speed: Tensor) -> Callable[[], Tensor]:
        """The fastest way to update that this machine can go."""
        if self.device.type == "cuda":
            for fused in (True, False):
                try:
                    return self.record(self.make_update(index, speed, fused=fused))
                except RuntimeError as error:  # what a version of torch cannot record, another can
                    self.notes.append(f"no graph, fused {fused}: {error}")
        return self.make_update(index, speed, fused=False)

    def make_update(self, index: Tensor, speed: Tensor, *, fused: bool) -> Callable[[], Tensor]:
        """One update of all networks by the rows `index` of train; returns the mean loss a label of each."""
        leaves = list(self.weights.values())
        slow = 1.0 if self.trunk is None else self.trunk.share
        shares = [slow if name.startswith(PREFIX) else 1.0 for name in self.weights]
        adam = Adam(leaves, speed, fused=fused, shares=shares)
        table = self.tables["train"]

        def update() -> Tensor:
            rows = table.take(index, 0)
            losses = self.model.losses(self.cast(self.weights), rows, self.drop)
            counts = (rows.target[:, :, 1:] != PAD).sum((1, 2)).clamp(min=1)
            each = losses.sum((1, 2)) / counts
            gradients = torch.autograd.grad(each.sum(), leaves)
            norms = torch.stack([one.flatten(1).float().pow(2).sum(1) for one in gradients]).sum(0).sqrt()
            adam.move(gradients, (CLIP / (norms + 1e-6)).clamp(max=1.0))  # of each network for itself
            return each.detach()

        return update

    def record(self, update: Callable[[], Tensor]) -> Callable[[], Tensor]:
        """The whole update as one graph; it is run twice before, at a rate of 0."""
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                update()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            held = update()

        def run(kept: Callable[[], Tensor] = update) -> Tensor:
            """`kept` owns Adam's state, which the graph reads and writes without holding it."""
            graph.replay()
            return held

        return run

    def look(self, losses: list[float]) -> Looked:
        """Answer some of dev, and keep the weights of every network that was never better."""
        table = self.tables["dev"]
        longest = table.target.shape[1] + 2
        index = torch.stack([self.dev_index(at) for at in range(len(self.members))])
        rows = table.take(index.to(self.device), self.extra(table))
        said = self.greedy(self.cast(self.weights), range(len(self.members)), rows, longest)
        wanted = F.pad(rows.target[:, :, 1:], (0, longest - rows.target.shape[2] + 1))
        wanted = torch.where(wanted == EOS, PAD, wanted)
        said = torch.where((said == EOS).cumsum(-1) > 0, PAD, said)
        # One that has no end is cut where the reference ends.
        ends = torch.tensor([one.ends for one in self.members], device=self.device)[:, None, None]
        scores = ((said == wanted) | (~ends & (wanted == PAD))).all(2).float().mean(1).tolist()
        better = [at for at, score in enumerate(scores) if score >= self.best_score[at]]
        for at in better:
            self.best_score[at], self.best_step[at] = scores[at], self.step
        chosen = torch.tensor(better, dtype=torch.long, device=self.device)
        for name, one in self.weights.items():
            self.best[name][chosen] = one.detach()[chosen]
        return Looked(self.step, losses, scores)

    def dev_index(self, at: int) -> Tensor:
        """Rows of dev that a look answers: as many for every network, so those of a small dev more than once."""
        table, rows = self.tables["dev"], self.members[at].dev_rows
        if not rows:
            return torch.arange(DEV_ROWS) % table.count[at] + table.first[at]
        room = min(TOGETHER // len(self.members), max(len(one.dev_rows) for one in self.members))
        places = torch.arange(room)
        spread = places * len(rows) // room if len(rows) > room else places % len(rows)
        return torch.tensor(rows)[spread] + table.first[at]

    def extra(self, table: Table) -> int:
        return max(int(table.extended.max()) - self.largest + 1, 0)

    @torch.no_grad()
    def greedy(
        self, parameters: Parameters, which: Sequence[int], rows: Rows, longest: int, *, ends: bool = True
    ) -> Tensor:
        """(networks, rows, longest) ids of the members `which`; unless it `ends`, no answer may end."""
        model: Any = replace(self.model, sizes=self.model.sizes[list(which)])
        last = torch.full(rows.source.shape[:2], BOS, device=self.device)
        never = torch.tensor([PAD, BOS] if ends else [PAD, BOS, EOS], device=self.device)
        state = model.start(parameters, rows)
        said, over = [], torch.zeros_like(last, dtype=torch.bool)
        for step in range(longest):
            log_probs = model.step(parameters, state, rows, last)
            last = log_probs.index_fill(-1, never, float("-inf")).argmax(-1)
            said.append(last)
            over |= last == EOS
            if ends and step % 8 == 7 and bool(over.all()):
                break
        return F.pad(torch.stack(said, 2), (0, longest - len(said)))

    def answer(self, which: Sequence[int], split: str, longest: int, *, ends: bool = True) -> list[list[list[Answer]]]:
        """One answer of each of these members to every row of a split, in ids of their own."""
        table = self.tables[split]
        parameters = self.cast({name: one[list(which)] for name, one in self.best.items()})
        most = max(table.count[at] for at in which)
        chunk = max(1, min(most, TOGETHER // len(which)))
        found: list[list[list[Answer]]] = [[] for _ in which]
        for start in range(0, most, chunk):
            places = torch.arange(start, start + chunk)
            index = torch.stack([places.clamp(max=table.count[at] - 1) + table.first[at] for at in which])
            rows = table.take(index.to(self.device), self.extra(table))
            said = self.greedy(parameters, which, rows, longest, ends=ends).cpu()
            for own, at in enumerate(which):
                moved = said[own] - self.largest + self.members[at].data.output_size
                ids = torch.where(said[own] >= self.largest, moved, said[own]).tolist()
                found[own] += [[(until_end(row), 0.0)] for row in ids[: max(0, table.count[at] - start)]]
        return found


def until_end(ids: list[int]) -> tuple[int, ...]:
    """[7, 8, EOS, 9] -> (7, 8)"""
    end = next((at for at, one in enumerate(ids) if one in (EOS, PAD)), len(ids))
    return tuple(ids[:end])
