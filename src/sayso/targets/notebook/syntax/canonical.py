"""Cells up to what nobody can guess: string literals (JuICe §3.1), and the names that a cell gives to things (§8)."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence

from sayso.targets.notebook.syntax.magics import without_magics
from sayso.targets.notebook.syntax.scan import CLOSERS, KEYWORDS, OPENERS, scan

STRING = "'jupyter_string'"
"""The one literal that JuICe's release has, as CONCODE has one; bytes and f-strings become it as well."""


def canonical_strings(code: str) -> str:
    """pd.read_csv("a.csv") -> pd.read_csv('jupyter_string')"""
    if "'" not in code and '"' not in code:
        return code
    return "".join(STRING if kind == "string" else piece for kind, piece in scan(code))


def canonical_names(code: str) -> str:
    """total = sum(xs) -> v1 = sum(xs)

    What the cell itself binds (variables, parameters, functions, aliases) is numbered in the order of first mention;
    names from above, attributes, keywords of calls and plain imports stay, since another name there is another thing.
    """
    bound = bound_names(code)
    if not bound:
        return code
    given: dict[str, str] = {}
    parts: list[str] = []
    calls = _Calls()
    pieces = list(scan(code))
    for at, (kind, piece) in enumerate(pieces):
        if kind == "name" and piece in bound and not calls.attribute and not calls.keyword(pieces, at):
            parts.append(given.setdefault(piece, f"v{len(given) + 1}"))
        else:
            parts.append(piece)
        calls.push(kind, piece)
    return "".join(parts)


class _Calls:
    """Tells an attribute and a keyword of a call from a name."""

    def __init__(self) -> None:
        self.attribute = False
        self.open: list[bool] = []
        """Of every open bracket, whether it holds the arguments of a call."""
        self.last = self.before = ""

    def keyword(self, pieces: list[tuple[str, str]], at: int) -> bool:
        if not (self.open and self.open[-1] and self.last in ("(", ",")):
            return False
        after = next((piece for kind, piece in pieces[at + 1 :] if kind not in ("space", "line")), "")
        return after == "="

    def push(self, kind: str, piece: str) -> None:
        if kind in ("space", "line", "comment", "continuation"):
            if kind == "line" and not self.open:
                self.last = self.before = ""
            return
        if piece in OPENERS:
            called = (
                bool(self.last) and (self.last[-1].isalnum() or self.last[-1] in "_)]") and self.last not in KEYWORDS
            )
            self.open.append(piece == "(" and called and self.before != "def")
        elif piece in CLOSERS and self.open:
            self.open.pop()
        self.attribute = piece == "."
        self.before, self.last = self.last, piece


def bound_names(code: str) -> frozenset[str]:
    """Every name to which a cell gives a value, at any depth; of cut code, what can be read of it."""
    tree = parsed(code)
    return frozenset(_bound(tree)) if tree else frozenset()


def _bound(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name


def parse(code: str) -> ast.Module:
    """Raises SyntaxError where Python would not read it, or would only by taking too much for it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code)
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            raise SyntaxError(str(error) or "too deeply nested") from error


def parsed(cell: str) -> ast.Module | None:
    """The tree of a cell; of one that is cut off, the tree of what stands before the cut; None where nothing does."""
    code = without_magics(cell)
    for text in _endings(code):
        try:
            return parse(text)
        except SyntaxError:
            continue
    return None


def _endings(code: str) -> Iterator[str]:
    """The code, the code with what it still needs, then line by line less of it."""
    yield code
    lines = code.splitlines()
    for end in range(len(lines), max(len(lines) - 12, 0), -1):
        kept = "\n".join(lines[:end])
        closers, handlers = _closers(kept), _handlers(lines[:end])
        body = "\n" + " " * (len(lines[end - 1]) - len(lines[end - 1].lstrip()) + 4) + "pass"
        yield kept + body + handlers
        for filler in ("", "_", " _", " = _", ": _", "_: _", " in _", " import _"):
            yield kept + filler + closers + handlers
            yield kept + filler + closers + ":" + body + handlers


def _handlers(lines: Sequence[str]) -> str:
    """What every `try` still needs, the innermost first."""
    opened: list[str] = []
    for line in lines:
        word = line.lstrip()
        indent = line[: len(line) - len(word)]
        if word.startswith("try:"):
            opened.append(indent)
        elif opened and opened[-1] == indent and word.startswith(("except", "finally")):
            opened.pop()
    return "".join(f"\n{indent}finally:\n{indent} pass" for indent in reversed(opened))


def _closers(code: str) -> str:
    opened: list[str] = []
    for kind, piece in scan(code):
        if kind == "operator":
            if piece in OPENERS:
                opened.append({"(": ")", "[": "]", "{": "}"}[piece])
            elif piece in CLOSERS and opened:
                opened.pop()
    return "".join(reversed(opened))
