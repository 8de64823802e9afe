"""`sayso report [TASK]`: tables and plots from stored predictions and the ledger, ours beside the paper's."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.apps import settings
from sayso.apps.cli import output, scores
from sayso.apps.cli.progress import Progress

if TYPE_CHECKING:
    from sayso.core.types import Split, Task
    from sayso.runs.report import TaskReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", nargs="?", metavar="TASK", help="only this task (all that have results)")
    parser.add_argument("--split", choices=scores.SPLITS, help="only this split (dev and test)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write Markdown, PNG and SVG files here")
    scores.add_sandbox_argument(parser)


def run(args: argparse.Namespace) -> int:
    from sayso.runs import layout
    from sayso.runs.report import collect
    from sayso.runs.store import Results
    from sayso.runs.tables import text
    from sayso.targets import TASKS, find_task

    tasks = [find_task(args.task)] if args.task else list(TASKS.values())
    workspace, results = scores.workspace(args), Results(settings.results_folder())
    splits: tuple[Split, ...] = (args.split,) if args.split else ("dev", "test")
    reports: list[TaskReport] = []
    written: list[Path] = []
    progress = Progress()
    for task in tasks:
        try:
            collected = [collect(task, split, workspace, results, progress=progress) for split in splits]
        finally:
            progress.close()
        found = [report for report in collected if report.systems]
        reports += found
        if args.out and found:
            written += write(task, found, args.out)
    if args.json:
        output.print_json({"reports": [layout.as_json(report) for report in reports], "files": list(map(str, written))})
    else:
        for report in reports:
            for table in layout.tables(report):
                print(text(table))
    for note in dict.fromkeys(note for report in reports for note in report.notes):
        output.note(note)
    for path in written:
        output.note(f"wrote {path}")
    if not reports:
        output.note(f"nothing is stored in {results.folder}: run `sayso eval TASK --split dev --system NAME` first")
    return 0


def write(task: Task, reports: list[TaskReport], folder: Path) -> list[Path]:
    """One Markdown page a task, and its figures."""
    from sayso.core.files import write_atomically
    from sayso.runs import layout
    from sayso.runs.plots import draw
    from sayso.runs.tables import markdown

    figures = {report.split: draw(report, folder) for report in reports}
    page = [f"# {task.name}", ""]
    for report in reports:
        page += [f"## {report.split}", "", *(markdown(table) for table in layout.tables(report))]
        page += [f"![{path.stem}]({path.name})\n" for path in figures[report.split] if path.suffix == ".svg"]
    path = folder / f"{task.name.replace('/', '-')}.md"
    with write_atomically(path) as file:
        file.write("\n".join(page).encode())
    return [path, *(figure for paths in figures.values() for figure in paths)]
