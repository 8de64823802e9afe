"""A request of any domain as one answer: its calls, or why there are none; what to ask back; words left unused.

A request may name its domain in a piece of context called `domain`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import accumulate

from sayso.core.errors import UnknownName
from sayso.core.types import Candidate, Question, Remarks, Request, System
from sayso.targets.api.evidence.unused_words import left_out
from sayso.targets.api.request.deeds import find_deed
from sayso.targets.api.request.rewording import named_domains, reword
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.asking import Asked, ask
from sayso.targets.api.systems.parse import Parser

KEPT = 256
"""Readings that are kept: one is asked for its candidates, and soon after for what is said beside them."""


@dataclass(frozen=True)
class Reading:
    asked: Asked
    deed: str = ""
    """What no call can do: delete."""
    unused: tuple[str, ...] = ()
    """Words that the call does not have and that requests of its domain have only as values."""


Read = Callable[[str, str, int], Reading]
"""A request, its domain ("": to be found out) and how many calls -> its reading."""


def any_domain(parsers: Mapping[str, Parser]) -> System:
    """The system over the parsers of all domains."""
    read: Read = lru_cache(maxsize=KEPT)(partial(read_request, parsers))
    return System(AnyDomain(read), remarks=partial(remarks_of, read))


@dataclass(frozen=True)
class AnyDomain:
    """Translator whose scores are chances of being right."""

    read: Read

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [falling(self.read(one.text, domain_named(one), k).asked.candidates) for one in requests]


def falling(candidates: Sequence[Candidate]) -> list[Candidate]:
    """In their order, the chances never rising: unused words take something off the chance of each on its own."""
    chances = accumulate((one.score for one in candidates), min)
    return [replace(one, score=score) for one, score in zip(candidates, chances, strict=True)]


def remarks_of(read: Read, request: Request, k: int) -> Remarks:
    found = read(request.text, domain_named(request), k)
    return Remarks(
        reason=found.asked.reason,
        barred=bool(found.deed),
        question=Question(found.asked.question) if found.asked.question else None,
        facts={"domain": found.asked.domain, "deed": found.deed, "unused": list(found.unused)},
    )


def domain_named(request: Request) -> str:
    """The domain that the user gave with the request, or "" where it is to be told from the words."""
    named = next((piece.text for piece in request.context if piece.name == "domain"), "")
    if named and named not in DOMAINS:
        raise UnknownName("domain", named, DOMAINS)
    return named


def read_request(parsers: Mapping[str, Parser], text: str, domain: str, k: int) -> Reading:
    """Of a request for a deed, the reading that finds what the deed is about, abstained from."""
    deed = find_deed(text)
    if deed is None:
        found = ask(text, domain, k, parsers)
        return Reading(found, unused=() if found.abstained else unused_words(text, found, parsers))
    reason = f"these calls only read: they cannot {deed.verb}"
    if not deed.reading:
        nothing = Asked(domain or next(iter(named_domains(text)), ""), (), True, reason=reason)
        return Reading(nothing, deed.verb)
    found = ask(deed.reading, domain, k, parsers)
    offered = () if found.abstained else found.candidates
    return Reading(replace(found, candidates=offered, abstained=True, question="", reason=reason), deed.verb)


def unused_words(text: str, found: Asked, parsers: Mapping[str, Parser]) -> tuple[str, ...]:
    said = reword(found.plain or text, found.domain)
    return tuple(left_out(said, found.candidates[0].text, parsers[found.domain].counts)) if found.candidates else ()
