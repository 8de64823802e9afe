"""What a number came from: the commit, the code, the examples, the versions. Absent facts are empty, never guessed."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import sayso
from sayso.core.types import Example

PACKAGE = Path(sayso.__file__).parent
# The libraries that can change a number.
LIBRARIES = ("numpy", "sacrebleu", "tokenizers", "torch", "tree-sitter", "tree-sitter-bash", "snowballstemmer")


@cache
def commit() -> tuple[str, bool]:
    """The commit that the running code belongs to, and whether the code differs from it; ("", False) outside git."""
    # An installed package may lie inside somebody else's checkout: only a tracked file belongs to the commit.
    if not git("ls-files", "--error-unmatch", "__init__.py"):
        return "", False
    return git("rev-parse", "HEAD"), bool(git("status", "--porcelain", "--untracked-files=no", "--", "."))


def git(*words: str, folder: Path | None = None) -> str:
    """What git says in a folder, that of the running code unless told; nothing where it fails."""
    place = folder or PACKAGE
    try:
        done = subprocess.run(["git", *words], cwd=place, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


@cache
def code_digest() -> str:
    """Over every module of the package: an interrupted run is only taken up again by the same code."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def examples_digest(examples: Iterable[Example]) -> str:
    """Over ids, requests, references and meta of a split, in order."""
    digest = hashlib.sha256()
    for example in examples:
        context = [[piece.kind, piece.text, piece.name] for piece in example.request.context]
        row = [example.id, example.request.text, context, list(example.references), sorted(example.meta.items())]
        digest.update(json.dumps(row).encode() + b"\n")
    return digest.hexdigest()


@cache
def versions() -> dict[str, str]:
    found = {"sayso": sayso.__version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def cpus() -> int:
    """How many cores this process may use; the only thing recorded about the machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
