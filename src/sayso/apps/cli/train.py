"""`sayso train RECIPE --out DIR`: one system, trained here, with progress, curves, a ledger line and exact resume."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.encode import load
from sayso.apps.cli.parser import amount
from sayso.apps.cli.progress import Progress
from sayso.core.errors import MissingPart, UserError

if TYPE_CHECKING:
    from sayso.neural.bundle import Bundle
    from sayso.runs.recording import Clock
    from sayso.training.jobs import Job
    from sayso.training.loop import Stopped
    from sayso.training.runner import Workplace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recipe", metavar="RECIPE", help="a name that `sayso recipes` lists")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder of this training")
    parser.add_argument("--task", metavar="TASK", help="for a system of several tasks (its first)")
    parser.add_argument("--seed", type=int, default=0, help="of weights, order and dropout (0)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change one setting")
    parser.add_argument("--resume", action="store_true", help="go on with what DIR holds, settings included")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (auto)")
    parser.add_argument("--minutes", type=amount(0, 1e6), default=0.0, metavar="M", help="stop and save then (never)")
    parser.add_argument("--tiny", action="store_true", help="a few examples and units, to try the path")
    parser.epilog = (
        "`sayso recipes RECIPE` shows every setting. DIR/bundle holds the result: `sayso eval TASK --system "
        "DIR/bundle`. A killed training goes on with --resume and ends with the same weights as one left alone (on "
        "the CPU, to the bit). Two processes: `torchrun --nproc-per-node 2 -m sayso train …`."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.experiments import find_recipe
    from sayso.experiments.override import override
    from sayso.experiments.systems import need_torch
    from sayso.targets import TASKS

    recipe = find_recipe(args.recipe)
    if lacking := override(recipe, args.set).lacks(TASKS):
        raise MissingPart(
            f"{recipe.name} needs {lacking}, which this build does not have", "`sayso recipes` lists the rest"
        )
    if args.seed < 0:
        raise UserError(f"--seed must be 0 or more, not {args.seed}")
    need_torch()
    from sayso.runs.recording import Clock
    from sayso.training.runner import Workplace, check_job, find_device
    from sayso.training.together import join_world, leave_world

    device = find_device(args.device)
    job, is_new = settle(args, recipe.name)
    check_job(job, device)
    clock, world = Clock(), join_world(device)
    place = Workplace(args.out, job, args.out / "work", device, world)
    if world.leads:
        prepare(args, place, is_new)
    world.wait()
    stopped, worked = follow(place, args.minutes * 60 or float("inf"))
    if world.leads:
        bundle = finish(args, place, stopped)
        if worked:
            record(args, place, stopped, bundle, clock)
        report(args, place, stopped, bundle, clock.wall())
    leave_world()
    return 0


def settle(args: argparse.Namespace, recipe: str) -> tuple[Job, bool]:
    """What to train: what the folder holds if it is to be resumed, else the recipe; --set goes on top of both."""
    from sayso.experiments import find_recipe
    from sayso.experiments.override import override
    from sayso.experiments.recipe import for_task, make_job
    from sayso.experiments.tiny import shrink
    from sayso.training.jobs import JOBS, read_jobs

    if not (args.out / JOBS).exists():
        found = find_recipe(recipe)
        found = for_task(found, args.task or found.task)
        return make_job(override(shrink(found) if args.tiny else found, args.set), args.seed), True
    if not args.resume:
        raise UserError(f"{args.out} already holds a training", "add --resume to go on with it, or give another --out")
    (job, *others) = read_jobs(args.out)
    if others or job.recipe != recipe:
        raise UserError(f"{args.out} holds a training of {job.recipe}, not of {recipe}", "give another --out")
    if args.task not in (None, job.task):
        raise UserError(f"{args.out} holds a training for {job.task}, not for {args.task}", "give another --out")
    changed = override(job, args.set)
    if changed.encoding != job.encoding:
        raise UserError("the encoding of a training cannot change half-way", "give another --out")
    return changed, False


def prepare(args: argparse.Namespace, place: Workplace, is_new: bool) -> None:
    """Write the training folder, or see that what it holds can be taken up with these settings."""
    from sayso.experiments.views import looking
    from sayso.runs.provenance import examples_digest
    from sayso.targets import find_task
    from sayso.training.jobs import write_folder, write_jobs

    job = place.job
    if is_new:
        task = find_task(job.task)
        workspace = settings.workspace()
        examples = load(task, workspace, ("train", "dev"), args.tiny)
        write_folder(args.out, [job], task.target, examples, examples_digest, looking(workspace))
        return
    if not place.checkpoints.check():
        output.note(f"{args.out} holds no checkpoint yet: training starts at the beginning")
    write_jobs(args.out, [job])


def follow(place: Workplace, seconds: float) -> tuple[Stopped, bool]:
    """Show what happens until it stops; False where there was nothing left to do."""
    from sayso.training.loop import Evaluated, Step, Stopped
    from sayso.training.runner import train

    progress, looks, worked = Progress(), sys.stderr.isatty(), False
    try:
        for event in train(place, seconds, report_every=10):
            if isinstance(event, Step):
                worked = True
                progress("training", event.step, place.total_steps)
            elif isinstance(event, Evaluated) and looks:
                progress.close()
                best = ", the best so far" if event.better else ""
                print(f"step {event.step}: dev loss {event.loss:.3f}, score {event.score:.4g}{best}", file=sys.stderr)
            elif isinstance(event, Stopped):
                return event, worked
    finally:
        progress.close()
    raise AssertionError("fit ends with Stopped")


def finish(args: argparse.Namespace, place: Workplace, stopped: Stopped) -> Bundle:
    """The result as a bundle."""
    from sayso.training.runner import finished_weights
    from sayso.training.translator import write_network_bundle
    from sayso.training.weights import pack_weights

    weights = pack_weights(finished_weights(place), place.job.training.ship)
    return write_network_bundle(args.out / "bundle", args.out, place.job, place.data, weights, asdict(stopped))


def record(args: argparse.Namespace, place: Workplace, stopped: Stopped, bundle: Bundle, clock: Clock) -> None:
    """A line in the ledger."""
    from sayso.runs import ledger

    job, data = place.job, place.data
    how = {"tiny": args.tiny, "device": place.device.type, "processes": place.world.size}
    settings.results().ledger.append(
        ledger.entry(
            "train", job.task, job.name, settings={**asdict(job), **asdict(stopped), **how},
            data=data.examples["train"], bundle=bundle.signature, seed=job.seed, wall_seconds=clock.wall(),
            cpu_seconds=clock.cpu(),
        )
    )  # fmt: skip


def report(args: argparse.Namespace, place: Workplace, stopped: Stopped, bundle: Bundle, seconds: float) -> None:
    from sayso.training.curves import Curves

    rows = Curves(place.work).read()
    dev = {row["step"]: row for row in rows if row["kind"] == "dev"}
    best = dev.get(stopped.best_step, {})
    try:
        figures = [str(path) for path in draw(rows, place.job.name, args.out / "curves")]
    except MissingPart as error:
        figures = []
        output.note(f"no figure of the curves: {error.message}")
    answer: dict[str, Any] = {
        "recipe": place.job.recipe, "task": place.job.task, "seed": place.job.seed, "steps": stopped.step,
        "best_step": stopped.best_step, "reason": stopped.reason, "loss": best.get("loss"), "score": best.get("score"),
        "seconds": seconds, "bundle": str(bundle.folder), "signature": bundle.signature, "figures": figures,
    }  # fmt: skip
    if args.json:
        output.print_json(answer)
        return
    print(f"{place.job.name}: {stopped.step} steps, ended by {stopped.reason}, best at {stopped.best_step}", end="")
    print(f" (dev loss {best['loss']:.3f}, score {best['score']:.4g})" if best else "")
    print(f"sayso eval {place.job.task} --split dev --system {bundle.folder}")


def draw(rows: list[dict[str, Any]], name: str, stem: Path) -> list[Path]:
    """Loss on train and dev over updates, and the score where it is another number; PNG and SVG."""
    from sayso.runs.plots import COLOURS, FIXED, find_matplotlib, save_figure

    matplotlib = find_matplotlib()
    from matplotlib.figure import Figure

    with matplotlib.rc_context(FIXED):
        figure = Figure(figsize=(5.2, 3.4), layout="constrained")
        axes = figure.subplots()
        for colour, kind in zip(COLOURS, ("train", "dev"), strict=False):
            points = [(row["step"], row["loss"]) for row in rows if row["kind"] == kind]
            marker = "o" if kind == "dev" else ""
            axes.plot(*zip(*points, strict=True), color=colour, marker=marker, markersize=3, label=f"loss on {kind}")
        scores = [(row["step"], row["score"]) for row in rows if row["kind"] == "dev" and row["score"] != -row["loss"]]
        if scores:
            right = axes.twinx()
            right.plot(*zip(*scores, strict=True), color=COLOURS[2], marker="D", markersize=3, label="score on dev")
            right.set_ylabel("score on dev", color=COLOURS[2])
        axes.set_xlabel("updates")
        axes.set_ylabel("loss a token")
        axes.set_title(name, fontsize=9)
        axes.legend(fontsize=7, frameon=False)
        return save_figure(figure, stem)
