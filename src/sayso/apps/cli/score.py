"""`sayso score TASK --split dev --predictions FILE`: scores from saved predictions, without running a model."""

from __future__ import annotations

import argparse
from pathlib import Path

from sayso.apps import settings
from sayso.apps.cli import output, scores
from sayso.apps.cli.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    scores.add_scoring_arguments(parser)
    parser.add_argument(
        "--predictions", required=True, type=Path, metavar="FILE_OR_DIR", help=".jsonl or .jsonl.zst, or a folder"
    )
    parser.add_argument("--system", default="", metavar="NAME", help="what to call the system (the file's name)")
    parser.add_argument(
        "--keep", default="", metavar="NAME", help="store them under this name, so that `sayso report` pairs them"
    )
    parser.epilog = (
        'A line of the file is {"id", "candidates": [{"text", "score"}], "abstained"}, as `sayso translate` writes it; '
        "`sayso data export` gives the requests with the ids that are expected here. A folder holds one file an "
        "example, called by its id or by its name (a build script: PACKAGE.sh), whose text is the answer."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.runs.predictions import read_origin
    from sayso.runs.rescore import keep, rescore
    from sayso.runs.store import checked
    from sayso.runs.subject import Subject

    task = scores.chosen_task(args)
    chosen = scores.scoring_settings(args)
    path: Path = args.predictions
    origin = read_origin(path)
    name = args.keep or args.system or (origin.system if origin else "") or path.name.partition(".")[0]
    subject, workspace, results = Subject(task, args.split, checked(name)), scores.workspace(args), settings.results()
    progress = Progress()
    try:
        if args.keep:
            path = keep(subject, path, workspace, results, chosen)
            output.note(f"kept as {path}")
        report = rescore(subject, path, workspace, results, chosen, scores.open_engine(args), progress)
    finally:
        progress.close()
    scores.print_report(report, args.json)
    return 0
