"""A Makefile read, never run: its variables, its targets with their recipes, and where `install` would put things.

Leaves out conditionals (every branch is read, the first assignment holds), functions but those that only name folders,
and files that it includes from elsewhere than beside it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from sayso.targets.build.planning.plan import PREFIX, at
from sayso.targets.build.reading.tree import Evidence

NAMES = ("GNUmakefile", "makefile", "Makefile")
ASSIGNED = re.compile(r"^(?:export\s+|override\s+)*(?P<name>[\w.-]+)\s*(?P<how>\?=|::?:?=|\+=|=|!=)\s*(?P<value>.*)$")
RULE = re.compile(r"^(?P<targets>[^\s:=#][^:=#]*?)\s*::?(?![=:])\s*(?P<needs>[^=]*?)(?:;(?P<recipe>.*))?$")
INCLUDED = re.compile(r"^[-s]?include\s+(?P<names>\S.*)$")
USED = re.compile(r"\$[({](?P<name>[\w.-]+)[)}]|\$(?P<short>[A-Za-z])")
MOST_LINES, MOST_INCLUDED = 6_000, 20
INSTALLING = re.compile(
    r"(?:^|[\s;&|(])(?:/usr/bin/)?(?:install|cp|mv|ln|mkdir|\$[({]?INSTALL\w*[)}]?|cpio|tar)\b|install"
)
PROGRAM = re.compile(r"/(?:usr/)?(?:s?bin|ucb)/[\w.+-]+$|/dev/|/proc/|/tmp/")
UNSET = re.compile(r"\x00(?P<name>[\w.-]+)\x00")
HOMES = ("$(HOME)", "${HOME}", "~", "$$HOME")
ROOTLESS = re.compile(r"(?<![\w.-])(?:-o|-g|--owner[= ]|--group[= ])\s*\$?[({]?\w+")


@dataclass
class Variable:
    name: str
    value: str
    line: int
    how: str
    file: str


@dataclass
class Target:
    name: str
    line: int
    file: str
    needs: list[str] = field(default_factory=list)
    recipe: list[tuple[int, str]] = field(default_factory=list)


@dataclass
class Makefile:
    path: str
    variables: dict[str, Variable] = field(default_factory=dict)
    targets: dict[str, Target] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    """By path: itself and what it includes."""

    @property
    def first(self) -> str:
        """What plain `make` builds."""
        goal = self.variables.get(".DEFAULT_GOAL")
        if goal:
            return goal.value.strip()
        ordinary = (name for name in self.targets if not name.startswith(".") and "%" not in name and "$" not in name)
        return next(ordinary, "")

    def cause(self, target: str) -> Evidence:
        found = self.targets[target]
        return at(found.file, found.line, f"{target}:")

    def expand(self, text: str, depth: int = 0) -> str:
        """Variables by their values; one that nobody sets is marked by its name between zero bytes."""
        if depth > 12:
            return text

        def value(found: re.Match[str]) -> str:
            name = found["name"] or found["short"]
            if name == "HOME":
                return "/root"
            if name in ("CURDIR", "PWD", "MAKE", "RM", "INSTALL", "CC", "CXX", "AR", "SHELL"):
                known = self.variables.get(name)
                return known.value if known else name.lower()
            if name not in self.variables:
                return "" if name == "DESTDIR" else f"\0{name}\0"
            return self.expand(self.variables[name].value, depth + 1)

        return USED.sub(value, text)


def read_makefile(path: str, read: Callable[[str], str]) -> Makefile:
    made = Makefile(path)
    _read_into(made, path, read)
    return made


def _read_into(made: Makefile, path: str, read: Callable[[str], str]) -> None:
    if path in made.texts or len(made.texts) > MOST_INCLUDED:
        return
    text = made.texts[path] = read(path)
    folder = path.rpartition("/")[0]
    open_targets: list[Target] = []
    for number, line in _logical(text):
        if line.startswith("\t"):
            for one in open_targets:
                one.recipe.append((number, line.strip()))
            continue
        plain = line.split(" #")[0].strip()
        if not plain or plain.startswith("#"):
            continue
        if found := INCLUDED.match(plain):
            for name in made.expand(found["names"]).split():
                if "\0" not in name and "*" not in name:
                    _read_into(made, _joined(folder, name), read)
        elif found := ASSIGNED.match(plain):
            open_targets = []
            _assign(made, found, number, path)
        elif (found := RULE.match(plain)) and not plain.startswith(("ifeq", "ifneq", "ifdef", "ifndef", "else")):
            open_targets = []
            for name in made.expand(found["targets"]).split():
                target = made.targets.setdefault(name, Target(name, number, path))
                target.needs += [need for need in made.expand(found["needs"]).split() if need != "|"]
                if found["recipe"]:
                    target.recipe.append((number, found["recipe"].strip()))
                open_targets.append(target)


def _assign(made: Makefile, found: re.Match[str], number: int, path: str) -> None:
    name, how, value = found["name"], found["how"], found["value"].strip()
    if how == "+=" and name in made.variables:
        made.variables[name].value += f" {value}"
    elif name not in made.variables:
        made.variables[name] = Variable(name, value, number, how, path)


def _joined(folder: str, name: str) -> str:
    parts: list[str] = folder.split("/") if folder else []
    for part in name.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in (".", "", ".."):
            parts.append(part)
    return "/".join(parts)


def _logical(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their continuations, numbered by where they begin."""
    lines = text.splitlines()[:MOST_LINES]
    at = 0
    while at < len(lines):
        number, line = at + 1, lines[at]
        while line.endswith("\\") and at + 1 < len(lines):
            at += 1
            line = f"{line[:-1]} {lines[at].strip()}"
        yield number, line
        at += 1


