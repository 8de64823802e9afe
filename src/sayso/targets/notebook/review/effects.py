"""What a cell may do to the machine, by rules over its tree and its magics: `data/effects.toml` is the list.

A name counts where it is mentioned, under whatever alias the cell gives it. What cannot be read from the text is
unknown: code made at run time, an attribute with a computed name, a shell command that is not listed, a function that
stands in no import and no definition of the cell. Methods of values are told by their name alone.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sayso.core.types import Risk, RiskLevel
from sayso.targets.notebook.review.names import BUILT_IN_NAMES
from sayso.targets.notebook.syntax.canonical import bound_names, parse
from sayso.targets.notebook.syntax.magics import PYTHON_CELLS, cell_magic, without_magics
from sayso.targets.notebook.syntax.scan import scan

FILE = Path(__file__).parents[1] / "data" / "effects.toml"
ORDER: tuple[RiskLevel, ...] = ("reads", "writes", "unknown", "destroys")
LISTED: tuple[RiskLevel, ...] = ("destroys", "unknown", "writes")
_SQL: tuple[tuple[RiskLevel, re.Pattern[str]], ...] = (
    ("destroys", re.compile(r"\b(?:drop|delete|truncate)\b", re.I)),
    ("writes", re.compile(r"\b(?:insert|update|create|alter|replace|merge|copy|attach|vacuum|grant)\b", re.I)),
    ("reads", re.compile(r"\A\s*(?:select|with|show|describe|explain|pragma)\b", re.I)),
)
_SHELL_PARTS = re.compile(r"\|\||&&|[|;\n]")
_SHELL_OPEN = re.compile(r"[`$<>&{(]|\bsudo\b|\bxargs\b|\bexec\b")
_MAGIC_NAME = re.compile(r"%{1,2}\s*(\w+)")

Effect = tuple[RiskLevel, str]


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def cell_risk(text: str) -> Risk:
    """shutil.rmtree(p) -> destroys; what does not parse is never called safe."""
    try:
        tree = parse(without_magics(text))
    except SyntaxError:
        return Risk("unknown")
    if not text.strip():
        return Risk("unknown")
    return risk_of(text, tree)


def risk_of(text: str, tree: ast.Module) -> Risk:
    """The same of a cell whose tree is known."""
    found = [*_magic_effects(text), *_Effects(tree, text).effects()]
    level = ORDER[max((ORDER.index(level) for level, _ in found), default=0)]
    words = dict.fromkeys(word for one, word in found if one == level and one != "reads")
    return Risk(level, tuple(words))


def _magic_effects(text: str) -> Iterator[Effect]:
    """Of every magic, shell escape and cell in another language."""
    foreign = cell_magic(text)
    if foreign and foreign not in PYTHON_CELLS:
        yield from _named_magic(foreign, text.split("\n", 1)[1] if "\n" in text else "", f"%%{foreign}")
        return
    for kind, piece in scan(text):
        if kind == "magic":
            if piece.startswith("!"):
                yield from shell_effects(piece.lstrip("!"))
            elif piece.startswith("%"):
                named = _MAGIC_NAME.match(piece)
                name = named[1] if named else ""
                yield from _named_magic(name, piece[named.end() :] if named else "", f"%{name}")


def _named_magic(name: str, rest: str, shown: str) -> Iterator[Effect]:
    magics = _tables()["magics"]
    if name in magics["shell"]:
        yield from shell_effects(rest)
    elif name == "sql":
        yield _statement_level(rest), shown
    else:
        yield next((level for level in ORDER if name in magics[level]), "unknown"), shown


def shell_effects(line: str) -> Iterator[Effect]:
    """Of a shell command, read as far as a list of first words goes; where it holds more than words it is unknown."""
    shell = _tables()["shell"]
    for part in _SHELL_PARTS.split(line):
        words = part.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "sudo" and len(words) > 1 and words[1] in shell["destroys"]:
            words = words[1:]
        level: RiskLevel = next((one for one in ("destroys", "writes", "reads") if words[0] in shell[one]), "unknown")
        if level == "reads" and _SHELL_OPEN.search(part):
            level = "unknown"
        yield level, words[0]


def _statement_level(statement: str | None) -> RiskLevel:
    if statement is None:
        return "unknown"
    return next((level for level, pattern in _SQL if pattern.search(statement)), "unknown")


class _Effects:
    """One walk over a tree; names are resolved through the imports of the cell, then through habits."""

    def __init__(self, tree: ast.Module, text: str) -> None:
        self.tree = tree
        self.paths: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for one in node.names:
                    self.paths[one.asname or one.name.split(".")[0]] = (
                        one.name if one.asname else one.name.split(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom):
                for one in node.names:
                    self.paths[one.asname or one.name] = f"{node.module or ''}.{one.name}"
        self.bound = bound_names(text) - set(self.paths)
        self.inside: set[int] = set()
        """Names that stand for a part of what they name, or get another name: neither hands a module on."""
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(value=ast.Name() as name):
                    self.inside.add(id(name))
                case ast.Assign(targets=[ast.Name(id=other)], value=ast.Name() | ast.Attribute() as value):
                    if path := self.path(value):
                        self.paths[other] = path
                        self.inside.add(id(value))
                case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name() as name, *_]):
                    self.inside.add(id(name))

    def effects(self) -> Iterator[Effect]:
        for node in ast.walk(self.tree):
            match node:
                case ast.Name(ctx=ast.Load()) if id(node) not in self.inside and self.path(node) in _loose():
                    yield "unknown", node.id
                case ast.Call():
                    yield from self._call(node)
                case ast.Name(ctx=ast.Load()):
                    yield from self._mention(node)
                case ast.Attribute(attr=attr):
                    yield from self._mention(node) if self.path(node) else _of_method(attr)
                case ast.ImportFrom(module=module):
                    for one in node.names:
                        yield from _of_path(f"{module or ''}.{one.name}")

    def path(self, node: ast.expr) -> str:
        """os.path.join -> "os.path.join" through the aliases of the cell, "" for what hangs on a value."""
        if isinstance(node, ast.Attribute):
            root = self.path(node.value)
            return f"{root}.{node.attr}" if root else ""
        if isinstance(node, ast.Name):
            if node.id in self.paths:
                return self.paths[node.id]
            return "" if node.id in self.bound else _tables()["aliases"].get(node.id, node.id)
        if isinstance(node, ast.Call) and self.path(node.func) in ("importlib.import_module", "__import__"):
            return _literal(node) or ""
        return ""

    def _mention(self, node: ast.expr) -> Iterator[Effect]:
        path = self.path(node)
        found = list(_of_path(path))
        yield from found
        if isinstance(node, ast.Attribute) and not found:
            # `os` may be a name from above for a value of any kind: its methods count by name as well.
            yield from _of_method(node.attr)

    def _call(self, node: ast.Call) -> Iterator[Effect]:
        path = self.path(node.func)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if line := _command(node):
            # What runs a command is unknown by itself; one that is written out and destroys is worse than that.
            yield from (one for one in shell_effects(line) if one[0] == "destroys")
        if path in ("open", "io.open", "codecs.open") or name == "open":
            yield _open_level(node, 0 if name == "open" and path not in ("io.open", "codecs.open") else 1), "open"
        elif path == "getattr":
            yield from self._getattr(node)
        elif path == "__import__" and _literal(node) is None:
            yield "unknown", "__import__"
        elif name in _tables()["sql"]["methods"] or path in _tables()["sql"]["functions"]:
            yield _statement_level(_literal(node)), name or path
        elif name == "rename" and len(node.args) == 1 and not node.keywords:
            # A path is renamed to a name; a table by a mapping or a keyword.
            if not isinstance(node.args[0], ast.Dict | ast.DictComp | ast.Lambda):
                yield "writes", ".rename"
        elif isinstance(node.func, ast.Name):
            # A function from above, or from a star: anything may stand in it.
            if node.func.id not in self.bound | BUILT_IN_NAMES and node.func.id not in self.paths:
                yield "unknown", node.func.id
        elif not isinstance(node.func, ast.Attribute | ast.Lambda):
            yield "unknown", ast.unparse(node.func)[:40]

    def _getattr(self, node: ast.Call) -> Iterator[Effect]:
        """A computed name may be any; a written one is what it says."""
        name = node.args[1] if len(node.args) > 1 else None
        if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
            yield "unknown", "getattr"
            return
        root = self.path(node.args[0])
        yield from _of_path(f"{root}.{name.value}") if root else _of_method(name.value)


def _of_path(path: str) -> Iterator[Effect]:
    level = _paths().get(path) or next(
        (level for level, modules in _modules().items() if path.startswith(modules)), None
    )
    if level and path:
        yield level, path


def _of_method(name: str) -> Iterator[Effect]:
    methods = _tables()["methods"]
    for level in LISTED:
        if name in methods[level]:
            yield level, f".{name}"


@cache
def _paths() -> Mapping[str, RiskLevel]:
    functions = _tables()["functions"]
    return {path.removesuffix(".*"): level for level in reversed(LISTED) for path in functions[level]} | {
        path: level for level in reversed(LISTED) for path in functions[level] if not path.endswith(".*")
    }


@cache
def _loose() -> frozenset[str]:
    """Modules that can destroy: handed on as a value, nothing is known of what is called on them."""
    return frozenset(path.rpartition(".")[0] for path in _tables()["functions"]["destroys"] if path.count(".") == 1)


@cache
def _modules() -> Mapping[RiskLevel, tuple[str, ...]]:
    functions = _tables()["functions"]
    return {level: tuple(path[:-1] for path in functions[level] if path.endswith(".*")) for level in LISTED}


def _literal(node: ast.Call) -> str | None:
    """The first argument, where it is written out."""
    first = node.args[0] if node.args else next((one.value for one in node.keywords if one.arg == "sql"), None)
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


def _command(node: ast.Call) -> str:
    """os.system("rm -r x"), run(["rm", "-r", "x"]) -> rm -r x: what a call would hand to a shell or a program."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name not in _tables()["commands"]["functions"] or not node.args:
        return ""
    parts = node.args[0].elts if isinstance(node.args[0], ast.List | ast.Tuple) else node.args
    words = [one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return " ".join(words)


def _open_level(node: ast.Call, place: int) -> RiskLevel:
    """By the mode: it reads where none is given, and is unknown where it is computed."""
    mode: ast.expr | None = node.args[place] if len(node.args) > place else None
    mode = next((one.value for one in node.keywords if one.arg == "mode"), mode)
    if any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords):
        return "unknown"
    if mode is None:
        return "reads"
    if not (isinstance(mode, ast.Constant) and isinstance(mode.value, str)):
        return "unknown"
    # Image.open(path) has its path where a file's own `open` has the mode.
    return "writes" if set(mode.value) <= set("rwaxbtU+") and set(mode.value) & set("wax+") else "reads"
