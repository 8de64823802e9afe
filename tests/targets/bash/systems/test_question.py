"""The question back: it names the one thing in which two commands differ, and there is none where they do in more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.bash.systems.question import CLOSE, SURE, question_between, question_for

ASKED = [
    ("ls -t", "ls -S", "Newest first (-t), or largest first (-S)?"),
    ("wc -l f", "wc -w f", "Count lines (-l), or count words (-w)?"),
    ("find . -type f", "find . -type d", "Files (-type f), or folders (-type d)?"),
    (
        "find . -mtime -1",
        "find . -mtime -7",
        "Changed in the last day (-mtime -1), or changed in the last 7 days (-mtime -7)?",
    ),
    ("find . -delete", "find . -name '*.o' -delete", "All of them, or only those named *.o (-name '*.o')?"),
    ("find . -size +1M", "find .", "Larger than 1M (-size +1M), or of any size?"),
    ("find . -maxdepth 1", "find .", "In the folder itself (-maxdepth 1), or in all folders below it too?"),
    ("grep -r foo .", "grep -ri foo .", "Without -i, or upper and lower case are the same (-i)?"),
    ("find . -name x", "find . -name x | wc -l", "Without wc -l, or count lines (wc -l)?"),
    ("head f", "tail f", "Print the first lines (head f), or print the last lines (tail f)?"),
    ("du -sh .", "du -sh *", "., or *?"),
    ("find . -type f | wc -l", "find . -type f -exec wc -l {} +", None),
    ("ls | head -n 5", "ls | tail -n 5", None),
    ("ls > f", "ls >> f", None),
]


@pytest.mark.parametrize(("first", "second", "text"), ASKED)
def test_the_difference_is_asked_about(first: str, second: str, text: str | None) -> None:
    question = question_between(first, second)
    assert question and question.text.endswith("?") and " or " in question.text
    assert text is None or question.text == text
    assert [command for _, command in question.choices] == [first, second]


def test_count_of_the_files_or_of_their_lines() -> None:
    question = question_between("find . -type f | wc -l", "find . -type f -exec wc -l {} +")
    assert question and question.text == "Count lines (wc -l), or count lines of each (-exec wc -l {} +)?"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ls -a", "ls --all"),
        ("ls -l -a", "ls -la"),
        ("ls", "ls"),
        ("find . -size +1M -name x", "find . -size +2M -name y"),
        ("ls 'x", "ls"),
        ("for f in *; do echo $f; done", "ls"),
    ],
)
def test_the_same_command_or_more_than_one_difference_is_no_question(first: str, second: str) -> None:
    assert question_between(first, second) is None


def test_only_close_readings_are_asked_about() -> None:
    assert question_for([("ls -t", 0.7), ("ls -S", 0.7 - CLOSE + 0.01)])
    assert question_for([("ls -t", 0.7), ("ls -S", 0.7 - CLOSE - 0.01)]) is None
    assert question_for([("ls -t", SURE), ("ls -S", SURE)]) is None
    assert question_for([("ls -t", 0.7)]) is None and question_for([]) is None


@pytest.mark.parametrize("request_text", ["list all directories", "every directory here", "find folders"])
def test_what_the_request_itself_says_is_not_asked(request_text: str) -> None:
    close = [("find . -type d", 0.7), ("find . -type f", 0.69)]
    assert question_for(close, request_text) is None
    assert question_for(close, "list everything") is not None
    assert question_for(close, "files and folders") is not None


COMMANDS = st.sampled_from([command for row in ASKED for command in row[:2]])


@given(COMMANDS, COMMANDS)
def test_asking_either_way_round_gives_the_same_choices(first: str, second: str) -> None:
    there, back = question_between(first, second), question_between(second, first)
    assert (there is None) == (back is None)
    if there and back:
        assert set(there.choices) == set(back.choices)


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_makes_it_fail(first: str, second: str) -> None:
    question_between(first, second)
