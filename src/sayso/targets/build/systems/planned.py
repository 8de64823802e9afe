"""The script stage that plans: from the tree of a request and what earlier stages found in its documents.

`Planning` gives its first script; `Trying` builds it in the sandbox, nothing else, and repairs it in four tries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import MissingData
from sayso.core.types import Request, Workspace
from sayso.targets.build.builds.job import Job
from sayso.targets.build.evaluation.reading import TREE, executables, read_source
from sayso.targets.build.evaluation.requests import SENTENCE, name_in
from sayso.targets.build.evaluation.sets import EvalSet, Package, read_set, set_folder
from sayso.targets.build.evaluation.trees import source_tree
from sayso.targets.build.evaluation.workshop import RootedWorkshop
from sayso.targets.build.evaluation.worlds import upstream
from sayso.targets.build.planning.folder import Texts, list_folder
from sayso.targets.build.planning.plan import Ground
from sayso.targets.build.planning.planner import ranked_plans
from sayso.targets.build.planning.survey import survey_texts
from sayso.targets.build.trying.sandboxed import run_in
from sayso.targets.build.trying.trying import try_plans


@dataclass(frozen=True)
class Planning:
    workspace: Workspace

    def __call__(self, request: Request, before: Mapping[str, str]) -> str:
        plans = ranked_plans(ground_of(self.workspace, request, before))
        return plans[0].script if plans else ""


@dataclass(frozen=True)
class Trying:
    workspace: Workspace

    def __call__(self, request: Request, before: Mapping[str, str]) -> str:
        ground = ground_of(self.workspace, request, before)
        plans = ranked_plans(ground)
        if not plans:
            return ""
        name = name_in(request)
        found = read_set(set_folder(self.workspace.data)) if name else None
        package = next((one for one in found.tests if one.name == name), None) if found else None
        if found is None or package is None:  # nothing lies there that could be built
            return plans[0].script
        source = upstream(found, package.name, package.version, package.archives)
        builder = RootedWorkshop(self.workspace.cache, found.root_packages).builder()
        below = tuple(self.below(found, package, before.get("depends", "")))
        return try_plans(ground, plans, run_in(builder, source, below)).best.plan.script

    def below(self, found: EvalSet, package: Package, depends: str) -> Iterator[Job]:
        """What the stage before says must be there, built with our own first script for it."""
        for one in found.tests:
            if one.name != package.name and re.search(rf"(?m)^build {re.escape(one.name)}$", depends):
                seen = read_source(found.folder, one.archives[0], self.workspace.cache)
                request = Request(SENTENCE.format(name=one.name), seen.pieces())
                if plans := ranked_plans(ground_of(self.workspace, request, {})):
                    yield Job(upstream(found, one.name, one.version, one.archives), plans[0].script)


def ground_of(workspace: Workspace, request: Request, before: Mapping[str, str]) -> Ground:
    """The tree with the commands that the stages before found: on the lines that they name, in the documents that they
    name, or, where neither said anything, wherever the readers of this room find some."""
    pieces = {piece.name: piece.text for piece in request.context if piece.kind == "file"}
    listing = next((piece.text for piece in request.context if piece.name == TREE and piece.kind == "text"), "")
    files = executables(listing)
    files.update((path, False) for path in pieces if path not in files)
    texts: Mapping[str, str] = pieces
    if top := tree_on_disk(workspace, request):
        shown, _, _ = list_folder(top)
        texts = Texts(top, shown)
        files = {path: runs for path, runs in files.items() if path in shown} or shown
    documents = before["documents"].splitlines() if "documents" in before else None
    places = lines_named(before["instructions"]) if "instructions" in before else None
    if places is not None and documents is None:
        documents = list(places)
    return survey_texts(files, {}, pieces, texts, documents=documents, places=places).ground


def tree_on_disk(workspace: Workspace, request: Request) -> Path | None:
    try:
        return source_tree(workspace, request) if name_in(request) else None
    except MissingData:
        return None


def lines_named(text: str) -> dict[str, set[int]]:
    """ "README:3 step" a line -> {"README": {3}}"""
    found: dict[str, set[int]] = {}
    for line in text.splitlines():
        place = (
            line.rpartition(" ")[0] if line.rpartition(" ")[2].isalpha() and ":" in line.rpartition(" ")[0] else line
        )
        path, _, number = place.rpartition(":")
        if path and number.isdigit():
            found.setdefault(path, set()).add(int(number))
    return found
