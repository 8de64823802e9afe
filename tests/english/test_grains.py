"""Sub-tokens and characters join back to exactly the tokens they came from."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.english.grains import (
    SUB_END,
    SUB_START,
    TOKEN_END,
    from_characters,
    from_subtokens,
    to_characters,
    to_subtokens,
)

TOKENS = st.lists(
    st.text(max_size=8) | st.sampled_from([SUB_START, SUB_END, TOKEN_END, "", " ", "-name", "/home/dir03/*.txt"])
)
PARTS = st.lists(st.sampled_from([SUB_START, SUB_END, TOKEN_END, "a", "/", "12", ""]))


def test_the_example_of_the_paper() -> None:
    """NL2Bash §6.1; the print lost the dot between the star and "txt"."""
    expected = [SUB_START, "/", "home", "/", "dir", "03", "/", "*", ".", "txt", SUB_END]
    assert to_subtokens(["/home/dir03/*.txt"]) == expected


def test_a_token_of_one_part_is_not_padded() -> None:
    assert to_subtokens(["find", "7", "*"]) == ["find", "7", "*"]


def test_utilities_and_flags_stay_whole() -> None:
    assert to_subtokens(["apt-get", "-y", "x-1"], keep=lambda token: token in ("apt-get", "-y")) == [
        "apt-get",
        "-y",
        *(SUB_START, "x", "-", "1", SUB_END),
    ]


def test_markers_in_the_text_are_told_from_ours() -> None:
    parts = to_subtokens([SUB_START], keep=lambda token: True)
    assert parts == [SUB_START, "SUB", "_", "START", SUB_END]


def test_letters_of_every_script_run_together() -> None:
    assert to_subtokens(["naïve42"]) == [SUB_START, "naïve", "42", SUB_END]


@settings(deadline=None)
@given(TOKENS)
def test_subtokens_join_back(tokens: list[str]) -> None:
    assert from_subtokens(to_subtokens(tokens)) == tokens


@settings(deadline=None)
@given(TOKENS, st.sets(st.text(max_size=8)))
def test_subtokens_join_back_whatever_is_kept_whole(tokens: list[str], whole: set[str]) -> None:
    assert from_subtokens(to_subtokens(tokens, keep=lambda token: token in whole or token.startswith("-"))) == tokens


def test_characters_mark_where_a_token_ends() -> None:
    assert to_characters(["ls", "a b"]) == ["l", "s", TOKEN_END, "a", " ", "b", TOKEN_END]


@settings(deadline=None)
@given(TOKENS)
def test_characters_join_back(tokens: list[str]) -> None:
    assert from_characters(to_characters(tokens)) == tokens


@settings(deadline=None)
@given(PARTS)
def test_output_of_a_model_is_always_readable(parts: list[str]) -> None:
    letters = "".join(part for part in parts if part not in (SUB_START, SUB_END))
    assert "".join(from_subtokens(parts)) == letters
    assert "".join(from_characters(parts)) == "".join(part for part in parts if part != TOKEN_END)


def test_group_left_open_is_closed() -> None:
    assert from_subtokens(["ls", SUB_START, "/", "tmp"]) == ["ls", "/tmp"]
    assert from_subtokens([SUB_START, "a", SUB_START, "b", SUB_END, SUB_END]) == ["a", "b"]
