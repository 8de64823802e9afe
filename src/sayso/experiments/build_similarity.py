"""README-EVAL §5's idea for finding documents: how alike a document is to the maintainers' description.

Words weighted by how rare they are among train packages, compared as directions. Labels are the readers'; the threshold
is chosen on train and reported on test. A description is the maintainers' word, so this is a figure and no system.

    python -m sayso.experiments.build_similarity --data DATA
"""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

from sayso.core.types import Split
from sayso.targets.build.corpus import Package, load_packages
from sayso.targets.build.corpus.labels import read_labels

WORD = re.compile(r"[a-z]{2,}")
UNSEEN = 9.0
"""The rarity of a word that no train package has."""
BINS = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 1.01)


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


def alike(one: Counter[str], other: Counter[str], rare: Mapping[str, float]) -> float:
    """The cosine of two bags of words, a rare word counting more."""

    def weighed(bag: Counter[str]) -> dict[str, float]:
        return {word: (1 + math.log(n)) * rare.get(word, UNSEEN) for word, n in bag.items()}

    left, right = weighed(one), weighed(other)
    length = math.sqrt(sum(x * x for x in left.values()) * sum(x * x for x in right.values()))
    return sum(weight * right.get(word, 0.0) for word, weight in left.items()) / length if length else 0.0


def rarity(packages: Iterable[Package]) -> dict[str, float]:
    bags = [set(words(one.text)) for package in packages for one in package.documents]
    counts = Counter(word for bag in bags for word in bag)
    return {word: math.log(len(bags) / n) for word, n in counts.items()}


def area(rows: list[tuple[float, bool]]) -> float:
    """How often a document that says how to build is more alike than one that does not."""
    yes, no = [x for x, right in rows if right], [x for x, right in rows if not right]
    return sum((a > b) + 0.5 * (a == b) for a in yes for b in no) / max(1, len(yes) * len(no))


def f1(rows: list[tuple[float, bool]], least: float) -> float:
    said, wanted = sum(x >= least for x, _ in rows), sum(right for _, right in rows)
    return 2 * sum(x >= least and right for x, right in rows) / max(1, said + wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the corpora")
    args = parser.parse_args()
    parts: tuple[Split, ...] = ("train", "dev", "test")
    packages = {part: {one.name: one for one in load_packages(args.data, part)} for part in parts}
    rare = rarity(packages["train"].values())
    found: dict[str, list[tuple[float, bool]]] = {part: [] for part in parts}
    for label in read_labels()[0]:
        package = next(packages[part] for part in parts if part == label.part)[label.package]
        text = next(one.text for one in package.documents if one.path == label.path)
        about = words(f"{package.summary} {package.description}")
        found[label.part].append((alike(words(text), about, rare), label.holds))
    least = max((x for x, _ in found["train"]), key=lambda x: f1(found["train"], x))
    for part, rows in found.items():
        print(f"{part}: n {len(rows)}, area {area(rows):.3f}, f1 {f1(rows, least):.3f} at {least:.3f}")
    every = [row for rows in found.values() for row in rows]
    for low, high in pairwise(BINS):
        inside = [right for x, right in every if low <= x < high]
        share = sum(inside) / len(inside) if inside else float("nan")
        print(f"{low:.2f} to {min(high, 1):.2f}: {len(inside)} documents, {share:.2f} say how")


if __name__ == "__main__":
    main()
