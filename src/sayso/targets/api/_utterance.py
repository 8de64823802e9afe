"""A call said in a sentence, from wordings that are data: `data/utterance/LANGUAGE.toml` (Okapi §3.1.2).

A language is one such file: its wordings of resources, clauses, closed values, numbers and dates. The first wording of
each is the canonical utterance; drawing among all of them makes requests to learn from.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from random import Random

from sayso.core.errors import UnknownName
from sayso.targets.api._calls import Call, Count, Filter, OrderBy, Search, Select, Top, kind_rank
from sayso.targets.api._schema import domain_of

Wordings = Sequence[str]
Pick = Callable[[Wordings], str]
SAID, OPENS = "~", "^"
"""Where the rest is put; in front of wordings that open a noun phrase: the, my."""


@dataclass(frozen=True)
class Language:
    """The wordings of one language, as its file has them."""

    name: str
    list: Wordings
    count: Wordings
    nouns: Mapping[str, Wordings]
    resources: Mapping[str, Wordings]
    filters: Mapping[str, Mapping[str, Wordings | Mapping[str, Wordings]]]
    orders: Mapping[str, Mapping[str, Wordings]]
    search: Mapping[str, Wordings]
    top: Mapping[str, Wordings]
    selects: Mapping[str, Wordings]
    firsts: Mapping[str, Mapping[str, Wordings]] = field(default_factory=dict)
    """Order and number in one: the five newest."""
    one: Mapping[str, Mapping[str, Wordings]] = field(default_factory=dict)
    """Order and the number one: the newest."""
    single: Mapping[str, Wordings] = field(default_factory=dict)
    """The nouns where only one is asked for."""
    spoken: Mapping[str, Mapping[str, Wordings]] = field(default_factory=dict)
    """Property or `times` -> value of a call -> how it is said; what is not there is said as it is."""
    numbers: Mapping[str, int] = field(default_factory=dict)


def languages() -> list[str]:
    folder = files(__package__) / "data" / "utterance"
    return sorted(one.name.removesuffix(".toml") for one in folder.iterdir() if one.name.endswith(".toml"))


@cache
def language(name: str) -> Language:
    if name not in languages():
        raise UnknownName("language", name, languages())
    text = (files(__package__) / "data" / "utterance" / f"{name}.toml").read_text(encoding="utf-8")
    return Language(name, **tomllib.loads(text))


def canonical_sentence(call: Call, name: str = "english") -> str:
    """GET message FILTER message.from eq Ada COUNT -> How many emails from Ada are there?"""
    return _sentence(call, language(name), lambda wordings: wordings[0], None)


def phrase(call: Call, name: str, random: Random) -> str:
    """One of the ways in which the wordings can say it."""
    return _sentence(call, language(name), random.choice, random)


def _sentence(call: Call, spoken: Language, pick: Pick, random: Random | None) -> str:
    domain = domain_of(call.resource)
    top = next((clause for clause in call.clauses if isinstance(clause, Top)), None)
    nouns = spoken.single if top and top.number == 1 and domain in spoken.single else spoken.nouns
    said = pick(nouns[domain])
    wordings, resource = _wordings(call, spoken, pick, random), pick(spoken.resources[call.resource])
    if resource.startswith(OPENS) and any(wording.startswith(OPENS) for wording in wordings):
        resource = spoken.resources[call.resource][0]  # the first five, not the first five my
    wordings.append(resource)
    if random:
        random.shuffle(wordings)  # what stands behind the noun may stand in any order
    for wording in sorted(wordings, key=_rank):
        said = wording.removeprefix(OPENS).replace(SAID, said)
    for clause in call.clauses:
        if isinstance(clause, Select):
            said = pick(spoken.selects[clause.property]).replace(SAID, said)
    asks = any(isinstance(clause, Count) for clause in call.clauses)
    text = " ".join(pick(spoken.count if asks else spoken.list).replace(SAID, said).split()).replace(" ,", ",")
    if random:
        return text
    return f"{text}?" if asks else f"{text}."


def _rank(wording: str) -> int:
    """What is said first stands next to the noun: one of its own, a compound, what goes in front, what goes behind."""
    if SAID not in wording:
        return 0
    if wording.endswith(f"-{SAID}"):
        return 1
    if wording.endswith(SAID):
        return 3 if wording.startswith(OPENS) else 2
    return 5 if wording.startswith(f"{SAID},") else 4


def _wordings(call: Call, spoken: Language, pick: Pick, random: Random | None) -> list[str]:
    clauses = sorted(call.clauses, key=kind_rank)
    orders = [clause for clause in clauses if isinstance(clause, OrderBy)]
    tops = [clause for clause in clauses if isinstance(clause, Top)]
    found: list[str] = []
    if orders and tops and (together := _together(orders[0], tops[0], spoken)):
        found.append(_filled(pick(together), _number(tops[0].number, spoken, random)))
        clauses = [clause for clause in clauses if clause not in (orders[0], tops[0])]
    for clause in clauses:
        match clause:
            case Filter(name, operator, value):
                found.append(_filter(name, operator, value, spoken, pick))
            case Search(value):
                found.append(_filled(pick(spoken.search["search"]), value))
            case OrderBy(name, direction):
                found.append(pick(spoken.orders[name][direction]))
            case Top(number):
                found.append(_filled(pick(spoken.top["top"]), _number(number, spoken, random)))
    return [one for one in found if one]


def _together(order: OrderBy, top: Top, spoken: Language) -> Wordings:
    table = spoken.one if top.number == 1 and order.property in spoken.one else spoken.firsts
    return table.get(order.property, {}).get(order.direction, ())


def _filter(name: str, operator: str, value: str, spoken: Language, pick: Pick) -> str:
    wordings = spoken.filters[name][operator]
    if isinstance(wordings, Mapping):
        return pick(wordings[value])
    said = spoken.spoken.get(name) or spoken.spoken.get("times", {})
    return _filled(pick(wordings), pick(said[value]) if value in said else value)


def _filled(wording: str, value: str) -> str:
    return wording.replace("{value}", value)


def _number(number: int, spoken: Language, random: Random | None) -> str:
    """In digits; where one may choose, also as a word."""
    words = [word for word, value in spoken.numbers.items() if value == number] if random else []
    return random.choice([str(number), *words]) if random and words else str(number)


def in_call_words(text: str, name: str) -> str:
    """Number words as digits and dates as calls write them: what is copied into a call is the same in each language."""
    spoken = language(name)
    said = {word: str(number) for word, number in spoken.numbers.items()}
    for value, wordings in spoken.spoken.get("times", {}).items():
        said |= {wording.lower(): value for wording in wordings}
    return _any_of(tuple(sorted(said, key=len, reverse=True))).sub(lambda match: said[match[0].lower()], text)


@cache
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """Whole words alone; one that matches nothing where there are none."""
    inside = "|".join(map(re.escape, words))
    return re.compile(rf"(?<!\w)(?:{inside})(?!\w)" if words else r"(?!)", re.IGNORECASE)
