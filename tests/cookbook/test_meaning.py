"""Known requests beside a new one, by vectors; and a cookbook that finds recipes by them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sayso.cookbook.slots import MEANT, Cookbook, Settings
from sayso.core.types import Request
from sayso.english.lexicon import Lexicon
from sayso.neural.meaning import AT_A_TIME, HIDDEN, Meaning, Vectors, pack_vectors, rounded, unpack_vectors

SENSES = ("count", "how many", "tally"), ("delete", "erase", "shred"), ("stop", "end", "halt")
"""Words of three meanings, which the scripted encoder has a direction for."""


class Scripted:
    """An encoder that knows these words alone."""

    def embed(self, texts: list[str]) -> NDArray[np.float32]:
        found = np.full((len(texts), len(SENSES) + 1), 0.1, np.float32)
        for row, text in zip(found, texts, strict=True):
            for at, words in enumerate(SENSES):
                row[at] += sum(word in text for word in words)
        vectors: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
        return vectors


def as_stored(vectors: NDArray[np.float32]) -> Vectors:
    return unpack_vectors(pack_vectors(vectors), vectors.shape[1])


@pytest.fixture
def understanding(cookbook: Cookbook, lexicon: Lexicon) -> Cookbook:
    vectors = as_stored(Scripted().embed([phrasing.text for phrasing in cookbook.phrasings]))
    weights = {**cookbook.settings.weights, "meaning": 2.0, "meaning_recipe": 4.0, "meaning_gap": -4.0}
    return Cookbook(
        cookbook.recipes,
        lexicon,
        Settings(weights, cookbook.settings.looked_at, 0.0),
        cookbook.render,
        meaning=lambda starts: Meaning(Scripted, lambda: vectors, starts),  # type: ignore[arg-type]
    )


def test_a_request_without_a_shared_word_is_found_by_what_it_means(cookbook: Cookbook, understanding: Cookbook) -> None:
    asked = Request("shred old.txt")
    assert all("delete" not in one.text for one in cookbook.translate([asked], 3)[0])
    assert understanding.translate([asked])[0][0].text == "delete file=old.txt"
    assert understanding.nearest(Request("shred"), 1) == ["delete the file FILE"]


def test_readings_have_the_features_of_meaning_where_there_is_an_encoder(
    cookbook: Cookbook, understanding: Cookbook
) -> None:
    at = next(at for at, one in enumerate(understanding.phrasings) if one.text == "erase {file}")
    left_out = frozenset({at})
    with_it = understanding.read_as(understanding.read("shred old.txt"), at)
    without = cookbook.read_as(cookbook.read("shred old.txt"), at)
    hidden = understanding.read_as(understanding.read("shred old.txt"), at, left_out)
    assert with_it and without and hidden
    assert set(with_it.features) - set(without.features) == set(MEANT)
    assert with_it.features["meaning_gap"] == 0.0
    assert hidden.features["meaning"] == HIDDEN < hidden.features["meaning_recipe"]


def test_hidden_requests_are_not_near() -> None:
    vectors = as_stored(np.eye(4, dtype=np.float32))
    meaning = Meaning(Scripted, lambda: vectors, [0, 2])  # type: ignore[arg-type]
    near = meaning.nearness("count and count, delete")
    assert near.nearest(1) == [0]
    assert near.groups.tolist() == [max(near.each[:2]), max(near.each[2:])]
    assert meaning.nearness("count and count, delete", frozenset({0})).nearest(9)[0] == 1
    assert 0 not in meaning.nearness("count and count, delete", frozenset({0})).nearest(9)
    assert near.nearest(0) == []


@given(st.lists(st.lists(st.floats(-1, 1, width=32), min_size=6, max_size=6), min_size=1, max_size=5))
def test_vectors_come_back_nearly_as_they_were(rows: list[list[float]]) -> None:
    given_ = np.array(rows, np.float32) + np.float32(2e-3)
    vectors = given_ / np.linalg.norm(given_, axis=1, keepdims=True)
    again = as_stored(vectors)
    assert all(abs(again.cosines(one)[at] - 1.0) < 1e-3 for at, one in enumerate(vectors))
    q, d = rounded(vectors)
    assert np.abs(q * d[:, None] - vectors).max() <= d.max() / 2 + 1e-6


def test_vectors_that_are_compared_piece_by_piece_have_the_cosines_of_all_at_once() -> None:
    made = np.random.default_rng(1).normal(size=(2 * AT_A_TIME + 3, 6)).astype(np.float32)
    vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
    assert np.allclose(as_stored(vectors).cosines(vectors[-1]), vectors @ vectors[-1], atol=0.02)
