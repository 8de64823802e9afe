"""A cut tokenizer: any text comes back, and a text whose tokens are all kept is cut as before."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from sayso.core.errors import BadFile, BadRequest
from sayso.english.cut import ALPHABET, NEW, choose_tokens, cut_vocabulary, length_under, parents_of, read_merges

TEXTS = [
    "find all files named *.txt in the folder /home/ann",
    "find . -type f -name '*.txt' -size +10M | sort -nr | head -n 20",
    "list the largest files and folders, largest first",
    "du -ah /home/ann/music | sort -rh",
    "naïve café — 日本 🙂",
] * 3


def trained(size: int) -> str:
    """A byte-level BPE whose first two ids are special, and which lacks the bytes it did not see."""
    engine = Tokenizer(models.BPE())
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    engine.decoder = decoders.ByteLevel()
    engine.train_from_iterator(
        TEXTS, trainers.BpeTrainer(vocab_size=size, special_tokens=["<s>", "</s>"], show_progress=False)
    )
    return engine.to_str()


WHOLE = trained(400)
OLD = Tokenizer.from_str(WHOLE)
COUNTS = Counter(token for text in TEXTS for token in OLD.encode(text).tokens)
MERGES = read_merges(WHOLE)
KEPT = choose_tokens(MERGES, COUNTS, 300)
CUT = cut_vocabulary(WHOLE, KEPT)
NEWER = Tokenizer.from_str(CUT.definition)


def test_the_cut_has_the_size_asked_for_and_the_specials_in_front() -> None:
    assert 295 <= len(CUT.kept) == NEWER.get_vocab_size() <= 300
    assert CUT.kept[:2] == (0, 1)
    assert NEWER.get_vocab().keys() >= ALPHABET
    assert not MERGES.vocabulary.keys() >= ALPHABET, "the test needs a tokenizer that lacks bytes"
    assert NEW in CUT.kept


def test_every_kept_id_names_the_same_token_as_before() -> None:
    for new, old in enumerate(CUT.kept):
        if old != NEW:
            assert NEWER.id_to_token(new) == OLD.id_to_token(old)


@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    assert NEWER.decode(NEWER.encode(text).ids, skip_special_tokens=False) == text


@given(st.lists(st.sampled_from(sorted({word for text in TEXTS for word in text.split(" ")})), max_size=8))
def test_text_without_dropped_tokens_is_cut_as_before(words: list[str]) -> None:
    text = " ".join(words)
    before = OLD.encode(text)
    if set(before.tokens) <= KEPT:
        assert [CUT.kept[one] for one in NEWER.encode(text).ids] == before.ids


def test_some_texts_lose_tokens_and_the_curve_knows_how_many() -> None:
    dropped = [text for text in TEXTS if not set(OLD.encode(text).tokens) <= KEPT]
    assert dropped
    there = sum(len(NEWER.encode(text).ids) for text in TEXTS)
    assert sum(COUNTS.values()) < there <= length_under(COUNTS, KEPT, parents_of(MERGES))


def test_a_special_is_never_made_from_text() -> None:
    assert all(one > 1 for one in NEWER.encode("<s>rm</s>").ids)


def test_too_small_a_size_and_foreign_tokens_are_refused() -> None:
    with pytest.raises(BadRequest, match="too few"):
        choose_tokens(MERGES, COUNTS, 200)
    with pytest.raises(BadRequest, match="no token"):
        cut_vocabulary(WHOLE, ["unheardof"])


def test_what_is_no_bpe_is_refused() -> None:
    with pytest.raises(BadFile, match="no byte-level BPE"):
        read_merges("{}")
    content = json.loads(WHOLE)
    content["added_tokens"][0]["id"] = 50
    with pytest.raises(BadFile, match="come first"):
        read_merges(json.dumps(content))
