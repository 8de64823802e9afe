"""What makes a code cell a target (§3.1): Python 3 that parses, one function at most, solved, not empty; in two forms.

The paper's form has canonical strings and 120 code tokens at the most; the other runs: real strings, whole.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from sayso.targets.notebook.syntax.canonical import canonical_strings
from sayso.targets.notebook.syntax.magics import without_magics
from sayso.targets.notebook.syntax.python2 import to_python3
from sayso.targets.notebook.syntax.tokens import LONGEST, code_text, code_tokens, cut

MOST_FUNCTIONS = 1
LONGEST_CELL = 50_000
"""Characters; what is longer is data that was pasted."""
BLANK = re.compile(r"(?<!\w)_{2,}(?!\w)")
MARKER = re.compile(r"your (?:code|solution|answer)s?(?: goes)? here|fill (?:in|this)|to ?do\b|\.\.\.", re.I)


@dataclass(frozen=True)
class TargetCell:
    """`tokens` is how many code tokens there were before the cut; `converted`: it was Python 2."""

    reference: str
    runnable: str
    tokens: int
    converted: bool = False

    @property
    def is_cut(self) -> bool:
        return self.tokens > LONGEST


def target_cell(text: str, may_be_old: bool = True) -> TargetCell | str:
    """The cell as a target, or the reason why it is none."""
    if len(text) > LONGEST_CELL:
        return "cell of more than 50,000 characters"
    code = without_magics(text)
    if not code.strip():
        return "no code"
    runnable, converted = text, False
    tree = parse(code)
    if tree is None and may_be_old:
        newer = to_python3(code)
        tree = parse(newer) if newer else None
        if newer and tree is not None:
            code = runnable = newer
            converted = True
    if tree is None:
        return "not valid Python"
    if not tree.body:
        return "no code"
    written = functions(tree) if "def " in code else []  # a walk over the tree takes longer than to parse it
    if len(written) > MOST_FUNCTIONS:
        return "more than one function"
    if is_unsolved(tree, written, text):
        return "never solved"
    tokens = code_tokens(canonical_strings(code))
    return TargetCell(code_text(cut(tokens)), runnable, len(tokens), converted)


def parse(code: str) -> ast.Module | None:
    """None where it is no Python 3."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Methods and functions inside of functions count too."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def is_unsolved(tree: ast.Module, written: Sequence[ast.FunctionDef | ast.AsyncFunctionDef], text: str) -> bool:
    """An exercise that nobody filled in: a blank to replace, or nothing but a placeholder where code should be."""
    if BLANK.search(text) and any(isinstance(node, ast.Name) and not node.id.strip("_") for node in ast.walk(tree)):
        return True
    bodies = [tree.body, *(one.body for one in written)]
    return any(is_placeholder(body, text) for body in bodies)


def is_placeholder(body: Sequence[ast.stmt], text: str) -> bool:
    """Whether statements do nothing: `raise NotImplementedError`, or `pass` and the like in a cell with a marker."""
    rest = [one for one in body if not is_string(one)]
    if rest and is_refusal(rest[-1]):
        return all(map(is_nothing, rest[:-1]))
    return all(map(is_nothing, rest)) and MARKER.search(text) is not None


def is_refusal(one: ast.stmt) -> bool:
    if not isinstance(one, ast.Raise) or one.exc is None:
        return False
    raised = one.exc.func if isinstance(one.exc, ast.Call) else one.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def is_nothing(one: ast.stmt) -> bool:
    """`pass`, `...`, `return`, `x = None`, `x = ...`"""
    if isinstance(one, ast.Pass):
        return True
    value = one.value if isinstance(one, ast.Expr | ast.Return | ast.Assign) else one
    return value is None or (isinstance(value, ast.Constant) and value.value in (None, ...))


def is_string(one: ast.stmt) -> bool:
    return isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str)
