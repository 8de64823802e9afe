"""Requests and references as ids: what is cut, what is unknown, what can be copied; no torch needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from sayso.core.errors import BadFile, RunFailed
from sayso.core.types import Example, Piece, Request
from sayso.english.vocabulary import BOS, EOS, UNK, ExtendedVocabulary
from sayso.targets import TARGETS
from sayso.training.encode import (
    build_vocabularies,
    encode_dev,
    encode_request,
    encode_requests,
    encode_target,
    encode_train,
    load_vocabularies,
    request_parts,
)
from sayso.training.settings import Encoding

BASH = TARGETS["bash"]
EXAMPLES = [
    Example("1", Request("List the files in /srv/a7"), ("ls /srv/a7",)),
    Example("2", Request("List the files in /srv/b"), ("ls /srv/b", "ls -1 /srv/b")),
    Example("3", Request("Count the lines of notes.txt"), ("wc -l notes.txt",)),
]


def test_requests_are_cut_as_the_paper_cuts_them() -> None:
    request = Request("List  the Files in /srv/a7")
    assert request_parts(request, Encoding("token")) == ["list", "file", "in", "/srv/a7"]
    cut = ["SUB_START", "/", "srv", "/", "a", "7", "SUB_END"]
    assert request_parts(request, Encoding("subtoken")) == ["list", "file", "in", *cut]
    assert request_parts(request, Encoding("char")) == list("List the Files in /srv/a7")


def test_a_request_of_stop_words_keeps_them() -> None:
    assert request_parts(Request("do this"), Encoding()) == ["do", "this"]


def test_plain_words_stay_as_they_are_written() -> None:
    request = Request("List the Files in /srv/a7")
    assert request_parts(request, Encoding(words="plain")) == ["List", "the", "Files", "in", "/srv/a7"]
    assert request_parts(request, Encoding("subtoken", words="plain"))[:4] == ["List", "the", "Files", "in"]


def test_context_is_read_before_the_request_the_nearest_last() -> None:
    cells = (Piece("text", "far away"), Piece("code", "import numpy"), Piece("text", "some words more here"))
    request = Request("plot it", cells)
    assert request_parts(request, Encoding(words="plain")) == ["plot", "it"]
    two = Encoding(words="plain", context=2, context_longest=3)
    cut = ["CELL_CODE", "import", "numpy", "CELL_TEXT", "some", "words", "more", "CELL_TEXT", "plot", "it"]
    assert request_parts(request, two) == cut
    assert request_parts(request, replace(two, source_longest=7)) == cut[3:]
    assert request_parts(Request("plot it"), two) == ["plot", "it"]
    assert len({Encoding(words="plain").key, two.key, replace(two, context=1).key}) == 3


def test_kinds_that_a_network_does_not_know_are_passed_over() -> None:
    known = (Piece("text", "load"), Piece("code", "x = 1"))
    encoding = Encoding(words="plain", context=2)
    others = Request("go", (Piece("names", "x: int"), *known, Piece("error", "NameError: …")))
    assert request_parts(others, encoding) == request_parts(Request("go", known), encoding)


def test_what_is_too_long_loses_far_context_and_never_the_request() -> None:
    cells = tuple(Piece("code", f"cell{n} = {n}") for n in range(9))
    request = Request("plot all of it", cells)
    encoding = Encoding(words="plain", context=9)
    whole = request_parts(request, encoding)
    for most in range(4, len(whole) + 1):
        parts = request_parts(request, replace(encoding, source_longest=most))
        assert len(parts) <= most and parts[-4:] == ["plot", "all", "of", "it"]
        assert whole[-len(parts) :] == parts and parts[0] in ("CELL_CODE", "plot")
    assert request_parts(request, replace(encoding, source_longest=3)) == ["plot", "all", "of"]


@pytest.mark.parametrize("grain", ["char", "token", "subtoken"])
def test_lines_and_indentation_of_code_are_read_and_words_are_left_alone(grain: str) -> None:
    code = "  for The_X in Ys:\n\tthe(The_X)\r\n\n"
    request = Request(
        "Plot  the\n lines", (Piece("text", "The  far\nfiles"), Piece("code", code), Piece("file", "a:\n\tb"))
    )
    parts = request_parts(request, Encoding(grain, context=3))  # type: ignore[arg-type]
    places = [parts.index(mark) for mark in ("CELL_TEXT", "CELL_CODE", "CELL_FILE")]
    assert [part for part in parts[: places[1]] if "\n" in part] == []
    read = "".join(part for part in parts[places[1] + 1 : places[2]] if not part.startswith("SUB_"))
    assert "".join(read.split()) == "".join(code.split())
    if grain == "char":
        assert read == code
    else:
        assert [part for part in parts if part.startswith("\n")] == ["\n  ", "\n\t", "\n", "\n", "\n\t"]


def test_a_notebook_is_encoded_with_its_marks_lines_and_request() -> None:
    encoding = Encoding("subtoken", shared=True, words="plain", context=2)
    cells = (Piece("text", "left out"), Piece("code", "if x:\n    y = 1"), Piece("text", "now sort"))
    examples = [Example("1", Request("Sort the rows of y", cells), ("sort y",))]
    words = build_vocabularies(examples, BASH, encoding)
    arrays, dropped = encode_train(examples, BASH, words, encoding)
    assert not dropped
    said = words.source.decode(encode_request(examples[0].request, words, encoding).source)
    code = ["CELL_CODE", "if", "x", ":", "\n    ", "y", "=", "1"]
    assert said == [*code, "CELL_TEXT", "now", "sort", "CELL_TEXT", "Sort", "the", "rows", "of", "y"]
    assert arrays.source[0].tolist() == words.source.encode(said)


@pytest.mark.parametrize("grain", ["char", "token", "subtoken"])
def test_what_can_be_copied_comes_back_as_text(grain: str) -> None:
    encoding = Encoding(grain, target_minimum=1, copies=True)  # type: ignore[arg-type]
    words = build_vocabularies(EXAMPLES, BASH, encoding)
    request = Request("List the files in /srv/q9")
    row = encode_request(request, words, encoding)
    assert len(row.source) == len(row.source_extended)
    parts = BASH.split("ls /srv/q9", encoding.grain)
    ids = encode_target(parts, row, words)
    assert ids[0] == BOS and ids[-1] == EOS and UNK not in ids
    text = BASH.join(ExtendedVocabulary(words.target, row.extra).decode(ids), encoding.grain)
    assert text == "ls /srv/q9"


def test_without_copying_the_unknown_stays_unknown() -> None:
    words = build_vocabularies(EXAMPLES, BASH, Encoding())
    row = encode_request(Request("List the files in /srv/q9"), words, Encoding())
    assert row.source_extended == row.source and row.source[-1] == UNK and row.extra == ()
    assert UNK in encode_target(["ls", "/srv/q9"], row, words)


def test_rare_parts_are_left_out_of_the_vocabularies() -> None:
    words = build_vocabularies(EXAMPLES, BASH, Encoding(source_minimum=2, target_minimum=3))
    assert set(words.source.words) == {"list", "file", "in"}
    assert set(words.target.words) == {"ls"}
    shared = build_vocabularies(EXAMPLES, BASH, Encoding(shared=True))
    assert shared.source is shared.target and "ls" in shared.source and "list" in shared.source


def test_every_reference_trains_and_the_first_one_judges() -> None:
    encoding = Encoding(target_longest=3)
    words = build_vocabularies(EXAMPLES, BASH, encoding)
    train, dropped = encode_train(EXAMPLES, BASH, words, encoding)
    assert len(train) == 4 and dropped == {}
    short, left_out = encode_train(EXAMPLES, BASH, words, Encoding(target_longest=2))
    assert len(short) == 2 and left_out == {"reference too long": 2}
    dev = encode_dev(EXAMPLES, BASH, words, Encoding(target_longest=2))
    assert len(dev) == 3 and dev.target.lengths.tolist() == [4, 4, 4]
    with pytest.raises(RunFailed, match="no example is left"):
        encode_train(EXAMPLES, BASH, words, Encoding(target_longest=1))


def test_requests_travel_without_their_references() -> None:
    words = build_vocabularies(EXAMPLES, BASH, Encoding(copies=True))
    whole = encode_requests([Request(""), Request("List x.c"), Request("word " * 900)], words, Encoding(copies=True))
    assert len(whole.target.flat) == 0
    assert whole.source[0].tolist() == [UNK] and whole.source.lengths.tolist() == [1, 2, 400]


def test_no_examples_make_no_vocabulary() -> None:
    with pytest.raises(RunFailed, match="no examples to train on"):
        build_vocabularies([], BASH, Encoding())


def test_a_vocabulary_of_another_run_is_one_clear_line(tmp_path: Path) -> None:
    words = build_vocabularies(EXAMPLES, BASH, Encoding())
    words.save(tmp_path)
    assert load_vocabularies(tmp_path, words.digests) == words
    others = build_vocabularies(EXAMPLES[:1], BASH, Encoding())
    with pytest.raises(BadFile, match="is not the vocabulary that this network was trained with") as caught:
        load_vocabularies(tmp_path, others.digests)
    assert "\n" not in caught.value.message
