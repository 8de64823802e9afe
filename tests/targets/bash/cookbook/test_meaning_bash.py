"""Phrasings as the sentence encoder reads them, and cookbooks with and without an encoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sayso.cookbook.entry import Recipe, Slot, spoken
from sayso.cookbook.slot_types import TYPES
from sayso.neural.bundle import Bundle, write_bundle
from sayso.neural.meaning import WEIGHTS, pack_vectors
from sayso.neural.meaning_words import described
from sayso.targets.bash.cookbook.meaning import (
    BUNDLE,
    SLOT_WORDS,
    VECTORS,
    is_held_back,
    is_usable,
    meanings,
    meant,
    stored_meaning,
    weights_digest,
)

WEIGHTED = {WEIGHTS: b"numbers"}
COUNT = Recipe(
    "count",
    "wc -l {file}",
    "reads",
    {"file": Slot("file", "csvfile"), "min": Slot("min", "size")},
    ("count the lines of {file} over {min}", "how many lines has {file} {min}"),
)


def without_runtime(name: str) -> str | None:
    return None if name == "onnxruntime" else name


def cookbook(folder: Path, weights: str) -> Bundle:
    fitted = {"encoder": weights, "width": 4, "weights": {}}
    files = {VECTORS: pack_vectors(np.eye(4, dtype=np.float32))}
    settings = {"meaning": fitted}
    return write_bundle(
        folder, name="x", target="bash", kind="cookbook", settings=settings, files=files, licence="CC0-1.0"
    )


def encoder(folder: Path) -> Bundle:
    return write_bundle(folder, name="x", target="bash", kind="meaning", settings={}, files=WEIGHTED, licence="CC0-1.0")


def test_a_slot_is_read_as_a_value_in_it_would_be() -> None:
    assert meant(COUNT.say[0], COUNT) == "count the lines of csv file over 100 mb"
    assert described(spoken(COUNT.say[0], COUNT, {"file": "sales.csv", "min": "3 GB"})) == meant(COUNT.say[0], COUNT)
    assert meanings([COUNT, COUNT]) == 2 * [meant(say, COUNT) for say in COUNT.say]


def test_words_are_said_for_types_that_exist() -> None:
    assert set(SLOT_WORDS) <= set(TYPES)


def test_about_one_phrasing_of_six_is_held_back() -> None:
    texts = [f"count the lines of file {number}" for number in range(1200)]
    assert 0.12 < sum(map(is_held_back, texts)) / len(texts) < 0.21
    assert [is_held_back(text) for text in texts] == [is_held_back(text) for text in texts]


def test_vectors_are_used_with_the_encoder_that_made_them_alone(tmp_path: Path) -> None:
    made = encoder(tmp_path / "encoder")
    fitting = cookbook(tmp_path / "fitting", weights_digest(made.folder))
    assert stored_meaning(fitting, tmp_path / "nowhere") is None
    assert stored_meaning(cookbook(tmp_path / "other", "of another"), made.folder) is None
    found = stored_meaning(fitting, made.folder)
    assert found is not None
    assert np.allclose([found([0, 2]).vectors.cosines(one) for one in np.eye(4, dtype=np.float32)], np.eye(4))


def test_an_encoder_needs_its_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = encoder(tmp_path / "encoder").folder
    assert is_usable(folder)
    monkeypatch.setattr("sayso.targets.bash.cookbook.meaning.find_spec", without_runtime)
    assert not is_usable(folder)
    assert BUNDLE.name == "bash-meaning"
