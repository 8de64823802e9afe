"""The shipped knowledge base with what manual pages and the table of dialects add to it; nothing there is changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.core.files import write_atomically
from sayso.targets.bash.knowledge.dialects import in_dialects
from sayso.targets.bash.knowledge.utilities import DATA
from sayso.targets.bash.manual.index import Unreadable, read_source
from sayso.targets.bash.manual.merge import Row, merged, row_from
from sayso.targets.bash.manual.pages import Page, read_manual


@dataclass(frozen=True)
class Growth:
    """Utility -> its line before and after, of those that differ; pages that could not be read, with the reason."""

    before: Mapping[str, Row]
    changed: Mapping[str, Row]
    unreadable: tuple[str, ...] = ()

    def write(self) -> None:
        rows = {**self.before, **self.changed}
        with write_atomically(DATA) as file:
            file.writelines(json.dumps(rows[name], ensure_ascii=False).encode() + b"\n" for name in sorted(rows))


def grown_knowledge(pages: Mapping[str, Path], utilities: Sequence[str]) -> Growth:
    """The pages of these utilities (`git`, `git commit`) are read; every line gets the dialects of its flags."""
    rows: dict[str, Row] = {row["name"]: row for row in map(json.loads, DATA.read_text(encoding="utf-8").splitlines())}
    named: dict[str, Page] = {}
    unreadable = []
    for name in utilities:
        if path := pages.get(name.replace(" ", "-")):
            try:
                named[name] = read_manual(read_source(path), path.name.split(".")[0])
            except Unreadable as error:
                unreadable.append(f"{path}: {error}")
    every = dict.fromkeys([*rows, *utilities])
    found = {name: _grown(name, rows, named.get(name)) for name in every}
    changed = {name: row for name, row in found.items() if row and row != rows.get(name)}
    return Growth(rows, changed, tuple(unreadable))


def _grown(name: str, rows: Mapping[str, Row], page: Page | None) -> Row | None:
    """The line of a utility with what its page and the table of dialects add; None where nothing is known of it."""
    row = rows.get(name)
    if row is None:
        row = row_from(page) | {"name": name} if page and page.options else None
    elif page:
        parent = rows.get(str(row.get("like", "")), {})
        inherited = frozenset(n for flag in parent.get("flags", []) for n in flag["names"])  # type: ignore[attr-defined]
        row = merged(row, page, inherited)
    if row is None:
        return None
    return row | {"flags": [in_dialects(name, flag) for flag in row["flags"]]}  # type: ignore[attr-defined]
