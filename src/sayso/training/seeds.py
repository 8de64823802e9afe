"""`python -m sayso.training.seeds FOLDER --plan PLAN --out OUT`: the seeds of a recurrent recipe as one network.

A GPU launches the kernels of all its processes one after the other, and a small recurrence is nothing but launches. So
what differs by seed alone goes through one recorded graph (`torch.func.vmap`), each with its own weights, dropout and
rows; only the shapes of their batches come in one order. A plan is {"RECIPE": weight, …}: recipes follow each other,
each for its weight's share of what is left of the time. Answers are searched seed by seed, and go out as they come.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from sayso.core.given import finite
from sayso.models.batch import Batch
from sayso.training.__main__ import say
from sayso.training.batches import Batches
from sayso.training.decode import judge, pack_answers
from sayso.training.jobs import read_jobs
from sayso.training.loop import Stopped, mean_loss, total_steps
from sayso.training.pieces import LIMITS, Outbox
from sayso.training.runner import Workplace, answers_to, find_device, result
from sayso.training.schedule import rate_at
from sayso.training.stacked import Adam

ANSWERING = 12.0
"""Seconds kept for the answers of a seed, unless told otherwise."""
LOOKS = 8


class Loss(nn.Module):
    """A network whose call is its loss, as `functional_call` wants it."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, source: Tensor, extended: Tensor, target: Tensor, extra: int) -> tuple[Tensor, Tensor]:
        """The sum of the losses and the number of labels."""
        found: tuple[Tensor, Tensor] = self.network.loss(Batch(source, extended, target, extra))  # type: ignore[operator]
        return found


