"""Tables as values, printed as Markdown for the docs and as aligned text for a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from sayso.core.types import Score, Table
from sayso.metrics.significance import wilson
from sayso.runs.ledger import score_row


def markdown(table: Table) -> str:
    lines = [f"### {table.title}", "", row_line(table.header), "|" + " --- |" * len(table.header)]
    lines += [row_line(row) for row in table.rows]
    if table.notes:
        lines += ["", *(f"- {note}" for note in table.notes)]
    return "\n".join(lines) + "\n"


def row_line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def text(table: Table) -> str:
    grid = [table.header, *table.rows]
    widths = [max(len(row[column]) for row in grid) for column in range(len(table.header))]
    lines = [table.title, ""]
    for row in grid:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append("  " + "  ".join(cells).rstrip())
    lines.insert(3, "  " + "  ".join("-" * width for width in widths))
    if table.notes:
        lines += ["", *(f"  {note}" for note in table.notes)]
    return "\n".join(lines) + "\n"


def number(name: str, value: float) -> str:
    """BLEU and the printed README-EVAL have one digit after the point, rates three."""
    if math.isnan(value):
        return "–"
    return f"{value:.1f}" if on_large_scale(name) else f"{value:.3f}"


def on_large_scale(name: str) -> bool:
    """Whether a score runs to 100 or more instead of 1."""
    return name.startswith("bleu") or name == "readme_eval_printed"


PROPORTIONS = ("match|", "tests|", "executed|", "judged|", "built|", "safe|")
"""Scores that are a share of examples begin their signatures so."""


def interval_of(score: Score) -> tuple[float, float] | None:
    """As it was drawn, but for one without width at 0 or 1, which says that nothing else could have come: of a share of
    examples (in an old entry of the ledger) it is Wilson's, of other scores there is none to tell."""
    if score.low is None or score.high is None:
        return None
    if score.low == score.high and score.value in (0, 1):
        return wilson(score.value, score.n) if score.signature.startswith(PROPORTIONS) else None
    return score.low, score.high


def is_folded(signature: str) -> bool:
    """Whether a score with this signature does not tell capital letters from small ones."""
    return "folded" in signature


def folded_note(scores: Iterable[Score]) -> tuple[str, ...]:
    """Which of these do not tell capital letters from small ones: a figure that does not say so passes for stricter."""
    names = dict.fromkeys(score.name for score in scores if is_folded(score.signature))
    return (f"case-insensitive: {', '.join(names)}",) if names else ()


def silent_share(value: float) -> str:
    """.31 -> "31%", and .002 -> "0.2%": a few are not none"""
    return f"{value:.1%}" if 0 < value < 0.01 else f"{value:.0%}"


def otherwise(signature: str, newest: str) -> str:
    """What of a signature is not in the newest one: ("a|compare:v2|v:1", "a|compare:v5|v:1") -> "compare:v2" """
    known = set(newest.replace(" ", "-").split("|"))  # names of items had blanks in older entries
    return ", ".join(part for part in signature.replace(" ", "-").split("|") if part not in known)


def machine_note(scores: Iterable[Score]) -> tuple[str, ...]:
    """Which of these rest on what machine readers said: beside people's verdicts they would pass for such."""
    names = dict.fromkeys(score.name for score in scores if "machine-readers" in score.signature)
    return (f"by machine readers, and by no person: {', '.join(names)}",) if names else ()


def is_coverage(score: Score) -> bool:
    """Whether people judged only some of a system's answers: those were said by judged systems too, so they are the
    easy ones, and their share that is right is no score of this system."""
    return score.name.startswith("judged_") and any(score.unscored.values())


def coverage(score: Score) -> str:
    """ "verdicts on 158 of 547" """
    return f"verdicts on {score.n} of {score.n + sum(score.unscored.values())}"


def scores_as_json(scores: Iterable[Score]) -> dict[str, Any]:
    """What `--json` prints of scores: verdicts on some of a system's answers are told as such, and never as a score."""
    known = list(scores)
    return {
        "scores": [
            {**score_row(score), **({"case_insensitive": True} if is_folded(score.signature) else {})}
            for score in known
            if not is_coverage(score)
        ],
        "coverage": [
            {"name": score.name, "judged": score.n, "of": score.n + sum(score.unscored.values())}
            for score in known
            if is_coverage(score)
        ],
    }


def cell(score: Score, tied: bool) -> str:
    """Score -> "0.361 [0.322, 0.400]*"; the star marks what is not significantly worse than the best."""
    if is_coverage(score):
        return coverage(score)
    shown = number(score.name, score.value)
    if ends := interval_of(score):
        shown += f" [{', '.join(number(score.name, end) for end in ends)}]"
    return shown + ("*" if tied else "")


# The first word of a name is its family, but for these.
FAMILIES = {
    "precision": "overlap",
    "recall": "overlap",
    "f1": "overlap",
    "readme_eval": "readme_eval",
    "readme_eval_printed": "readme_eval_printed",
}


def family(name: str) -> str:
    """match_full@1 -> match; the scores that share a table and a figure."""
    stem = name.partition("@")[0]
    return FAMILIES.get(stem, stem.partition("_")[0])
