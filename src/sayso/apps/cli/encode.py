"""`sayso encode TASK --out DIR`: ids, vocabularies and jobs, ready to be trained on a machine that has only torch."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.core.errors import UnknownName, UserError

if TYPE_CHECKING:
    from sayso.core.types import Example, Split, Task, Workspace
    from sayso.experiments.recipe import Recipe


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help="for example bash/command")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the training folder to write")
    parser.add_argument("--also", metavar="TASK", help="another task over the same requests (notebook/apis)")
    parser.add_argument("--recipes", default="", metavar="A,B", help="which systems (all of the task)")
    parser.add_argument("--grain", choices=("char", "token", "subtoken"), help="only systems of this grain")
    parser.add_argument("--seeds", default="0", metavar="0,1", help="train each system once per seed (0)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting of all")
    parser.add_argument("--tiny", action="store_true", help="a few examples and units, to try the path")
    parser.epilog = (
        "Copy DIR/jobs.json, DIR/data and this package there, run `python -m sayso.training DIR --out OUT`, bring OUT "
        "back as DIR/out and run `sayso collect DIR`. DIR/home holds the words and stays here."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.experiments.override import override
    from sayso.experiments.recipe import make_job
    from sayso.experiments.systems import need_torch
    from sayso.experiments.tiny import shrink
    from sayso.experiments.views import looking
    from sayso.runs.provenance import examples_digest
    from sayso.targets import find_task
    from sayso.training.jobs import JOBS, write_folder

    task = find_task(args.task)
    if (args.out / JOBS).exists():
        raise UserError(f"{args.out} already holds a training folder", "give another --out, or remove it")
    need_torch()
    seeds = read_seeds(args.seeds)
    jobs = []
    tasks = [task, find_task(args.also)] if args.also else [task]
    for asked in tasks:
        before = "" if asked is task else f"{asked.name.rpartition('/')[2]}-"
        for recipe in chosen(asked, args.recipes, args.grain, names_folder(args.set), some=bool(before)):
            settled = override(shrink(recipe) if args.tiny else recipe, args.set)
            for seed in seeds:
                name = recipe.name if len(seeds) == 1 else f"{recipe.name}.seed{seed}"
                jobs.append(make_job(settled, seed, before + name))
    if args.also and not all(job.encoding.stored for job in jobs):
        raise UserError("--also needs recipes with stored cells", "leave it out, or --set encoding.stored=4")
    workspace = settings.workspace()
    splits: tuple[Split, ...] = ("train", "dev", "test")
    examples, *others = (load(one, workspace, splits, args.tiny) for one in tasks)
    also = {one.name.rpartition("/")[2]: rows for one, rows in zip(tasks[1:], others, strict=True)}
    data = write_folder(args.out, jobs, task.target, examples, examples_digest, looking(workspace), also)
    if args.json:
        described = {
            key: {"sizes": one.sizes, "counts": one.counts, "dropped": one.dropped} for key, one in data.items()
        }
        output.print_json(
            {"task": task.name, "out": str(args.out), "jobs": [job.name for job in jobs], "data": described}
        )
        return 0
    for key, one in data.items():
        counts = ", ".join(f"{split} {n}" for split, n in one.counts.items())
        left = "".join(f"; {reason} {n}" for reason, n in one.dropped.items())
        print(f"{key}: {counts}{left}; vocabularies {one.source_size} and {one.output_size}")
    print(f"{len(jobs)} jobs in {args.out}: {', '.join(job.name for job in jobs)}")
    return 0


def names_folder(changes: Sequence[str]) -> bool:
    return any(change.partition("=")[0].strip() == "model.folder" for change in changes)


def chosen(task: Task, names: str, grain: str | None, with_folder: bool = False, *, some: bool = False) -> list[Recipe]:
    """The recipes of a task; given a folder of weights, those that start from one; with `some`, those it has."""
    from sayso.experiments import RECIPES
    from sayso.experiments.recipe import for_task

    fitting = {name: recipe for name, recipe in RECIPES.items() if bool(recipe.needs) == with_folder}
    named = {name: recipe for name, recipe in fitting.items() if task.name in recipe.tasks}
    known = {name: for_task(recipe, task.name) for name, recipe in named.items()}
    if not known:
        raise UserError(f"there are no recipes for {task.name}", "`sayso recipes` lists those that exist")
    wanted = [name.strip() for name in names.split(",") if name.strip()] or list(known)
    wanted = [name for name in wanted if name in known] if some else wanted
    for name in wanted:
        if name in RECIPES and RECIPES[name].needs and not with_folder:
            raise UserError(
                f"{name} needs {RECIPES[name].needs}, which this build does not have",
                f"it trains {', '.join(known)}",
            )
        if name not in known:
            raise UnknownName(f"recipe of {task.name}", name, known)
    found = [known[name] for name in wanted if grain in (None, known[name].encoding.grain)]
    if not found:
        raise UserError(f"none of these recipes reads {grain}s", "leave out --grain, or name others")
    return found


def read_seeds(text: str) -> list[int]:
    try:
        seeds = [int(one) for one in text.split(",")]
    except ValueError:
        raise UserError(f'--seeds takes whole numbers, not "{text}"', "for example --seeds 0,1,2") from None
    if min(seeds) < 0 or len(set(seeds)) < len(seeds):
        raise UserError(f"--seeds must be 0 or more, once each, not {text}", "for example --seeds 0,1,2")
    return seeds


def load(task: Task, workspace: Workspace, splits: Sequence[Split], tiny: bool) -> dict[Split, Sequence[Example]]:
    """The examples of each split, or the first few."""
    from sayso.experiments.tiny import EXAMPLES
    from sayso.runs.subject import load_examples

    return {split: load_examples(task, split, workspace, EXAMPLES[split] if tiny else 0) for split in splits}
