"""Assignments as they are written: one file each in percent format, a theme a folder.

Cells in order: prose and code of the notebook so far, `[markdown] task`, `solution`, `tests`, two or more `wrong: why`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from sayso.core.errors import BadFile
from sayso.core.types import Piece

MARK = re.compile(r"# %%(?P<words>.*)")
LEAST_WRONG = 2
FOLDER = "data/assignments"
HINT = "docs/guide/notebook-tests.md shows the format"


@dataclass(frozen=True)
class Wrong:
    """A solution that fails the tests, and what is wrong with it."""

    why: str
    code: str


@dataclass(frozen=True)
class Assignment:
    """`name` is THEME/NAME; the context ends above the request."""

    name: str
    context: tuple[Piece, ...]
    request: str
    solution: str
    tests: str
    wrong: tuple[Wrong, ...]

    @property
    def theme(self) -> str:
        return self.name.partition("/")[0]

    @property
    def above(self) -> tuple[str, ...]:
        """The code cells of the context."""
        return tuple(piece.text for piece in self.context if piece.kind == "code")


@dataclass(frozen=True)
class Part:
    """One cell of a file: the words of its mark, the line of the mark, the lines below it."""

    words: str
    line: int
    text: str


@cache
def assignments() -> tuple[Assignment, ...]:
    """All of them, by name."""
    folder = Path(str(files("sayso.targets.notebook").joinpath(FOLDER)))
    return tuple(read_assignment(path, name) for name, path in paths(folder).items())


@cache
def digest() -> str:
    """Of the whole set: names and texts."""
    return digest_of(Path(str(files("sayso.targets.notebook").joinpath(FOLDER))))


def digest_of(folder: Path) -> str:
    whole = hashlib.sha256()
    for name, path in paths(folder).items():
        whole.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def paths(folder: Path) -> dict[str, Path]:
    """THEME/NAME -> its file, in the order of names."""
    return {f"{path.parent.name}/{path.stem}": path for path in sorted(folder.glob("*/*.py"))}


def read_assignment(path: Path, name: str = "") -> Assignment:
    """Raises BadFile with file and line."""
    text = path.read_text(encoding="utf-8")
    parts = list(split(text, path))
    kinds = [kind_of(part, path) for part in parts]
    context = []
    place = kinds.index("task") if "task" in kinds else -1
    if place < 0:
        raise bad(path, len(text.splitlines()), "there is no cell `# %% [markdown] task`")
    for part, kind in zip(parts[:place], kinds[:place], strict=True):
        if kind not in ("text", "code"):
            raise bad(path, part.line, f"`{kind}` stands above the task")
        context.append(Piece("text" if kind == "text" else "code", part.text))
    rest = list(zip(parts[place + 1 :], kinds[place + 1 :], strict=True))
    wanted = ["solution", "tests", *["wrong"] * max(LEAST_WRONG, len(rest) - 2)]
    for (part, kind), want in zip(rest, wanted, strict=False):
        if kind != want:
            raise bad(path, part.line, f"a cell `{want}` is wanted here, and this is `{kind}`")
    if len(rest) < len(wanted):
        raise bad(path, parts[-1].line, f"below this a cell `{wanted[len(rest)]}` is wanted")
    for part, kind in zip(parts, kinds, strict=True):
        check_code(part, kind, path)
    wrong = tuple(Wrong(part.words.partition(":")[2].strip(), part.text) for part, _ in rest[2:])
    named = name or f"{path.parent.name}/{path.stem}"
    return Assignment(named, tuple(context), parts[place].text, rest[0][0].text, rest[1][0].text, wrong)


def split(text: str, path: Path) -> Iterator[Part]:
    lines = text.splitlines()
    marks = [number for number, line in enumerate(lines) if MARK.fullmatch(line)]
    if not marks or any(line.strip() for line in lines[: marks[0]]):
        raise bad(path, 1, "the first line must be a mark `# %%`")
    for start, end in zip(marks, [*marks[1:], len(lines)], strict=True):
        words, body = lines[start].removeprefix("# %%").strip(), lines[start + 1 : end]
        if words.startswith("[markdown]"):
            body = [uncommented(line, path, start + 2 + below) for below, line in enumerate(body)]
        yield Part(words, start + 1, "\n".join(body).strip("\n"))


def uncommented(line: str, path: Path, number: int) -> str:
    """ "# Some *prose*" -> "Some *prose*" """
    if line.strip() and not line.startswith("#"):
        raise bad(path, number, "a line of prose must begin with `# `")
    return line.removeprefix("#").removeprefix(" ")


def kind_of(part: Part, path: Path) -> str:
    kinds = {"": "code", "[markdown]": "text", "[markdown] task": "task", "solution": "solution", "tests": "tests"}
    if part.words.startswith("wrong:") and part.words.removeprefix("wrong:").strip():
        return "wrong"
    if part.words not in kinds:
        raise bad(path, part.line, f"unknown mark `# %% {part.words}`")
    return kinds[part.words]


def check_code(part: Part, kind: str, path: Path) -> None:
    """No cell is empty, and all code parses; lines that only IPython reads (`%`, `!`) are passed over."""
    if not part.text.strip():
        raise bad(path, part.line, "this cell is empty")
    if kind in ("text", "task"):
        return
    plain = "\n".join("pass" if line.startswith(("%", "!")) else line for line in part.text.splitlines())
    try:
        compile(plain, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = part.line + (getattr(error, "lineno", 0) or 0)
        raise bad(path, line, f"this is no Python: {getattr(error, 'msg', error)}") from None


def bad(path: Path, line: int, why: str) -> BadFile:
    return BadFile(f"{path}:{line}: {why}", HINT)
