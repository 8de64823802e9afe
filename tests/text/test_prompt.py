"""The prompt of a trunk: few ids, nothing special from text, the answer back as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from sayso.core.errors import BadFile, BadRequest, MissingData, UnknownName
from sayso.text.cut import ALPHABET, cut_vocabulary
from sayso.text.prompt import (
    CONTEXT,
    FIRST_WORD,
    TAGS,
    TrunkTokens,
    answer_ids,
    load_trunk_tokens,
    prompt_ids,
    request_ids,
)
from sayso.text.vocabulary import BOS, EOS


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


@given(st.text())
def test_an_answer_comes_back_as_it_was(answer: str) -> None:
    ids = answer_ids(TOKENS, answer)
    assert (ids[0], ids[-1]) == (BOS, EOS)
    assert TOKENS.decode([*ids, *ids]) == answer


@given(st.text(), st.sampled_from(sorted(TAGS)))
def test_nothing_in_a_request_is_special(request: str, target: str) -> None:
    ids = prompt_ids(TOKENS, request + "<special 2>", target)
    assert (ids[0], ids[-1]) == (TAGS[target], BOS)
    assert all(one >= FIRST_WORD for one in ids[1:-1])


def test_white_space_is_folded_and_nothing_else_changes() -> None:
    ids = request_ids(TOKENS, "  List\n the  FILES. ")
    assert TOKENS.decode(ids) == "List the FILES."


def test_a_context_stands_before_the_request() -> None:
    ids = request_ids(TOKENS, "sort it", "notebook", "df = 1\n")
    at = ids.index(CONTEXT)
    assert TOKENS.decode(ids[:at]) == "df = 1\n"
    assert TOKENS.decode(ids[at:]) == "sort it"


def test_tags_are_specials_that_mean_nothing_else() -> None:
    assert len({*TAGS.values(), CONTEXT, 0, 1, 2, 3}) == len(TAGS) + 5
    assert max(*TAGS.values(), CONTEXT) < FIRST_WORD


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
