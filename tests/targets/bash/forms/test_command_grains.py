"""Characters, tokens and sub-tokens of commands: join is the exact inverse of split on any text (NL2Bash §6.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Grain
from sayso.targets.bash.forms.grains import NO_SPACE, tokens
from sayso.targets.bash.language import join, split
from sayso.targets.bash.review.page import examples

GRAINS: list[Grain] = ["char", "token", "subtoken"]
SHELL_TEXT = st.text(st.sampled_from("ab1 \t\n'\"\\$(){}[]<>|&;`*2-é" + NO_SPACE), max_size=40)


def test_tokens_of_a_command() -> None:
    command = "find . -name '*.py' | xargs -I {} wc -l {} 2>/dev/null"
    assert split(command, "token") == [
        "find", ".", "-name", "'*.py'", "|", "xargs", "-I", "{}", "wc", "-l", "{}", "2>", "/dev/null",
    ]  # fmt: skip


def test_subtokens_cut_constants_only() -> None:
    """The paper's own example, a path, as an argument."""
    assert split('ls -l "/home/dir03/*.txt"', "subtoken") == [
        "ls", "-l", "SUB_START", '"', "/", "home", "/", "dir", "03", "/", "*", ".", "txt", '"', "SUB_END",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("echo $(ls) x", ["echo", "$(", "ls", ")", "x"]),
        ("a;b", ["a", ";", NO_SPACE, "b"]),
        ("a  b", ["a", "  ", "b"]),
        (" a ", [" ", "a", " "]),
        ("a > f", ["a", ">", " ", "f"]),
        ("x=$(a)b", ["x=", NO_SPACE, "$(", "a", ")", NO_SPACE, "b"]),
        ('echo "a b"c', ["echo", '"a b"c']),
        ("", []),
    ],
)
def test_odd_gaps_are_written_down(command: str, expected: list[str]) -> None:
    assert split(command, "token") == expected


@pytest.mark.parametrize("grain", GRAINS)
@pytest.mark.parametrize("command", [*examples(), NO_SPACE, f"a{NO_SPACE}", f"{NO_SPACE} {NO_SPACE}", "SUB_START x"])
def test_round_trip(command: str, grain: Grain) -> None:
    assert join(split(command, grain), grain) == command


@pytest.mark.parametrize("grain", GRAINS)
@given(SHELL_TEXT)
def test_any_text_comes_back(grain: Grain, text: str) -> None:
    assert join(split(text, grain), grain) == text


@given(SHELL_TEXT)
def test_tokens_hold_every_character_but_blanks(text: str) -> None:
    assert "".join("".join(tokens(text)).split()) == "".join(text.split())


@given(st.lists(st.sampled_from(["ls", "-l", "SUB_START", "SUB_END", NO_SPACE, " ", "", "x", "|"]), max_size=12))
def test_what_a_model_emits_can_always_be_joined(parts: list[str]) -> None:
    assert isinstance(join(parts, "subtoken"), str)
    assert isinstance(join(parts, "token"), str)
