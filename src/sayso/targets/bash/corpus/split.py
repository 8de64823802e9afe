"""The split of NL2Bash §3.4: groups of equal normalised NL at 10:1:1, then no command of train in dev or test.

The authors drew one number from 0 to 11 for every group and gave them out in the order of the sorted keys: 10 is dev,
11 is test. That this is how `random_tokens.txt` is read shows in `fold_evidence`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from sayso.core.errors import BadFile
from sayso.core.types import Split
from sayso.targets.bash.corpus.nl2bash import HINT, SPLITS, Pair, group_pairs

DEV_FOLD, TEST_FOLD = 10, 11

Parts = Mapping[Split, Sequence[Pair]]


def split_pairs(pairs: Iterable[Pair], folds: Sequence[int]) -> dict[Split, list[Pair]]:
    """The three parts, each in the order of the pairs given. More groups than numbers use them again from the first."""
    if not folds:
        raise BadFile("random_tokens.txt holds no numbers", HINT)
    groups = group_pairs(pairs)
    drawn: dict[Split, list[Pair]] = {split: [] for split in SPLITS}
    for at, key in enumerate(sorted(groups)):
        drawn[part_of(folds[at % len(folds)])] += groups[key]
    # §3.4: a command that stands in train cannot be tested by repeating it.
    seen = {pair.command for pair in drawn["train"]}
    parts: dict[Split, list[Pair]] = {"train": list(drawn["train"]), "dev": [], "test": []}
    for split in ("dev", "test"):
        for pair in drawn[split]:
            parts["train" if pair.command in seen else split].append(pair)
    return {split: sorted(found, key=lambda pair: pair.line) for split, found in parts.items()}


def part_of(fold: int) -> Split:
    return "dev" if fold == DEV_FOLD else "test" if fold == TEST_FOLD else "train"


def compare_splits(ours: Parts, theirs: Parts) -> Counter[tuple[str, str]]:
    """(our part, their part) -> pairs, by line of `all.nl`; "out" where one of the two has no such pair."""
    mine, other = ({pair.line: split for split, pairs in parts.items() for pair in pairs} for parts in (ours, theirs))
    return Counter((mine.get(line, "out"), other.get(line, "out")) for line in sorted(mine.keys() | other.keys()))


def fold_evidence(parts: Parts, folds: Sequence[int], window: int = 120, reach: int = 8) -> tuple[int, int]:
    """(found, all): groups of dev and test whose number is 10 or 11 where the sorted keys say it should be.

    Our keys are spelled a little differently from the authors', so a few sort elsewhere and shift all that follow.
    For each window of keys the shift that fits best is taken, within `reach` of the one before; by chance a window of
    some fifteen groups would hold four that fit.
    """
    folds_of: dict[Split, int] = {"train": -1, "dev": DEV_FOLD, "test": TEST_FOLD}
    where = {key: fold for split, fold in folds_of.items() for key in group_pairs(parts[split])}
    wanted = [where[key] for key in sorted(where)]
    found, shift = 0, 0
    for start in range(0, len(wanted), window):
        held = [(at, fold) for at, fold in enumerate(wanted[start : start + window], start) if fold >= 0]
        fits = {
            near: sum(0 <= at + near < len(folds) and folds[at + near] == fold for at, fold in held)
            for near in range(shift - reach, shift + reach + 1)
        }
        shift = max(fits, key=lambda near: (fits[near], -abs(near - shift)))
        found += fits[shift]
    return found, sum(fold >= 0 for fold in wanted)
