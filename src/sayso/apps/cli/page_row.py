"""`--page FILE` of `sayso eval`: the row of a system in a table of scores, written from the scores themselves.

The table is the one whose header names scores, | system | `match_full@1` | …; a row begins with the system's name.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.core.errors import BadFile
from sayso.core.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sayso.core.types import Score
    from sayso.runs.recording import Report


def put(path: Path, report: Report) -> bool:
    """Rewrite the row of a system in a page; whether anything changed."""
    try:
        page = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} cannot be read: {error}", "give the page that holds the table") from error
    lines = page.split("\n")
    at, names = find_row(path, lines, report.system)
    label = lines[at].split("|")[1].strip()
    found = {score.name: score for score in report.scores}
    lines[at] = "| " + " | ".join([label, *(cell(found, name) for name in names)]) + " |"
    if (made := "\n".join(lines)) == page:
        return False
    with write_atomically(path) as file:
        file.write(made.encode())
    return True


def find_row(path: Path, lines: list[str], system: str) -> tuple[int, list[str]]:
    """The number of the line, and the scores that the header of its table names."""
    names: list[str] = []
    for at, line in enumerate(lines):
        if line.startswith("| system |"):
            names = re.findall(r"`([^`]+)`", line)
        elif not line.startswith("|"):
            names = []
        elif names and line.startswith(f"| `{system}` "):
            return at, names
    raise BadFile(
        f"{path} has no row of {system}", f"add | `{system}` | under a header | system | `NAME OF A SCORE` | … |"
    )


def cell(found: Mapping[str, Score], name: str) -> str:
    """ "match_full@1" -> ".040 (.026–.056)"; a dash where it was not scored"""
    from sayso.runs.tables import number

    if name not in found:
        return "–"
    score = found[name]
    shown = [
        number(name, value).removeprefix("0") for value in (score.value, score.low, score.high) if value is not None
    ]
    return f"{shown[0]} ({shown[1]}–{shown[2]})" if len(shown) == 3 else shown[0]
