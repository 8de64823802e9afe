"""Commands taken apart into templates and arguments, and put together again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.bash.forms.skeleton import filled, skeleton, slots_of

COMMANDS = [
    "find /srv -name '*.log' -mtime +7 -exec rm {} \\;",
    "grep -rn \"to do\" src | sort -k2 | head -5",
    "tar -czf out.tgz $(find . -name x)",
    "ls -l > listing.txt",
    "mv a\\ b 'c d'",
    "echo @Path",
    "find . -type f",
    "if [ -f x ]; then cat x; fi",
    "not ( a command",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_filling_the_slots_gives_the_command_back(command: str) -> None:
    found = skeleton(command)
    assert filled(found.template, [one.text for one in found.arguments]) == command
    assert len(slots_of(found.template)) == len(found.arguments)


@given(st.lists(st.sampled_from([*"ab /.*-'\"$(){}|;\\", "find ", "@File", "-name "]), max_size=12).map("".join))
def test_any_text_comes_back(command: str) -> None:
    found = skeleton(command)
    assert filled(found.template, [one.text for one in found.arguments]) == command


def test_slots_have_types_signs_stay_and_closed_words_too() -> None:
    found = skeleton("find /srv -type f -mtime +7 -name '*.log'")
    assert found.template == "find @Path -type f -mtime +@Timespan -name @Regex"
    assert [one.text for one in found.arguments] == ["/srv", "7", "'*.log'"]
    assert [(one.owner, one.flag) for one in found.arguments] == [("find", ""), ("find", "-mtime"), ("find", "-name")]


def test_habits_stay_in_the_template() -> None:
    assert skeleton("find . -name x", {("find", "", ".")}).template == "find . -name @Regex"


def test_the_command_inside_a_substitution_has_slots_and_its_word_is_none() -> None:
    assert skeleton("wc -l $(find /srv -name x)").template == "wc -l $(find @Path -name @Regex)"


def test_a_slot_that_nothing_is_left_for_stays() -> None:
    assert filled("cp @Path @Path", ["a"]) == "cp a @Path"
