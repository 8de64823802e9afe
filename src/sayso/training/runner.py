"""One job of a training folder, from ids to answers: the same on a laptop and on a lent GPU."""

from __future__ import annotations

import gc
import json
import math
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save
from torch import nn

from sayso.core.errors import BadFile, MachineError
from sayso.core.files import write_atomically
from sayso.models import make_network
from sayso.training.arrays import Encoded, load_encoded, some_of
from sayso.training.batches import Batches
from sayso.training.cells import load_cells
from sayso.training.checkpoint import Checkpoints, Tensors, put_weights, read_tensors, weights_of
from sayso.training.curves import Curves
from sayso.training.decode import Answer, answer, best_alpha, judge, pack_answers
from sayso.training.in_step import Group, in_step
from sayso.training.jobs import Data, Job, identity, read_data
from sayso.training.loop import ALONE, Event, Run, Stopped, fit, total_steps
from sayso.training.pieces import Outbox
from sayso.training.settings import Decoding
from sayso.training.speed import is_lower, speed_of
from sayso.training.together import World
from sayso.training.weights import pack_weights, unpack_weights

BEST = "best.safetensors"


@dataclass(frozen=True)
class Workplace:
    """A job with the folder that it is in, the folder that it works in, and the device."""

    folder: Path
    job: Job
    work: Path
    device: torch.device
    world: World = ALONE

    @cached_property
    def data(self) -> Data:
        return read_data(self.folder, self.job)

    @cached_property
    def network(self) -> nn.Module:
        torch.manual_seed(self.job.seed)
        return make_network(self.job.network, {**self.job.model, **self.data.sizes}).to(self.device)

    @cached_property
    def train(self) -> Batches:
        return self.batches("train", self.job.seed)

    @cached_property
    def checkpoints(self) -> Checkpoints:
        return Checkpoints(self.work, identity(self.job, self.data), max(1, self.job.training.average))

    @property
    def total_steps(self) -> int:
        return total_steps(self.job.training, self.train)

    def encoded(self, split: str) -> Encoded:
        path = self.folder / "data" / self.job.encoding.key / f"{split}.npz"
        if self.job.encoding.stored:
            whole = load_cells(path, self.data.arrays.get(split, "")).read(self.job.encoding, self.job.answers)
        else:
            whole = load_encoded(path, self.data.arrays.get(split, ""))
        if split == "train":
            whole = some_of(whole, self.job.training.share)
        sizes = self.data.sizes
        if int(whole.source.flat.max()) >= sizes["source_size"] or beyond(whole, sizes["output_size"]):
            raise BadFile(f"{path} holds ids that its vocabulary does not", "write it again with `sayso encode`")
        return whole

    def batches(self, split: str, seed: int = 0) -> Batches:
        settings = self.job.training
        return Batches(
            self.encoded(split), settings.batch, settings.tokens, settings.shapes, seed,
            self.world.rank, self.world.size, fixed=speed_of(settings, self.device) != "eager", device=self.device,
        )  # fmt: skip


def check_job(job: Job, device: torch.device) -> None:
    """Refuse settings that make no network, or none for this device, before hours are spent on the data."""
    speed_of(job.training, device)
    is_lower(job.training, device)
    with torch.device("meta"):
        make_network(job.network, {**job.model, "source_size": 100, "output_size": 100})


def beyond(whole: Encoded, size: int) -> bool:
    """Whether a reference holds an id that is neither a word nor one of its request's own."""
    most = size + (int(whole.extra.max()) if len(whole.extra) else 0)
    return len(whole.target.flat) > 0 and int(whole.target.flat.max()) >= most


