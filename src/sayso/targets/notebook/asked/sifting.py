"""What may stay of what the writers wrote: each check once, in this order, with a count of what it drops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from sayso.english.near_words import Bags, words_of
from sayso.english.stems import normalise_request
from sayso.targets.notebook.asked.tried import Tried
from sayso.targets.notebook.asked.written import Ask, Setting

RAN = "ran"
NEAR = "near a request that cells are measured by"
TWICE = "the same request twice in a setting"
FOLLOWS = "stands below a cell that was dropped"
TOO_LONG = "longer than a trunk answers"
LONGEST = 900
"""Characters of a cell: a trunk writes 192 ids."""
GROUNDS = {
    "fails": "the cell raises an error, in the sandbox, below the cells above it",
    "above fails": "a cell above it raises an error",
    "died": "it took more than twenty seconds, or ended its process",
    "not run": "the sandbox did not come to it",
    "does nothing": "it shows nothing and changes nothing",
    FOLLOWS: "`ask then` needs the cells before it",
    TOO_LONG: f"more than {LONGEST} characters",
    NEAR: "four fifths of the words in common, or the same normalised request; a phrasing",
    TWICE: "equal normalised request; a phrasing",
}


@dataclass
class Sifted:
    """Settings with the asks that stay, each with what came of running it; what was dropped, by reason."""

    kept: list[tuple[Setting, tuple[Tried, ...]]] = field(default_factory=list)
    read: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    near: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Measured:
    """Requests that cells are measured by, and the part of each; they are compared, never shown."""

    bags: Bags
    parts: Sequence[str]
    keys: dict[str, str]

    def part_near(self, phrasing: str) -> str:
        """The part that has a request near this one, "" for none."""
        if found := self.keys.get(normalise_request(phrasing)):
            return found
        at = min(self.bags.near(words_of(phrasing)), default=None)
        return "" if at is None else self.parts[at]


def measured(requests: Iterable[tuple[str, str]]) -> Measured:
    """(part, request) of all that cells are measured by."""
    bags, parts, keys = Bags(), list[str](), dict[str, str]()
    for part, request in requests:
        bags.add(request)
        parts.append(part)
        keys.setdefault(normalise_request(request), part)
    keys.pop("", None)
    return Measured(bags, parts, keys)


def sift(found: Iterable[tuple[Setting, Sequence[Tried]]], held: Measured) -> Sifted:
    sifted = Sifted()
    for setting, tried in found:
        sifted.read.update(
            settings=1, asks=len(setting.asks), phrasings=sum(len(one.phrasings) for one in setting.asks)
        )
        asks: list[Ask] = []
        results: list[Tried] = []
        said: set[str] = set()
        is_open = True
        for ask, result in zip(setting.asks, tried, strict=True):
            is_open = is_open if ask.follows else True
            reason = FOLLOWS if not is_open else misfit(ask, result)
            phrasings = () if reason else tuple(fresh(ask.phrasings, said, held, sifted))
            if reason or not phrasings:
                sifted.dropped[reason] += bool(reason)
                is_open = False
                continue
            asks.append(replace(ask, phrasings=phrasings))
            results.append(result)
        if asks:
            sifted.kept.append((replace(setting, asks=tuple(asks)), tuple(results)))
    sifted.dropped += Counter()
    return sifted


def misfit(ask: Ask, result: Tried) -> str:
    if result.status != RAN:
        return result.status
    return TOO_LONG if len(ask.code) > LONGEST else ""


def fresh(phrasings: Iterable[str], said: set[str], held: Measured, sifted: Sifted) -> Iterable[str]:
    for one in phrasings:
        key = normalise_request(one) or one
        if key in said:
            sifted.dropped[TWICE] += 1
        elif part := held.part_near(one):
            sifted.dropped[NEAR] += 1
            sifted.near[part] += 1
        else:
            said.add(key)
            yield one
