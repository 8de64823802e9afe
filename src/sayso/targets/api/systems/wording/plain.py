"""Values as an answer has them, however they were said: people without titles, places without articles, types of files
in the word that calls have, and what a name contains in the singular, which finds the plural too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files

from sayso.targets.api.requests.graph import graph
from sayso.targets.api.syntax.calls import Call, Clause, Filter, canonical_call, reads_back
from sayso.targets.api.systems.wording.marks import is_told
from sayso.targets.api.systems.wording.slots import COMING_VALUE, OR, TYPES, kinds

TITLES = frozenset({"mr", "mrs", "ms", "miss", "mister", "dr", "prof", "professor", "sir", "frau", "herr", "señor"})
ARTICLES = frozenset({"the", "a", "an", "our", "my"})
NAMED = ("event.location", "event.calendar")
CONTAIN = ("event.subject", "file.name")
WITHIN = ("contains", "lacks")
QUOTES = "\"'“”‘’"
NO_PLURAL = re.compile(r"(?:ss|us|is|[^aeiou]ies|news|series|species|always|perhaps|s's|['’]s)$")
HISSING = re.compile(r"(?:ch|sh|x|ss|zz)es$")


def plain(call: Call) -> Call:
    """The call with people, places and types of files in one form."""
    return _changed(call, _plain)


def singulars(call: Call, text: str) -> Call:
    """The call with what a name contains in the singular, but for what the request has in quotes."""

    def one_of(clause: Clause) -> Clause:
        contains = isinstance(clause, Filter) and clause.property in CONTAIN and clause.operator in WITHIN
        if not contains or not isinstance(clause, Filter) or is_quoted(clause.value, text):
            return clause
        return replace(clause, value=singular(clause.value))

    return _changed(call, one_of)


def _changed(call: Call, change: Callable[[Clause], Clause]) -> Call:
    found = canonical_call(replace(call, clauses=tuple(map(change, call.clauses))))
    return found if reads_back(found) else call


def _plain(one: Clause) -> Clause:
    if not isinstance(one, Filter):
        return one
    if kinds().get(one.property) == "person":
        return replace(one, value=" or ".join(nameless(each) for each in OR.split(one.value)))
    if one.property in NAMED:
        return replace(one, value=without_article(one.value))
    if one.property == "file.fileType":
        return replace(one, value=" or ".join(file_type(each) for each in OR.split(one.value)))
    return one


def untold_time(call: Call) -> str:
    """The first time of a call that no clock can tell, "" where all can be told."""
    times = (one.value for one in call.clauses if isinstance(one, Filter) and kinds().get(one.property) == "time")
    return next((one for one in times if one != COMING_VALUE and not is_told(one)), "")


def nameless(name: str) -> str:
    """the Mr. Okafor -> Okafor"""
    found = without_article(name)
    first, _, rest = found.partition(" ")
    return rest if rest and first.casefold().strip(".") in TITLES else found


def without_article(name: str) -> str:
    """the mill -> mill"""
    first, _, rest = name.partition(" ")
    return rest if rest and first.casefold() in ARTICLES else name


@lru_cache(maxsize=4096)
def file_type(said: str) -> str:
    """Photos -> image; .PDFs -> pdf; what is no known word stays, as an ending"""
    word = " ".join(said.casefold().replace("-", " ").split()).removeprefix("*").strip(". ")
    known = _types()
    for one in (word, word.removesuffix("s"), word.removesuffix(" files").removesuffix(" file").removesuffix("s")):
        if one in known:
            return known[one]
    return word


@cache
def _types() -> Mapping[str, str]:
    table = tomllib.loads((files("sayso.targets.api") / "data" / "graph.toml").read_text(encoding="utf-8"))["types"]
    endings = {end: end for ends in graph().endings.values() for end in ends}
    return {**endings, **{one: one for one in TYPES}, **{one: kind for kind, words in table.items() for one in words}}


def singular(value: str) -> str:
    """birth plans -> birth plan; glass, policies and news stay: what they contain is not what their plural contains"""
    *before, last = value.split(" ")
    if not last.endswith("s") or len(last) < 4 or NO_PLURAL.search(last.casefold()):
        return value
    cut = last[: -3 if last.endswith("zzes") else -2 if HISSING.search(last.casefold()) else -1]
    return " ".join((*before, cut))


def is_quoted(value: str, text: str) -> bool:
    """Whether the request has the value between quotes."""
    ends = f"[{QUOTES}]"
    return re.search(rf"(?<!\w){ends}{re.escape(value)}{ends}", text, re.IGNORECASE) is not None
