"""The first phrases of a grammar: short sources whose presence and that of a short target go together in the pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from sayso.induction.rules import Rule

Pair = tuple[str, str]


def substrings(text: str, longest: int) -> set[str]:
    return {text[at : at + size] for size in range(1, longest + 1) for at in range(len(text) - size + 1)}


def first_phrases(pairs: Sequence[Pair], longest: int, certain: float, fewest: int) -> list[Rule]:
    """Phrases (u, v): where u is said v is meant, and v is hardly ever meant where none of its phrases is said.

    A v may have several u (synonyms); a u has the v that goes with it best, the longest of them if there are several.
    """
    said, meant = places((source for source, _ in pairs), longest), places((target for _, target in pairs), longest)
    often = {u for u, where in said.items() if len(where) >= fewest}
    common = {v for v, where in meant.items() if fewest <= len(where) <= certain * len(pairs)}
    together: Counter[Pair] = Counter()
    for source, target in pairs:
        both = product(substrings(source, longest) & often, substrings(target, longest) & common)
        together.update(both)
    candidates: defaultdict[str, list[str]] = defaultdict(list)
    for (u, v), n in sorted(together.items(), key=lambda item: (-item[1], len(item[0][0]), item)):
        if n >= certain * len(said[u]):
            candidates[v].append(u)
    found = [(u, v) for v, some in candidates.items() for u in sayings(some, said, meant[v], certain, fewest)]

    def order(pair: Pair) -> tuple[int, float, int, Pair]:
        u, v = pair
        return len(u), -together[pair] / (len(said[u]) + len(meant[v])), -len(v), pair

    chosen: dict[str, str] = {}
    for u, v in sorted(found, key=order):
        if not any(short in u and part in v for short, part in chosen.items()):
            chosen.setdefault(u, v)
    return [Rule(u, v) for u, v in chosen.items()]


def places(texts: Iterable[str], longest: int) -> dict[str, set[int]]:
    """The numbers of the texts that hold a phrase."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for at, text in enumerate(texts):
        for part in substrings(text, longest):
            found[part].add(at)
    return found


def sayings(
    phrases: Sequence[str], said: Mapping[str, set[int]], meant: set[int], certain: float, fewest: int
) -> list[str]:
    """The phrases that account for a meaning together, each for pairs of its own; none if they leave too many out."""
    open_pairs, kept = set(meant), list[str]()
    for phrase in phrases:
        if len(open_pairs & said[phrase]) >= fewest:
            open_pairs -= said[phrase]
            kept.append(phrase)
    return kept if len(open_pairs) <= (1 - certain) * len(meant) else []
