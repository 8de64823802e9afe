"""Okapi's systems as stacks: `python -m sayso.experiments.api_plan plan FOLDER --data DATA`, and `home FOLDER OUT`.

FOLDER holds what `sayso encode --seeds 0,1,2,3,4` wrote for each of the ten tasks, by the task's name, and in `tuned`
what it wrote for the system that starts from pretrained weights. `plan` says what is trained together (table 7, the
ablation without an end of §6, figure 10) and for how long; `home` gives every task's folder what came back for it, so
that `sayso collect` scores it.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import shutil
import sys
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sayso.core.files import write_atomically
from sayso.core.types import Split, Workspace
from sayso.english.vocabulary import SPECIALS
from sayso.experiments.api import SPLITS, TASKS
from sayso.targets import find_task
from sayso.targets.api import language
from sayso.training.arrays import load_encoded
from sayso.training.jobs import read_job, read_jobs, write_jobs
from sayso.training.pieces import Limits, Outbox, join_pieces

SEEDS, VARIANT_SEEDS = range(5), range(3)
# Rate, pairs in a batch (a recurrence takes as long for twice as many), and the longest answer, in tokens or pieces.
SYSTEMS = {"transformer-copy-scratch": (5e-4, 32, 40), "t5-scratch": (5e-4, 32, 90), "lstm-attention": (1e-3, 64, 40)}
DROPOUTS = (0.1, 0.3)
# Fine-tuned; of the rate its pretrained encoder gets a part. Both are tried on dev.
TUNED, TUNED_FOLDER, TRUNK = "transformer-copy-minilm-tuned", "tuned", "trunk.npz"
TUNED_GRID = ((5e-4, 0.1, 0.1), (5e-4, 0.1, 0.4), (2e-4, 0.1, 1.0))
# Figure 10: shares of train and of dev, and as many updates as the same system has in table 7.
PARTS, PARTS_SYSTEM, PARTS_UPDATES = (0.125, 0.25, 0.5, 0.75, 1.0), "transformer-copy-scratch", 1653
PARTS_TASKS = ("program-document", "program-email", "program-calendar")
ENDLESS = ".endless.npz"


def make_plan(workspace: Workspace, only: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Okapi from nothing, then SCAN, then what is fine-tuned; or the stacks of these names alone, in their order."""
    names = [task.partition("/")[2] for task in TASKS]
    okapi = [name for name in names if name.startswith(SPLITS)]
    scan = [name for name in names if name not in okapi]
    plans: list[dict[str, Any]] = []
    for system, (rate, batch, longest) in SYSTEMS.items():
        rows = members(system, okapi, "length")
        grid = {"grid": [(rate, dropout) for dropout in DROPOUTS], "tune": 0.08, "answering": 0.1}
        settings: dict[str, Any] = {"weight": 3, "looks": 6, "longest": longest, "batch": batch}
        plans.append({"name": f"{system}.okapi", "system": system, "members": rows, **settings, **grid})
    for system, (rate, _, _) in SYSTEMS.items():
        settings = {"weight": 2, "looks": 6, "longest": 60, "batch": 64, "answering": 0.1, "settings": (rate, 0.1)}
        rows = members(system, scan, "scan-length")
        plans.append({"name": f"{system}.scan", "system": system, "members": rows, **settings})
    for name, tasks, settings in (
        ("okapi", okapi, {"weight": 5, "longest": 60, "tune": 0.1, "answering": 0.08, "grid": TUNED_GRID}),
        ("scan", scan, {"weight": 2, "longest": 60, "answering": 0.1, "settings": TUNED_GRID[0]}),
    ):
        rows = [{**row(TUNED, task, seed), "tune": seed == 0} for task in tasks for seed in SEEDS]
        rows = [{**one, "folder": f"{TUNED_FOLDER}/{one['folder']}"} for one in rows]
        settings |= {"looks": 6, "batch": 32, "trunk": TRUNK}
        plans.append({"name": f"{TUNED}.{name}", "system": TUNED, "members": rows, **settings})
    rate, batch, longest = SYSTEMS[PARTS_SYSTEM]
    plans.append(
        {
            "name": f"{PARTS_SYSTEM}.sizes", "system": f"{PARTS_SYSTEM}.sizes", "members": sizes(workspace),
            "weight": 3, "looks": 6, "longest": longest, "batch": batch, "answering": 0.15, "most": PARTS_UPDATES,
            "settings": (rate, DROPOUTS[0]),
        }
    )  # fmt: skip
    by_name = {plan["name"]: plan for plan in plans}
    return [by_name[name] for name in only] or plans


