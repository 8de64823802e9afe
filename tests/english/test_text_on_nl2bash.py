"""The text layer over every request of the NL2Bash corpus."""

from __future__ import annotations

import lzma
from collections import Counter
from pathlib import Path

import pytest

from sayso.english.grains import from_characters, from_subtokens, to_characters, to_subtokens
from sayso.english.stems import group_requests
from sayso.english.tokens import CONSTANT_KINDS, Token, tokenise

pytestmark = pytest.mark.slow

# (pairs, groups) of NL2Bash table 6.
TABLE_6 = {"train": (8090, 7340), "dev": (609, 549), "test": (606, 547)}


def requests(path: Path) -> list[str]:
    return lzma.open(path, "rt", encoding="utf-8").read().split("\n")[:-1]


@pytest.fixture(scope="module")
def tokenised(corpora: Path) -> list[tuple[str, list[Token]]]:
    return [(text, tokenise(text)) for text in requests(corpora / "nl2bash" / "all.nl.xz")]


@pytest.fixture(scope="module")
def groups(corpora: Path) -> dict[str, dict[str, list[int]]]:
    """Split → key → the positions of the requests that share it."""
    folder = corpora / "nl2bash" / "split_paper"
    return {split: group_requests(requests(folder / f"{split}.nl.filtered.xz")) for split in TABLE_6}


def test_spans_tile_and_grains_join_back(tokenised: list[tuple[str, list[Token]]]) -> None:
    for text, tokens in tokenised:
        assert all(text[token.start : token.end] == token.text for token in tokens)
        assert "".join(token.text for token in tokens).replace(" ", "") == "".join(text.split()), text
        words = [token.text for token in tokens]
        assert from_subtokens(to_subtokens(words)) == words
        assert from_characters(to_characters(words)) == words


def test_every_kind_of_constant_occurs(tokenised: list[tuple[str, list[Token]]]) -> None:
    kinds = Counter(token.kind for _, tokens in tokenised for token in tokens)
    assert set(kinds) == CONSTANT_KINDS | {"word", "mark"}
    assert kinds["string"] > 5000
    assert kinds["timespan"] > 800


def test_groups_are_those_of_table_6(groups: dict[str, dict[str, list[int]]]) -> None:
    assert {split: (sum(map(len, found.values())), len(found)) for split, found in groups.items()} == TABLE_6


def test_groups_shared_between_parts_are_as_published(groups: dict[str, dict[str, list[int]]]) -> None:
    """12 groups of train stand in dev and 12 in test: that is how the original is."""
    train, dev, test = (set(groups[split]) for split in ("train", "dev", "test"))
    assert len(train & dev) == 12
    assert len(train & test) == 12
    assert not dev & test
