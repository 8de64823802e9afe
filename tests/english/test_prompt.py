"""The prompt of a trunk: few ids, nothing special from text, the answer back as it was."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

import sayso
from sayso.core.errors import BadFile, BadRequest, MissingData, UnknownName
from sayso.core.types import Piece, Request
from sayso.english.byte_bpe import read_bpe
from sayso.english.cut import ALPHABET, cut_vocabulary
from sayso.english.prompt import (
    CONTEXT,
    FIRST_WORD,
    LETTERS,
    MARKS,
    TAGS,
    TrunkTokens,
    answer_ids,
    load_trunk_tokens,
    read_prompt,
    request_ids,
)
from sayso.english.vocabulary import BOS, EOS


def definition() -> str:
    """Seventeen specials and the bytes, as a cut trunk's tokenizer begins."""
    names = [f"<special {number}>" for number in range(FIRST_WORD)]
    tokens = {name: at for at, name in enumerate([*names, *sorted(ALPHABET)])}
    engine = Tokenizer(models.BPE(vocab=tokens, merges=[]))
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    engine.decoder = decoders.ByteLevel()
    engine.add_special_tokens(names)
    return cut_vocabulary(engine.to_str(), []).definition


TOKENS = TrunkTokens(definition())
EMBEDDED = Path(sayso.__file__).parent / "bundles" / "trunk" / "tokenizer.json"


@given(st.text())
def test_an_answer_comes_back_as_it_was(answer: str) -> None:
    ids = answer_ids(TOKENS, answer)
    assert (ids[0], ids[-1]) == (BOS, EOS)
    assert TOKENS.decode([*ids, *ids]) == answer


@given(st.text(), st.sampled_from(sorted(TAGS)))
def test_nothing_in_a_request_is_special(request: str, target: str) -> None:
    ids = read_prompt(TOKENS, Request(request + "<special 2>"), target).ids
    assert (ids[0], ids[-1]) == (TAGS[target], BOS)
    assert all(one >= FIRST_WORD for one in ids[1:-1])


def test_white_space_is_folded_and_nothing_else_changes() -> None:
    ids = request_ids(TOKENS, "  List\n the  FILES. ")
    assert TOKENS.decode(ids) == "List the FILES."


CELL = "for x in y:\n    if x:\n\t\tprint( x )\n\n"


def test_kinds_that_a_trunk_does_not_know_are_passed_over() -> None:
    known = (Piece("code", "x = 1"),)
    others = (Piece("names", "x: int"), *known, Piece("error", "NameError: …"))
    for target in ("bash", "notebook"):
        assert read_prompt(TOKENS, Request("go", others), target) == read_prompt(TOKENS, Request("go", known), target)


def test_a_context_stands_before_the_request_with_a_mark_for_each_kind() -> None:
    pieces = (Piece("text", "Load  the\n data"), Piece("file", "a:\n\tcc a.c\n", "Makefile"), Piece("code", CELL))
    ids = request_ids(TOKENS, "sort  it", "notebook", pieces)
    places = [ids.index(MARKS[kind]) for kind in ("text", "file", "code")]
    starts = [*places, ids.index(CONTEXT), len(ids)]
    parts = [TOKENS.decode(ids[start:end]) for start, end in pairwise(starts)]
    assert (ids[0], places[0]) == (TAGS["notebook"], 1)
    assert parts == ["Load  the\n data", "Makefile\na:\n\tcc a.c\n", CELL, "sort it"]


def test_white_space_of_code_costs_few_ids_where_the_vocabulary_has_it() -> None:
    """Both tokenizers, with and without the package, read the same lines and indentation."""
    definition = EMBEDDED.read_bytes()
    ours, theirs = read_bpe(definition), TrunkTokens(definition.decode())
    request = Request("sort it", (Piece("code", "def f(x):\n    if x:\n        return 1\n"),))
    ids = read_prompt(ours, request, "notebook").ids
    assert ids == read_prompt(theirs, request, "notebook").ids
    assert [ours.decode([one]) for one in ids if "\n" in ours.decode([one])] == ["\n   ", "\n       ", "\n"]


PIECES = st.lists(
    st.builds(
        Piece, st.sampled_from(sorted(MARKS)), st.text("ab \n\u00e9", max_size=80), st.sampled_from(["", "a.py"])
    ),
    max_size=5,
).map(tuple)


@given(st.text("list files\u00e9 ", max_size=40), PIECES, st.integers(3, 300))
def test_a_long_prompt_keeps_its_request(request: str, context: tuple[Piece, ...], most: int) -> None:
    own = TOKENS.encode(" ".join(request.split()))
    found = read_prompt(TOKENS, Request(request, context), "notebook", most)
    assert len(found.ids) <= most and (found.ids[0], found.ids[-1]) == (TAGS["notebook"], BOS)
    if len(own) > most - 2:
        assert found.is_cut and found.ids[1:-1] == own[: most - 2]
        return
    assert not found.is_cut and found.ids[-1 - len(own) : -1] == own
    marks = [one for one in found.ids if one in MARKS.values()]
    kept = context[len(context) - found.pieces :]
    assert marks == [MARKS[piece.kind] for piece in kept]
    for piece in kept[1:]:
        name = f"{piece.name}\n" if piece.name else ""
        assert name + piece.text in TOKENS.decode(found.ids)


def test_of_a_far_file_that_is_too_long_the_last_lines_are_read() -> None:
    lines = "".join(f"    line{n:05}\n" for n in range(5000))
    near = Piece("code", "near")
    request = Request("sort it", (Piece("text", "far"), Piece("file", lines, "a.py"), near))
    found = read_prompt(TOKENS, request, "notebook", 120)
    text = TOKENS.decode(found.ids)
    assert found.pieces == 2 and len(found.ids) <= 120 and len(lines) > LETTERS * 120
    assert text.startswith("a.py\n\n    line0") and text.endswith("line04999\nnearsort it")


def test_a_prompt_without_context_is_tag_request_and_bos() -> None:
    found = read_prompt(TOKENS, Request(" list\tfiles "))
    assert found.ids == [TAGS["bash"], *TOKENS.encode("list files"), BOS]
    assert read_prompt(TOKENS, Request("list files", (Piece("text", "x" * 99),)), most=14).ids == found.ids


def test_tags_and_marks_are_specials_that_mean_nothing_else() -> None:
    given = [*TAGS.values(), *MARKS.values(), CONTEXT, 0, 1, 2, 3]
    assert len({*given}) == len(given) and max(given) < FIRST_WORD
    names = {one: name for name, one in read_bpe(EMBEDDED.read_bytes()).ids.items()}
    assert [names[one] for one in MARKS.values()] == ["<jupyter_text>", "<jupyter_code>", "<filename>"]


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="bsh"):
        request_ids(TOKENS, "x", "bsh")
    with pytest.raises(BadRequest, match="surrogate"):
        TOKENS.encode("a\ud800")
    with pytest.raises(MissingData):
        load_trunk_tokens(tmp_path / "tokenizer.json")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(BadFile):
        len(load_trunk_tokens(tmp_path / "tokenizer.json"))
