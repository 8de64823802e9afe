"""Constants that differ between a sentence and its command.

NL2Bash appendix B: 4 of 15 annotation errors were constants mistyped while copying; a check belongs in the interface.
The sentence is read with the tokeniser of the models, the command word by word; other notations of the same are fine.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import Literal

from sayso.english.tokens import CONSTANT_KINDS, Token, tokenise

# Kinds that are compared by their numbers alone: "100 MB" is 100M, "2 hours" is -mmin -120, "Jan 1st" is 01-01.
_AMOUNTS = frozenset(("size", "number", "date", "time", "timespan", "permission"))
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800, "mo": 2_592_000, "y": 31_536_000}
_BYTES = {"B": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4, "P": 1024**5}
_BLOCK = 512
_COUNTED = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "single": 1, "pair": 2, "half": 2, "twice": 2}
_SPOKEN = {
    "py": "python", "js": "javascript", "rb": "ruby", "pl": "perl", "sh": "shell", "txt": "text", "md": "markdown",
    "jpg": "jpeg", "conf": "configuration", "bak": "backup", "tmp": "temporary", "gz": "gzip", "h": "header",
}  # fmt: skip


@dataclass(frozen=True)
class Mismatch:
    """A constant that only one side has, and the constant of the other side that it may be a misspelling of."""

    constant: str
    only_in: Literal["text", "command"]
    near: str = ""

    def __str__(self) -> str:
        other = "command" if self.only_in == "text" else "sentence"
        here = "sentence" if self.only_in == "text" else "command"
        guess = f"; the {other} has {self.near}" if self.near else ""
        return f"{self.constant} is in the {here} but not in the {other}{guess}"


def constant_mismatches(text: str, command: str) -> list[Mismatch]:
    """("find log files in /vra/log", "find /var/log -name '*.log'") -> /vra/log and /var/log, each naming the other"""
    tokens = [token for token in tokenise(text) if token.kind in CONSTANT_KINDS and token.kind != "option"]
    numbers = {_COUNTED[word] for word in words_of(text) & set(_COUNTED)}.union(*map(_amounts, tokens))
    used = list(dict.fromkeys(_arguments(command)))
    only_text = list(dict.fromkeys(_spelling(token) for token in tokens if not _is_in_command(token, command)))
    only_command = [one for one in used if not _is_in_text(one, text, numbers)]
    said = [_spelling(token) for token in tokens]
    return [
        *(Mismatch(one, "text", _nearest(one, only_command) or _nearest(one, used)) for one in only_text),
        *(Mismatch(one, "command", _nearest(one, only_text) or _nearest(one, said)) for one in only_command),
    ]


def words_of(text: str) -> set[str]:
    """The lower-cased words."""
    return set(re.findall(r"\w+", text.lower()))


def _spelling(token: Token) -> str:
    return token.value if token.kind == "string" else token.text


def _is_in_command(token: Token, command: str) -> bool:
    there = _numbers(command)
    if token.kind in ("size", "timespan"):
        return bool(_amounts(token) & there)
    names = [] if token.kind in _AMOUNTS else _names(_spelling(token))
    return _has_names(names, command) and _numbers(token.value) <= there


def _is_in_text(argument: str, text: str, numbers: set[int]) -> bool:
    names = _names(argument)
    if re.fullmatch(r"[-+]?\d+(?:\.\d+)?[a-zA-Z]{0,2}", argument) or "{" in argument:
        names = []  # a unit is written in many ways, and nobody reads out an awk program
    elif re.match(r"[sy]([/|,#]).*\1", argument):
        names = [name for name in names if len(name) > 1]  # the s and the g of s/one/two/g
    return _has_names(names, text) and _numbers(argument) <= numbers | _numbers(text)


def _amounts(token: Token) -> set[int]:
    """The numbers by which a command may mean it: 2 hours -> 2, 120, 7200; 1 GB -> 1, 1024, 1048576, 2097152 …"""
    table = {"timespan": _SECONDS, "size": _BYTES}.get(token.kind)
    found = re.fullmatch(r"[-+]?(\d{1,15}(?:\.\d{1,15})?)([A-Za-z]+)", token.value)
    if not table or not found or found[2] not in table:
        return _numbers(token.value)
    whole = float(found[1]) * table[found[2]]
    units = [*table.values(), *([_BLOCK] if table is _BYTES else [])]
    return {int(whole / unit) for unit in units if whole % unit == 0} | _numbers(found[1])


def _names(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())


def _has_names(names: list[str], other: str) -> bool:
    words = {word for name in _names(other) for word in (name, name.removesuffix("s"))}
    return all(name in words or _SPOKEN.get(name, name) in words for name in names)


def _numbers(text: str) -> set[int]:
    return {int(run) for run in re.findall(r"[0-9]{1,18}", text)}


def _nearest(constant: str, others: list[str]) -> str:
    return next(iter(get_close_matches(constant, others, n=1, cutoff=0.6)), "")


def _arguments(command: str) -> Iterator[str]:
    """Words that carry a name or a number; utilities, flags, operators, one-letter codes and plain words do not."""
    for segment in re.split(r"\|\|?|&&|;", _hide_operators(command)):
        words = _shell_words(segment.translate({0xE000: "|", 0xE001: "&", 0xE002: ";"}))
        for before, word in pairwise(words):
            if word in ("-0", "-1") and not before.startswith("-"):
                continue  # xargs -0, ls -1
            argument = word[1:] if re.fullmatch(r"[-+]\d+\w?", word) else word
            if argument.startswith("-") or argument == "{}":
                continue
            says = re.search(r"\d", argument) or len(re.sub(r"\W", "", argument)) > 1
            if says and re.search(r"[/~.*_$@\d\s]", argument):
                yield argument


def _hide_operators(command: str) -> str:
    """Operators in quotes, and the \\; of find, do not end a command."""
    table = str.maketrans({"|": "\ue000", "&": "\ue001", ";": "\ue002"})
    return re.sub(r"\"[^\"]*\"|'[^']*'|\\;", lambda match: match.group().translate(table), command)


def _shell_words(segment: str) -> list[str]:
    try:
        return shlex.split(segment)
    except ValueError:
        return segment.split()