@dataclass
class Seeds:
    """Networks of one recipe, one a seed."""

    places: Sequence[Workplace]
    best: list[tuple[float, float]] = field(default_factory=list)
    best_step: list[int] = field(default_factory=list)
    curves: list[list[dict[str, Any]]] = field(default_factory=list)
    step: int = 0

    def __post_init__(self) -> None:
        self.device, self.settings = self.places[0].device, self.places[0].job.training
        networks = [place.network for place in self.places]
        self.weights = {
            name: torch.stack([one.state_dict()[name] for one in networks]).requires_grad_()
            for name, _ in networks[0].named_parameters()
        }
        self.kept = {name: one.detach().clone() for name, one in self.weights.items()}
        self.base = Loss(networks[0]).train()
        self.train = [place.train for place in self.places]
        self.best, self.best_step = [(-math.inf, 0.0)] * len(networks), [0] * len(networks)
        self.curves = [[] for _ in networks]
        self.dev = self.places[0].batches("dev")
        self.score = judge(self.settings.judge, self.dev.whole, self.places[0].job.decoding, self.device)

    def losses(self, source: Tensor, extended: Tensor, target: Tensor, extra: int) -> tuple[Tensor, Tensor]:
        """(seeds, rows, time) ids -> the sum of losses and the number of labels of each."""

        def one(weights: dict[str, Tensor], *ids: Tensor) -> tuple[Tensor, Tensor]:
            named = {f"network.{name}": value for name, value in weights.items()}
            found: tuple[Tensor, Tensor] = torch.func.functional_call(self.base, named, (*ids, extra))
            return found

        both: tuple[Tensor, Tensor] = torch.func.vmap(one, randomness="different")(
            self.weights, source, extended, target
        )
        return both

    def batches(self) -> Iterator[Batch]:
        """Of every epoch: the same shapes for all, drawn by the first seed, and the rows of each seed by itself."""
        first = self.train[0]
        for number in range(self.settings.epochs):
            order = np.random.Generator(np.random.PCG64([self.places[0].job.seed, number]))
            cuts = [self.cut(one, number) for one in self.train]
            for at in order.permutation(len(cuts[0])):
                rows = [first._batch(*cut[at]) for cut in cuts]
                yield Batch(
                    torch.stack([one.source for one in rows]),
                    torch.stack([one.source_extended for one in rows]),
                    torch.stack([one.target for one in rows]),
                    rows[0].extra,
                )

    def cut(self, own: Batches, number: int) -> list[Any]:
        random = np.random.Generator(np.random.PCG64([own.seed, number, 7]))
        return [part for bucket in own.buckets for part in own._cut(bucket, random.permutation(bucket.rows))]

    def one_of_each(self) -> Iterator[Batch]:
        """A batch of every shape, the largest first."""
        for one in self.train[0].one_of_each():
            source, copied, target = (
                side.expand(len(self.places), *side.shape).clone()
                for side in (one.source, one.source_extended, one.target)
            )
            yield Batch(source, copied, target, one.extra)

    def fit(self, seconds: float, records: bool = True) -> None:
        """Train until the time or the steps are used up; the weights that were best on dev are kept, seed by seed."""
        began, speed = time.monotonic(), torch.zeros((), device=self.device)
        run = Updates(self, speed, records=records and self.device.type == "cuda")
        run.prepare(self.one_of_each())
        seconds, began = seconds - (time.monotonic() - began), time.monotonic()  # the rate falls over what is trained
        most = total_steps(self.settings, self.train[0])
        total, since, looked = torch.zeros(len(self.places), device=self.device), 0, 0
        for batch in self.batches():
            spent = (time.monotonic() - began) / max(seconds, 1e-9)
            speed.fill_(rate_at(self.settings, self.step + 1, spent))
            total += run(batch)
            self.step += 1
            since += 1
            if self.device.type == "cuda" and self.step % 20 == 0:
                torch.cuda.synchronize()  # or the clock would run ahead of the device
            done = max((time.monotonic() - began) / max(seconds, 1e-9), self.step / most)
            if done * LOOKS >= looked + 1 or done >= 1:
                looked += 1
                self.look((total / since).tolist())
                total, since = torch.zeros_like(total), 0
            if done >= 1:
                break

    def put(self, at: int, weights: dict[str, Tensor]) -> nn.Module:
        """The weights of one seed in a network; the one that losses are computed by serves all."""
        network = self.places[0].network
        with torch.no_grad():
            for name, one in network.named_parameters():
                one.copy_(weights[name][at])
        return network

    def look(self, losses: Sequence[float]) -> None:
        for at, place in enumerate(self.places):
            network = self.put(at, self.weights).eval()
            loss = mean_loss(network, self.dev, self.settings)
            with torch.no_grad():
                score = self.score(network) if self.score else -loss
            if (score, -loss) > self.best[at] or not self.best_step[at]:
                self.best[at], self.best_step[at] = (score, -loss), self.step
                for name, one in self.kept.items():
                    one[at] = self.weights[name].detach()[at]
            self.curves[at].append({"kind": "dev", "step": self.step, "loss": loss, "score": score})
            network.train()
            told = f"train {losses[at]:.3f}, dev {loss:.3f}, {self.settings.judge} {score:.4f}"
            say(f"{place.job.name} step {self.step}: {told}")


class Updates:
    """One update for every shape of batch; a GPU records each once, unless told to step for itself."""

    def __init__(self, seeds: Seeds, speed: Tensor, *, records: bool) -> None:
        self.seeds, self.leaves, self.records = seeds, list(seeds.weights.values()), records
        self.adam = Adam(self.leaves, speed, fused=seeds.device.type == "cuda")
        self.recorded: dict[tuple[object, ...], Callable[[Batch], Tensor]] = {}
        self.pool: Any = None

    def __call__(self, batch: Batch) -> Tensor:
        return self.recorded[shape_of(batch)](batch) if self.records else self.update(batch)

    def prepare(self, batches: Iterable[Batch]) -> None:
        """Record all before anything is trained: what cannot be recorded says so at once, and memory is taken once."""
        for batch in batches if self.records else ():
            self.recorded[shape_of(batch)] = self.record(batch)
            torch.cuda.empty_cache()  # what warming up took: others may share the GPU

    def update(self, batch: Batch, *, moves: bool = True) -> Tensor:
        """The mean loss a label of each seed."""
        losses, counts = self.seeds.losses(batch.source, batch.source_extended, batch.target, batch.extra)
        each = losses / counts
        gradients = torch.autograd.grad(each.sum(), self.leaves)
        norms = torch.stack([one.flatten(1).pow(2).sum(1) for one in gradients]).sum(0).sqrt()
        if moves:
            self.adam.move(gradients, (self.seeds.settings.clip / (norms + 1e-6)).clamp(max=1.0))
        return each.detach()

    def record(self, batch: Batch) -> Callable[[Batch], Tensor]:
        held = Batch(batch.source.clone(), batch.source_extended.clone(), batch.target.clone(), batch.extra)
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            if not self.recorded:  # Adam makes its own state at its first step, which none may record
                before = [one.detach().clone() for one in self.leaves]
                self.update(held)
                with torch.no_grad():
                    for one, old in zip(self.leaves, before, strict=True):
                        one.copy_(old)
            for _ in range(2):
                self.update(held, moves=False)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        self.pool = self.pool or torch.cuda.graph_pool_handle()
        with torch.cuda.graph(graph, pool=self.pool):
            each = self.update(held)

        def run(new: Batch) -> Tensor:
            held.source.copy_(new.source)
            held.source_extended.copy_(new.source_extended)
            held.target.copy_(new.target)
            graph.replay()
            return each

        return run


