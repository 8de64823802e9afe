"""The examples of `build/script`: one for each package of T, with what a system may read of its source as context."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from sayso.core.errors import MissingData
from sayso.core.types import Example, Request, Split, Workspace
from sayso.targets.build.evaluation.reading import read_source
from sayso.targets.build.evaluation.sets import read_set, set_folder

SENTENCE = "build {name} from its source and install it below /usr/local"
NAMED = re.compile(re.escape(SENTENCE).replace(re.escape("{name}"), r"(?P<name>\S+)"))


def name_in(request: Request) -> str:
    """The package that a request of ours is about; "" where it is none of ours."""
    found = NAMED.fullmatch(request.text)
    return found["name"] if found else ""


def id_of(name: str) -> str:
    """Stored predictions are published, and no package of the set may be known by its name from what we publish."""
    return f"package:{hashlib.sha256(f'build/script {name}'.encode()).hexdigest()[:12]}"


def load_examples(workspace: Workspace, split: Split) -> Iterator[Example]:
    """Dev is the set in the data folder. There is no train part: labels to learn from are the corpus of packages."""
    if split != "dev":
        raise MissingData(f"build/script has no {split} part", "score on dev: --split dev")
    folder = set_folder(workspace.data)
    for package in read_set(folder).tests:
        seen = read_source(folder, package.archives[0], workspace.cache)
        request = Request(SENTENCE.format(name=package.name), seen.pieces())
        named = {"name": package.name, "version": package.version}
        yield Example(id_of(package.name), request, (package.script,), named)
