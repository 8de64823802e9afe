"""A request of any domain as one answer: its calls, or why there are none; what to ask back; words left unused.

A request may name its domain in a piece of context called `domain`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import accumulate

from sayso.core.errors import UnknownName
from sayso.core.types import Candidate, Question, Remarks, Request, System, Translator
from sayso.targets.api.evidence.unused_words import left_out
from sayso.targets.api.request.around import in_tense
from sayso.targets.api.request.deeds import find_deed
from sayso.targets.api.request.rewording import named_domains, reword
from sayso.targets.api.requests.agreeing import can_be_met
from sayso.targets.api.syntax.calls import parse_call
from sayso.targets.api.syntax.schema import DOMAINS, domain_of
from sayso.targets.api.systems.asking import Asked, ask, known_words
from sayso.targets.api.systems.parse import Parser
from sayso.targets.api.systems.three_readers import decided_of_three
from sayso.targets.api.systems.trunk import trunk_readings
from sayso.targets.api.systems.two_readers import Both, decided
from sayso.targets.api.systems.wording.reading import Told, Wording

READINGS = 5
"""Of the reader of people's own wording, beside the parsers'."""
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


def any_domain(
    parsers: Mapping[str, Parser], wording: Wording | None = None, trunk: Translator | None = None
) -> System:
    """The system over the parsers of all domains, the reader of people's own wording, and the trunk, where they are."""
    read: Read = lru_cache(maxsize=KEPT)(partial(read_request, parsers, wording=wording, trunk=trunk))
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


def read_request(
    parsers: Mapping[str, Parser],
    text: str,
    domain: str,
    k: int,
    wording: Wording | None = None,
    trunk: Translator | None = None,
) -> Reading:
    """The likelier of what the readers make of a request, or why there is no answer."""
    parsed = read_parsed(parsers, text, domain, k)
    asks_back = parsed.asked.abstained and parsed.asked.question
    if wording is None or parsed.deed or asks_back:
        return parsed
    both = both_read(parsers, wording, parsed, text, domain, trunk)
    found = decided(both, k) if trunk is None else decided_of_three(both, k)
    return Reading(found, unused=() if found.abstained else unused_words(text, found, parsers))


def both_read(
    parsers: Mapping[str, Parser],
    wording: Wording,
    parsed: Reading,
    text: str,
    domain: str,
    trunk: Translator | None = None,
) -> Both:
    def kept(readings: Sequence[Told]) -> tuple[Told, ...]:
        return tuple(
            replace(one, call=one.call and in_tense(one.call, text))
            for one in readings
            if one.call is None or (domain in ("", domain_of(one.call.resource)) and can_be_met(one.call))
        )

    told = kept(wording.readings(text, READINGS))
    heard = kept(trunk_readings(trunk, text)) if trunk is not None else ()
    unused = unused_words(text, parsed.asked, parsers)
    said, name = parsed.asked.plain or text, parsed.asked.domain
    known = known_words(reword(said, name), parsers[name].vocabulary) if name else 0.0
    ends = text.rstrip()[-1:] in (".", "?")
    return Both(parsed.asked, told, bool(parsed.deed), len(unused), len(text.split()), known, ends, heard)


def read_parsed(parsers: Mapping[str, Parser], text: str, domain: str, k: int) -> Reading:
    """What Okapi's parsers make of it. Of a request for a deed, the reading that finds what the deed is about,
    abstained from."""
    deed = find_deed(text)
    if deed is None:
        found = met(ask(text, domain, k, parsers))
        return Reading(found, unused=() if found.abstained else unused_words(text, found, parsers))
    reason = f"these calls only read: they cannot {deed.verb}"
    if not deed.reading:
        nothing = Asked(domain or next(iter(named_domains(text)), ""), (), True, reason=reason)
        return Reading(nothing, deed.verb)
    found = ask(deed.reading, domain, k, parsers)
    offered = () if found.abstained else found.candidates
    return Reading(replace(found, candidates=offered, abstained=True, question="", reason=reason), deed.verb)


def met(found: Asked) -> Asked:
    """Without calls that nothing can answer: those are read wrongly."""
    able = tuple(one for one in found.candidates if can_be_met(parse_call(one.text)))
    if len(able) == len(found.candidates):
        return found
    reason = found.reason or ("" if able else "its times contradict each other as they are read")
    return replace(found, candidates=able, abstained=found.abstained or not able, reason=reason, question="")


def unused_words(text: str, found: Asked, parsers: Mapping[str, Parser]) -> tuple[str, ...]:
    if not found.candidates:
        return ()
    said = reword(found.plain or text, found.domain)
    return tuple(left_out(said, found.candidates[0].text, parsers[found.domain].counts))
