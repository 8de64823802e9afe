"""`sayso eval TASK --split dev --system NAME_OR_DIR`: predictions, then scores."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.apps import settings
from sayso.apps.cli import output, scores
from sayso.apps.cli.parser import whole_number
from sayso.apps.cli.progress import Progress
from sayso.core.errors import BadBundle, UnknownName, UserError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sayso.core.types import System, Task, Workspace
    from sayso.runs.store import Results
    from sayso.translate.bundle import Bundle


def open_network(bundle: Bundle, workspace: Workspace) -> System:
    from sayso.recipes.systems import open_network as opened

    return opened(bundle, workspace)


# The kind of a bundle → what makes a system of it.
OPENERS: dict[str, Callable[[Bundle, Workspace], System]] = {"network": open_network}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    scores.add_scoring_arguments(parser)
    parser.add_argument("--system", required=True, metavar="NAME_OR_DIR", help="a system's name or a bundle's folder")
    parser.add_argument("--fresh", action="store_true", help="run the model even where its predictions are stored")
    parser.add_argument(
        "-k", type=whole_number(1, settings.MOST_CANDIDATES), default=5, metavar="N", help="candidates per request (5)"
    )
    parser.add_argument("--predictions-out", type=Path, metavar="FILE", help="also write the predictions here")
    parser.epilog = (
        "Stored predictions are scored without the model unless --fresh is given. A run on test is counted in the "
        "ledger. An interrupted run goes on where it stopped when the same command is given again."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.runs.evaluate import evaluate, was_interrupted
    from sayso.runs.journal import journal_path
    from sayso.runs.rescore import rescore
    from sayso.runs.store import Results
    from sayso.runs.subject import Subject
    from sayso.targets import find_task

    task = find_task(args.task)
    chosen = scores.scoring_settings(args, args.k)
    results = Results(settings.results_folder())
    name, open_system, bundle = find_system(args, task, results)
    workspace = scores.workspace(args)
    subject = Subject(task, args.split, name, bundle)
    stored = results.predictions(task.name, name, args.split)
    engine, progress = scores.open_engine(args), Progress()
    try:
        must_run = args.fresh or not has_run(stored, bundle)
        system = open_system(workspace) if open_system and (must_run or journal_path(stored).exists()) else None
        if system and (must_run or was_interrupted(subject, system, workspace, results, chosen)):
            report = evaluate(subject, system, workspace, results, chosen, args.predictions_out, engine, progress)
        else:
            report = rescore(subject, stored, workspace, results, chosen, engine, progress)
            output.note(f"scored the predictions in {stored}; --fresh runs the system again")
            if args.predictions_out:
                copy(stored, args.predictions_out)
    finally:
        progress.close()
    scores.print_report(report, args.json)
    return 0


def find_system(
    args: argparse.Namespace, task: Task, results: Results
) -> tuple[str, Callable[[Workspace], System] | None, str]:
    """The name, what opens the system (None: only its predictions are here), and the signature of its bundle."""
    given: str = args.system
    if given in task.systems:
        return given, task.systems[given], ""
    stored = results.systems(task.name, args.split)
    if given in stored:
        if args.fresh:
            raise UserError(f"{given} cannot be run here: only its predictions are stored", "leave out --fresh")
        return given, None, ""
    if Path(given).is_dir():
        return find_bundle(Path(given), task)
    raise UnknownName(f"system of {task.name}", given, {*task.systems, *stored})


def find_bundle(folder: Path, task: Task) -> tuple[str, Callable[[Workspace], System], str]:
    from sayso.translate.bundle import load_bundle

    bundle = load_bundle(folder)
    if bundle.target != task.target.name:
        raise BadBundle(f"{folder} is a bundle for {bundle.target}, not for {task.target.name}")
    if bundle.kind not in OPENERS:
        raise BadBundle(f'{folder}: this sayso cannot run a "{bundle.kind}"', "upgrade sayso, or name another system")
    return bundle.name, lambda workspace: OPENERS[bundle.kind](bundle, workspace), bundle.signature


def has_run(stored: Path, bundle: str) -> bool:
    """Whether the predictions that are stored are those of this very bundle, if it is one."""
    from sayso.runs.predictions import read_origin

    if not stored.is_file():
        return False
    origin = read_origin(stored) if bundle else None
    return not bundle or (origin is not None and origin.bundle == bundle)


def copy(stored: Path, out: Path) -> None:
    """Stored predictions as `--predictions-out` wants them, packed or not, with their origin."""
    from dataclasses import asdict

    from sayso.core.files import write_atomically
    from sayso.runs.lines import compact, read_lines, write_lines
    from sayso.runs.predictions import origin_path, read_origin

    write_lines(out, (line for _, line in read_lines(stored)))
    if origin := read_origin(stored):
        with write_atomically(origin_path(out)) as file:
            file.write(compact(asdict(origin)) + b"\n")
