"""What stands around the words that a parser reads: negation, comparison, times in figures, what is to be shown.

`lift` takes each such phrase out of a request. Some are clauses by themselves (`whose name contains budget`); of others
the parser tells the property, by the clause that the phrase adds when it is said plainly: `not from Bob` adds the
clause of `from Bob`, and `since May` that of `today`. What cannot be said so is a reason not to answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sayso.targets.api.request.rewording import QUOTED
from sayso.targets.api.request.said_directly import ENDS, table, take_direct
from sayso.targets.api.request.times_said import HOUR_ALONE, Comparing, TimeSaid, comparing, find_times, is_day
from sayso.targets.api.syntax.calls import Call, Clause, Filter
from sayso.targets.api.syntax.schema import schema

MOST_WORDS = 80
"""Of a longer request nothing is taken out: nobody asks so, and looking for times everywhere takes long."""
STAND_IN = ("today", "yesterday")
USUAL = {"email": "message.receivedDateTime", "calendar": "event.start", "document": "file.lastModifiedDateTime"}
"""The time that is meant where the parser does not tell."""
ALONE = frozenset({"now", "today", "tomorrow", "yesterday", "tonight", "noon", "midnight", "christmas", "halloween"})
OTHER = {"true": "False", "false": "True", "high": "", "low": ""}
READ = r"(?:been )?(?:read|opened|seen|viewed|important|urgent|attach\w*|any\b|marked)"
"""What is negated and still one of a property's own values: the parsers were taught these."""
NEGATED = re.compile(
    r"(?:,? ?\b(?:that|which|who) )?(?:(?:\b(?:are|is|were|was|did|do|does|have|has)\b ?)?(?:\bnot|n['’]t)\b "
    rf"(?!{READ})(?:been )?"
    r"|\b(?:but not|other than|apart from|except(?:ing)?(?: for)?|excluding|besides)\b "
    r"(?:those |the ones |ones |anything |all )?"
    rf"|\b(?P<without>without) (?!(?:any |an? |the )?(?:attach|files?\b|enclos|{READ}))"
    r"|\b(?P<prep>from|by|with) (?:any(?:one|body)|every(?:one|body)) (?:but|except) )"
    r"(?P<phrase>(?:(?:sent|created|made|modified|changed|edited|organi[sz]ed|shared|received|hosted) )?"
    r"(?:(?:from|by|with|in|at|of|to|about|on) )?(?:the |my |our )?\S+?(?: \S+?){0,5}?)" + ENDS,
    re.IGNORECASE,
)
PAST = re.compile(r"\b(?:did|had|was|were|attended|took place|happened)\b", re.IGNORECASE)
BARE = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|[a-z]{3,9}", re.IGNORECASE)
"""A weekday or a month by itself, of which the words around tell whether it is over."""


@dataclass(frozen=True)
class Phrase:
    """What was taken out, and the request with this phrase alone, said plainly."""

    said: str
    plainly: str
    compared: tuple[tuple[str, str], ...] = ()
    """Of a time: (operator, time); of what is negated nothing."""
    stand_in: str = ""


