"""What was counted in a corpus, kept as `corpora/NAME.json` in a results folder, so that a table takes no minutes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile
from sayso.core.files import write_atomically
from sayso.core.given import parse_json, read_plain
from sayso.core.types import CorpusStats
from sayso.runs import ledger, provenance
from sayso.runs.store import Results

LARGEST = 4 << 20


@dataclass(frozen=True)
class Counted:
    """Tables as row -> {"ours", "paper", …}, figures as label -> count, and the code that counted."""

    corpus: str
    tables: Mapping[str, Mapping[str, Mapping[str, float | None]]]
    figures: Mapping[str, Mapping[str, int]]
    constants: int
    commit: str = ""
    dirty: bool = False
    time: str = ""

    @property
    def made(self) -> str:
        """ "counted 2026-11-16 at 01234567" """
        changes = " and changes to it" if self.dirty else ""
        return f"counted {self.time[:10]} at {self.commit[:8] or 'no commit'}{changes}"


def counted(stats: CorpusStats) -> Counted:
    commit, dirty = provenance.commit()
    return Counted(stats.corpus, stats.tables, stats.figures, len(stats.constants), commit, dirty, ledger.now())


def moved(before: Counted, after: Counted) -> list[str]:
    """Counts that are not what they were: "table 12, words, ours: 7,805, was 7,790"; new and lost ones too."""
    old, new = cells(before), cells(after)
    return [
        f"{', '.join(place)}: {shown(new.get(place))}, was {shown(old.get(place))}"
        for place in dict.fromkeys([*old, *new])
        if old.get(place) != new.get(place)
    ]


def cells(found: Counted) -> dict[tuple[str, ...], float | None]:
    """Every count under its table or figure, row and column."""
    counts: dict[tuple[str, ...], float | None] = {("constants that differ",): float(found.constants)}
    for title, rows in found.tables.items():
        counts |= {(title, row, column): value for row, columns in rows.items() for column, value in columns.items()}
    for title, drawn in found.figures.items():
        counts |= {(title, label): float(n) for label, n in drawn.items()}
    return counts


def shown(value: float | None) -> str:
    return "nothing" if value is None else f"{value:,g}"


def keep(found: Counted, folder: Path) -> Path:
    """Write it into a results folder; returns where."""
    path = folder / counted_file(found.corpus)
    with write_atomically(path) as file:
        file.write(json.dumps(vars(found), ensure_ascii=False, indent=1).encode() + b"\n")
    return path


def read_counted(corpus: str, results: Results) -> Counted | None:
    """The newest that is kept of a corpus; None where nothing is."""
    found = [one for folder in results.folders if (one := read_file(folder / counted_file(corpus)))]
    return max(found, key=lambda one: one.time, default=None)


def read_file(path: Path) -> Counted | None:
    if not path.is_file():
        return None
    try:
        row: Any = parse_json(read_plain(path, LARGEST))
        return Counted(**{name: row[name] for name in Counted.__dataclass_fields__})
    except (ValueError, KeyError, TypeError) as error:
        raise BadFile(f"{path} holds no counts: {error}", "write it again: sayso stats NAME --keep") from error


def counted_file(corpus: str) -> Path:
    return Path("corpora", f"{corpus}.json")
