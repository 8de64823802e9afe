"""`sayso eval TASK [--split dev] [--system NAME_OR_DIR]`: predictions, then scores."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.apps import settings
from sayso.apps.cli import output, scores
from sayso.apps.cli.parser import whole_number
from sayso.apps.cli.progress import Progress
from sayso.apps.cli.systems import find_system
from sayso.core.errors import MissingPart

if TYPE_CHECKING:
    from collections.abc import Callable

    from sayso.core.types import System, Workspace
    from sayso.runs.store import Results
    from sayso.runs.subject import Settings, Subject


def add_arguments(parser: argparse.ArgumentParser) -> None:
    scores.add_scoring_arguments(parser)
    parser.add_argument(
        "--system",
        default="default",
        metavar="SYSTEM",
        help="a name, a bundle, a predictions file, module:attribute, cmd:PROGRAM or openai:URL#MODEL (default)",
    )
    parser.add_argument(
        "--stage",
        action="append",
        default=[],
        metavar="NAME=SYSTEM",
        help="replace a stage of the system, where a task has stages",
    )
    parser.add_argument("--fresh", action="store_true", help="run the model even where its predictions are stored")
    parser.add_argument(
        "-k", type=whole_number(1, settings.MOST_CANDIDATES), default=5, metavar="N", help="candidates per request (5)"
    )
    parser.add_argument("--predictions-out", type=Path, metavar="FILE", help="also write the predictions here")
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="put the scores into the system's row of a table there"
    )
    parser.epilog = (
        "Stored predictions are scored without running the system, unless --fresh is given or its bundle has changed "
        "since. A run on test is counted in the ledger and, in a checkout, published at once; `sayso results publish` "
        "does so with others. An interrupted run goes on where it stopped when the same command is given again. "
        "cmd:PROGRAM gets one request at a time on standard input, as a line of `sayso data export`, stands in the "
        'folder that it is about (a source tree) and prints the answer, or {"candidates": [{"text", "score"}]}. '
        "module:attribute, and what packages offer in the entry point group sayso.systems, is imported and runs as "
        "your own code does. openai:URL#MODEL asks that server, one request a call, with the key in OPENAI_API_KEY "
        "where it is reached by https or is this machine. A predictions file is scored as `sayso score` does."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.runs.evaluate import evaluate
    from sayso.runs.rescore import rescore
    from sayso.runs.subject import Subject

    task = scores.chosen_task(args)
    chosen = scores.scoring_settings(args, args.k)
    results = settings.results()
    found = find_system(args, task, results)
    name, open_system, bundle = found.name, found.opened, found.bundle
    workspace = scores.workspace(args)
    if found.one_by_one:
        chosen = replace(chosen, batch=1)  # one answer may take minutes, and none is asked for twice
    subject = Subject(task, args.split, name, bundle)
    stored = found.predictions or results.stored(task.name, name, args.split)
    engine, progress = scores.open_engine(args), Progress()
    try:
        system = None
        if not found.predictions:
            system = system_to_run(args, subject, open_system, workspace, results, chosen)
        if system:
            report = evaluate(subject, system, workspace, results, chosen, args.predictions_out, engine, progress)
        else:
            report = rescore(subject, stored, workspace, results, chosen, engine, progress)
            again = "; --fresh runs the system again" if open_system else ""
            output.note(f"scored the predictions in {stored}{made_at(stored)}{again}")
            if args.predictions_out:
                copy(stored, args.predictions_out)
    finally:
        progress.close()
    scores.print_report(report, args.json)
    if args.page:
        from sayso.apps.cli import page_row

        output.note(f"{'wrote' if page_row.put(args.page, report) else 'nothing changes in'} {args.page}")
    return 0


def system_to_run(
    args: argparse.Namespace,
    subject: Subject,
    open_system: Callable[[Workspace], System] | None,
    workspace: Workspace,
    results: Results,
    chosen: Settings,
) -> System | None:
    """The opened system where it must run; None where its stored predictions are what it would say, or all there is."""
    from sayso.runs.evaluate import loaded, was_interrupted
    from sayso.runs.journal import journal_path
    from sayso.runs.predictions import read_origin

    name, where = subject.system, (subject.task.name, subject.system, subject.split)
    stored = results.stored(*where)
    if open_system is None:
        output.note(f"{name} cannot be run here: it is known by its predictions alone; give its folder to run it again")
        return None
    if args.fresh or not stored.is_file():
        return open_system(workspace)
    origin = read_origin(stored)
    made_with = origin.bundle if origin else ""
    if subject.bundle and subject.bundle == made_with and not journal_path(results.predictions(*where)).exists():
        return None
    try:
        system = open_system(workspace)  # only an open system knows the digest of what is embedded
    except MissingPart as error:
        if subject.bundle:  # a folder was given: the predictions of another bundle are no answer
            raise
        output.note(
            f"{name} cannot be run here ({error.message}): its stored predictions are of {short(made_with)}, perhaps an"
            f" older one; to refresh them: {error.hint}, then --fresh"
        )
        return None
    now = loaded(subject, system).bundle
    if now != made_with:
        output.note(f"{stored.name} was made with {short(made_with)}, and {name} has {short(now)}: it is run again")
        return system
    return system if was_interrupted(subject, system, workspace, results, chosen) else None


def made_at(stored: Path) -> str:
    """Said where other code made them than runs here: runs of several checkouts lie in one folder."""
    from sayso.runs import provenance
    from sayso.runs.predictions import read_origin

    origin = read_origin(stored)
    if origin is None or (origin.commit, origin.dirty) == provenance.commit():
        return ""
    return f", made at {origin.commit[:8] or 'no commit'}{' and changes to it' if origin.dirty else ''}"


def short(digest: str) -> str:
    """ "0123456789abcdef" -> "bundle 01234567" """
    signature, plus, recipes = digest.partition("+")
    return f"bundle {signature[:8]}{plus}{recipes[:8]}" if digest else "no bundle"


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
