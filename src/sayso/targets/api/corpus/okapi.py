"""Okapi and SCAN read from their files.

Okapi's train and dev repeat rows, one of them 1,006 times: an example is one distinct (question, call), known by the
first line that holds it, and its `rows` say how often it stands there. SCAN's MCD splits come without a dev part; a
tenth of train, drawn by the digest of the command, serves as one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from sayso.core.errors import BadFile
from sayso.core.packed import read_packed_lines
from sayso.core.types import Example, Request, Split, Workspace
from sayso.targets.api.syntax.schema import DOMAINS

OKAPI_SPLITS = ("length", "program")
SCAN_SPLITS = ("length", "mcd1", "mcd2", "mcd3")
Load = Callable[[Workspace, Split], Iterable[Example]]


def loaders() -> dict[str, Load]:
    """Task name -> what loads it: length-document … program-calendar, scan-length … scan-mcd3."""
    okapi: dict[str, Load] = {
        f"{split}-{domain}": partial(load_okapi, split, domain) for split in OKAPI_SPLITS for domain in DOMAINS
    }
    return {**okapi, **{f"scan-{split}": partial(load_scan, split) for split in SCAN_SPLITS}}


def load_okapi(split: str, domain: str, workspace: Workspace, part: Split) -> Iterator[Example]:
    """The distinct rows of one part, in order of first appearance."""
    first: dict[tuple[str, str], tuple[int, int]] = {}
    for line, row in enumerate(okapi_rows(workspace.data, split, domain, part), 1):
        place, seen = first.get(row, (line, 0))
        first[row] = place, seen + 1
    for (question, call), (line, rows) in first.items():
        name = f"okapi:{split}:{domain}:{part}:{line}"
        yield Example(name, Request(question), (call,), {"rows": str(rows), "domain": domain})


def okapi_rows(data: Path, split: str, domain: str, part: Split) -> list[tuple[str, str]]:
    """(question, call) of every line as released, repeated ones too."""
    path = data / "okapi" / f"{split.capitalize()}_Split" / f"{domain}_domain" / f"nl_api.{part}.tsv.xz"
    rows = []
    for number, line in enumerate(read_packed_lines(path, "okapi", _hint("okapi")), 1):
        question, tab, call = line.partition("\t")
        if not tab or "\t" in call:
            raise BadFile(f"{path}:{number}: a row is a question, a tab and a call", _hint("okapi"))
        rows.append((question, call))
    return rows


def load_scan(split: str, workspace: Workspace, part: Split) -> Iterator[Example]:
    """Commands and action sequences; dev is held out of train."""
    source = "test" if part == "test" else "train"
    path = workspace.data / "scan" / f"tasks_{source}_{split}.txt.xz"
    for number, line in enumerate(read_packed_lines(path, "scan", _hint("scan")), 1):
        command, out, actions = line.removeprefix("IN: ").partition(" OUT: ")
        if not out or not line.startswith("IN: "):
            raise BadFile(f"{path}:{number}: a line is `IN: command OUT: actions`", _hint("scan"))
        if part == "test" or is_held_out(command) == (part == "dev"):
            yield Example(f"scan:{split}:{source}:{number}", Request(command), (actions,), {"rows": "1"})


def is_held_out(command: str) -> bool:
    """Whether a train command belongs to the dev part: one in ten, by its digest."""
    return hashlib.sha256(command.encode()).digest()[0] % 10 == 0


def _hint(corpus: str) -> str:
    return f"get it with `sayso data get {corpus}`; `sayso data check {corpus}` says what is wrong with a copy"
