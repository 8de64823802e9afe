"""The plain reader of a tokenizer.json against the package that defines it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile, BadRequest
from sayso.english.byte_bpe import ByteBpe, alphabet, merge, read_bpe, words
from sayso.english.prompt import FIRST_WORD

TEXTS = [
    "find all files in /tmp",
    "don't list 2024-01-02 it's /var/log",
    "  two  blanks\n\tand tabs",
    "größe 一 ２３",
] * 4


def definition(size: int = 420) -> bytes:
    """A tokenizer as a trunk has it: specials first, then bytes and merges learnt from a few texts."""
    tokenizers = pytest.importorskip("tokenizers")
    from tokenizers import decoders, models, pre_tokenizers, trainers

    made = tokenizers.Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        show_progress=False,
        special_tokens=[f"<{one}>" for one in range(FIRST_WORD)],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    made.train_from_iterator(TEXTS, trainer)
    content = json.loads(made.to_str())
    content["added_tokens"] = []
    return json.dumps(content).encode()


@pytest.fixture(scope="module")
def raw() -> bytes:
    return definition()


@pytest.fixture(scope="module")
def tokens(raw: bytes) -> ByteBpe:
    return read_bpe(raw)


@settings(deadline=None, max_examples=300)
# Characters that only newer Unicode tables know are letters to the package and nothing to Python's own `unicodedata`.
@given(
    st.one_of(
        st.text(st.characters(exclude_categories=("Cs", "Cn"))),
        st.text("ab'sdtrevml_-./*$ \n\t\x1c\x85\u3000é1２٣½ⅷ日一ªº😀"),
    )
)
def test_ids_are_those_of_the_package(raw: bytes, tokens: ByteBpe, text: str) -> None:
    from tokenizers import Tokenizer

    package = Tokenizer.from_str(raw.decode())
    found = tokens.encode(text)
    assert found == package.encode(text, add_special_tokens=False).ids
    assert tokens.decode(found) == text
    assert all(one >= FIRST_WORD for one in found)


@settings(deadline=None)
@given(st.lists(st.integers(FIRST_WORD, 419), max_size=8))
def test_any_ids_read_as_the_package_reads_them(raw: bytes, tokens: ByteBpe, ids: list[int]) -> None:
    from tokenizers import Tokenizer

    ids = [one for one in ids if one < len(tokens)]
    assert tokens.decode(ids) == Tokenizer.from_str(raw.decode()).decode(ids, skip_special_tokens=False)


def test_words_are_split_before_they_are_merged() -> None:
    assert words("rm a12  b") == ["rm", " a", "1", "2", " ", " b"]
    assert merge(list("aaab"), {("a", "a"): 0, ("aa", "a"): 1}) == ["aaa", "b"]


def test_a_special_is_not_made_from_text(tokens: ByteBpe) -> None:
    assert min(tokens.encode("<2> <1>")) >= FIRST_WORD
    assert tokens.decode([FIRST_WORD, 1, FIRST_WORD, 2, FIRST_WORD]) == "!!"


def test_half_a_character_is_refused(tokens: ByteBpe) -> None:
    with pytest.raises(BadRequest, match="half a surrogate pair"):
        tokens.encode("a\ud800")


@pytest.mark.parametrize("change", [{"normalizer": {"type": "NFC"}}, {"pre_tokenizer": {"type": "Whitespace"}}])
def test_another_kind_of_tokenizer_is_refused(raw: bytes, change: dict[str, object]) -> None:
    with pytest.raises(BadFile, match="not the byte-level BPE"):
        read_bpe(json.dumps({**json.loads(raw), **change}).encode())


def test_what_cannot_be_read_is_named(raw: bytes) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        read_bpe(b"{}")
    content = json.loads(raw)
    del content["model"]["vocab"][alphabet()[0]]
    with pytest.raises(BadFile, match="no id for 1 of the 256 bytes"):
        read_bpe(json.dumps(content).encode())