def members(system: str, tasks: Sequence[str], long: str) -> list[dict[str, Any]]:
    """Every seed of every task; where answers are longer than in train, also without an end, and with it barred."""
    found = []
    for task in tasks:
        barred = [("test", False)] if task.startswith(long) else []
        found += [{**row(system, task, seed), "tune": seed == 0} for seed in SEEDS]
        for one in found[-len(SEEDS) :]:
            one["answers"] = [*one["answers"], *barred]
    for task in tasks:
        if task.startswith(long):
            endless = {"ends": False, "answers": [("dev", False), ("test", False)]}
            found += [{**row(system, task, seed, ".no-end"), **endless} for seed in VARIANT_SEEDS]
    return found


def row(system: str, task: str, seed: int, mark: str = "") -> dict[str, Any]:
    name = f"{task}/{system}{mark}.seed{seed}"
    return {"name": name, "folder": task, "job": f"{system}.seed{seed}", "answers": [("dev", True), ("test", True)]}


def sizes(workspace: Workspace) -> list[dict[str, Any]]:
    """Figure 10: every share of train, with dev reduced to the same share, as the paper has it."""
    found = []
    for task in PARTS_TASKS:
        for part in PARTS:
            for seed in VARIANT_SEEDS:
                rows, dev_rows = (subset(workspace, task, split, part, seed) for split in ("train", "dev"))
                name = row(PARTS_SYSTEM, task, seed, f".part{round(part * 1000)}")
                found.append({**name, "rows": rows, "dev_rows": dev_rows})
    return found


def subset(workspace: Workspace, task: str, split: Split, part: float, seed: int) -> list[int]:
    """Rows of a split: the same share of every template (Okapi §6, "Training Size"), at least one of each."""
    rows = defaultdict(list)
    for at, example in enumerate(find_task(f"api/{task}").load(workspace, split)):
        rows[language.template(example.references[0])].append(at)
    draw = random.Random(seed)
    return sorted(at for name in sorted(rows) for at in draw.sample(rows[name], max(1, round(part * len(rows[name])))))


def pieces_of(folder: Path) -> list[int]:
    """Every piece that a request of the tuned system has, by the pretrained folder's own number."""
    found: set[int] = set()
    for path in sorted((folder / TUNED_FOLDER).glob("*/data/*/*.npz")):
        found.update(np.unique(load_encoded(path).source.flat).tolist())
    return [one - len(SPECIALS) for one in sorted(found) if one >= len(SPECIALS)]


def read_archives(out: Path) -> dict[str, dict[str, bytes]]:
    """Task → file of a member (`SYSTEM.seed0/test.npz`) → content."""
    found: dict[str, dict[str, bytes]] = defaultdict(dict)
    for content in join_pieces(out).values():
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                task, _, rest = name.partition("/")
                found[task][rest] = archive.read(name)
    return found


def bring_home(folder: Path, out: Path) -> dict[str, int]:
    """Task → jobs that came back for it. A folder's jobs become those that were trained, with what was chosen on dev.

    Variants of a job stay behind: they are no systems of their own, and `api_tables.py` reads them from OUT.
    """
    counts = {}
    for task, files in read_archives(out).items():
        if not (folder / task).is_dir():
            continue
        jobs = {job.name: job for job in read_jobs(folder / task)}
        shutil.rmtree(folder / task / "out", ignore_errors=True)
        box = Outbox(folder / task / "out", Limits(files=1 << 10, total=1 << 40))
        for name, content in files.items():
            job, _, part = name.partition("/")
            if job in jobs and not name.endswith(ENDLESS):
                box.put(name, content)
                if part == "result.json":
                    jobs[job] = read_job(json.loads(content)["job"])
        write_jobs(folder / task, list(jobs.values()))
        counts[task] = sum(f"{job}/result.json" in box for job in jobs)
    return counts


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.api_plan", description=__doc__)
    parser.add_argument("do", choices=("plan", "home"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path, nargs="?", help="home: what came back")
    parser.add_argument("--data", type=Path, help="plan: the corpora")
    parser.add_argument("--weights", type=Path, help="plan: the pretrained folder, for the systems in FOLDER/tuned")
    parser.add_argument("--only", default="", metavar="A,B", help="plan: these stacks, in this order")
    args = parser.parse_args(argv)
    if args.do == "plan" and args.data:
        only = [one for one in args.only.split(",") if one]
        with write_atomically(args.folder / "plan.json") as file:
            file.write(json.dumps(make_plan(Workspace(args.data, args.data), only)).encode() + b"\n")
        if args.weights:
            from sayso.models.stacked_trunk import cut_trunk

            with write_atomically(args.folder / TRUNK) as file:
                file.write(cut_trunk(args.weights, pieces_of(args.folder)))
    elif args.do == "home" and args.out:
        print(json.dumps(bring_home(args.folder, args.out)))
    else:
        parser.error("plan needs --data, home needs OUT")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
