"""Sentences, phrasings and constants that differ (NL2Bash appendix B)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.apps.judge.checks import is_single_sentence, problems, word_overlap
from sayso.apps.judge.constants import Mismatch, constant_mismatches
from sayso.apps.judge.items import Answer, Item, Opinion, Option


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("find log files in /var/log", "find /var/log -name '*.log'"),
        ("Find all .conf files under /etc modified in the last week", "find /etc -name '*.conf' -mtime -7"),
        ("show the first five lines of notes.txt", "head -n 5 notes.txt"),
        ("Find files larger than 100 MB in the home directory", "find ~ -size +100M"),
        ('Add "prefix_" to every line of "a.txt"', "sed 's/^/prefix_/' a.txt"),
        ("delete files older than 2 hours in /tmp", "find /tmp -mmin +120 -delete"),
        ("count the lines in all python files", "find . -name '*.py' | xargs wc -l"),
        ("set the permissions of script.sh to 755", "chmod 755 script.sh"),
        ("print the 2nd column of data.csv separated by ;", "awk -F';' '{print $2}' data.csv"),
        ("list the files", "ls -la"),
        ("find files over 1 GB", "find . -size +1024M"),
        ("find files over 1 kB", "find . -size +2"),
        ("find what changed two weeks ago", "find . -mtime 14"),
        ("copy photos newer than January 1st 2024 to /media", "find . -newermt 2024-01-01 -exec cp {} /media \\;"),
        ("split big.iso; keep 'a|b;c' in it", "split big.iso 'a|b;c'"),
        ("unbalanced", "echo 'unbalanced"),
        ("delete all logs", "find . -name '*.log' -print0 | xargs -0 rm"),
    ],
)
def test_the_same_constants_in_other_notations_are_not_flagged(text: str, command: str) -> None:
    assert constant_mismatches(text, command) == []


@pytest.mark.parametrize(
    ("text", "command", "found"),
    [
        (
            "find log files in /vra/log",
            "find /var/log -name '*.log'",
            [Mismatch("/vra/log", "text", "/var/log"), Mismatch("/var/log", "command", "/vra/log")],
        ),
        (
            "copy report.txt to bob@host:/srv",
            "scp reprot.txt bob@host:/srv",
            [Mismatch("report.txt", "text", "reprot.txt"), Mismatch("reprot.txt", "command", "report.txt")],
        ),
        (
            "delete files older than 12 days in /tmp",
            "find /tmp -mtime +21 -delete",
            [Mismatch("12 days", "text"), Mismatch("21", "command")],
        ),
        (
            'replace "colour" in a.txt',
            "sed -i s/color/x/ a.txt",
            [Mismatch("colour", "text", "s/color/x/"), Mismatch("s/color/x/", "command", "colour")],
        ),
        (
            "show the end of the file",
            "tail -n 40 server.log",
            [Mismatch("40", "command"), Mismatch("server.log", "command")],
        ),
    ],
)
def test_constants_that_differ_are_flagged(text: str, command: str, found: list[Mismatch]) -> None:
    assert constant_mismatches(text, command) == found


def test_a_mismatch_says_where_and_what_else() -> None:
    assert (
        str(Mismatch("a.txt", "text", "b.txt"))
        == "a.txt is in the sentence but not in the command; the command has b.txt"
    )
    assert str(Mismatch("7", "command")) == "7 is in the command but not in the sentence"


@settings(deadline=None)
@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(text: str, command: str) -> None:
    for mismatch in constant_mismatches(text, command):
        assert mismatch.constant


@settings(deadline=None)
@given(st.from_regex(r"[a-z]{3,8}\.[a-z]{2,3}", fullmatch=True), st.integers(2, 10**6))
def test_constants_copied_as_they_are_never_differ(name: str, number: int) -> None:
    assert constant_mismatches(f"show the last {number} lines of {name}", f"tail -n {number} {name}") == []


@pytest.mark.parametrize(
    ("text", "single"),
    [
        ("List the files.", True),
        ("List the files, e.g. The big ones", True),
        ('Print "A. B" on the screen', True),
        ("Show v1.2 of a.txt", True),
        ("List the files. Then delete them.", False),
        ("List the files\nand delete them", False),
        ("Really? Yes", False),
    ],
)
def test_single_sentences(text: str, single: bool) -> None:
    assert is_single_sentence(text) is single


def test_word_overlap_is_the_jaccard_similarity_of_words() -> None:
    # {show, my, mail} and {show, all, mail, now}: 2 shared of 5
    assert word_overlap("Show my mail", "show all mail NOW") == pytest.approx(2 / 5)
    assert word_overlap("", "") == 1.0


def told(item: Item, answer: Answer) -> list[tuple[str, bool, int]]:
    return [(problem.message, problem.fatal, problem.field) for problem in problems(item, answer)]


def test_a_description_must_be_one_sentence_and_is_then_compared() -> None:
    item = Item("describe", "a", "head -n 5 a.txt")
    assert told(item, Answer(texts=("",))) == [("write a sentence first", True, 0)]
    assert told(item, Answer(texts=("…!",))) == [("write a sentence first", True, 0)]
    assert told(item, Answer(texts=("Show it. Now go.",))) == [("write one single sentence", True, 0)]
    assert [fatal for _, fatal, _ in told(item, Answer(texts=("show 6 lines of a.txt",)))] == [False, False]
    misspelt = told(item, Answer(texts=("show 5 lines of b.txt",)))
    assert misspelt == [("b.txt is in the sentence but not in the command; the command has a.txt", False, 0)]
    assert told(item, Answer(texts=("show 5 lines of a.txt",))) == []


def test_phrasings_must_differ_from_each_other_and_should_from_the_given_words() -> None:
    item = Item("phrase", "a", "EMAILS FILTER(isRead eq true)", canonical="emails that are read from today")
    same = Answer(texts=("Which mail did I read?", "which mail did i read"))
    assert told(item, same) == [("the two phrasings must differ", True, 1)]
    near = told(item, Answer(texts=("Which mail did I read today?", "Which mail did I read this day?")))
    assert len(near) == 1 and near[0][1:] == (False, 1) and "share 62% of their words" in near[0][0]
    copied = told(item, Answer(texts=("Show emails that are read from today", "What mail did I open?")))
    assert len(copied) == 1 and copied[0][1:] == (False, 0) and "with the given wording" in copied[0][0]
    assert told(item, Answer(texts=("", "x y"))) == [("write a sentence first", True, 0)]
    assert told(item, Answer(texts=("Which mail did I open today?", "Show me what I have already seen"))) == []


def test_every_candidate_needs_a_verdict() -> None:
    item = Item("verdicts", "a", "r", (Option("ls"), Option("dir")))
    assert told(item, Answer(verdicts={"ls": Opinion(True, True)})) == [
        ("no verdict yet on 1 of 2 candidates", True, 0)
    ]
    assert told(Item("label", "a", "README", lines=("x",)), Answer()) == []