@dataclass(frozen=True)
class Lifted:
    base: str
    """The request without its phrases."""
    clauses: tuple[Clause, ...] = ()
    phrases: tuple[Phrase, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """All that is to be read: the base, and each phrase said plainly."""
        return (self.base, *(one.plainly for one in self.phrases))


def lift(text: str, domain: str, known: Collection[str]) -> Lifted:
    """Without a word of this kind a request comes back as it is; `known` are the times that the parser reads."""
    asked = " ".join(text.split())
    if asked.count(" ") >= MOST_WORDS:
        return Lifted(text)
    rest, clauses = take_direct(asked, domain)
    rest = _tidy(rest) if clauses else asked
    operators = {
        operator for one in schema(domain).properties.values() if one.type == "time" for operator in one.operators
    }
    times = find_times(rest, {*known, *STAND_IN}, operators, _comparing())
    negated = [
        one
        for one in NEGATED.finditer(rest)
        if not any(time.start < one.end() and one.start() < time.end for time in times)
        and not _in_quotes(rest, one.start())
    ]
    cuts: list[tuple[int, int, str, TimeSaid | None]] = [(one.start, one.end, one.kept, one) for one in times]
    cuts += [(one.start(), one.end(), _plainly(one, domain), None) for one in negated]
    cuts.sort(key=lambda one: one[0])
    base = _tidy(_without(rest, cuts))
    if not (clauses or cuts):
        return Lifted(text)
    phrases = []
    free = [word for word in STAND_IN if not re.search(rf"\b{word}\b", rest, re.IGNORECASE)] or list(STAND_IN)
    for at, (start, end, plainly, time) in enumerate(cuts):
        stand_in = free[0] if time else ""
        kept = cuts[:at] + cuts[at + 1 :]
        if time and time.before_noun:
            whole = f"{_tidy(_without(rest, cuts))} {stand_in}"
        else:
            whole = _tidy(_without(rest, kept, (start, end, f"{plainly} {stand_in}")))
        phrases.append(
            Phrase(
                rest[start:end].strip(" ,"),
                _named(whole, domain),
                _in_tense(time.compared, asked) if time else (),
                stand_in,
            )
        )
    return Lifted(_named(base, domain), tuple(clauses), tuple(phrases))


def added(lifted: Lifted, domain: str, calls: Sequence[Call]) -> tuple[list[Clause], str]:
    """The clauses that lifted phrases come to, given the parser's call for each of `texts`; or why there are none."""
    base, *others = calls
    clauses: list[Clause] = list(lifted.clauses)
    for phrase, call in zip(lifted.phrases, others, strict=True):
        extra = [one for one in call.clauses if one not in base.clauses]
        if phrase.compared:
            name = next(
                (one.property for one in extra if isinstance(one, Filter) and _is_time(one, domain)), USUAL[domain]
            )
            clauses += [Filter(name, operator, value) for operator, value in phrase.compared]
            continue
        filters = [one for one in extra if isinstance(one, Filter) and one.operator == "eq"]
        sound = len(extra) == len(filters) == 1 and filters[0].value.casefold() not in ("me", "myself")
        if not sound or not _is_said(filters[0], phrase, domain):
            return [], f'no call can leave this out ("{phrase.said}")'
        clauses.append(_opposite(filters[0], domain))
    return clauses, ""


def _in_tense(compared: tuple[tuple[str, str], ...], text: str) -> tuple[tuple[str, str], ...]:
    """February, where things were: last February"""
    if not PAST.search(text):
        return compared
    return tuple(
        (operator, f"last {time}" if BARE.fullmatch(time) and time.casefold() not in ALONE else time)
        for operator, time in compared
    )


def in_tense(call: Call, text: str) -> Call:
    """A call whose bare days and months of events are those behind, where a request speaks of what was."""
    return Call(
        call.resource,
        tuple(
            Filter(one.property, *_in_tense(((one.operator, one.value),), text)[0])
            if isinstance(one, Filter) and one.property in ("event.start", "event.end")
            else one
            for one in call.clauses
        ),
    )


def _is_said(clause: Filter, phrase: Phrase, domain: str) -> bool:
    """Whether the value of a clause stands in a phrase; one of closed values is said in many words."""
    offered = schema(domain).properties[clause.property]
    if offered.values or clause.property == "file.fileType":
        return True
    said = phrase.said.casefold()
    return all(word in said for word in clause.value.casefold().split())


def joined(call: Call, clauses: Sequence[Clause]) -> Call:
    """The call with these clauses; an hour is one of the day that is asked for."""
    every = list(dict.fromkeys((*call.clauses, *clauses)))
    days = {
        one.property: one.value
        for one in every
        if isinstance(one, Filter) and one.operator == "eq" and is_day(one.value)
    }
    return Call(call.resource, tuple(_on_day(one, days) for one in every))


def _on_day(clause: Clause, days: Mapping[str, str]) -> Clause:
    if isinstance(clause, Filter) and clause.property in days and HOUR_ALONE.fullmatch(clause.value):
        return Filter(clause.property, clause.operator, f"{days[clause.property]} at {clause.value}")
    return clause


def _opposite(clause: Filter, domain: str) -> Clause:
    """isRead eq True -> isRead eq False; from eq Bob -> from ne Bob"""
    other = OTHER.get(clause.value.casefold(), "") if schema(domain).properties[clause.property].values else ""
    return Filter(clause.property, "eq", other) if other else Filter(clause.property, "ne", clause.value)


def _is_time(clause: Filter, domain: str) -> bool:
    return schema(domain).properties[clause.property].type == "time"


def _plainly(found: re.Match[str], domain: str) -> str:
    phrase = found["phrase"]
    if found["without"]:
        return f"with {phrase}"
    if found["prep"]:
        return f"{found['prep']} {phrase}"
    if re.match(r"(?:that|which) (?:are|is|were|was)\b", found[0].strip(" ,"), re.IGNORECASE) and not re.match(
        r"(?:sent|created|made|modified|changed|edited|organi[sz]ed|shared|received|from|by|in|at|with)\b", phrase, re.I
    ):
        return f"that are {phrase}"
    return phrase


def _without(
    text: str, cuts: Sequence[tuple[int, int, str, TimeSaid | None]], put: tuple[int, int, str] | None = None
) -> str:
    """A text without some parts, and with another in place of one."""
    parts = sorted([(start, end, "") for start, end, _, _ in cuts] + ([put] if put else []), reverse=True)
    for start, end, words in parts:
        text = f"{text[:start]} {words} {text[end:]}"
    return text


def _tidy(text: str) -> str:
    text = re.sub(r"\s+([,;?!])", r"\1", " ".join(text.split()))
    text = re.sub(r"\b(?:that|which)(?: (?:are|is|were|was))?\s*$|\b(?:and|but|,)\s*$", "", text.strip(" ,"))
    return text.strip(" ,")


def _named(text: str, domain: str) -> str:
    """With a word for what is asked for, where the phrases that were taken out held it."""
    from sayso.targets.api.request.beyond import names_thing
    from sayso.targets.api.request.rewording import named_domains

    if named_domains(text) or names_thing(text):
        return text
    return f"{text} {schema(domain).gloss}".strip() if len(text.split()) < 2 else f"{schema(domain).gloss} {text}"


def _in_quotes(text: str, at: int) -> bool:
    return any(one.start() <= at < one.end() for one in QUOTED.finditer(text))


@cache
def _comparing() -> Comparing:
    return comparing(table()["times"])
