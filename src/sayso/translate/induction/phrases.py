"""The first phrases of a grammar: short sources whose presence and that of a short target go together in the pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from sayso.translate.induction.rules import Rule

Pair = tuple[str, str]


def substrings(text: str, longest: int) -> set[str]:
    return {text[at : at + size] for size in range(1, longest + 1) for at in range(len(text) - size + 1)}


def first_phrases(pairs: Sequence[Pair], longest: int, certain: float, fewest: int) -> list[Rule]:
    """Phrases (u, v): where u is said v is meant, and v is hardly ever meant where none of its phrases is said.

    The shortest such u and, for it, the longest such v; a v may have several u (synonyms).
    """
    sources: Counter[str] = Counter()
    targets: Counter[str] = Counter()
    for source, target in pairs:
        sources.update(substrings(source, longest))
        targets.update(substrings(target, longest))
    often = {u for u, n in sources.items() if n >= fewest}
    common = {v for v, n in targets.items() if fewest <= n <= certain * len(pairs)}
    both: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for source, target in pairs:
        meant = substrings(target, longest) & common
        for u in substrings(source, longest) & often:
            both[u].update(meant)
    sure = {(u, v): n for u, row in both.items() for v, n in row.items() if n >= certain * sources[u]}
    saying: defaultdict[str, list[str]] = defaultdict(list)
    for u, v in sorted(sure, key=lambda pair: (len(pair[0]), pair)):
        if not any(short in u for short in saying[v]):
            saying[v].append(u)
    kept = [v for v in saying if fits(saying[v], v, pairs, certain)]
    chosen: dict[str, str] = {}
    found = [(u, v) for v in kept for u in saying[v]]
    for said, meaning in sorted(found, key=lambda pair: (len(pair[0]), -len(pair[1]), pair)):
        if not any(short in said and part in meaning for short, part in chosen.items()):
            chosen.setdefault(said, meaning)
    return [Rule(u, v) for u, v in chosen.items()]


def fits(phrases: Sequence[str], meaning: str, pairs: Sequence[Pair], certain: float) -> bool:
    """Whether the meaning stands hardly ever where none of its phrases does."""
    holding = [source for source, target in pairs if meaning in target]
    return sum(any(u in source for u in phrases) for source in holding) >= certain * len(holding)
