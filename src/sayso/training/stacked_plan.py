"""`python -m sayso.training.stacked_plan PLAN.json --out OUT`: train stacks of jobs, one after the other, on a GPU.

A plan lists stacks; a stack lists jobs of the training folders beside it (`experiments/api_plan.py` writes one for
Okapi).
Rate and dropout are tried on dev with a seed that is not used again. What a stack answered goes out as one archive.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import platform
import sys
import time
import traceback
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from sayso.core.given import finite
from sayso.models.stacked_trunk import read_trunk
from sayso.training.decode import pack_answers
from sayso.training.jobs import read_data, read_jobs
from sayso.training.pieces import Outbox
from sayso.training.runner import find_device
from sayso.training.stacked import MOST, Looked, Stack, Trunk
from sayso.training.stacked_data import Member

BEGAN = time.monotonic()
TRIAL_SEED, TRIAL_LOOKS = 100, 3


@dataclass(frozen=True)
class Settings:
    """What is tried on dev: Adam's rate, dropout, and the part of the rate that a pretrained encoder gets."""

    rate: float
    dropout: float
    share: float = 1.0

    def __str__(self) -> str:
        part = "" if self.share == 1 else f" share {self.share:g}"
        return f"rate {self.rate:g} dropout {self.dropout:g}{part}"


Chosen = dict[str, Settings]


def say(line: str) -> None:
    print(f"[{time.monotonic() - BEGAN:6.1f}] {line}", flush=True)


def read_member(row: Mapping[str, Any], root: Path) -> Member:
    folder = root / row["folder"]
    job = next(one for one in read_jobs(folder) if one.name == row["job"])
    rows, dev_rows = tuple(row.get("rows", ())), tuple(row.get("dev_rows", ()))
    return Member(row["name"], folder, job, read_data(folder, job), rows, row.get("ends", True), dev_rows)


def with_settings(member: Member, settings: Settings, seed: int | None = None) -> Member:
    job = member.job
    model, training = {**job.model, "dropout": settings.dropout}, replace(job.training, rate=settings.rate)
    job = replace(job, model=model, training=training)
    return replace(member, job=job if seed is None else replace(job, seed=seed))


def choose(members: Sequence[Member], plan: Mapping[str, Any], seconds: float, place: Place) -> Settings:
    """Of settings what is best on dev, on average over the members; those of one rate are tried side by side."""
    found: dict[Settings, float] = {}
    together: dict[tuple[float, float], list[Settings]] = {}
    for row in plan["grid"]:
        one = Settings(*row)
        together.setdefault((one.rate, one.share), []).append(one)
    for (rate, share), grid in together.items():
        tried = [with_settings(one, settings, TRIAL_SEED) for settings in grid for one in members]
        made = Stack(tried, place.device, ("train", "dev"), trunk=trunk_of(plan, place, share))
        for _ in made.fit(rate, time.monotonic() + seconds, TRIAL_LOOKS, plan["batch"]):
            pass
        for number, settings in enumerate(grid):
            scores = made.best_score[number * len(members) : (number + 1) * len(members)]
            found[settings] = sum(scores) / len(scores)
        say(f"  tried for {made.step} updates{'; '.join(['', *made.notes])}")
        del made
        free(place.device)
    say("  " + ", ".join(f"{settings}: {score:.3f}" for settings, score in found.items()))
    return max(found, key=lambda key: found[key])


def trunk_of(plan: Mapping[str, Any], place: Place, share: float) -> Trunk | None:
    """The encoder that a plan names, a file beside it."""
    return Trunk(read_trunk(place.root / plan["trunk"]), share) if "trunk" in plan else None


def free(device: torch.device) -> None:
    gc.collect()
    if device.type == "cuda":
        torch.cuda.synchronize()
        torch.cuda.empty_cache()


@dataclass(frozen=True)
class Place:
    """Where a plan is carried out."""

    root: Path
    out: Outbox
    device: torch.device


