"""Words under one canonical stem, places, phrases, typos."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sayso.english.lexicon import MOST_TERMS, Lexicon, edits, guess

KNOWN = ["directory", "search", "display", "largest", "count", "first", "attach"]


def test_synonyms_and_inflections_share_a_stem(lexicon: Lexicon) -> None:
    assert len({lexicon.stem(word) for word in ("folder", "folders", "directories", "dir")}) == 1
    assert lexicon.stem("removing") == lexicon.stem("erase") == lexicon.stem("delete")
    assert lexicon.stem("container") != lexicon.stem("contains")


def test_phrases_become_one_word_and_places_a_path(lexicon: Lexicon) -> None:
    terms = lexicon.read("How many files in THIS folder?")
    assert [term.stem for term in terms] == ["count", "file", "in", "<.>"]
    assert [term.kind for term in terms] == ["word", "word", "word", "place"]
    assert terms[-1].value == "."


def test_spans_point_into_the_text(lexicon: Lexicon) -> None:
    text = 'get rid of  "my file.txt", please'
    for term in lexicon.read(text):
        assert text[term.start : term.end].lower().startswith(term.text.split(" ")[0].lower())


def test_phrasings_and_requests_are_read_alike(lexicon: Lexicon) -> None:
    text = "how many big folders are there"
    assert lexicon.words(text) == [term.stem for term in lexicon.read(text)]


def test_a_possessive_is_its_word(lexicon: Lexicon) -> None:
    assert lexicon.read("today's files")[0].stem == lexicon.stem("today")


def test_a_pasted_page_is_cut(lexicon: Lexicon) -> None:
    assert len(lexicon.read("word " * 5000)) == MOST_TERMS


def test_typos_find_the_word_that_was_meant() -> None:
    assert guess("serch", KNOWN) == "search"
    assert guess("dispaly", KNOWN) == "display"
    assert guess("frist", KNOWN) == "first"
    assert guess("direktory", KNOWN) == "directory"
    assert guess("reattach", KNOWN) == "attach"


def test_names_are_not_corrected() -> None:
    for name in ("nginx", "htop", "alice", "counts2", "xx", ""):
        assert guess(name, KNOWN) == ""


def test_edits_counts_a_swap_as_one() -> None:
    # flaw -> lawn: delete f, insert n. ab -> ba: one swap.
    assert edits("flaw", "lawn", 5) == 2
    assert edits("ab", "ba", 5) == 1
    assert edits("kitten", "sitting", 5) == 3


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_edits_is_symmetric_and_bounded(left: str, right: str) -> None:
    distance = edits(left, right, 20)
    assert distance == edits(right, left, 20)
    assert abs(len(left) - len(right)) <= distance <= max(len(left), len(right))
    assert (distance == 0) == (left == right)


@given(st.text(max_size=60))
def test_any_text_can_be_read(lexicon: Lexicon, text: str) -> None:
    for term in lexicon.read(text):
        assert 0 <= term.start <= term.end <= len(text)
