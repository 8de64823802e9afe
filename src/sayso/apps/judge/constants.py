"""Constants that differ between a sentence and its command.

NL2Bash appendix B: 4 of 15 annotation errors were constants mistyped while copying; a check belongs in the interface.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

_NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "hundred": 100, "thousand": 1000, "million": 1_000_000, "first": 1, "second": 2, "third": 3,
    "fourth": 4, "fifth": 5, "single": 1, "pair": 2, "couple": 2, "half": 2, "dozen": 12,
    "minute": 1, "hour": 1, "day": 1, "week": 7, "month": 30, "year": 365,
}  # fmt: skip
_SPOKEN = {
    "py": "python", "js": "javascript", "rb": "ruby", "pl": "perl", "sh": "shell", "txt": "text", "md": "markdown",
    "jpg": "jpeg", "conf": "configuration", "bak": "backup", "tmp": "temporary", "gz": "gzip", "h": "header",
}  # fmt: skip
# "2 hours" is -mmin -120 and "1 GB" is 1024M: numbers are the same when a usual unit lies between them.
_FACTORS = (1, 7, 8, 24, 60, 512, 1000, 1024, 1440, 3600, 10080, 86400, 1024**2, 1024**3)
_UNIT = re.compile(
    r"\b(?:weeks?|days?|hours?|min(?:ute)?s?|sec(?:ond)?s?|\d*\s?[kmgt]i?b?|(?:kilo|mega|giga)?bytes?|blocks?)\b", re.I
)
_CONSTANT = re.compile(
    r"""(?P<quoted>"[^"\n]+"|“[^”\n]+”|`[^`\n]+`|(?<!\w)'[^'\n]+'(?!\w))
      | (?P<word>[^\s"'`“”,;()]*(?:[/~*_$@\d]|\w\.\w|(?<!\S)\.\w)[^\s"'`“”,;()]*)""",
    re.VERBOSE,
)


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
    said, used = _text_constants(text), _command_constants(command)
    words = {word.removesuffix("s") for word in words_of(text)}
    text_numbers = _numbers(text) | {_NUMBER_WORDS[word] for word in words & set(_NUMBER_WORDS)}
    factors = _FACTORS if _UNIT.search(text) else (1,)
    only_text = [one for one in said if not _occurs(one, command, _numbers(command), factors)]
    only_command = [one for one in used if not _occurs(one, text, text_numbers, factors)]
    return [
        *(Mismatch(one, "text", _nearest(one, only_command)) for one in only_text),
        *(Mismatch(one, "command", _nearest(one, only_text)) for one in only_command),
    ]


def _text_constants(text: str) -> list[str]:
    found = (match.group().strip("\"'`“”").rstrip(".:!?") for match in _CONSTANT.finditer(text))
    return list(dict.fromkeys(one for one in found if re.search(r"\w", one)))


def _command_constants(command: str) -> list[str]:
    """Arguments that carry a name or a number; utilities, flags, operators and one-letter codes do not."""
    found: list[str] = []
    for segment in re.split(r"\|\|?|&&|;", _protect(command)):
        words = _shell_words(segment.replace("\x00", "|").replace("\x01", "&").replace("\x02", ";"))
        for word in words[1:]:
            if re.fullmatch(r"[-+]\d+\w?", word):
                word = word[1:]
            if word.startswith("-") or word in ("{}", "\\;"):
                continue
            if re.search(r"\d", word) or len(re.sub(r"\W", "", word)) > 1:
                found.append(word)
    return list(dict.fromkeys(word for word in found if re.search(r"[/~.*_$@\d\s]", word)))


def _protect(command: str) -> str:
    """Hide operators inside quotes from the split into segments."""
    table = str.maketrans({"|": "\x00", "&": "\x01", ";": "\x02"})
    return re.sub(r"\"[^\"]*\"|'[^']*'|\\;", lambda match: match.group().translate(table), command)


def _shell_words(segment: str) -> list[str]:
    try:
        return shlex.split(segment)
    except ValueError:
        return segment.split()


def _numbers(text: str) -> set[int]:
    return {int(run) for run in re.findall(r"[0-9]{1,18}", text)}


def _occurs(constant: str, other: str, numbers: set[int], factors: tuple[int, ...]) -> bool:
    """Whether every name and number of the constant is on the other side, in whatever notation."""
    words = {word for run in re.findall(r"[^\W\d_]+", other.lower()) for word in (run, run.removesuffix("s"))}
    names = re.findall(r"[^\W\d_]+", constant.lower())
    if re.fullmatch(r"[-+]?\d+(?:\.\d+)?[a-zA-Z]{0,2}", constant) or "{" in constant:
        names = []  # a unit is written in many ways, and nobody reads out an awk program
    elif any(len(name) > 1 for name in names):
        names = [name for name in names if len(name) > 1]  # the s of s/a/b/
    found = all(name in words or _SPOKEN.get(name, name) in words for name in names)
    return found and all(_is_among(number, numbers, factors) for number in _numbers(constant))


def _is_among(number: int, numbers: set[int], factors: tuple[int, ...]) -> bool:
    return any(number * factor == other or other * factor == number for other in numbers for factor in factors)


def _nearest(constant: str, others: list[str]) -> str:
    return next(iter(get_close_matches(constant, others, n=1, cutoff=0.6)), "")


def words_of(text: str) -> set[str]:
    """The lower-cased words."""
    return set(re.findall(r"\w+", text.lower()))
