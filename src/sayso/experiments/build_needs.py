"""Counts and weights of what sources need (README-EVAL §5, dependencies), learnt on train packages alone.

The truth to learn from are Debian's edges; a package that README-EVAL is scored on is no package here, and an edge that
leads to one is left out, so that no weight has its name. Thresholds are chosen on dev: the best F1 at a precision of
at least .68 (run: .5).

    python -m sayso.experiments.build_needs --data DATA --cache CACHE --write
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import pickle
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sayso.core.files import write_atomically
from sayso.core.types import Split
from sayso.learners.linear import Adam, fit_named
from sayso.targets.build.corpus.edges import read_edges
from sayso.targets.build.corpus.splits import evaluated_names, says_any
from sayso.targets.build.evaluation.packages import pieces_of
from sayso.targets.build.reading import needs_model
from sayso.targets.build.reading.clues import Key
from sayso.targets.build.reading.depends import Looked, look
from sayso.targets.build.reading.needs_model import INFRASTRUCTURE, WEIGHTS, Model, as_json
from sayso.targets.build.reading.resolver import embedded
from sayso.targets.build.reading.tree import tree_of

LOOKS = re.compile(r"signals|scan|clues|resolver|names\.py|markup|tree")
"""Modules on which it depends what is seen in a package."""
LEAST_SEEN, LEAST_TOGETHER, LEAST_CHANCE, LEAST_LIFT, MOST = 2, 2, 0.1, 2.0, 8
LEAST_WORD = (3, 0.3, 4.0)
"""A signal is kept with a source where so many packages have it, need it, and so much more often than others;
words of documents need more."""
ROUNDS, RATE, PULL = 300, 0.05, 1.0
LEAST_PRECISION = {"build": 0.68, "run": 0.5}


@dataclass(frozen=True)
class Row:
    """A package looked at, and what it needs by label."""

    name: str
    looked: Looked
    needs: Mapping[str, frozenset[str]]
    binaries: tuple[tuple[str, str], ...]


def looked_at(data: Path, split: Split, cache: Path) -> list[Row]:
    """Every package of a part, from the cache where the same code has looked before."""
    room = Path(needs_model.__file__).parent
    code = hashlib.sha256(
        b"".join(path.read_bytes() for path in sorted(room.glob("*.py")) if LOOKS.search(path.name))
    ).hexdigest()[:16]
    kept = cache / "build" / f"looked-{split}-{code}.pickle"
    if kept.is_file():
        return pickle.loads(kept.read_bytes())  # type: ignore[no-any-return]
    rows = [
        Row(
            package.name,
            look(tree_of(pieces_of(package)), embedded()),
            {"build": edges.build - INFRASTRUCTURE, "run": edges.run - INFRASTRUCTURE},
            edges.binaries,
        )
        for package, edges in read_edges(data, split)
    ]
    with write_atomically(kept) as file:
        file.write(pickle.dumps(rows))
    return rows


def counted(rows: Sequence[Row], label: str, barred: frozenset[str]) -> Model:
    """A model without weights, which knows no name that is barred."""
    needs = {row.name: row.needs[label] - barred for row in rows}
    rate = Counter(source for row in rows for source in needs[row.name])
    seen = Counter(key for row in rows for key in row.looked.facts)
    counts: dict[Key, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for key in row.looked.facts:
            if seen[key] >= LEAST_SEEN and not says_any(key[1], barred):
                counts[key].update(needs[row.name])
    together = {key: kept for key, found in counts.items() if (kept := telling(key, found, seen[key], rate, len(rows)))}
    right, named = Counter[str](), Counter[str]()
    for row in rows:
        for source, clues in row.looked.direct.items():
            if source not in barred and any(clue.by != "guess" and clue.key[0] != "prose" for clue in clues):
                named[source] += 1
                right[source] += source in row.needs[label]
    reliable = {source: (right[source], n) for source, n in named.items() if n >= 2 or right[source]}
    reliable[""] = (right.total(), named.total())
    return Model(len(rows), rate, {key: seen[key] for key in together}, together, reliable, {})


def telling(key: Key, found: Counter[str], seen: int, rate: Counter[str], packages: int) -> dict[str, int]:
    """The sources that a signal speaks for."""
    word = key[0] in ("doc", "prose")
    together, least, lift = LEAST_WORD if word else (LEAST_TOGETHER, LEAST_CHANCE, LEAST_LIFT)
    kept = []
    for source, n in found.items():
        chance, usual = n / seen, rate[source] / packages
        if n >= together and chance >= least and chance / usual >= lift:
            kept.append((-chance * min(3.0, math.log(chance / usual)), source, n))
    return {source: n for _, source, n in sorted(kept)[:MOST]}


def fitted(rows: Sequence[Row], model: Model, label: str) -> Model:
    """With weights; each package is looked at as if it had not been counted."""
    features, truth = [], []
    for row in rows:
        needs = row.needs[label]
        for source, clues in model.candidates(row.looked.facts, row.looked.direct, needs).items():
            if source not in (row.name, f"lib{row.name}"):
                features.append(model.features(source, clues, row.looked.system, row.looked.folders, needs))
                truth.append(float(source in needs))
    print(f"{label}: {len(truth)} candidates, {sum(truth):.0f} needed")
    weights = fit_named(features, truth, Adam(RATE, ROUNDS), PULL)
    return Model(model.packages, model.rate, model.seen, model.together, model.reliable, weights)


def scored(rows: Sequence[Row], model: Model) -> list[dict[str, float]]:
    return [
        {
            source: model.score(model.features(source, clues, row.looked.system, row.looked.folders))
            for source, clues in model.candidates(row.looked.facts, row.looked.direct).items()
            if source not in (row.name, f"lib{row.name}")
        }
        for row in rows
    ]


def threshold(rows: Sequence[Row], scores: Sequence[Mapping[str, float]], label: str) -> float:
    """The one with the best F1 among those that are precise enough."""
    best = (-1.0, 0.5)
    wanted = sum(len(row.needs[label]) for row in rows)
    for step in range(10, 81):
        at = step / 100
        said = [{source for source, score in one.items() if score >= at} for one in scores]
        right = sum(len(one & row.needs[label]) for one, row in zip(said, rows, strict=True))
        n = sum(map(len, said))
        precision, f1 = right / max(1, n), 2 * right / (n + wanted)
        if step % 5 == 0:
            print(f"{label} {at:.2f}: precision {precision:.3f} recall {right / wanted:.3f} f1 {f1:.3f}")
        if precision >= LEAST_PRECISION[label]:
            best = max(best, (f1, at))
    return best[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the corpora")
    parser.add_argument("--cache", type=Path, required=True, help="where packages that were looked at are kept")
    parser.add_argument("--write", action="store_true", help="keep it as the project's weights")
    args = parser.parse_args()
    train, dev = looked_at(args.data, "train", args.cache), looked_at(args.data, "dev", args.cache)
    barred = evaluated_names(args.data)
    models = {}
    for label in ("build", "run"):
        model = fitted(train, counted(train, label, barred), label)
        at = threshold(dev, scored(dev, model), label)
        print(f"{label}: threshold {at}")
        models[label] = as_json(replace(model, threshold=at))
    names: dict[str, Counter[str]] = defaultdict(Counter)
    for row in train:
        for binary, source in row.binaries:
            names[source][binary] += 1
    packages = {
        source: binary
        for source, found in sorted(names.items())
        if not barred & {source, binary := found.most_common(1)[0][0]}
    }
    content = gzip.compress(json.dumps({**models, "packages": packages}, separators=(",", ":")).encode(), 9, mtime=0)
    print(f"{len(content)} bytes")
    if args.write:
        with write_atomically(WEIGHTS) as file:
            file.write(content)


if __name__ == "__main__":
    main()
