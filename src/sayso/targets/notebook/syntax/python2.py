"""Python 2 in notebooks made Python 3, with fissix (lib2to3 that still runs)."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from sayso.core.errors import MissingPart
from sayso.targets.notebook.syntax.canonical import parse

FIXERS = (
    "apply", "basestring", "dict", "except", "exec", "execfile", "exitfunc", "filter", "funcattrs", "future",
    "getcwdu", "has_key", "idioms", "imports", "imports2", "input", "intern", "isinstance", "itertools",
    "itertools_imports", "long", "map", "methodattrs", "ne", "next", "nonzero", "numliterals", "operator", "paren",
    "print", "raise", "raw_input", "reduce", "renames", "repr", "standarderror", "sys_exc", "throw", "tuple_params",
    "types", "unicode", "urllib", "xrange", "xreadlines", "zip",
)  # fmt: skip
WITHOUT = frozenset({"idioms", "future", "input", "isinstance", "dict", "map", "filter", "zip"})
"""Fixers that change what runs as it is in Python 3 or only the style: a solution has to stay what was written."""


def to_python3(code: str) -> str | None:
    """print x -> print(x); None where it is no Python 2 either. The cell is without magics. Raises MissingPart."""
    tool = _tool()
    from fissix.pgen2.parse import ParseError
    from fissix.pgen2.tokenize import TokenError

    try:
        made = str(tool.refactor_string(code.rstrip() + "\n", "cell"))
        parse(made)
    except (ParseError, TokenError, SyntaxError, IndentationError, RecursionError, ValueError, AttributeError):
        return None
    return made.rstrip("\n")


@cache
def _tool() -> Any:
    try:
        from fissix.refactor import RefactoringTool
    except ImportError as error:
        raise MissingPart("Python 2 cells need fissix", "pip install 'sayso[notebook]'") from error
    logging.getLogger("RefactoringTool").setLevel(logging.CRITICAL)
    return RefactoringTool([f"fissix.fixes.fix_{name}" for name in FIXERS if name not in WITHOUT])