def run_stack(plan: Mapping[str, Any], place: Place, chosen: Chosen, until: float) -> None:
    """Choose settings where the plan has a grid, train, answer, send home; all of it until then."""
    began = time.monotonic()
    members = [read_member(row, place.root) for row in plan["members"]]
    if "grid" in plan:
        first = [one for one, row in zip(members, plan["members"], strict=True) if row.get("tune")]
        chosen[plan["system"]] = choose(first, plan, plan["tune"] * (until - began), place)
    settings = chosen.get(plan["system"]) or Settings(*plan["settings"])
    say(f"{plan['name']}: {len(members)} networks, {settings}")
    trunk = trunk_of(plan, place, settings.share)
    settled = [with_settings(one, settings) for one in members]
    made = Stack(settled, place.device, ("train", "dev", "test"), trunk=trunk)
    curves = []
    answering = plan["answering"] * (until - began)
    for looked in made.fit(settings.rate, until - answering, plan["looks"], plan["batch"], plan.get("most", MOST)):
        curves.append(looked)
        say(f"  step {looked.step}: {summary(made, looked)}")
    for note in made.notes:
        say(f"  {note}")
    trained = time.monotonic() - began
    files = answers_of(made, plan) | results_of(made, plan, curves, trained)
    place.out.put(f"{plan['name']}.zip", zipped(files))
    say(f"{plan['name']}: {made.step} updates, {time.monotonic() - began:.0f} s, {place.out.size:,} bytes are out")


def summary(made: Stack, looked: Looked) -> str:
    """Means over seeds."""
    by_system: dict[str, list[float]] = {}
    for one, score in zip(made.members, looked.scores, strict=True):
        by_system.setdefault(one.name.rpartition(".")[0], []).append(score)
    shown = ", ".join(f"{name} {sum(scores) / len(scores):.3f}" for name, scores in by_system.items())
    return f"loss {sum(looked.losses) / len(looked.losses):.3f}; {shown}"


def answers_of(made: Stack, plan: Mapping[str, Any]) -> dict[str, bytes]:
    """`NAME/SPLIT.npz` for each member; `SPLIT.endless.npz` are answers that may not end."""
    groups: dict[tuple[str, str, bool], list[int]] = {}
    for at, row in enumerate(plan["members"]):
        for split, ends in row["answers"]:
            groups.setdefault((split, row["folder"], ends), []).append(at)
    files = {}
    for (split, _, ends), which in groups.items():
        found = made.answer(which, split, plan["longest"], ends=ends)
        for at, answers in zip(which, found, strict=True):
            files[f"{made.members[at].name}/{split}{'' if ends else '.endless'}.npz"] = pack_answers(answers)
    return files


def results_of(made: Stack, plan: Mapping[str, Any], looks: Sequence[Looked], seconds: float) -> dict[str, bytes]:
    """What happened to each member, as a job that runs alone says it."""
    files = {}
    cuda = made.device.type == "cuda"
    for at, one in enumerate(made.members):
        training = replace(one.job.training, steps=made.step, batch=plan["batch"])
        decoding = replace(one.job.decoding, longest=plan["longest"])
        result = {
            "job": asdict(replace(one.job, training=training, decoding=decoding)),
            "data": asdict(one.data),
            "step": made.step,
            "best_step": made.best_step[at],
            "reason": "time",
            "parameters": sum(weight[0].numel() for weight in made.weights.values()),
            "seconds": round(seconds, 1),
            "together": len(made.members),
            "rows": len(one.rows),
            "dev_rows": len(one.dev_rows),
            "trunk_share": None if made.trunk is None else made.trunk.share,
            "ends": one.ends,
            "device": torch.cuda.get_device_name(made.device) if cuda else "cpu",
            "processes": 1,
            "versions": {"python": platform.python_version(), "torch": torch.__version__},
            "curves": [
                {"kind": "dev", "step": look.step, "loss": look.losses[at], "score": look.scores[at]} for look in looks
            ],
        }
        files[f"{one.name}/result.json"] = json.dumps(result).encode()
    return files


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Hundreds of small results as one."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.training.stacked_plan", description=__doc__)
    parser.add_argument("plan", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seconds", type=finite, required=True, help="shared among the stacks by their weights")
    args = parser.parse_args(argv)
    place = Place(args.plan.parent, Outbox(args.out), find_device(args.device))
    torch.set_float32_matmul_precision("high")  # what is not in half precision: a recurrence, at twice the speed
    plans = json.loads(args.plan.read_bytes())
    chosen: Chosen = {}
    failed = 0
    for number, plan in enumerate(plans):
        share = plan["weight"] / sum(one["weight"] for one in plans[number:])
        now = time.monotonic()
        try:
            run_stack(plan, place, chosen, now + share * (BEGAN + args.seconds - now))
        except Exception as error:  # a lent machine is gone in minutes: one stack must not take the others with it
            traceback.print_exc()
            say(f"{plan['name']} failed: {error}")
            failed += 1
        free(place.device)
    say(f"done: {len(place.out.index['results'])} stacks, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
