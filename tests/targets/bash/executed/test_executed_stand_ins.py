"""Stand-ins for what talks to machines, devices and people, and what is run otherwise than it is written."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Change, FileSpec, Outcome, Sandbox
from sayso.targets.bash.executed.comparison import Reading, same, view
from sayso.targets.bash.executed.equivalence import Ready, agreeing, prepare
from sayso.targets.bash.executed.fixture import Fixture
from sayso.targets.bash.executed.request import asks_to_see, departs, moved_to, names_a_place
from sayso.targets.bash.executed.spellings import as_today
from sayso.targets.bash.executed.stand_ins import STAND_INS, read_calls, stand_ins
from sayso.targets.bash.language import normalise
from sayso.targets.bash.lessons.ran import needs
from sayso.targets.bash.syntax.parser import parse

WORDS = st.text(st.sampled_from("abz -/.:@=0 9'$*"), min_size=1, max_size=8)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=4), max_size=4))
def test_calls_are_read_back_whatever_stands_in_them_and_in_any_order(calls: list[list[str]]) -> None:
    written = "".join("\x1f".join(["ssh", *words]) + "\x1e" for words in calls)
    backwards = "".join("\x1f".join(["ssh", *words]) + "\x1e" for words in calls[::-1])
    found = read_calls(written.encode())
    assert len(found) == len(calls)
    assert found == read_calls(backwards.encode())
    assert sorted(found) == sorted(normalise(shlex.join(["ssh", *words])) for words in calls)


def test_only_what_is_called_has_a_stand_in() -> None:
    assert stand_ins({"find", "grep"}, []) == {}
    assert set(stand_ins({"ssh", "df", "grep"}, ["x"])) == {"/usr/local/bin/ssh", "/usr/local/bin/df"}
    assert not STAND_INS & {"find", "grep", "cat", "tar", "rm", "bash", "read", "sleep"}


@pytest.mark.parametrize(
    ("command", "reason"),
    [("ssh h ls", "needs a network"), ("read -p x y", "needs a person"), ("find . | while read f; do ls $f; done", "")],
)
def test_a_stand_in_is_no_proof_that_a_recipe_runs(command: str, reason: str) -> None:
    assert needs(parse(command)) == reason


CALLED = [
    ("MAC of eth0", "ifconfig eth0 | grep ether", "ifconfig eth0 | grep 'ether'", "ifconfig eth1 | grep ether"),
    ("kill every foo", "kill -9 $(pgrep foo)", "pgrep foo | xargs kill -9", "pkill foo"),
    ("users and terminals", "who | cut -d ' ' -f1,2", "who | cut -d ' ' -f 1-2", "who | cut -d ' ' -f1"),
    ("copy what files.txt lists", "xargs scp u@h: < files.txt", "cat files.txt | xargs scp u@h:", "scp files.txt u@h:"),
    ("send the lines of a.txt", "cat a.txt | ssh h 'cat > b'", "cat < a.txt | ssh h 'cat > b'", "ssh h 'cat > b'"),
    ("read with prompt Name", "read -p Name x", 'read -p "Name" x', "read -p Names x"),
]


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.parametrize(("request_text", "reference", "equal", "wrong"), CALLED)
def test_a_call_is_what_it_is_called_with(
    sandbox: Sandbox, request_text: str, reference: str, equal: str, wrong: str
) -> None:
    ready = prepare(request_text, reference, sandbox)
    assert isinstance(ready, Ready), ready
    assert agreeing(ready, [equal, wrong], sandbox) == {equal}


@pytest.mark.parametrize(
    ("written", "today"),
    [
        ("find / -perm +6000 -type f", "find / -perm /6000 -type f"),
        ("find -E . -regex '.*(c|h)'", "find  . -regextype posix-extended -regex '.*(c|h)'"),
        ("find -x / -user x | xargs ls", "find  / -xdev -user x | xargs ls"),
        ("find a -depth 1 -name x", "find a -mindepth 1 -maxdepth 1 -name x"),
        ("find . -perm -u+s -depth -name '+1'", "find . -perm -u+s -depth -name '+1'"),
        ("grep -E x +600", "grep -E x +600"),
        ("find '", "find '"),
    ],
)
def test_spellings_of_other_systems_are_run_as_meant(written: str, today: str) -> None:
    assert as_today(written) == today
    assert as_today(today) == today


def test_a_search_is_moved_only_where_nobody_said_where() -> None:
    assert moved_to("find / -inum 7", "find . -inum 7") == "find / -inum 7"
    assert moved_to("find . -inum 7 | wc", "find -inum 7 | wc") == "find . -inum 7 | wc"
    assert moved_to("find / -x", "find ~ -x") == "find / -x"
    for reference, candidate in (("find /srv -x", "find . -x"), ("find . -x", "find a b -x"), ("ls", "find . -x")):
        assert moved_to(reference, candidate) == candidate
    assert not names_a_place("files with inode 7") and names_a_place("files in the current folder")
    assert names_a_place("files of /srv")


def test_a_mode_that_is_asked_for_is_the_one_that_must_stand_there() -> None:
    assert departs("files with permission 077", "find . -perm 0777")
    assert not departs("files with permission 077", "find . -perm 077")
    assert not departs("files with permission 644", "find . -maxdepth 1 -perm u=rw,g=r,o=r")


def outcome(printed: bytes, *changes: Change) -> Outcome:
    return Outcome(0, printed, b"", tuple(changes))


def test_what_is_printed_beside_a_deed_counts_where_it_is_asked_to_be_seen() -> None:
    assert asks_to_see("print the names and remove them") and not asks_to_see("remove the files")
    gone = Change("work/x", "removed", FileSpec("work/x", b""), None)
    blind, seeing = Reading(False, True, False, asks_to_see=False), Reading(False, True, False)
    loud, quiet = (view(outcome(text, gone), Fixture(), blind) for text in (b"x\n", b""))
    assert same(loud, quiet, blind) and not same(loud, quiet, seeing)
    # What the fixture itself makes as a run begins is no deed.
    made = Fixture(files={"x": FileSpec("/home/user/work/x", b"")}, sparse={"x": 9})
    grown = Change("work/x", "created", None, FileSpec("work/x", b""))
    one, two = (view(outcome(text, grown), made, blind) for text in (b"a\n", b"b\n"))
    assert not one.acts and not same(one, two, blind)
