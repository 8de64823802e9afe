"""What writers of asked cells wrote: notebooks in small, each with requests and the cell that answers them.

A file is plain text with marks: `=== hidden` (makes files, is not shown), `=== shown` (the cells above, parted by
`# %%`), `=== ask` or `=== ask then` (phrasings, one a line), `--- code` (the cell), `--- check` (a test, if any).
`ask then` stands below the cell of the ask before it; `ask` directly below what is shown.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import BadFile

MARK = re.compile(r"(?:===|---) *(hidden|shown|ask|ask then|code|check|wrong) *")
PARTED = re.compile(r"(?m)^# %%.*$\n?")
HINT = "targets/notebook/asked/written.py shows the format"


@dataclass(frozen=True)
class Ask:
    """`follows` is how many asks directly before this one have run, with their cells, when it is asked."""

    phrasings: tuple[str, ...]
    code: str
    follows: int = 0
    check: str = ""
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setting:
    """A notebook in small: `id` is the writer and the digest of what is hidden and shown."""

    id: str
    hidden: str
    shown: tuple[str, ...]
    asks: tuple[Ask, ...]

    def before(self, place: int) -> tuple[Ask, ...]:
        """The asks whose cells stand between what is shown and the ask at a place."""
        return self.asks[place - self.asks[place].follows : place]


def read_settings(path: Path) -> Iterator[Setting]:
    """The settings of a writer's file; BadFile names the line where a mark stands wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"cannot read {path}: {error}", "name the files of the writers") from error
    hidden, shown, asks = "", "", list[Ask]()
    writer = path.stem.partition("-")[0]
    for line, kind, body in blocks(text):
        if kind in ("hidden", "shown") and asks:
            yield setting(writer, hidden, shown, asks)
            hidden, shown, asks = "", "", []
        if kind == "hidden":
            hidden = body
        elif kind == "shown":
            shown = body
        elif kind in ("ask", "ask then"):
            if kind == "ask then" and not asks:
                raise BadFile(f"{path}:{line}: nothing stands before `ask then`", HINT)
            phrasings = tuple(dict.fromkeys(one.strip() for one in body.splitlines() if one.strip()))
            asks.append(Ask(phrasings, "", asks[-1].follows + 1 if kind == "ask then" else 0))
        elif not asks or (kind == "code") == bool(asks[-1].code):
            raise BadFile(f"{path}:{line}: `{kind}` stands where none is expected", HINT)
        else:
            asks[-1] = filled(asks[-1], kind, body)
    if asks:
        yield setting(writer, hidden, shown, asks)


def filled(ask: Ask, kind: str, body: str) -> Ask:
    if kind == "code":
        return Ask(ask.phrasings, body, ask.follows)
    if kind == "check":
        return Ask(ask.phrasings, ask.code, ask.follows, body, ask.wrong)
    return Ask(ask.phrasings, ask.code, ask.follows, ask.check, (*ask.wrong, body))


def setting(writer: str, hidden: str, shown: str, asks: list[Ask]) -> Setting:
    digest = hashlib.sha256(f"{hidden}\0{shown}".encode()).hexdigest()[:10]
    cells = tuple(cell for one in PARTED.split(shown) if (cell := one.strip("\n")).strip())
    return Setting(f"{writer}:{digest}", hidden, cells, tuple(asks))


def blocks(text: str) -> Iterator[tuple[int, str, str]]:
    """(line of the mark, its kind, the lines below it)"""
    start, kind, body = 0, "", list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if found := MARK.fullmatch(line):
            if kind:
                yield start, kind, "\n".join(body).strip("\n")
            start, kind, body = number, found[1], []
        else:
            body.append(line)
    if kind:
        yield start, kind, "\n".join(body).strip("\n")
