"""What a cell needs that nothing above gives: imports that are known, and names that are not."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sayso.core.types import Request
from sayso.targets.notebook.review.asked import given_above
from sayso.targets.notebook.review.names import names_of

FILE = Path(__file__).parents[1] / "data" / "imports.toml"


@dataclass(frozen=True)
class Needs:
    """`imports`: lines to put above the cell; `unknown`: names of which nobody knows where they come from."""

    imports: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def needs_of(text: str, request: Request) -> Needs:
    """Nothing is said where a star import, `%run` or a cell that cannot be read may give any name."""
    names, above = names_of(text), given_above(request)
    if names is None or names.open or above.open:
        return Needs()
    missing = [name for name in names.needed if name not in above.given]
    lines = {name: import_of(name) for name in missing}
    return Needs(
        tuple(dict.fromkeys(line for line in lines.values() if line)),
        tuple(name for name, line in lines.items() if not line),
    )


def import_of(name: str) -> str:
    """np -> import numpy as np; "" for a name that no module is known by."""
    tables = known()
    if name in tables["members"]:
        return f"from {tables['members'][name]} import {name}"
    module = tables["modules"].get(name, name if name in sys.stdlib_module_names and name.isidentifier() else "")
    if not module or name.startswith("_"):
        return ""
    return f"import {module}" if module == name else f"import {module} as {name}"


def module_of(line: str) -> str:
    """from scipy.stats import norm -> scipy"""
    return line.split()[1].partition(".")[0]


def distribution_of(module: str) -> str:
    """sklearn -> scikit-learn"""
    return known()["distributions"].get(module, module)


@cache
def known() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))