def find_device(name: str) -> torch.device:
    """ "auto" is a GPU where there is one; "cuda" insists."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise MachineError("there is no GPU that torch can use on this machine", "--device cpu, or --device auto")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise MachineError(f'"{name}" is no device', "--device auto, cpu or cuda") from error
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    return device


def train(place: Workplace, seconds: float = math.inf, report_every: int = 20) -> Iterator[Event]:
    """Fit the job's network, taking up what an earlier try left; curves and best weights are kept as it goes."""
    job = place.job

    def keep_best(step: int) -> None:
        with write_atomically(place.work / BEST) as file:
            file.write(save(weights_of(place.network), {"step": str(step)}))

    dev = place.batches("dev")
    run = Run(
        seed=job.seed, world=place.world, checkpoints=place.checkpoints, keep_best=keep_best,
        score=judge(job.training.judge, dev.whole, job.decoding, place.device), seconds=seconds,
        report_every=report_every,
    )  # fmt: skip
    curves = Curves(place.work)
    for event in fit(place.network, place.train, job.training, dev, run):
        if place.world.leads:
            curves.add(event)
        yield event


def finished_weights(place: Workplace) -> Tensors:
    """The mean of the last checkpoints, or the weights that were best on dev."""
    if place.job.training.average > 1:
        return place.checkpoints.average()
    return read_tensors(place.work / BEST)


def ship(place: Workplace, stopped: Stopped, out: Outbox, splits: tuple[str, ...], seconds: float) -> None:
    """Put the answers, the result and the weights into the outbox, the small things first.

    Answers are those of the weights as they are kept, so that whoever loads these finds the same.
    """
    job = place.job
    ships = job.training.ship != "none"
    content = pack_weights(finished_weights(place), job.training.ship if ships else "fp32")
    put_weights(place.network, unpack_weights(content, job.name), place.work)
    settings = job.decoding
    scores: dict[float, float] = {}
    if settings.alphas:
        alpha, scores = best_alpha(place.network, place.encoded("dev"), settings, job.training.judge, place.device)
        settings = replace(settings, alpha=alpha)
    for split in splits:
        if split not in place.data.arrays:  # a view may have no requests of a split
            continue
        out.put(f"{job.name}/{split}.npz", pack_answers(answers_to(place, split, settings)))
    told = {**result(place, stopped, seconds), "alpha": settings.alpha, "alphas": scores}
    out.put(f"{job.name}/result.json", json.dumps(told).encode())
    if ships:
        out.put(f"{job.name}/weights.safetensors", content)


def answers_to(place: Workplace, split: str, settings: Decoding) -> list[list[Answer]]:
    return answer(place.network, place.encoded(split), settings, place.device)


def result(place: Workplace, stopped: Stopped, seconds: float) -> dict[str, Any]:
    """What happened, in plain values."""
    return {
        "job": asdict(place.job),
        "data": asdict(place.data),
        "step": stopped.step,
        "best_step": stopped.best_step,
        "epochs": round(stopped.step * place.job.training.accumulate / place.train.per_epoch, 1),
        "rows": len(place.train.whole),
        "reason": stopped.reason,
        "parameters": sum(one.numel() for one in place.network.parameters()),
        "seconds": round(seconds, 1),
        "device": torch.cuda.get_device_name(place.device) if place.device.type == "cuda" else "cpu",
        "processes": place.world.size,
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "curves": Curves(place.work).read(),
    }


def run_job(
    folder: Path,
    job: Job,
    work: Path,
    out: Outbox,
    device: torch.device,
    seconds: float,
    splits: tuple[str, ...],
    beside: Sequence[str] = (),
) -> Iterator[Event]:
    """Train and ship; the last event comes when everything is in the outbox.

    `beside` names the jobs that run now and answer with as many epochs (`in_step`).
    """
    started = time.monotonic()
    place = Workplace(folder, job, work, device)
    events = train(place, seconds)
    if beside:
        group = Group(work.parent / "in-step", job.name, beside)
        per_epoch = -(-place.train.per_epoch // job.training.accumulate)
        events = in_step(events, place.network, per_epoch, group, place.work / BEST, seconds)
    stopped: Stopped | None = None
    for event in events:
        if isinstance(event, Stopped):
            stopped = event
        else:
            yield event
    if stopped is not None:
        if device.type == "cuda":  # what recorded updates held is room for the search
            gc.collect()
            torch.cuda.empty_cache()
        ship(place, stopped, out, splits, time.monotonic() - started)
        yield stopped