def placed(value: str) -> str:
    """A folder of a system -> the same below the prefix: "/usr/share/man" -> "/usr/local/share/man"; "" if it is."""
    if value == PREFIX or value.startswith(f"{PREFIX}/"):
        return ""
    for home in HOMES:
        if value.startswith(home):
            return PREFIX + _known(value.removeprefix(home))
    if not value.startswith("/"):
        return ""
    for top in ("/usr", "/opt", ""):
        if top and value != top and not value.startswith(f"{top}/"):
            continue
        return PREFIX + _known(value.removeprefix(top)).replace("/lib64", "/lib")
    return PREFIX


FOLDERS = ("/bin", "/sbin", "/lib", "/lib64", "/include", "/share", "/man", "/etc", "/libexec", "/var", "/doc")


def _known(rest: str) -> str:
    """ "/share/man" as it is, "/foo-1.0/include" -> "/include", "/foo" -> "" """
    parts = [part for part in rest.split("/") if part]
    for number, part in enumerate(parts):
        if f"/{part}" in FOLDERS:
            return "/" + "/".join(parts[number:])
    return ""


@dataclass(frozen=True)
class Destination:
    """A word of `install` that becomes a path of the system: where it stands, as it is written, and as it comes out."""

    line: int
    written: str
    path: str


def destinations(made: Makefile, target: str) -> Iterator[Destination]:
    """Absolute paths in what a target and the install targets that it needs do; programs of the system are none."""
    for number, line in _own_lines(made, target):
        for word in re.split(r"[\s;|&]+", line):
            written = re.sub(r"^[\w-]+=", "", word.strip("\"'`@(){}" if "$" not in word else "\"'`@"))
            path = made.expand(written).strip("\"'")
            plain = UNSET.sub("", path)
            # `$(INSTALL)` and /usr/bin/install are programs; `$(PREFIX)/bin/tool` is where something goes.
            is_program = PROGRAM.match(plain) and not re.search(r"[)}]/", written)
            if (plain.startswith("/") or path.startswith("\0")) and not is_program:
                yield Destination(number, written, path)


def _own_lines(made: Makefile, target: str, seen: frozenset[str] = frozenset()) -> Iterator[tuple[int, str]]:
    if target not in made.targets or target in seen:
        return
    for need in made.targets[target].needs:
        if "install" in need:
            yield from _own_lines(made, need, seen | {target})
    yield from made.targets[target].recipe


def overrides(made: Makefile, target: str = "install") -> dict[str, tuple[str, Evidence]]:
    """Variables that must be given for `target` to install below the prefix: name -> (value, where it is set)."""
    found: dict[str, tuple[str, Evidence]] = {}
    for one in destinations(made, target):
        path = UNSET.sub("", one.path)
        if path == PREFIX or path.startswith(f"{PREFIX}/") or path.startswith("/dev/"):
            continue
        name, value = leading(made, one.written)
        if name and name not in found and (moved := _moved(name, value, path)):
            variable = made.variables.get(name)
            line = variable.line if variable else one.line
            found[name] = (moved, at(variable.file if variable else made.path, line, f"{name} = {value}"))
    return found


def assigned(name: str, value: str) -> str:
    """PREFIX=/usr/local, as one word of the shell: what a value holds of `$(VERSION)` is for make."""
    return f"{name}={shlex.quote(value)}"


def _moved(name: str, value: str, path: str) -> str:
    if value:
        return placed(value)
    if name == "DESTDIR":  # taken for a prefix where nothing of a system stands behind it
        return PREFIX if re.match(r"/(?:bin|sbin|lib|include|share|man)\b", path) else ""
    return (
        PREFIX
        if re.search(r"(?i)prefix|^install_?(?:dir|root|path|top|to)$|^(?:dest|base|root|target)_?dir$", name)
        else ""
    )


def leading(made: Makefile, written: str, depth: int = 0) -> tuple[str, str]:
    """The variable that a path begins with, followed to where a folder is spelled out, and that folder."""
    rest = written
    while depth < 12 and (found := USED.match(rest)):
        name = found["name"] or found["short"]
        value = made.variables[name].value.strip().strip("\"'") if name in made.variables else ""
        if value.startswith(("/", *HOMES)) and not re.search(r"\s", value):
            return name, value
        if value.startswith("$"):
            inner = leading(made, value, depth + 1)
            if inner[0]:
                return inner
        rest = rest[found.end() :]
        if not value and (name not in ("DESTDIR", "HOME") or rest.startswith("/")):
            return name, ""
    return "", ""


def fixed_places(made: Makefile, target: str = "install") -> list[tuple[int, str]]:
    """Lines of `install` that name a folder of the system outright, so that no variable can move it."""
    given = overrides(made, target)
    found = []
    for one in destinations(made, target):
        path = UNSET.sub("", one.path)
        if (
            path.startswith("/usr/")
            and not path.startswith(f"{PREFIX}/")
            and leading(made, one.written)[0] not in given
        ):
            found.append((one.line, one.written))
    return found


def wants_root(made: Makefile, target: str = "install") -> list[tuple[int, str, str]]:
    """(line, what, text) of `install` that only root may do, and whose failure would end it."""
    found = []
    for number, line in _own_lines(made, target):
        text = line.lstrip("@")
        if text.startswith("-") or "|| true" in text or "|| :" in text:
            continue
        expanded = made.expand(text)
        if re.search(r"\bldconfig\b", expanded):
            found.append((number, "ldconfig", line))
        elif re.search(r"\bch(?:own|grp)\b", expanded) or (INSTALLING.search(text) and ROOTLESS.search(expanded)):
            found.append((number, "owner", line))
    return found
