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
from sayso.targets.api.syntax.calls import Call, Count, Filter, OrderBy, Search, Select, Top, kind_rank
from sayso.targets.api.syntax.schema import domain_of

Wordings = Sequence[str]
Pick = Callable[[Wordings], str]
SAID, OPENS, BEHIND = "~", "^", "*"
"""Where the rest is put; what opens a noun phrase (the, my); where a sentence puts what stands behind its noun."""
ENDS = ("", "", "?", ".")
LINKED = 0.5
CUT = "\0"


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
    together: Mapping[str, Wordings] = field(default_factory=dict)
    """Two properties -> wordings that say both, in {first} and {second}; drawn, never canonical."""
    asks: Mapping[str, Mapping[str, Wordings]] = field(default_factory=dict)
    """One or two properties -> sentences around the noun that say them: what did {first} send {second}."""
    spoken: Mapping[str, Mapping[str, Wordings]] = field(default_factory=dict)
    """Property or `times` -> value of a call -> how it is said; what is not there is said as it is."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    links: Mapping[str, Wordings] = field(default_factory=dict)
    """A link that stands in a request twice -> what may stand for the last one; drawn, never canonical."""


def languages() -> list[str]:
    folder = files("sayso.targets.api") / "data" / "utterance"
    return sorted(one.name.removesuffix(".toml") for one in folder.iterdir() if one.name.endswith(".toml"))


@cache
def language(name: str) -> Language:
    if name not in languages():
        raise UnknownName("language", name, languages())
    text = (files("sayso.targets.api") / "data" / "utterance" / f"{name}.toml").read_text(encoding="utf-8")
    return Language(name, **tomllib.loads(text))


def canonical_sentence(call: Call, name: str = "english") -> str:
    """GET message FILTER message.from eq Ada COUNT -> How many emails from Ada are there?"""
    return _sentence(call, language(name), lambda wordings: wordings[0], None)


def phrase(call: Call, name: str, random: Random) -> str:
    """One of the ways in which the wordings can say it."""
    spoken = language(name)
    text = _sentence(call, spoken, random.choice, random)
    links = [link for link in spoken.links if text.count(link) > 1]
    if links and random.random() < LINKED:
        link = random.choice(links)
        before, _, after = text.rpartition(link)
        text = before + random.choice(spoken.links[link]) + after
    return text + random.choice(ENDS)


def _sentence(call: Call, spoken: Language, pick: Pick, random: Random | None) -> str:
    domain = domain_of(call.resource)
    top = next((clause for clause in call.clauses if isinstance(clause, Top)), None)
    asks = any(isinstance(clause, Count) for clause in call.clauses)
    nouns = spoken.single if top and top.number == 1 and domain in spoken.single else spoken.nouns
    noun, frame = pick(nouns[domain]), pick(spoken.count if asks else spoken.list)
    said = f"{noun}{CUT}"
    rest, joined = call, list[str]()
    if random:
        rest, joined = _joined(call, spoken.together, spoken, random)
        table = {names: ways["count" if asks else "list"] for names, ways in spoken.asks.items()}
        rest, frames = _joined(rest, table, spoken, random)
        frame = frames[0] if frames else frame
    wordings, resource = [*_wordings(rest, spoken, pick, random), *joined], pick(spoken.resources[call.resource])
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
    text = _framed(frame, said, noun)
    if random:
        return text
    return f"{text}?" if asks else f"{text}."


def _framed(frame: str, said: str, noun: str) -> str:
    """("which ~ start today *", "important events|at noon") -> which important events start today at noon"""
    front, _, behind = said.partition(CUT)
    if SAID not in frame and front != noun:
        frame = f"{frame} {SAID}"  # `what came in today` leaves no room for `unread`
    if BEHIND not in frame:
        front, behind = front + behind, ""
    return " ".join(frame.replace(SAID, front).replace(BEHIND, behind).split()).replace(" ,", ",")


def _joined(call: Call, table: Mapping[str, Wordings], spoken: Language, random: Random) -> tuple[Call, list[str]]:
    """One wording for one or two properties that are compared, half of the time; and the call without these."""
    held = {
        clause.property: clause for clause in call.clauses if isinstance(clause, Filter) and clause.operator == "eq"
    }
    able = [names for names in table if all(name in held for name in names.split())]
    if not able or random.random() < 0.5:
        return call, []
    names = random.choice(able).split()
    wording = random.choice(table[" ".join(names)])
    for mark, name in zip(("{first}", "{second}"), names, strict=False):
        wording = wording.replace(mark, _spoken(name, held[name].value, spoken, random.choice))
    left = tuple(clause for clause in call.clauses if clause not in [held[name] for name in names])
    return Call(call.resource, left), [wording]


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
    return _filled(pick(wordings), _spoken(name, value, spoken, pick))


def _spoken(name: str, value: str, spoken: Language, pick: Pick) -> str:
    said = spoken.spoken.get(name) or spoken.spoken.get("times", {})
    return pick(said[value]) if value in said else value


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
