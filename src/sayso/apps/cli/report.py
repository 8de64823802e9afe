"""`sayso report [TASK]`: tables and plots from stored predictions and the ledger, ours beside the paper's."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.apps import settings
from sayso.apps.cli import output, scores
from sayso.apps.cli.parser import whole_number
from sayso.apps.cli.progress import Progress
from sayso.core.errors import UserError

if TYPE_CHECKING:
    from sayso.core.types import Split, Task
    from sayso.runs.report import TaskReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", nargs="?", metavar="TASK", help="only this task (all that have results)")
    parser.add_argument("--split", choices=scores.SPLITS, help="only this split (dev and test)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write Markdown, PNG and SVG files here")
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="write all scores of the ledger there as one static HTML page"
    )
    parser.add_argument(
        "--examples",
        action="store_true",
        help="with --page: one TASK example by example instead, with the corpus's text and every system's candidates",
    )
    parser.add_argument(
        "--systems",
        default="",
        metavar="A,B",
        help="only these; two are put side by side, with the requests to look at",
    )
    parser.add_argument(
        "--score", default="", metavar="NAME", help="what errors are counted by (the task's first score)"
    )
    parser.add_argument(
        "--requests", type=whole_number(0), default=10, metavar="N", help="of two systems: so many a side (10; 0: all)"
    )
    parser.add_argument(
        "--seeds",
        action="store_true",
        help="NAME.seed0, NAME.seed1 … as one: means over seeds, and of one TASK pairs; --out draws lengths of answers",
    )
    scores.add_engine_arguments(parser)
    scores.add_sandbox_argument(parser)


def run(args: argparse.Namespace) -> int:
    from sayso.runs import layout
    from sayso.runs.report import Wanted, collect, has_results
    from sayso.runs.tables import text
    from sayso.targets import TASKS, find_task

    wanted = Wanted(tuple(filter(None, map(str.strip, args.systems.split(",")))), args.score)
    if (wanted.systems or wanted.score) and not (args.task or args.seeds):
        raise UserError("--systems and --score are about one task", "sayso report TASK --systems A,B")
    if args.examples and not (args.page and args.task):
        raise UserError("--examples is a page about one task", "sayso report TASK --page FILE --examples")
    if args.page:
        return write_examples(args, wanted.systems) if args.examples else write_page(args)
    if args.seeds:
        return run_seeds(args, wanted.systems)
    tasks = [find_task(args.task)] if args.task else list(TASKS.values())
    workspace, results = scores.workspace(args), settings.results()
    both: tuple[Split, ...] = ("dev", "test")
    engine = scores.open_engine(args)
    reports: list[TaskReport] = []
    written: list[Path] = []
    progress = Progress()
    for task in tasks:
        found_in = [split for split in both if has_results(task, split, results, wanted.systems)]
        splits = [args.split] if args.split else found_in or both
        try:
            collected = [
                collect(task, split, workspace, results, wanted, engine=engine, progress=progress) for split in splits
            ]
        finally:
            progress.close()
        found = [report for report in collected if report.systems]
        reports += found
        if args.out and found:
            written += write(task, found, args.out, args.requests)
    if args.json:
        output.print_json({"reports": [layout.as_json(report) for report in reports], "files": list(map(str, written))})
    else:
        for report in reports:
            for table in layout.tables(report):
                print(text(table))
            if report.contrast:
                print(layout.requests_to_see(report.contrast, args.requests))
    for note in dict.fromkeys(note for report in reports for note in report.notes):
        output.note(note)
    for path in written:
        output.note(f"wrote {path}")
    if not reports:
        places = " or ".join(map(str, results.folders))
        output.note(f"nothing is stored in {places}: run `sayso eval TASK --split dev` first")
    return 0


def write_page(args: argparse.Namespace) -> int:
    """The leaderboard, from the ledger alone."""
    from sayso.core.files import write_atomically
    from sayso.runs.elsewhere import caution
    from sayso.runs.leaderboard import page, standings
    from sayso.runs.predictions import abstained_share
    from sayso.targets import TASKS, find_task

    tasks = [find_task(args.task).name] if args.task else list(TASKS)
    results = settings.results()
    entries, notes = results.ledger.read()

    def abstained(task: str, system: str, split: str) -> float | None:
        return abstained_share(results.stored(task, system, "test" if split == "test" else "dev"))

    found = standings(entries, tasks, [args.split] if args.split else [], abstained)
    if not found:
        raise UserError("the ledger holds no scores of that", "run `sayso eval TASK --split dev` first")
    with write_atomically(args.page) as file:
        file.write(page(found, {name: caution(find_task(name), settings.workspace()) for name in tasks}).encode())
    parts = len({(one.task, one.split) for one in found})
    if args.json:
        output.print_json({"page": str(args.page), "tables": parts, "systems": len(found)})
    for note in notes:
        output.note(note)
    output.note(f"wrote {args.page}: {parts} tables, {len(found)} rows of systems")
    return 0


def write_examples(args: argparse.Namespace, systems: tuple[str, ...]) -> int:
    """Request by request, on dev unless another split is named; it holds corpus text, so it is for this machine."""
    from sayso.core.files import write_atomically
    from sayso.runs.examples_page import page_of
    from sayso.targets import find_task

    task = find_task(args.task)
    split: Split = args.split or "dev"
    progress = Progress()
    try:
        page, examples, count = page_of(task, split, settings.workspace(), settings.results(), systems, progress)
    finally:
        progress.close()
    with write_atomically(args.page) as file:
        file.write(page.encode())
    if args.json:
        output.print_json({"page": str(args.page), "examples": examples, "systems": count})
    output.note(f"wrote {args.page}: {examples} examples of {task.name} {split}, {count} systems; it holds corpus text")
    return 0


def run_seeds(args: argparse.Namespace, systems: tuple[str, ...]) -> int:
    """Means over seeds of one task, or of all that have several; on test unless another split is named."""
    from sayso.runs.seeds import collect_seeds, seed_tables, seeds_json, stem_of, wide_table
    from sayso.runs.seeds_plots import draw_lengths, lengths_json, measure_lengths
    from sayso.runs.tables import markdown, text
    from sayso.targets import TASKS, find_task

    split: Split = args.split or "test"
    workspace, results = scores.workspace(args), settings.results()
    stored = {task: results.systems(task, split) for task in TASKS}
    several = [
        TASKS[name]
        for name, found in stored.items()
        if any(one != stem_of(one) for one in found) and (not systems or {*systems} & {*map(stem_of, found)})
    ]
    reports, shapes, engine = [], [], scores.open_engine(args)
    for task in [find_task(args.task)] if args.task else several:
        progress = Progress()
        try:
            report = collect_seeds(
                task, split, workspace, results, systems, args.score, engine=engine, progress=progress
            )
        finally:
            progress.close()
        if not report.systems:
            continue
        reports.append(report)
        shapes.append(seeds_json(report))
        if args.out or args.json:
            lengths = measure_lengths(task, split, workspace, results, report)
            shapes[-1]["lengths"] = lengths_json(lengths)
            if args.out:
                output.note(f"wrote {draw_lengths(report, lengths, args.out)}")
    if not reports:
        raise UserError(f"nothing with seeds is stored about {split}", "run `sayso eval TASK --split dev` first")
    if args.json:
        output.print_json({"reports": shapes})
    elif args.task:
        print("\n".join(text(table) for table in seed_tables(reports[0])))
    else:
        print(markdown(wide_table(reports)))
    return 0


def write(task: Task, reports: list[TaskReport], folder: Path, requests: int) -> list[Path]:
    """One Markdown page a task and its figures; of two systems a text file with the requests, which is corpus text."""
    from sayso.core.files import write_atomically
    from sayso.runs import layout
    from sayso.runs.plots import draw
    from sayso.runs.tables import markdown

    name = task.name.replace("/", "-")
    figures = {report.split: draw(report, folder) for report in reports}
    page = [f"# {task.name}", ""]
    texts: dict[Path, str] = {}
    for report in reports:
        page += [f"## {report.split}", "", *(markdown(table) for table in layout.tables(report))]
        page += [f"![{path.stem}]({path.name})\n" for path in figures[report.split] if path.suffix == ".svg"]
        if report.contrast:
            path = folder / f"{name}.{report.split}.{'-beside-'.join(report.contrast.systems)}.txt"
            texts[path] = layout.requests_to_see(report.contrast, requests)
    texts = {folder / f"{name}.md": "\n".join(page), **texts}
    for path, text in texts.items():
        with write_atomically(path) as file:
            file.write(text.encode())
    return [*texts, *(figure for paths in figures.values() for figure in paths)]
