"""The text layer over every request of the NL2Bash corpus."""

from __future__ import annotations

import lzma
from collections import Counter
from pathlib import Path

import pytest

from sayso.text.english import CONSTANT_KINDS, tokenise
from sayso.text.grains import from_characters, from_subtokens, to_characters, to_subtokens
from sayso.text.stems import group_requests, normalise_request

# (pairs, groups) of NL2Bash table 6.
TABLE_6 = {"train": (8090, 7340), "dev": (609, 549), "test": (606, 547)}


def requests(path: Path) -> list[str]:
    return lzma.open(path, "rt", encoding="utf-8").read().split("\n")[:-1]


@pytest.fixture(scope="module")
def raw_requests(corpora: Path) -> list[str]:
    return requests(corpora / "nl2bash" / "all.nl.xz")


@pytest.fixture(scope="module")
def published(corpora: Path) -> dict[str, list[str]]:
    return {split: requests(corpora / "nl2bash" / "split_paper" / f"{split}.nl.filtered.xz") for split in TABLE_6}


def test_spans_tile_and_grains_join_back(raw_requests: list[str]) -> None:
    for text in raw_requests:
        tokens = tokenise(text)
        assert all(text[token.start : token.end] == token.text for token in tokens)
        assert "".join(token.text for token in tokens).replace(" ", "") == "".join(text.split()), text
        words = [token.text for token in tokens]
        assert from_subtokens(to_subtokens(words)) == words
        assert from_characters(to_characters(words)) == words


def test_every_kind_of_constant_occurs(raw_requests: list[str]) -> None:
    kinds = Counter(token.kind for text in raw_requests for token in tokenise(text))
    assert set(kinds) == CONSTANT_KINDS | {"word", "mark"}
    assert kinds["string"] > 5000
    assert kinds["timespan"] > 800


def test_groups_are_those_of_table_6(published: dict[str, list[str]]) -> None:
    assert {split: (len(texts), len(group_requests(texts))) for split, texts in published.items()} == TABLE_6


def test_groups_shared_between_parts_are_as_published(published: dict[str, list[str]]) -> None:
    """12 groups of train stand in dev and 12 in test: that is how the original is."""
    keys = {split: {normalise_request(text) for text in texts} for split, texts in published.items()}
    assert len(keys["train"] & keys["dev"]) == 12
    assert len(keys["train"] & keys["test"]) == 12
    assert not keys["dev"] & keys["test"]
