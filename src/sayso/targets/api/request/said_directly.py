"""Phrases of a request that are a clause by themselves: whose name contains budget, over 5 MB, only the subject.

What the words mean is data (`around.toml`); what a domain cannot compare, show or sort so is left where it stands.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files

from sayso.targets.api.syntax.calls import Clause, Filter, OrderBy, Search, Select
from sayso.targets.api.syntax.schema import schema

ENDS = (
    r"(?=\s+(?:from|by|created|modified|changed|edited|sent|received|that|which|and|or|but|in|on|at|since|before|after"
    r"|until|between|sorted|ordered|with|without|not|next|last|this|today|tomorrow|yesterday|of|larger|bigger|smaller"
    r"|whose|are|is)\b|\s*[,;?!]|\s*\.?$)"
)
"""Where a value of several words ends."""
VALUE = r"(?:\"(?P<quoted>[^\"]+)\"|[“‘'](?P<single>[^”’']+)[”’']|(?P<plain>\S+?(?: \S+?){0,5}?))"
UNIT = r"(?:[kmgt]i?b|bytes?|kilobytes?|megabytes?|gigabytes?|terabytes?)"
FALLING = re.compile(r"desc|revers|backward|z to a|z-a", re.IGNORECASE)


@dataclass(frozen=True)
class Patterns:
    nouns: Mapping[str, str]
    """noun -> property"""
    verbs: Mapping[str, str]
    measures: Mapping[str, str]
    compared: re.Pattern[str]
    held: re.Pattern[str]
    size: re.Pattern[str]
    shown: re.Pattern[str]
    ordered: re.Pattern[str]
    states: tuple[tuple[re.Pattern[str], str], ...]


@cache
def table() -> dict[str, dict[str, list[str]]]:
    """Of `around.toml` what is not told by domain."""
    found = tomllib.loads((files("sayso.targets.api") / "data" / "around.toml").read_text(encoding="utf-8"))
    return {name: part for name, part in found.items() if name not in ("nouns", "states")}


@cache
def by_domain(part: str) -> dict[str, dict[str, list[str]]]:
    found = tomllib.loads((files("sayso.targets.api") / "data" / "around.toml").read_text(encoding="utf-8"))
    told: dict[str, dict[str, list[str]]] = found[part]
    return told


@cache
def patterns_of(domain: str) -> Patterns:
    nouns, verbs, measures = (turned(one) for one in (by_domain("nouns")[domain], table()["verbs"], table()["sizes"]))
    noun, verb, measure = any_of(nouns), any_of(verbs), any_of(measures)
    listed = rf"(?:the |their |its )?{noun}(?:(?:, and |, | and | & )(?:the |their )?{noun})*"
    compared = (
        r"(?:\b(?:whose|where(?: the)?|with|having|at|in|that have|that has)(?: an?| the)? )?(?:\bthe )?"
        rf"\b(?P<noun>{noun})(?: that| which)? (?P<verb>{verb}) {VALUE}{ENDS}"
    )
    held = (
        r"\b(?:with(?: the words?)?|having|containing|that (?:has|have|contains?)|(?P<lacks>without)) "
        rf"{VALUE} in (?:(?:the |its |their )(?P<noun>{noun})|it|them)\b"
    )
    size = (
        rf"(?:\b(?:that|which) (?:are|is) |\b(?:of|with) )?\b(?P<measure>{measure}) (?P<size>\d+(?:\.\d+)? ?{UNIT})\b"
        r"(?: in size)?"
    )
    shown = (
        rf"\b(?:(?:show|list|give|display|get)(?: me)? )?(?:only|just) (?P<first>{listed})"
        r"(?: (?:of|for|from)(?= \S+)|(?=[,.?!]|$))"
        rf"|\b(?:show|list|give|display|get)(?: me)? (?P<middle>{listed}) (?:of|for) "
        rf"|(?<!of )(?<!by )\b(?P<last>{listed}) only\b"
        rf"|^(?P<lead>{listed}) (?:of|for)(?= \S)"
        rf"|[,;] ?(?:show|list|give|display)(?: me)?(?: only| just)? (?P<tail>{listed})(?=[.?!]?$)"
    )
    ordered = (
        rf",? ?\b(?:sort|order|arrang)(?:ed|e)?(?: \w+){{0,2}} by (?:the )?(?P<noun>{noun})(?:'s)?(?: name)?\b"
        r"(?P<way>,? (?:in )?(?:desc\w*|revers\w*|backwards?|z to a|z-a|asc\w*|a to z|a-z)(?: order)?)?"
    )
    states = tuple(
        (rf"(?:\b(?:that|which) (?:are|is) )?(?P<no>\b(?:not |not-|non-?))?\b{any_of(words)}\b(?! calendar)", name)
        for name, words in by_domain("states")[domain].items()
    )
    return Patterns(
        nouns,
        verbs,
        measures,
        compared=re.compile(compared, re.IGNORECASE),
        held=re.compile(held, re.IGNORECASE),
        size=re.compile(size, re.IGNORECASE),
        shown=re.compile(shown, re.IGNORECASE),
        ordered=re.compile(ordered, re.IGNORECASE),
        states=tuple((re.compile(one, re.IGNORECASE), name) for one, name in states),
    )


def turned(part: Mapping[str, Collection[str]]) -> dict[str, str]:
    """word -> what it stands for"""
    return {word: name for name, words in part.items() for word in words}


def any_of(words: Collection[str]) -> str:
    return f"(?:{'|'.join(re.escape(one) for one in sorted(words, key=len, reverse=True))})"


RECIPIENT = re.compile(
    rf"\b(?P<kept>e-?mails?|mails?|messages?|sent|wrote|written) to (?!me\b|us\b|be\b|do\b){VALUE}{ENDS}", re.IGNORECASE
)


def take_direct(text: str, domain: str) -> tuple[str, list[Clause]]:
    """The request without such phrases, and what they say."""
    known, clauses = patterns_of(domain), list[Clause]()

    def take(pattern: re.Pattern[str], clauses_of: Callable[[re.Match[str]], list[Clause]], keep: str = "") -> None:
        nonlocal text

        def replaced(found: re.Match[str]) -> str:
            made = [] if re.match(r"\s+or\b", text[found.end() :]) else clauses_of(found)
            clauses.extend(made)
            return (found[keep] if keep else " ") if made else found[0]

        text = pattern.sub(replaced, text)

    def able(*made: Filter) -> list[Clause]:
        found = [(one, schema(domain).find(one.property)) for one in made]
        return [one for one, offered in found if offered and one.operator in (*offered.operators, *offered.also)]

    def held(found: re.Match[str]) -> list[Clause]:
        if found["noun"]:
            return able(
                Filter(known.nouns[found["noun"].casefold()], "lacks" if found["lacks"] else "contains", value(found))
            )
        if domain == "document":
            return able(Filter("file.name", "lacks" if found["lacks"] else "contains", value(found)))
        return [] if found["lacks"] else [Search(value(found))]

    def shown(found: re.Match[str]) -> list[Clause]:
        words = re.split(r"\s*(?:,|\band\b|&)\s*", next(part for part in found.groups() if part).casefold())
        return [Select(known.nouns[re.sub(r"^(?:the|their|its) ", "", one)]) for one in words if one]

    def ordered(found: re.Match[str]) -> list[Clause]:
        offered = schema(domain).find(known.nouns[found["noun"].casefold()])
        way = "desc" if FALLING.search(found["way"] or "") else "asc"
        return [OrderBy(offered.name, way)] if offered and offered.also_sorts else []

    take(
        known.compared,
        lambda one: able(Filter(known.nouns[one["noun"].casefold()], known.verbs[one["verb"].casefold()], value(one))),
    )
    take(known.held, held)
    take(known.size, lambda one: able(Filter("file.size", known.measures[one["measure"].casefold()], one["size"])))
    take(known.shown, shown)
    take(known.ordered, ordered)
    take(RECIPIENT, lambda one: able(Filter("message.to", "eq", value(one))) if domain == "email" else [], "kept")
    if domain == "document":
        take(typed(), typed_as)
    for pattern, name in known.states:
        take(pattern, partial(state, name))
    return text, list(dict.fromkeys(clauses))


@cache
def typed() -> re.Pattern[str]:
    ends = any_of(table()["types"]["file.fileType"])
    things = r"(?: (?:files?|archives?|documents?|images?|photos?|videos?|tables?))?"
    before = r"(?:\b(?:that|which) (?:are|is) )?(?P<no>\bnot |\bnon-)?(?<![\w.])(?:ending (?:in|with) )?\.?"
    return re.compile(rf"{before}\b(?P<type>{ends})s?\b{things}(?!\.\w)", re.IGNORECASE)


def typed_as(found: re.Match[str]) -> list[Clause]:
    """zip archives; a file that is called so is no type."""
    named = re.search(r"\b(?:called|named|titled|about)\b[^,]*$", found.string[: found.start()], re.IGNORECASE)
    return [] if named else [Filter("file.fileType", "ne" if found["no"] else "eq", found["type"].casefold())]


def state(name: str, found: re.Match[str]) -> list[Clause]:
    return [Filter(name, "eq", "False" if found["no"] else "True")]


def value(found: re.Match[str]) -> str:
    words: str = found["quoted"] or found["single"] or found["plain"]
    return words.strip()
