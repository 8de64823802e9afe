"""Follow-ups that order lines by one of their columns: "by the third column, comma separated, as numbers"."""

from __future__ import annotations

import re

from sayso.targets.bash.follow_up.words import Edit, Found, said
from sayso.targets.bash.syntax.line_edits import Line, piped, read_line, with_flag, without_flags

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
SEPARATORS = {"comma": ",", "tab": "$'\\t'", "semicolon": "';'", "colon": ":", "pipe": "'|'"}
BACKWARDS = re.compile(r"desc|revers|backw|decreas|largest|biggest|newest", re.I)


def take_column(line: Line, found: re.Match[str]) -> Found:
    """ "only the second column": cut where a sign parts them, awk where blanks do."""
    at = column_said(found)
    if not at:
        return "columns are counted from one"
    separator = SEPARATORS.get(said(found, "separator"), "") or guessed(line)
    if separator == SEPARATORS["tab"]:
        return [Edit(piped(line, f"cut -f {at}"), f"cut takes column {at}")]
    if separator:
        return [Edit(piped(line, f"cut -d {separator} -f {at}"), f"cut takes column {at}")]
    return [Edit(piped(line, f"awk '{{print ${at}}}'"), f"awk prints column {at}")]


def guessed(line: Line) -> str:
    """What parts the columns of the files that are read, by their names."""
    names = [word.value or "" for stage in line.stages for word in stage.words]
    kinds = {name.rpartition(".")[2].lower() for name in names if "." in name}
    return SEPARATORS["comma"] if "csv" in kinds else SEPARATORS["tab"] if "tsv" in kinds else ""


def column_said(found: re.Match[str]) -> int:
    nth = said(found, "nth") or said(found, "at")
    return PLACES.index(nth) + 1 if nth in PLACES else int(re.sub(r"\D", "", nth) or 0)


def by_column(line: Line, found: re.Match[str]) -> Found:
    """A sort there is gets the key; anything else that prints lines is sorted by it."""
    at = column_said(found)
    if not at:
        return "columns are counted from one"
    letters = ("n" if said(found, "numeric") else "") + ("r" if BACKWARDS.match(said(found, "way")) else "")
    key = f"-k{at},{at}{letters}"
    separator = SEPARATORS.get(said(found, "separator"), "")
    if line.last.utility != "sort":
        written = " ".join(filter(None, ("sort", separator and f"-t {separator}", key)))
        return [Edit(piped(line, written), f"sort -k orders by column {at}")]
    base = read_line(without_flags(line, line.last, "-k")) or line
    if separator:
        base = read_line(without_flags(base, base.last, "-t")) or base
    text = with_flag(base, base.last, key)
    again = read_line(text)
    if separator and again:
        text = with_flag(again, again.last, f"-t {separator}")
    return [Edit(text, f"sort -k orders by column {at}")]
