"""Our own search for a maximum-compound-divergence split of Okapi, which the paper tried and gave up (§6).

Calls with the same clauses, values left out, stay together; groups of them change sides by simulated annealing, towards
more compound divergence while atoms stay alike. `python -m sayso.targets.api.corpus.mcd DATA` prints what is reached.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from sayso.targets.api.corpus.divergence import (
    ATOM_ALPHA,
    COMPOUND_ALPHA,
    atom_divergence,
    atoms,
    compound_divergence,
    compounds,
    outline,
)
from sayso.targets.api.corpus.okapi import OKAPI_SPLITS
from sayso.targets.api.corpus.stats import PARTS, distinct, read_rows
from sayso.targets.api.syntax.calls import Call
from sayso.targets.api.syntax.schema import DOMAINS


@dataclass(frozen=True)
class Search:
    atom_limit: float = 0.02
    test_share: float = 0.25
    """Wanted share of the questions in test."""
    leeway: float = 0.05
    steps: int = 60_000
    hot: float = 0.01
    cold: float = 0.00002
    penalty: float = 5.0


@dataclass(frozen=True)
class Reached:
    """A split of the calls, and how far its sides differ."""

    train: Sequence[Call]
    test: Sequence[Call]
    atom: float
    compound: float


class Overlap:
    """Σ p^α q^(1-α) over two sides, kept up to date while counts move between them."""

    def __init__(self, alpha: float) -> None:
        self.alpha = alpha
        self.counts: tuple[Counter[Hashable], Counter[Hashable]] = (Counter(), Counter())
        self.totals = [0, 0]
        self.shared = 0.0

    def add(self, parts: Mapping[Hashable, int], side: int, sign: int = 1) -> None:
        left, right = self.counts
        for part, n in parts.items():
            self.shared -= left[part] ** self.alpha * right[part] ** (1 - self.alpha)
            self.counts[side][part] += sign * n
            self.shared += left[part] ** self.alpha * right[part] ** (1 - self.alpha)
            self.totals[side] += sign * n

    def divergence(self) -> float:
        left, right = self.totals
        return 1.0 - self.shared / (left**self.alpha * right ** (1 - self.alpha)) if left and right else 1.0


class Halves:
    """Groups of calls on two sides, train (0) and test (1)."""

    def __init__(self, groups: Sequence[Sequence[Call]], sides: Sequence[int]) -> None:
        self.groups, self.sides = groups, list(sides)
        self.atoms = [Counter[Hashable](part for call in group for part in atoms(call)) for group in groups]
        self.compounds = [Counter[Hashable](part for call in group for part in compounds(call)) for group in groups]
        self.atom, self.compound = Overlap(ATOM_ALPHA), Overlap(COMPOUND_ALPHA)
        self.total, self.in_test = sum(map(len, groups)), 0
        for at, side in enumerate(self.sides):
            self.put(at, side, 1)

    def put(self, at: int, side: int, sign: int) -> None:
        self.atom.add(self.atoms[at], side, sign)
        self.compound.add(self.compounds[at], side, sign)
        self.in_test += sign * side * len(self.groups[at])

    def flip(self, at: int) -> None:
        self.put(at, self.sides[at], -1)
        self.sides[at] = 1 - self.sides[at]
        self.put(at, self.sides[at], 1)

    def excess(self, settings: Search) -> float:
        """How far atoms and the size of test are over their limits."""
        off = abs(self.in_test / self.total - settings.test_share) - settings.leeway
        return max(0.0, off) + max(0.0, self.atom.divergence() - settings.atom_limit)


def search(calls: Iterable[Call], settings: Search, seed: int) -> Reached:
    """The best split within the limits that annealing finds; the first one, drawn at random, if there is none."""
    draw = Random(seed)
    by_clauses: defaultdict[frozenset[tuple[str, ...]], list[Call]] = defaultdict(list)
    for call in calls:
        by_clauses[frozenset(outline(clause) for clause in call.clauses)].append(call)
    groups = list(by_clauses.values())
    halves = Halves(groups, [int(draw.random() < settings.test_share) for _ in groups])
    now = best = -math.inf
    kept = list(halves.sides)
    for step in range(settings.steps):
        heat = settings.hot * (settings.cold / settings.hot) ** (step / settings.steps)
        at = draw.randrange(len(groups))
        halves.flip(at)
        excess = halves.excess(settings)
        then = halves.compound.divergence() - settings.penalty * excess
        if then < now and draw.random() >= math.exp((then - now) / heat):
            halves.flip(at)
            continue
        now = then
        if now > best and not excess:
            best, kept = now, list(halves.sides)
    train, test = ([call for at, group in enumerate(groups) if kept[at] == side for call in group] for side in (0, 1))
    return Reached(train, test, atom_divergence(train, test), compound_divergence(train, test))


def domain_calls(data: Path, domain: str) -> list[Call]:
    """The call of every distinct (question, call) of a domain, over both splits and all parts."""
    parts = {(split, domain, part): read_rows(data, split, domain, part) for split in OKAPI_SPLITS for part in PARTS}
    return [call for _, call in distinct(parts, domain)]


def report(data: Path, settings: Search, seeds: int) -> Iterator[dict[str, object]]:
    """One row a domain: the best of some searches beside splits at random, by the same groups."""
    for domain in DOMAINS:
        calls = domain_calls(data, domain)
        found = max((search(calls, settings, seed) for seed in range(seeds)), key=lambda one: one.compound)
        chance = search(calls, replace(settings, steps=0), 0)
        yield {
            "domain": domain,
            "train": len(found.train),
            "test": len(found.test),
            "atom": round(found.atom, 4),
            "compound": round(found.compound, 4),
            "atom_at_random": round(chance.atom, 4),
            "compound_at_random": round(chance.compound, 4),
        }


if __name__ == "__main__":
    for row in report(Path(sys.argv[1]), Search(), 3):
        sys.stdout.write(json.dumps(row) + "\n")
