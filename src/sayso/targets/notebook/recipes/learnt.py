"""What is counted on asked cells: which words of a request call for which deed of code, and which words code explains.

`deeds` is word -> family -> deed; `explains` is IBM's first model (Brown et al. 1993) of the words of a request given
those of the cell, and the other way round, cut to what is likely.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sayso.targets.notebook.recipes.known import Known
from sayso.targets.notebook.recipes.reading import name_stems
from sayso.targets.notebook.recipes.template import Template

NOTHING = ""
ROUNDS, LEAST_SHARE, LEAST_COUNT = 6, 0.02, 3
SURE, LIFT = 0.55, 3.0
"""The least share of a deed among those that a word stands with, and how its odds exceed the usual ones."""
FLOOR = 1e-3

Table = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Learnt:
    deeds: Mapping[str, Mapping[str, tuple[str, float]]]
    """Word -> family -> the deed that it calls for, and how much more often than others do."""
    words: Table
    """Word of the cell -> word of the request -> share."""
    codes: Table
    """Word of the request -> word of the cell -> share."""
    kinds: Mapping[str, str]
    """The last word of a column's name -> what such columns hold."""

    def told(self, known: Known) -> Known:
        """With the kinds of columns that nothing tells, where their names do."""
        tables = {
            name: {column: kind or self.kinds.get(last_stem(column), "") for column, kind in held.items()}
            for name, held in known.tables.items()
        }
        return Known(tables, known.names)

    def called_for(self, stems: Iterable[str]) -> dict[str, dict[str, float]]:
        """Family -> deed -> how much the words of a request call for it."""
        found: dict[str, dict[str, float]] = {}
        for word in set(stems):
            for family, (deed, much) in self.deeds.get(word, {}).items():
                some = found.setdefault(family, {})
                some[deed] = some.get(deed, 0.0) + much
        return found


def explained(said: Sequence[str], given: Iterable[str], table: Table) -> float:
    """The mean log share of words, given others of which each may be the reason for any."""
    there = [NOTHING, *given]
    if not said:
        return 0.0
    total = 0.0
    for word in said:
        share = max(table.get(one, {}).get(word, 0.0) for one in there)
        total += math.log(FLOOR + share)
    return total / len(said)


def last_stem(column: str) -> str:
    stems = name_stems(column)
    return stems[-1] if stems else ""


def kinds_of(tables: Iterable[Known]) -> dict[str, str]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for known in tables:
        for column, kind in {(column, kind) for held in known.tables.values() for column, kind in held.items()}:
            counts[last_stem(column)][kind] += 1
    best = {word: (*some.most_common(1)[0], some.total()) for word, some in counts.items()}
    return {word: kind for word, (kind, n, total) in best.items() if kind and n >= 2 and n / total >= 0.8}


def learn(templates: Sequence[Template], tables: Iterable[Known]) -> Learnt:
    """`tables`: what is known in each setting, once."""
    pairs = [(stems_of(phrasing), code_of(one)) for one in templates for phrasing in one.phrasings]
    words = translation([(code, asked) for asked, code in pairs])
    return Learnt(deeds_of(templates), words, translation(pairs), kinds_of(tables))


def stems_of(phrasing: Iterable[str | int]) -> list[str]:
    return sorted({one for one in phrasing if isinstance(one, str)})


def code_of(one: Template) -> list[str]:
    """The words of a cell, its deeds among them."""
    return sorted(one.words | {slot.default for slot in one.slots if slot.type == "deed"})


def deeds_of(templates: Sequence[Template]) -> dict[str, dict[str, tuple[str, float]]]:
    together: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    alone: dict[str, Counter[str]] = defaultdict(Counter)
    for one in templates:
        by_family: dict[str, set[str]] = defaultdict(set)
        for slot in one.slots:
            if slot.type == "deed":
                by_family[slot.kind].add(slot.default)
        for family, deeds in by_family.items():
            if len(deeds) == 1:
                deed = next(iter(deeds))
                alone[family][deed] += 1
                for word in {word for phrasing in one.phrasings for word in stems_of(phrasing)}:
                    together[word, family][deed] += 1
    found: dict[str, dict[str, tuple[str, float]]] = defaultdict(dict)
    for (word, family), counts in together.items():
        deed, n = counts.most_common(1)[0]
        share = n / (counts.total() + 1)
        usual = alone[family][deed] / alone[family].total()
        if n >= LEAST_COUNT and share >= SURE and odds_of(share) >= LIFT * odds_of(usual):
            found[word][family] = (deed, round(math.log(share / usual), 3))
    return dict(found)


def odds_of(share: float) -> float:
    return share / max(1e-9, 1 - share)


def translation(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> dict[str, dict[str, float]]:
    """Reason -> word -> share, by expectation maximisation from equal shares; rare reasons are left out."""
    often = Counter(one for reasons, _ in pairs for one in reasons)
    shares: dict[str, dict[str, float]] = {}
    for step in range(ROUNDS):
        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for reasons, words in pairs:
            there = [NOTHING, *(one for one in reasons if often[one] >= LEAST_COUNT)]
            for word in words:
                odds = [1.0 if not step else shares[one].get(word, 0.0) for one in there]
                total = sum(odds)
                for one, much in zip(there, odds, strict=True):
                    if much:
                        counts[one][word] += much / total
        shares = {
            one: {word: n / sum(some.values()) for word, n in some.items() if n > 1e-3} for one, some in counts.items()
        }
    return {
        one: {word: round(share, 3) for word, share in some.items() if share >= LEAST_SHARE}
        for one, some in shares.items()
        if one == NOTHING or often[one] >= LEAST_COUNT
    }
