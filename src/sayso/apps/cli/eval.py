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
from sayso.core.errors import BadBundle, MissingPart, UnknownName, UserError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sayso.core.types import System, Task, Workspace
    from sayso.neural.bundle import Bundle
    from sayso.runs.store import Results
    from sayso.runs.subject import Settings, Subject


def open_network(bundle: Bundle, workspace: Workspace) -> System:
    from sayso.experiments.systems import open_network as opened

    return opened(bundle, workspace)


def open_trunk(bundle: Bundle, workspace: Workspace) -> System:
    from sayso.neural.translator import load_neural

    return load_neural(bundle.folder, bundle.target)


# Kinds of bundles that serve any target → what makes a system of one; a target's own kinds are its `openers`.
OPENERS: dict[str, Callable[[Bundle, Workspace], System]] = {"network": open_network, "trunk": open_trunk}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    scores.add_scoring_arguments(parser)
    parser.add_argument(
        "--system",
        default="default",
        metavar="SYSTEM",
        help="a system's name, a bundle's folder, or cmd:PROGRAM, which runs in the sandbox (default)",
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
        'folder that it is about (a source tree) and prints the answer, or {"candidates": [{"text", "score"}]}.'
    )


def run(args: argparse.Namespace) -> int:
    from sayso.runs.evaluate import evaluate
    from sayso.runs.rescore import rescore
    from sayso.runs.subject import Subject

    task = scores.chosen_task(args)
    chosen = scores.scoring_settings(args, args.k)
    results = settings.results()
    name, open_system, bundle = find_system(args, task, results)
    workspace = scores.workspace(args)
    if name.startswith("cmd-"):
        chosen = replace(chosen, batch=1)  # a program may take minutes for one answer, and none is asked for twice
    subject = Subject(task, args.split, name, bundle)
    stored = results.stored(task.name, name, args.split)
    engine, progress = scores.open_engine(args), Progress()
    try:
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


def find_system(
    args: argparse.Namespace, task: Task, results: Results
) -> tuple[str, Callable[[Workspace], System] | None, str]:
    """The name, what opens the system (None: only its predictions are here), and the signature of its bundle."""
    from sayso.runs import programs

    given: str = args.system
    if args.stage:
        return replaced_stages(args, task)
    if given.startswith(programs.PREFIX):
        program = programs.find_program(given)
        return program.name, lambda workspace: programs.open_program(program, task, workspace), program.digest
    if given in task.systems:
        return given, task.systems[given], ""
    stored = results.systems(task.name, args.split)
    if given in stored:
        if args.fresh:
            raise UserError(f"{given} cannot be run here: only its predictions are stored", "leave out --fresh")
        return given, None, ""
    if Path(given).is_dir():
        return find_bundle(Path(given), task)
    if not task.systems and not stored:
        hint = (
            f"train one of `sayso recipes`, or score answers of your own: `sayso score {task.name} --predictions FILE`"
        )
        raise UserError(f"{task.name} has no system in this build, so no {given}", hint)
    raise UnknownName(f"system of {task.name}", given, {*task.systems, *stored})


def replaced_stages(args: argparse.Namespace, task: Task) -> tuple[str, Callable[[Workspace], System], str]:
    """`--system gold --stage depends=null` -> gold+depends-null"""
    from sayso.runs.subject import REPLACED

    if not task.stages:
        raise UserError(f"{task.name} has no stages", "leave out --stage")
    stages: dict[str, str] = {}
    for one in args.stage:
        stage, equals, name = one.partition("=")
        if not equals:
            raise UserError(f'--stage wants NAME=SYSTEM, not "{one}"', f"stages: {', '.join(task.stages)}")
        if stage not in task.stages:
            raise UnknownName(f"stage of {task.name}", stage, task.stages)
        if name not in task.stages[stage]:
            raise UnknownName(f"system for the stage {stage}", name, task.stages[stage])
        stages[stage] = name
    if args.system not in task.systems:
        raise UnknownName(f"system of {task.name}", args.system, task.systems)
    name = args.system + "".join(f"{REPLACED}{stage}-{stages[stage]}" for stage in task.stages if stage in stages)
    return name, lambda workspace: task.staged(workspace, args.system, stages), ""


def find_bundle(folder: Path, task: Task) -> tuple[str, Callable[[Workspace], System], str]:
    from sayso.neural.bundle import load_bundle

    bundle = load_bundle(folder)
    if bundle.target != task.target.name:
        raise BadBundle(f"{folder} is a bundle for {bundle.target}, not for {task.target.name}")
    own = task.target.openers
    if bundle.kind in own:
        return bundle.name, lambda workspace: own[bundle.kind](folder, workspace), bundle.signature
    if bundle.kind not in OPENERS:
        raise BadBundle(f'{folder}: this sayso cannot run a "{bundle.kind}"', "upgrade sayso, or name another system")
    return bundle.name, lambda workspace: OPENERS[bundle.kind](bundle, workspace), bundle.signature


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
