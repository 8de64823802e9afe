"""What `--system` of `sayso eval` takes: a name of ours, a bundle, a file of predictions, and systems of others."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.apps.cli import output
from sayso.core.errors import BadBundle, UnknownName, UserError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sayso.core.types import System, Task, Workspace
    from sayso.neural.bundle import Bundle
    from sayso.runs.store import Results


@dataclass(frozen=True)
class Found:
    """A system under the name that its results get."""

    name: str
    opened: Callable[[Workspace], System] | None
    """None where only its predictions are here."""
    bundle: str = ""
    """Digest of what it is made of."""
    one_by_one: bool = False
    predictions: Path | None = None
    """A file that the user gave."""


def open_network(bundle: Bundle, workspace: Workspace) -> System:
    from sayso.experiments.systems import open_network as opened

    return opened(bundle, workspace)


def open_trunk(bundle: Bundle, workspace: Workspace) -> System:
    from sayso.neural.translator import load_neural

    return load_neural(bundle.folder, bundle.target)


# Kinds of bundles that serve any target → what makes a system of one; a target's own kinds are its `openers`.
OPENERS: dict[str, Callable[[Bundle, Workspace], System]] = {"network": open_network, "trunk": open_trunk}


def find_system(args: argparse.Namespace, task: Task, results: Results) -> Found:
    """Whatever `--system` names. Names of ours go first, so that nothing that is installed stands in for them."""
    from sayso.runs import brought, chat, programs
    from sayso.runs.store import checked

    given: str = args.system
    if args.stage:
        return replaced_stages(args, task)
    if given.startswith(programs.PREFIX):
        program = programs.find_program(given)
        opened = partial(programs.open_program, program, task)
        return Found(program.name, opened, program.digest, one_by_one=True)
    if given.startswith(chat.PREFIX):
        return find_chat(given, task)
    if given in task.systems:
        return Found(given, task.systems[given])
    stored = results.systems(task.name, args.split)
    if given in stored:
        if args.fresh:
            raise UserError(f"{given} cannot be run here: only its predictions are stored", "leave out --fresh")
        return Found(given, None)
    if Path(given).is_dir():
        return find_bundle(Path(given), task)
    if Path(given).is_file():
        return Found(checked(Path(given).name.partition(".")[0]), None, predictions=Path(given))
    if brought.is_attribute(given):
        return Found(brought.system_name(given), partial(brought.open_attribute, given))
    offered = brought.installed()
    if given in offered:
        return Found(checked(given), partial(brought.open_entry_point, offered[given]))
    if not task.systems and not stored:
        hint = (
            f"train one of `sayso recipes`, or score answers of your own: `sayso score {task.name} --predictions FILE`"
        )
        raise UserError(f"{task.name} has no system in this build, so no {given}", hint)
    if "/" in given or given.endswith((".jsonl", ".zst")):
        raise UserError(f"there is no file or folder {given}", "give the path of a predictions file or of a bundle")
    raise UnknownName(f"system of {task.name}", given, {*task.systems, *stored, *offered})


def find_chat(given: str, task: Task) -> Found:
    """A model behind a server; a key goes there only where nobody can read along."""
    from sayso.runs import chat

    server = chat.find_server(given)
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if key and not server.may_be_told_secrets:
        output.note(f"OPENAI_API_KEY is not sent: {server.host} is another machine and not reached by https")
    return Found(server.name, lambda workspace: chat.open_server(server, task, key), server.digest, one_by_one=True)


def replaced_stages(args: argparse.Namespace, task: Task) -> Found:
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
    return Found(name, lambda workspace: task.staged(workspace, args.system, stages))


def find_bundle(folder: Path, task: Task) -> Found:
    from sayso.neural.bundle import load_bundle

    bundle = load_bundle(folder)
    if bundle.target != task.target.name:
        raise BadBundle(f"{folder} is a bundle for {bundle.target}, not for {task.target.name}")
    own = task.target.openers
    if bundle.kind in own:
        return Found(bundle.name, lambda workspace: own[bundle.kind](folder, workspace), bundle.signature)
    if bundle.kind not in OPENERS:
        raise BadBundle(f'{folder}: this sayso cannot run a "{bundle.kind}"', "upgrade sayso, or name another system")
    return Found(bundle.name, lambda workspace: OPENERS[bundle.kind](bundle, workspace), bundle.signature)
