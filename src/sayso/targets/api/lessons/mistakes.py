"""Which calls of a corpus cannot follow from their request: the annotation mistakes of Okapi §3.2 (3 %), by rule.

A rule sees words, not sense: a value must stand in the request as it is, normalised, or with a slip; a clause needs one
of the words that may name it (`data/cues.toml`). What a rule cannot see, such as two people changed over, it passes.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from itertools import pairwise
from random import Random
from typing import cast

from sayso.english.words import numbers
from sayso.targets.api.syntax.calls import Call, Clause, Count, Filter, OrderBy, Search, Top
from sayso.targets.api.syntax.schema import domain_of, schema

KINDS: Mapping[str, str] = {
    "value misspelt": "a value stands in the request with a slip: letters alike by 0.8 or more, but not the same",
    "value cut": "only a part of the value's words stands in the request, and nothing near the whole",
    "value absent": "no word of the value stands in the request, nor the number, date or weekday that it is",
    "clause not named": "no word of the request can name the clause (order, count, closed value, resource)",
    "clause left out": "the request asks for something plain that the call does not have",
}
PAPER = 0.03
"""§3.2: about 3 % of 500 looked at in each domain; spelling, missing and wrong information together."""
ALIKE = 0.8
ONES = frozenset(
    {
        "1", "one", "single", "first", "last", "latest", "newest", "oldest", "recent", "earliest", "next", "most",
        "a", "an", "the", "recently", "which", "what",
    }
)  # fmt: skip
"""A TOP 1 may be said by no more than a singular."""
NUMBERS = {**{word: value for word, value in numbers(100).items() if value}, "fourty": 40}
NEGATED = ("message.hasAttachments", "event.hasAttachments")
"""The words for True and False are the same here but for a negation."""
WORD = re.compile(r"[\w'’.&/#-]+")


@dataclass(frozen=True)
class Mistake:
    kind: str
    clause: str


@dataclass(frozen=True)
class MistakeReport:
    """Counts of rows, rows with mistakes and each kind, by domain; every mistake with its domain and request."""

    counts: Mapping[str, Mapping[str, int]]
    found: tuple[tuple[str, str, Mistake], ...]
    kinds: Mapping[str, str]
    paper: float


def mistake_report(pairs: Mapping[str, Sequence[tuple[str, Call]]], sample: int, seed: int) -> MistakeReport:
    """Over so many rows of each domain, drawn by seed; 0: all."""
    tables: dict[str, Mapping[str, int]] = {}
    listed: list[tuple[str, str, Mistake]] = []
    for domain, rows in pairs.items():
        drawn = Random(seed).sample(rows, sample) if 0 < sample < len(rows) else rows
        counts: Counter[str] = Counter(dict.fromkeys(("rows", "found", *KINDS), 0))
        for question, call in drawn:
            found = annotation_mistakes(question, call)
            counts.update({"rows": 1, "found": bool(found), **dict.fromkeys({one.kind for one in found}, 1)})
            listed += [(domain, question, one) for one in found]
        tables[domain] = dict(counts)
    return MistakeReport(tables, tuple(listed), KINDS, PAPER)


def annotation_mistakes(request: str, call: Call) -> list[Mistake]:
    """Empty where nothing speaks against the call."""
    text = " ".join(request.casefold().replace("’", "'").split())
    found = [Mistake(kind, str(clause)) for clause in call.clauses if (kind := _against(clause, text))]
    cues: Iterable[str] = _cues()["clauses"].get(call.resource, ())
    if cues and not has_cue(text, cues):
        found.append(Mistake("clause not named", f"GET {call.resource}"))
    return [*found, *_left_out(text, call)]


def _against(clause: Clause, text: str) -> str:
    match clause:
        case Filter(name, _, value):
            return _filter_against(name, value, text)
        case Search(value):
            return value_against(value, text)
        case Top(number):
            return "" if _says_number(number, text) else "value absent"
        case OrderBy(_, direction):
            return "" if has_cue(text, _cues()["clauses"][f"ORDERBY {direction}"]) else "clause not named"
        case Count():
            return "" if has_cue(text, _cues()["clauses"]["COUNT"]) else "clause not named"
        case _:
            return ""


def _filter_against(name: str, value: str, text: str) -> str:
    domain = name.partition(".")[0]
    found = schema({"file": "document", "message": "email", "event": "calendar"}[domain]).properties.get(name)
    cues = _cues()["values"].get(name)
    if cues:
        # A value that is written otherwise (a file type `docx`) is looked for as it stands.
        folded = value.casefold()
        able = next((words for known, words in cues.items() if known.casefold() == folded), [folded])
        denied = folded != "false" or name not in NEGATED or has_cue(text, _cues()["negations"]["words"])
        return "" if has_cue(text, able) and denied else "clause not named"
    if found and found.type == "time":
        return "" if _says_time(value.casefold(), text) else "value absent"
    return value_against(value, text)


def value_against(value: str, text: str) -> str:
    """ "" where the value stands in the text, whatever its case, blanks and points."""
    wanted = squash(value)
    words = WORD.findall(text)
    if wanted in squash(text) or not wanted:
        return ""
    size = len(value.split())
    near = max(
        (
            SequenceMatcher(None, wanted, squash("".join(words[at : at + length]))).ratio()
            for length in range(max(1, size - 1), size + 2)
            for at in range(len(words) - length + 1)
        ),
        default=0.0,
    )
    if near >= ALIKE:
        return "value misspelt"
    parts = [squash(part) for part in WORD.findall(value.casefold())]
    held = {squash(word).removesuffix("s") for word in words}
    return "value cut" if any(part and part.removesuffix("s") in held for part in parts) else "value absent"


def _says_number(number: int, text: str) -> bool:
    words = re.findall(r"\d+|[a-z]+", text)
    spelt = [int(word) if word.isdigit() else NUMBERS.get(word, 0) for word in words]
    together = [tens + ones for tens, ones in pairwise(spelt) if 20 <= tens < 100 and 0 < ones < 10]
    return number in (*spelt, *together) or (number == 1 and not ONES.isdisjoint(words))


def _says_time(value: str, text: str) -> bool:
    """A weekday by its name, a span by its unit, a number of hours by number and unit, other days by their words."""
    cues = _cues()["times"].get(value)
    if cues:
        return has_cue(text, cues) or value in squash(text)
    last = value.split()[-1] if not value.endswith("ago") else "hour"
    if squash(last)[:3] in squash(text) if last.endswith("day") else squash(last) in squash(text):
        return True
    near = max((SequenceMatcher(None, last, word).ratio() for word in text.split()), default=0.0)
    return near >= ALIKE or (last in ("week", "month", "year") and f"{last[0]}." in text)


def _left_out(text: str, call: Call) -> Iterator[Mistake]:
    has = {str(clause).partition(" ")[0] for clause in call.clauses}
    has |= {f"FILTER {clause.property}" for clause in call.clauses if isinstance(clause, Filter)}
    values = " ".join(squash(clause.value) for clause in call.clauses if isinstance(clause, Filter | Search))
    mine = {f"FILTER {name}" for name in schema(domain_of(call.resource)).properties} | {"COUNT", "TOP"}
    for clause, cues in _cues()["named"].items():
        said = [cue for cue in cues if clause in mine and clause not in has and has_cue(text, [cue])]
        if said and squash(said[0]) not in values:
            yield Mistake("clause left out", f"{clause}: {said[0]}")


def has_cue(text: str, cues: Iterable[str]) -> bool:
    return _any_of(tuple(cues)).search(text) is not None


@cache
def _any_of(cues: tuple[str, ...]) -> re.Pattern[str]:
    ends = {True: "", False: r"(?!\w)"}
    parts = [re.escape(cue.rstrip("*")) + ends[cue.endswith("*")] for cue in cues]
    # n't has a letter in front of it, other cues begin a word.
    return re.compile("|".join(part if part.startswith("n'") else rf"(?<!\w){part}" for part in parts))


def squash(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


@cache
def _cues() -> dict[str, dict[str, dict[str, list[str]]]]:
    table = tomllib.loads((files("sayso.targets.api") / "data" / "cues.toml").read_text(encoding="utf-8"))
    return cast(dict[str, dict[str, dict[str, list[str]]]], table)
