"""What keeps the executed judge honest: mutants that must be told apart, references that ignore their request."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Example, FileSpec, Outcome, Request, Sandbox, Unscored
from sayso.sandbox.fake import ScriptedSandbox
from sayso.targets.bash.executed.comparison import Reading, same, view
from sayso.targets.bash.executed.equivalence import Ready, agreeing, complains, places, prepare
from sayso.targets.bash.executed.fixture import Fixture
from sayso.targets.bash.executed.judge import Judge
from sayso.targets.bash.executed.mutants import mutants
from sayso.targets.bash.executed.reading import read_reading
from sayso.targets.bash.executed.request import departs, invented_places, missing_constants
from sayso.targets.bash.syntax.parser import parse


def test_a_flag_a_stage_an_operand_and_a_constant_are_changed_in_turn() -> None:
    found = {mutant.text: mutant.what for mutant in mutants("find pears -mtime +2 | head -n 5")}
    assert found == {
        "find pqars -mtime +2 | head -n 5": "find Path: letters",
        "find pears  | head -n 5": "find -mtime: dropped",
        "find pears -mtime +3 | head -n 5": "find -mtime: number",
        "find pears -mtime -2 | head -n 5": "find -mtime: sign",
        "find pears -mtime +2 | head ": "head -n: dropped",
        "find pears -mtime +2 | head -n 6": "head -n: number",
        "find pears -mtime +2": "stage head",
    }


def test_of_letters_that_share_a_dash_one_goes() -> None:
    assert {"ls -la x", "ls -lt x", "ls -at x"} <= {mutant.text for mutant in mutants("ls -lat x")}


@given(st.text(alphabet="find -name'\"*|x1 ", max_size=30))
def test_any_text_has_mutants_that_differ_from_it(text: str) -> None:
    assert all(mutant.text != text for mutant in mutants(text))


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.parametrize(
    ("request_text", "reference", "harmless"),
    [
        ("find .c files changed in the last 3 days", "find . -name '*.c' -mtime -3", set()),
        ("find files older than 2 days by access", "find . -type f -atime +2", {"find -type: dropped"}),
        (
            "files of more than 100k, no deeper than 2",
            "find . -maxdepth 2 -type f -size +100k",
            {"find -type: dropped"},
        ),
        ("find files with permission 644", "find . -type f -perm 644", {"find -type: dropped"}),
        ("first 12 lines of pears.txt", "head -n 12 pears.txt", set()),
        (
            "all .rb files but those in vendor",
            "find . -name vendor -prune -o -name '*.rb' -print",
            {"find -print: dropped"},
        ),
        ("show lines with plum in a.txt, ignoring case", "grep -i plum a.txt", set()),
        ("remove .tmp files", "find . -name '*.tmp' -delete", set()),
    ],
)
def test_fixtures_tell_a_reference_from_its_mutants(
    sandbox: Sandbox, request_text: str, reference: str, harmless: set[str]
) -> None:
    ready = prepare(request_text, reference, sandbox)
    assert isinstance(ready, Ready)
    changed = mutants(reference)
    survivors = agreeing(ready, [mutant.text for mutant in changed], sandbox)
    assert {mutant.what for mutant in changed if mutant.text in survivors} <= harmless


@pytest.mark.sandbox
def test_the_start_of_the_day_is_not_now(sandbox: Sandbox) -> None:
    ready = prepare("find files changed more than 2 days ago", "find . -mtime +2", sandbox)
    assert isinstance(ready, Ready)
    assert agreeing(ready, ["find . -daystart -mtime +2", "find . -mtime +2 -print"], sandbox) == {
        "find . -mtime +2 -print"
    }


@pytest.mark.parametrize(
    ("request_text", "reference", "missing"),
    [
        ('find "pear.txt" in /srv', "find /srv -name pear.txt", []),
        ('find "pear.txt" in /srv', "find . -name pear.txt", ["/srv"]),
        ("files older than 2 days", "find . -mtime +2", []),
        ("files older than 48 hours", "find . -mtime +2", []),
        ("files older than 20 days", "find . -mtime +30", ["20d"]),
        ("files larger than 1 MB", "find . -size +1024k", []),
        ('rename "v1" and "v2"', "mv v{1,2} x", []),
        ("files writable by `group'", "find . -perm -020", []),
        ("the first file", "ls | head -1", []),
    ],
)
def test_constants_that_a_reference_leaves_out(request_text: str, reference: str, missing: list[str]) -> None:
    assert missing_constants(request_text, reference) == missing


@pytest.mark.parametrize(
    ("request_text", "reference", "expected"),
    [
        ("find pear.jpg (case insensitive)", "find . -name pear.jpg", True),
        ("find pear.jpg (case insensitive)", "find . -iname pear.jpg", False),
        ("search for plum, ignoring case", "grep -r plum .", True),
        ("search for plum, ignoring case", "grep -ri plum .", False),
        ("search for plum, ignoring case", "grep -r [Pp]lum .", False),
        ("search for plum", "grep -r plum .", False),
    ],
)
def test_case_that_the_request_says_to_ignore(request_text: str, reference: str, expected: bool) -> None:
    assert departs(request_text, reference) is expected


@pytest.mark.parametrize(
    ("request_text", "reference", "places"),
    [
        ("find gz files in a folder", "find /home/foo -name '*.gz'", ["/home/foo"]),
        ("find gz files in /home/foo", "find /home/foo/ -name '*.gz'", []),
        ("find gz files below the current folder", "find . -name '*.gz'", []),
        ("make some noise", "cat /dev/urandom", []),
        ("sort my list", "sort pears.txt", ["pears.txt"]),
    ],
)
def test_places_that_only_the_reference_names(request_text: str, reference: str, places: list[str]) -> None:
    assert invented_places(request_text, reference) == places


@pytest.mark.sandbox
def test_a_search_in_a_larger_place_is_told_apart(sandbox: Sandbox) -> None:
    ready = prepare("find mp3 files in the music folder", "find music -name '*.mp3'", sandbox)
    assert isinstance(ready, Ready)
    others = ["find . -name '*.mp3'", "find ~ -name '*.mp3'", "find / -name '*.mp3'"]
    assert agreeing(ready, [*others, "find ./music -name *.mp3"], sandbox) == {"find ./music -name *.mp3"}


@pytest.mark.sandbox
def test_counting_further_than_a_fixture_reaches_is_unscored(sandbox: Sandbox) -> None:
    assert prepare("last 1000 lines of x", "tail -n 1000 x", sandbox) == Unscored("counts too far")


@pytest.mark.sandbox
def test_a_reference_that_ignores_the_request_judges_nobody(sandbox: Sandbox) -> None:
    assert prepare("find 'pear' in /srv", "find . -name pear", sandbox) == Unscored("departs from its request")


def test_a_match_with_such_a_reference_counts_for_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    judge = Judge(ScriptedSandbox({}), tmp_path_factory.mktemp("cache"))
    example = Example("x:1", Request("find 'pear' in /srv"), ("find . -name pear",))
    assert judge(example, ["find . -name pear"]) == Unscored("departs from its request")


def shows(one: bytes, other: bytes, reading: Reading) -> bool:
    files = Fixture({path: FileSpec(path, b"words\n") for path in ("a.txt", "north/b.txt")})
    first, second = (view(Outcome(0, printed, b""), files, reading) for printed in (one, other))
    return same(first, second, reading)


def test_less_detail_counts_where_the_request_asks_for_it() -> None:
    long = b"-rw-r--r-- 1 user user 9 May 5 10:00 a.txt\n"
    assert shows(long, b"a.txt\n", read_reading(parse("ls -l"), False, "show the files"))
    assert not shows(b"pear a.txt\n", b"a.txt\n", read_reading(parse("find . -exec echo pear {} +"), False))
    assert not shows(long, b"a.txt\n", read_reading(parse("ls -l"), False, "display a long listing of the files"))


def test_a_file_that_is_mentioned_twice_is_a_difference() -> None:
    reading = Reading(lists=True, ordered=False, times=False)
    assert not shows(b"a.txt\nnorth/b.txt\n", b"a.txt\nnorth/b.txt\na.txt\n", reading)
    assert shows(b"a.txt\na.txt\n", b"a.txt\n", reading)


def test_what_only_the_candidate_names_must_be_there() -> None:
    complaint = Outcome(1, b"", b"chmod: cannot access 'prety': No such file or directory\n")
    assert complains(complaint, {"prety"})
    assert not complains(complaint, {"pretty"}) and not complains(complaint, set())
    assert set(places(parse("chmod +x prety pretty"))) >= {"prety", "pretty"}


@pytest.mark.sandbox
def test_a_request_for_silence_makes_what_is_printed_count(sandbox: Sandbox) -> None:
    for request_text, expected in (("remove pear.txt", True), ("quietly remove pear.txt", False)):
        ready = prepare(request_text, "rm pear.txt", sandbox)
        assert isinstance(ready, Ready)
        assert ("rm -v pear.txt" in agreeing(ready, ["rm -v pear.txt"], sandbox)) is expected


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("request_text", "reference", "right", "wrong"),
    [
        (
            "give /srv/pears to anna and staff, all of it",
            "chown -R anna:staff /srv/pears",
            "chown -R anna.staff /srv/pears",
            "chown anna:staff /srv/pears",
        ),
        (
            "give /srv/pears to the group staff",
            "chgrp staff /srv/pears",
            "chown :staff /srv/pears",
            "chown staff /srv/pears",
        ),
        ("switch nocaseglob on", "shopt -s nocaseglob", "shopt -qs nocaseglob", "shopt -s nocasematch"),
        (
            "list what matches .+-[0-9]+x[0-9]+",
            "find . -regex '.+-[0-9]+x[0-9]+'",
            "find -regex '.+-[0-9]+x[0-9]+'",
            "find .",
        ),
        ("list files newer than $mark", "find . -newer $mark", 'find . -newer "$mark" -print', "find ."),
        ('add "x" to variable "word"', "word+=x", 'word="${word}x"', "word=x"),
        ("print every line with pear in the files below", "grep -rh pear .", "grep -r -h pear .", "grep -rl pear ."),
        ("show a.txt without its empty lines", "grep -v '^$' a.txt", "sed '/^$/d' a.txt", "cat a.txt"),
        (
            "delete .tmp files, names may hold special characters",
            "find . -name '*.tmp' -print0 | xargs -0 rm",
            "find . -name '*.tmp' -delete",
            "find . -name '*.tmp' | xargs rm",
        ),
        ("delete the file called *", "rm -- '*'", "rm \\*", "rm *"),
        ("find all sockets", "find . -type s", "find -type s", "find . -type p"),
    ],
)
def test_what_a_person_would_tell_apart_is_seen(
    sandbox: Sandbox, request_text: str, reference: str, right: str, wrong: str
) -> None:
    ready = prepare(request_text, reference, sandbox)
    assert isinstance(ready, Ready)
    assert agreeing(ready, [right, wrong], sandbox) == {right}
