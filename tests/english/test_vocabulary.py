"""Vocabularies: cut-offs, ids, copying by extended ids, and files that notice when they were altered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile, MachineError
from sayso.english.vocabulary import BOS, EOS, PAD, SPECIALS, UNK, Vocabulary, build_vocabulary, load_vocabulary

REQUESTS = [["list", "files", "in", "a"], ["list", "files"], ["list", "b"]]


def test_frequent_words_come_first_and_ties_are_alphabetical() -> None:
    assert build_vocabulary(REQUESTS).words == ("list", "files", "a", "b", "in")
    assert build_vocabulary(REQUESTS, minimum=2).words == ("list", "files")
    assert build_vocabulary(REQUESTS, limit=1).words == ("list",)


def test_encoding_marks_the_unknown() -> None:
    vocabulary = build_vocabulary(REQUESTS, minimum=2)
    assert vocabulary.encode(["list", "my", "files"]) == [4, UNK, 5]
    assert vocabulary.decode([BOS, 4, UNK, 5, EOS, 4, PAD]) == ["list", "<unk>", "files"]
    assert len(vocabulary) == 6
    assert "list" in vocabulary
    assert "my" not in vocabulary


def test_a_word_spelled_like_a_special_is_a_word() -> None:
    vocabulary = build_vocabulary([["<eos>", "<pad>"]])
    assert vocabulary.decode(vocabulary.encode(["<eos>", "<pad>"])) == ["<eos>", "<pad>"]
    assert build_vocabulary([["x"]]).encode(list(SPECIALS)) == [UNK] * 4


def test_extended_ids_stand_for_the_unknown_words_of_one_request() -> None:
    vocabulary = build_vocabulary(REQUESTS, minimum=2)
    extended = vocabulary.extend(["list", "/tmp/a", "files", "b.txt", "/tmp/a"])
    assert extended.extra == ("/tmp/a", "b.txt")
    assert extended.encode(["ls", "/tmp/a", "b.txt", "list"]) == [UNK, 6, 7, 4]
    assert extended.decode([6, 7, 4]) == ["/tmp/a", "b.txt", "list"]
    assert len(extended) == len(vocabulary) + 2


@pytest.mark.parametrize("wrong", [-1, 8, 10**9])
def test_an_id_that_nothing_has_is_an_error(wrong: int) -> None:
    with pytest.raises(IndexError, match=str(wrong)):
        build_vocabulary([["a", "b", "c", "d"]]).decode([wrong])


@settings(deadline=None)
@given(st.lists(st.text()), st.lists(st.text(), min_size=1))
def test_what_the_request_says_can_always_be_copied(known: list[str], source: list[str]) -> None:
    extended = build_vocabulary([known]).extend(source)
    assert extended.decode(extended.encode(source)) == source
    assert UNK not in extended.encode(source)


@settings(deadline=None)
@given(st.sets(st.text() | st.just("\ud800")))
def test_files_keep_every_word(tmp_path_factory: pytest.TempPathFactory, words: set[str]) -> None:
    path = tmp_path_factory.mktemp("vocabulary") / "words.json"
    vocabulary = build_vocabulary([words])
    vocabulary.save(path)
    assert load_vocabulary(path) == vocabulary
    assert [entry.name for entry in path.parent.iterdir()] == ["words.json"]


def test_altered_cut_or_missing_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.json"
    build_vocabulary(REQUESTS).save(path)
    whole = path.read_text()
    content = json.loads(whole)
    content["words"][0] = "lisp"
    for text in (
        json.dumps(content),
        whole[:20],
        "[]",
        '{"digest": "", "words": [1]}',
        '{"digest": "", "words": "ab"}',
    ):
        path.write_text(text)
        with pytest.raises(BadFile) as caught:
            load_vocabulary(path)
        assert caught.value.hint
    with pytest.raises(BadFile):
        load_vocabulary(tmp_path / "none.json")


def test_a_disk_that_refuses_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(MachineError, match="cannot write"):
        build_vocabulary(REQUESTS).save(tmp_path / "file" / "words.json")


def test_a_word_twice_is_refused() -> None:
    with pytest.raises(BadFile, match="twice"):
        Vocabulary(("a", "a"))
