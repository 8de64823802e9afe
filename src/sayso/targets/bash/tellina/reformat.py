"""How a constant of a request becomes an argument: the rewritings that Tellina's heuristics do, each with a name.

A request says "10 MB", "5 days" or "jpg", a command `10M`, `-mmin 7200` or `"*.jpg"`. Which rewriting is usual for
which flag is counted from train; here is only what each does. An empty text means that a rewriting does not apply.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from sayso.targets.bash.cookbook.fill import in_bytes, in_find_units, in_plain_units, path_word, seconds

SIZE = re.compile(r"\d+(?:\.\d+)?[BKMGTP]")
SPAN = re.compile(r"\d+(?:s|m|h|d|w|mo|y)")
WORDY = re.compile(r"[\w.+-]+")
PLAIN = re.compile(r"[\w./~+=:,@%-]+")

Rewriting = Callable[[str], str]


def of_size(write: Rewriting) -> Rewriting:
    return lambda value: write(value) if SIZE.fullmatch(value) else ""


def of_span(unit: int) -> Rewriting:
    """Whole units of so many seconds."""

    def write(value: str) -> str:
        if not SPAN.fullmatch(value):
            return ""
        length = seconds(value)
        return str(length // unit) if length % unit == 0 else str(math.ceil(length / unit))

    return write


def of_word(form: str) -> Rewriting:
    """`form` around a word without blanks or globs: "*.{}" and .jpg -> *.jpg"""
    return lambda value: form.format(value.removeprefix(".")) if WORDY.fullmatch(value) else ""


def of_number(change: Callable[[int], int]) -> Rewriting:
    return lambda value: str(change(int(value))) if re.fullmatch(r"\d{1,15}", value) else ""


REWRITINGS: Mapping[str, Rewriting] = {
    # A size goes first, as 10M stays 10M for find and 10K becomes 10k.
    "find size": of_size(in_find_units),
    "same": lambda value: value,
    "extension": of_word("*.{}"),
    "holds": lambda value: f"*{value}*" if value.strip("*") else "",
    "begins": lambda value: f"{value}*",
    "ends": lambda value: f"*{value}",
    "plain size": of_size(in_plain_units),
    "lower size": of_size(lambda value: in_plain_units(value).lower()),
    "bytes": of_size(lambda value: str(in_bytes(value))),
    "bytes for find": of_size(lambda value: f"{in_bytes(value)}c"),
    "number of size": of_size(lambda value: value[:-1]),
    "days": of_span(86400),
    "minutes": of_span(60),
    "hours": of_span(3600),
    "seconds": of_span(1),
    "number of span": lambda value: value.rstrip("smhdwoy") if SPAN.fullmatch(value) else "",
    "one more": of_number(lambda n: n + 1),
    "one less": of_number(lambda n: n - 1),
    "lower case": lambda value: value.lower(),
    "upper case": lambda value: value.upper(),
    "here": lambda value: f"./{value}" if WORDY.fullmatch(value) else "",
    "slash": lambda value: f"{value}/" if WORDY.fullmatch(value.rpartition("/")[2]) else "",
    "no slash": lambda value: value[:-1] if value.endswith("/") and len(value) > 1 else "",
    "absolute": lambda value: f"/{value}" if WORDY.fullmatch(value) else "",
    "regex extension": of_word(".*\\.{}"),
    "regex end": of_word("\\.{}$"),
    "regex holds": of_word(".*{}.*"),
    "line start": lambda value: f"^{value}",
    "line end": lambda value: f"{value}$",
    "variable": lambda value: f"${value}" if re.fullmatch(r"[A-Za-z_]\w*", value) else "",
    "colon": lambda value: f"{value}:" if WORDY.fullmatch(value) else "",
    "octal": lambda value: f"0{value}" if re.fullmatch(r"[0-7]{3}", value) else "",
    "symbolic": lambda value: "".join(symbols(value)),
}


def symbols(value: str) -> list[str]:
    """0644 -> 644"""
    return [value.lstrip("0")] if re.fullmatch(r"0[0-7]{3}", value) else []


def rewritten(name: str, value: str) -> str:
    return REWRITINGS[name](value)


def written(value: str, kind: str) -> str:
    """A value as one shell word: patterns in quotes, paths with their globs left to the shell."""
    if PLAIN.fullmatch(value) and kind != "Regex":
        return value
    if re.fullmatch(r"\$\{?\w+\}?", value):
        return value
    if kind in ("File", "Directory", "Path"):
        return path_word(value)
    if PLAIN.fullmatch(value) and not re.search(r"[.*?]", value):
        return value
    if re.search(r'["`\\!]|\$(?=[\w({])', value):
        return "'" + value.replace("'", "'\\''") + "'"
    return f'"{value}"'


def plain_value(text: str) -> str:
    """An argument as the utility sees it, as far as that needs no shell: `"*.c"` -> *.c, a\\ b -> a b"""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return re.sub(r"\\(.)", r"\1", text)
