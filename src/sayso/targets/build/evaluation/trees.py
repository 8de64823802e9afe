"""The source tree of a request, unpacked once in the cache, for a program that is to read it; the sandbox shows it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from sayso.core.types import Request, Workspace
from sayso.targets.build.builds.source import unpack
from sayso.targets.build.evaluation.requests import name_in
from sayso.targets.build.evaluation.sets import read_set, set_folder
from sayso.targets.build.evaluation.worlds import upstream


def source_tree(workspace: Workspace, request: Request) -> Path | None:
    """The top of the upstream tree, without Debian's folder; None where the request names no package of the set."""
    found = read_set(set_folder(workspace.data))
    package = next((one for one in found.tests if one.name == name_in(request)), None)
    if package is None:
        return None
    place = workspace.cache / "build" / "trees" / package.archives[0].sha256
    if not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        # Aside, and shown by one rename: a kill leaves no half of a tree.
        with tempfile.TemporaryDirectory(dir=place.parent) as aside:
            top = unpack(upstream(found, package.name, package.version, package.archives), Path(aside) / "tree")
            try:
                top.rename(place)
            except OSError:  # another process was first
                shutil.rmtree(top, ignore_errors=True)
    return place