def shape_of(batch: Batch) -> tuple[object, ...]:
    return batch.source.shape, batch.target.shape, batch.extra


def run_recipe(
    places: Sequence[Workplace], seconds: float, out: Outbox, splits: Sequence[str], records: bool = True
) -> None:
    """Train the seeds, then answer with each of them."""
    began = time.monotonic()
    made = Seeds(places)
    made.fit(seconds, records)
    trained = time.monotonic() - began
    say(f"{places[0].job.recipe}: {made.step} updates in {trained:.0f} s")
    made.weights.clear()
    if made.device.type == "cuda":
        torch.cuda.empty_cache()
    for at, place in enumerate(places):
        stopped = Stopped(made.step, "time" if trained >= seconds else "steps", made.best_step[at])
        answering = Workplace(place.folder, place.job, place.work, place.device)
        answering.__dict__["network"] = made.put(at, made.kept).eval()
        for split in splits:
            out.put(f"{place.job.name}/{split}.npz", pack_answers(answers_to(answering, split, place.job.decoding)))
        told = {**result(place, stopped, trained), "curves": made.curves[at], "together": len(places)}
        out.put(f"{place.job.name}/result.json", json.dumps(told).encode())
        say(f"{place.job.name} is out after {time.monotonic() - began:.0f} s")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.training.seeds", description=__doc__)
    parser.add_argument("folder", type=Path, help="what `sayso encode --seeds 0,1,2` wrote")
    parser.add_argument("--plan", type=json.loads, required=True, help='{"RECIPE": weight, …}, in their order')
    parser.add_argument("--out", type=Path, required=True, help="where results go")
    parser.add_argument("--work", type=Path, required=True, help="a folder for what is thrown away")
    parser.add_argument("--seconds", type=finite, required=True, help="in all")
    parser.add_argument("--answering", type=finite, default=ANSWERING, help="kept for the answers of each seed (12)")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (auto)")
    parser.add_argument("--splits", default="dev,test", help="what to answer once trained (dev,test)")
    parser.add_argument(
        "--speed", choices=("auto", "eager"), default="auto", help="eager records nothing; auto where recording fails"
    )
    args = parser.parse_args(argv)
    began, jobs, device = time.monotonic(), read_jobs(args.folder), find_device(args.device)
    out = Outbox(args.out, LIMITS)
    plan = {name: float(weight) for name, weight in args.plan.items()}
    for number, name in enumerate(plan):
        for records in (True, False) if args.speed == "auto" else (False,):
            places = [
                Workplace(args.folder, job, args.work / job.name, device)
                for job in jobs
                if job.recipe == name and not any(one.startswith(f"{job.name}/") for one in out.index["results"])
            ]
            coming = list(plan)[number:]
            left = args.seconds - (time.monotonic() - began) - args.answering * len(places) * len(coming)
            share = plan[name] / sum(plan[one] for one in coming)
            splits = [split for split in args.splits.split(",") if split]
            try:
                if places:
                    run_recipe(places, max(1.0, left * share), out, splits, records)
                break
            except RuntimeError as error:  # what a version of torch cannot record, it can still run
                if not records:
                    raise
                say(f"{name}: {error}; again without recorded steps")
            finally:
                gc.collect()
                if device.type == "cuda":
                    torch.cuda.empty_cache()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
