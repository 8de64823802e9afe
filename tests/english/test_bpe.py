"""Byte-level BPE gives any text back, learns the same merges twice, and says what is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile, BadRequest, MachineError, MissingPart
from sayso.english.bpe import BytePairs, load_byte_pairs, train_byte_pairs
from sayso.english.vocabulary import BOS, EOS, PAD, SPECIALS

TEXTS = ["find all files in /tmp", "find files larger than 10MB", "list files in /var/log"] * 5


@pytest.fixture(scope="module")
def pairs() -> BytePairs:
    return train_byte_pairs(TEXTS, 300)


def test_frequent_strings_become_one_id(pairs: BytePairs) -> None:
    assert len(pairs.encode(" files")) == 1
    assert len(pairs.encode("zebra")) == 5
    assert len(pairs) <= 300


@settings(deadline=None)
@given(text=st.text())
def test_any_text_comes_back(pairs: BytePairs, text: str) -> None:
    ids = pairs.encode(text)
    assert pairs.decode(ids) == text
    assert all(len(SPECIALS) <= i < len(pairs) for i in ids)


@pytest.mark.parametrize("text", ["<pad>", "<eos><bos>", "  two  blanks ", "\r\n\t\x00", "日本語 👩‍👩‍👧", "e\u0301"])
def test_awkward_text_comes_back(pairs: BytePairs, text: str) -> None:
    assert pairs.decode(pairs.encode(text)) == text


def test_specials_are_left_out_and_eos_stops(pairs: BytePairs) -> None:
    ids = pairs.encode("ls")
    assert pairs.decode([BOS, *ids, PAD, EOS, *ids]) == "ls"


def test_training_twice_gives_the_same_merges(pairs: BytePairs) -> None:
    again = train_byte_pairs(TEXTS, 300)
    assert again == pairs
    assert again.digest == pairs.digest


def test_saved_merges_are_the_same_after_loading(pairs: BytePairs, tmp_path: Path) -> None:
    path = tmp_path / "merges.json"
    pairs.save(path)
    assert load_byte_pairs(path) == pairs


def test_a_disk_that_refuses_is_one_clear_line(pairs: BytePairs, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(MachineError, match="cannot write"):
        pairs.save(tmp_path / "file" / "merges.json")


def test_altered_cut_or_foreign_files_are_refused(pairs: BytePairs, tmp_path: Path) -> None:
    path = tmp_path / "merges.json"
    pairs.save(path)
    whole = path.read_text()
    for text in (whole.replace("files", "filez"), whole[:50], "{}", "[]"):
        path.write_text(text)
        with pytest.raises(BadFile):
            load_byte_pairs(path)
    with pytest.raises(BadFile):
        BytePairs("{}").encode("ls")


def test_half_a_surrogate_pair_is_no_text(pairs: BytePairs) -> None:
    with pytest.raises(BadRequest):
        pairs.encode("a\ud800")


def test_too_small_a_vocabulary_is_refused() -> None:
    with pytest.raises(BadRequest, match="too few"):
        train_byte_pairs(TEXTS, 100)


def test_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingPart) as caught:
        train_byte_pairs(TEXTS, 300)
    assert "sayso[train]" in caught.value.hint
    with pytest.raises(MissingPart):
        BytePairs("{}").encode("ls")
