"""What is wrong with an answer, in the kinds that Okapi §6 counts: each wrong answer has one, the first that fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher

from sayso.core.errors import BadInstruction
from sayso.targets.api.language import check, clauses, fold
from sayso.targets.api.syntax.calls import Call, Clause, Filter, Search, parse_call

KINDS = ("invalid", "noisy tail", "misspelt", "wrong", "missing", "extra")
PAPER = {
    "length": {"wrong": 0.21, "missing": 0.30, "extra": 0.09, "invalid or noisy tail": 0.37, "annotation": 0.03},
    "program": {"wrong or misspelt": 0.30, "missing": 0.10, "extra": 0.13, "noisy tail": 0.45, "annotation": 0.02},
}
"""Shares of 100 wrong answers of T5-Base that the authors looked at."""
ALIKE = 0.75
IGNORED = "TOP without ORDERBY"
"""What the release itself does is not invalid."""


def mistake(reference: str, answer: str) -> str:
    """ "" where the answer is right."""
    try:
        if fold(reference) == fold(answer):
            return ""
        if any(not finding.message.startswith(IGNORED) for finding in check(answer)):
            return "invalid"
    except BadInstruction:
        return "invalid"
    wanted, got = set(clauses(reference)), set(clauses(answer))
    lacking, more = wanted - got, got - wanted
    texts = [
        (_value(one), _value(other))
        for one in _of(reference, lacking)
        for other in _of(answer, more)
        if _alike(one, other)
    ]
    if any(other.startswith(one + " ") for one, other in texts) and len(lacking) == len(more) == 1:
        return "noisy tail"
    if len(lacking) == len(more) == len(texts) and all(
        SequenceMatcher(None, one, other).ratio() >= ALIKE for one, other in texts
    ):
        return "misspelt"
    if lacking and more:
        return "wrong"
    return "missing" if lacking else "extra"


def count_mistakes(pairs: Iterable[tuple[str, str]]) -> dict[str, int]:
    """(reference, answer) pairs -> how many answers have each kind."""
    found = Counter(mistake(reference, answer) for reference, answer in pairs)
    return {kind: found[kind] for kind in KINDS}


def _of(text: str, folded: set[str]) -> list[Clause]:
    """The clauses of a call whose folded text is one of these."""
    call = parse_call(text)
    return [one for one in call.clauses if set(clauses(str(Call(call.resource, (one,))))) & folded - {call.resource}]


def _alike(one: Clause, other: Clause) -> bool:
    """The same slot with different words in it."""
    if isinstance(one, Filter) and isinstance(other, Filter):
        return (one.property, one.operator) == (other.property, other.operator)
    return isinstance(one, Search) and isinstance(other, Search)


def _value(clause: Clause) -> str:
    return clause.value.casefold() if isinstance(clause, Filter | Search) else ""
