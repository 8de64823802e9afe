"""The split of §3.4: whole groups by fold number, and no command of train in dev or test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.targets.bash.corpus.nl2bash import SPLITS, Pair, fold_numbers, published_pairs
from sayso.targets.bash.corpus.split import compare_splits, fold_evidence, split_pairs


def pairs_of(*rows: tuple[str, str]) -> list[Pair]:
    return [Pair(line, nl, command) for line, (nl, command) in enumerate(rows, 1)]


def lines(pairs: Sequence[Pair]) -> list[int]:
    return [pair.line for pair in pairs]


def test_numbers_go_to_the_sorted_keys() -> None:
    pairs = pairs_of(("zip files", "a"), ("count lines", "b"), ("move files", "c"), ("Counts the lines", "d"))
    parts = split_pairs(pairs, [10, 3, 11])  # count line, move file, zip file
    assert {split: lines(found) for split, found in parts.items()} == {"train": [3], "dev": [2, 4], "test": [1]}


def test_a_command_of_train_takes_its_pairs_there() -> None:
    pairs = pairs_of(("add", "ls"), ("add", "pwd"), ("beg", "pwd"), ("cut", "ls"), ("cut", "w"))
    parts = split_pairs(pairs, [10, 0, 11])
    # `pwd` is in train by "beg"; `ls` is shared by dev and test, which §3.4 lets stand.
    assert {split: lines(found) for split, found in parts.items()} == {"train": [2, 3], "dev": [1], "test": [4, 5]}


def test_more_groups_than_numbers_and_none_at_all() -> None:
    parts = split_pairs(pairs_of(("a1", "a"), ("b1", "b"), ("c1", "c")), [10, 0])
    assert {split: lines(found) for split, found in parts.items()} == {"train": [2], "dev": [1, 3], "test": []}
    with pytest.raises(BadFile) as caught:
        split_pairs([], [])
    assert "sayso data get nl2bash" in caught.value.hint


@given(
    st.lists(st.tuples(st.sampled_from(["list", "count", "move", "zip", "sort"]), st.sampled_from("abcdef"))),
    st.lists(st.integers(0, 11), min_size=1, max_size=8),
)
def test_parts_hold_every_pair_once_and_share_no_command_with_train(
    rows: list[tuple[str, str]], folds: list[int]
) -> None:
    pairs = pairs_of(*rows)
    parts = split_pairs(pairs, folds)
    assert sorted(line for found in parts.values() for line in lines(found)) == lines(pairs)
    train = {pair.command for pair in parts["train"]}
    assert not train & {pair.command for split in ("dev", "test") for pair in parts[split]}
    kept = [{pair.nl for pair in parts[split]} for split in ("dev", "test")]
    assert not kept[0] & kept[1]


def test_comparing_splits() -> None:
    one, two, three = pairs_of(("a", "a"), ("b", "b"), ("c", "c"))
    met = compare_splits({"train": [one], "dev": [two], "test": []}, {"train": [one, two], "dev": [], "test": [three]})
    assert met == {("train", "train"): 1, ("dev", "train"): 1, ("out", "test"): 1}


@pytest.mark.slow
def test_the_published_split_follows_the_fold_numbers(corpora: Path) -> None:
    parts = {split: published_pairs(corpora, split) for split in SPLITS}
    folds = fold_numbers(corpora)
    found, total = fold_evidence(parts, folds, window=60)
    assert total == 549 + 547
    assert found / total > 0.85
    by_chance, _ = fold_evidence(parts, folds[4000:] + folds[:4000], window=60)
    assert by_chance / total < 0.4
    ours = split_pairs([pair for split in SPLITS for pair in parts[split]], folds)
    assert {split: len(found) for split, found in ours.items()} == pytest.approx(
        {"train": 8090, "dev": 609, "test": 606}, rel=0.05
    )
