"""How likely a source is needed, given the clues to it: counts of train packages and one logistic model over features.

One model for what a build needs and one for what is needed to run. While it is fitted, the counts leave out the very
package that is looked at (`without`), so that a clue is worth in training what it is worth on a package not seen.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sayso.learners.linear import logistic
from sayso.targets.build.reading.clues import Clue, Fact, Key
from sayso.targets.build.reading.words import listed

WEIGHTS = Path(__file__).parent.parent / "data" / "needs.json.gz"
PRIOR = 1.0
"""How many packages the rate of a source among all counts for, beside those that have a signal."""
RELIABLE_PRIOR = 2.0
COMMON = 0.02
"""A source that more packages need is asked about everywhere, with clues or without."""

STRENGTH = {
    "pkg-config": 0,
    "cmake": 1,
    "python": 2,
    "perl": 2,
    "go": 2,
    "java": 2,
    "haskell": 2,
    "debian": 3,
    "library": 4,
    "header": 5,
    "program": 6,
    "prose": 9,
}
"""Kinds of signals, the most telling first."""
INFRASTRUCTURE = frozenset(listed("infrastructure"))
"""What packaging needs and not the source, or what every build has: no edge leads there, on either side of a score."""


@dataclass(frozen=True)
class Model:
    """`together[key][source]`: train packages with that signal that need the source; `reliable[source]`: of those where
    the resolver named it, how many need it and how many there are."""

    packages: int
    rate: Mapping[str, int]
    seen: Mapping[Key, int]
    together: Mapping[Key, Mapping[str, int]]
    reliable: Mapping[str, tuple[int, int]]
    weights: Mapping[str, float]
    threshold: float = 0.5

    def candidates(
        self, facts: Mapping[Key, Fact], direct: Mapping[str, list[Clue]], without: frozenset[str] | None = None
    ) -> dict[str, list[Clue]]:
        """Every source that may be needed, with its clues; `without` are the needs of a package that was counted."""
        found = {source: list(clues) for source, clues in direct.items()}
        for key, fact in facts.items():
            for source, n in self.together.get(key, {}).items():
                seen, own = self.seen[key], without is not None and source in without
                if without is not None:
                    seen, n = seen - 1, n - own
                if seen >= 1:
                    chance = (n + PRIOR * self.share(source, without)) / (seen + PRIOR)
                    found.setdefault(source, []).append(Clue(key, "learnt", fact, chance))
        for source, n in self.rate.items():
            if n >= COMMON * self.packages:
                found.setdefault(source, [])
        return {source: clues for source, clues in found.items() if source not in INFRASTRUCTURE}

    def share(self, source: str, without: frozenset[str] | None) -> float:
        n = self.rate.get(source, 0)
        return max(0, n - (without is not None and source in without)) / max(1, self.packages - (without is not None))

    def features(
        self,
        source: str,
        clues: Iterable[Clue],
        system: str,
        folders: frozenset[str],
        without: frozenset[str] | None = None,
    ) -> list[str]:
        """Named features that are there or not."""
        found = {"bias", f"rate:{min(6, int(math.log2(self.share(source, without) * self.packages + 1)))}"}
        chances: list[float] = []
        best: dict[str, float] = {}
        strongest = (len(STRENGTH), "", "")
        named = False
        n = 0
        for clue in clues:
            kind = clue.key[0]
            if clue.by == "learnt":
                chances.append(clue.chance)
                best[kind] = max(best.get(kind, 0.0), clue.chance)
                continue
            how = "may" if clue.fact.optional else "must"
            strongest = min(strongest, (STRENGTH.get(kind, 8), kind, f"{clue.by}:{how}"))
            found.add(f"{kind}:{clue.by}:{how}")
            n += 1
            if kind != "prose":
                named |= clue.by != "guess"
                found.add(f"for:{kind}:{'+'.join(sorted(clue.fact.uses))}")
                found |= {"at the top"} if clue.fact.depth == 0 else set()
        chances.sort(reverse=True)
        either = 1 - math.prod(1 - 0.8 * chance for chance in chances[:6])
        found |= {f"learnt:{kind}:{int(8 * chance)}" for kind, chance in best.items()}
        found |= {
            f"either:{int(12 * either)}",
            f"best:{int(12 * chances[0]) if chances else -1}",
            f"clues:{min(6, len(chances))}",
        }
        found.add(f"second:{int(8 * chances[1]) if len(chances) > 1 else -1}")
        _, kind, how = strongest
        if named:
            reliability = self.reliability(source, without)
            found |= {reliability, f"{kind}:{how}:{reliability}", f"{kind}:{reliability}"}
        if kind:
            # A clue of the resolver's is worth something else where counts have a say and where they have none.
            found |= {f"{kind}:{how}:best {int(5 * chances[0]) if chances else -1}", f"{kind}:n {min(4, n)}"}
        if {source.lower(), source.lower().removeprefix("lib")} & folders:
            found.add("a folder has its name")
        found.add(f"system:{system}:{kind or 'learnt'}")
        found.add(f"family:{family(source)}")
        return sorted(found)

    def reliability(self, source: str, without: frozenset[str] | None) -> str:
        """How often a source was needed where the resolver named it."""
        right, n = self.reliable.get(source, (0, 0))
        if without is not None:
            right, n = right - (source in without), n - 1
        average = self.reliable[""][0] / max(1, self.reliable[""][1])
        share = (right + RELIABLE_PRIOR * average) / (max(0, n) + RELIABLE_PRIOR)
        return f"reliable:{int(10 * share)}:{'few' if n < 3 else 'many'}"

    def score(self, features: Iterable[str]) -> float:
        return logistic(sum(self.weights.get(feature, 0.0) for feature in features))


def family(source: str) -> str:
    """The language that a source is of, by its name."""
    head = source.partition("-")[0]
    if head in ("python", "haskell", "golang", "rust", "node", "ruby", "ocaml", "maven", "r"):
        return head
    return next((tail for tail in ("perl", "java") if source.endswith(f"-{tail}")), "other")


def as_json(model: Model) -> dict[str, object]:
    """Plain values, in an order of its own, so that the same model is the same file."""
    return {
        "packages": model.packages,
        "rate": dict(sorted(model.rate.items())),
        "signals": [
            [kind, name, model.seen[kind, name], dict(sorted(model.together[kind, name].items()))]
            for kind, name in sorted(model.together)
        ],
        "reliable": dict(sorted((name, list(counts)) for name, counts in model.reliable.items())),
        "weights": {name: round(weight, 4) for name, weight in sorted(model.weights.items())},
        "threshold": model.threshold,
    }


def from_json(row: Mapping[str, object]) -> Model:
    """The inverse of `as_json`."""
    signals: list[tuple[str, str, int, dict[str, int]]] = row["signals"]  # type: ignore[assignment]
    return Model(
        packages=row["packages"],  # type: ignore[arg-type]
        rate=row["rate"],  # type: ignore[arg-type]
        seen={(kind, name): seen for kind, name, seen, _ in signals},
        together={(kind, name): counts for kind, name, _, counts in signals},
        reliable={name: (counts[0], counts[1]) for name, counts in row["reliable"].items()},  # type: ignore[attr-defined]
        weights=row["weights"],  # type: ignore[arg-type]
        threshold=row["threshold"],  # type: ignore[arg-type]
    )


@dataclass(frozen=True)
class Needs:
    """The models by label, and which binary package stands for a source where nothing names one."""

    models: Mapping[str, Model]
    packages: Mapping[str, str]


@cache
def read_needs(path: Path = WEIGHTS) -> Needs:
    row = json.loads(gzip.decompress(path.read_bytes()))
    return Needs({label: from_json(row[label]) for label in ("build", "run")}, row["packages"])
