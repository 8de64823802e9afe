"""Follow-ups that order lines by one of their columns: "by the third column, comma separated, as numbers"."""

from __future__ import annotations

import re

from sayso.targets.bash.follow_up.words import Edit, Found, said
from sayso.targets.bash.syntax.line_edits import Line, piped, read_line, with_flag, without_flags

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
SEPARATORS = {"comma": ",", "tab": "$'\\t'", "semicolon": "';'", "colon": ":", "pipe": "'|'"}
BACKWARDS = re.compile(r"desc|revers|backw|decreas|largest|biggest|newest", re.I)


def by_column(line: Line, found: re.Match[str]) -> Found:
    """A sort there is gets the key; anything else that prints lines is sorted by it."""
    nth = said(found, "nth") or said(found, "at")
    at = PLACES.index(nth) + 1 if nth in PLACES else int(re.sub(r"\D", "", nth) or 0)
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
