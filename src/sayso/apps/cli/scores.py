"""What `sayso eval` and `sayso score` share: flags, the sandbox, how scores are printed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.parser import whole_number
from sayso.core.errors import UserError

if TYPE_CHECKING:
    from sayso.core.types import Table, Task, Workspace
    from sayso.runs.recording import Report
    from sayso.runs.subject import Settings
    from sayso.scale import Engine

SPLITS = ("train", "dev", "test")


def add_scoring_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help="for example bash/command")
    parser.add_argument("--split", choices=SPLITS, default="dev", help="which part of the corpus (dev)")
    parser.add_argument(
        "--limit", type=whole_number(0), default=0, metavar="N", help="only the first N examples; nothing is stored"
    )
    parser.add_argument("--partial", action="store_true", help="count examples without a prediction as unscored")
    parser.add_argument("--resamples", type=whole_number(1), default=1000, metavar="N", help="of the bootstrap (1000)")
    parser.add_argument("--seed", type=whole_number(0), default=0, help="of bootstrap and partition (0)")
    parser.add_argument(
        "--partition", default="", metavar="K", help="measure K examples together, or all, where a task does so (1)"
    )
    add_engine_arguments(parser)
    add_sandbox_argument(parser)


def chosen_task(args: argparse.Namespace) -> Task:
    """The task that was named, measuring as many examples together as was asked for."""
    from sayso.targets import find_task

    task = find_task(args.task)
    if not args.partition:
        return task
    if task.in_cells is None:
        raise UserError(f"{task.name} measures every example by itself", "leave out --partition")
    return task.in_cells(args.partition, args.seed)


def add_engine_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--engine", choices=("serial", "processes", "ray"), default="serial", help="what measures")
    parser.add_argument("--workers", type=whole_number(0), default=0, metavar="N", help="of the engine (one per core)")
    parser.add_argument("--address", default="", help="of a Ray cluster")


def scoring_settings(args: argparse.Namespace, k: int = 5) -> Settings:
    from sayso.runs.scoring import Bootstrap
    from sayso.runs.subject import Settings

    bootstrap = Bootstrap(args.resamples, args.seed)
    return Settings(k=k, limit=args.limit, partial=args.partial, bootstrap=bootstrap, cells=args.partition)


def open_engine(args: argparse.Namespace) -> Engine:
    from sayso import scale

    return scale.open_engine(args.engine, args.workers, args.address)


def add_sandbox_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-sandbox", action="store_true", help="run no candidate; executed scores are left out")


def workspace(args: argparse.Namespace) -> Workspace:
    """The user's folders, with a sandbox where one works: without it, executed scores are absent."""
    from dataclasses import replace

    from sayso.core.errors import SandboxFailed
    from sayso.sandbox import open_sandbox

    found = settings.workspace()
    if args.no_sandbox:
        return found
    try:
        return replace(found, sandbox=open_sandbox(found.cache))
    except SandboxFailed as error:
        output.note(f"no executed scores: {error.message} ({error.hint})")
        return found


def print_report(report: Report, as_json: bool) -> None:
    if as_json:
        output.print_json(report.as_json())
    else:
        from sayso.runs.tables import text

        print(text(report_table(report)), end="")
    for note in report.notes:
        output.note(note)


def report_table(report: Report) -> Table:
    from sayso.core.types import Table
    from sayso.runs.tables import coverage, folded_note, interval_of, is_coverage, number

    rows = []
    for score in report.scores:
        ends = [number(score.name, end) for end in interval_of(score) or ()]
        unscored = ", ".join(f"{reason} {count}" for reason, count in score.unscored.items())
        shown = "verdicts only" if is_coverage(score) else number(score.name, score.value)
        between = coverage(score) if is_coverage(score) else " … ".join(ends)
        rows.append((score.name, shown, between, str(score.n), unscored or "0"))
    runs = f", run on test {report.test_runs} times" if report.split == "test" else ""
    notes = (*folded_note(report.scores), *(f"{score.name}: {score.signature}" for score in report.scores))
    return Table(
        f"{report.task} {report.split}, {report.system}{runs}",
        ("score", "value", "95 % interval", "n", "unscored"),
        tuple(rows),
        notes,
    )
