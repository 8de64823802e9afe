"""Train, dev and test of the packages, by group; what README-EVAL is scored on is in none of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from sayso.core.errors import BadFile
from sayso.core.given import parse_json, read_plain
from sayso.core.packed import not_here
from sayso.core.types import Split
from sayso.targets.build.corpus.records import Package
from sayso.targets.build.corpus.stored import read_packages

EVALUATION = "readme_eval/eval.json"
HINT = "copy the folder readme_eval to your data folder: what it is scored on must be kept out of training"
WORD = re.compile(r"[a-z0-9][a-z0-9+.\-]*[a-z0-9+]")
SHARES = (("dev", 10), ("test", 20))
"""Of a hundred: below 10 is dev, below 20 test, the rest train."""


def split_of(package: Package) -> Split:
    """The part that a package is in, from its group alone, so that it never changes with what else there is."""
    place = int.from_bytes(sha256((package.group or package.name).encode("utf-8", "replace")).digest()[:8]) % 100
    return "dev" if place < SHARES[0][1] else "test" if place < SHARES[1][1] else "train"


def evaluated_names(data: Path) -> frozenset[str]:
    """Names of T and V of README-EVAL, and of what is only built for them; nothing else of that file is read."""
    path = data / EVALUATION
    try:
        document = parse_json(read_plain(path))
        return frozenset(row["name"] for part in ("T", "support_T", "V") for row in document[part])
    except FileNotFoundError as error:
        raise not_here(path, "readme_eval", HINT) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(f"{path} cannot be read: {str(error)[:200]}", HINT) from error


def says_any(text: str, names: frozenset[str]) -> bool:
    """Whether one of these packages is named in a text, or in a part of a word that begins small."""
    return not names.isdisjoint([*WORD.findall(text), *WORD.findall(text.lower())])


def set_apart(packages: list[Package], evaluated: frozenset[str]) -> tuple[list[Package], dict[str, int]]:
    """Without T, V and every package that shares a group with one of them; reason -> how many that were."""
    groups = {package.group for package in packages if package.name in evaluated} | evaluated
    kept = [package for package in packages if package.name not in evaluated and package.group not in groups]
    named = sum(package.name in evaluated for package in packages)
    dropped = {"T or V of README-EVAL": named, "in a group with T or V": len(packages) - len(kept) - named}
    return kept, dropped


def load_packages(data: Path, split: Split) -> Iterator[Package]:
    """The packages of a part, without what README-EVAL is scored on: what trains, labels and chooses."""
    kept, _ = set_apart(list(read_packages(data)), evaluated_names(data))
    return (package for package in kept if split_of(package) == split)
