"""What a fixture makes visible, and how strictly outputs are read where a request or a reference asks for it."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile

import pytest

from sayso.core.types import FileSpec, Outcome, Sandbox
from sayso.targets.bash.executed.archives import contents
from sayso.targets.bash.executed.comparison import same, view
from sayso.targets.bash.executed.dates import moment
from sayso.targets.bash.executed.equivalence import Ready, agreeing, prepare
from sayso.targets.bash.executed.facts import HERE, NOON, joined
from sayso.targets.bash.executed.fixture import Fixture
from sayso.targets.bash.executed.fixtures import build
from sayso.targets.bash.executed.grounding import ground
from sayso.targets.bash.executed.judge import _digest, judge_name
from sayso.targets.bash.executed.mutants import mutants
from sayso.targets.bash.executed.reading import read_reading
from sayso.targets.bash.executed.request import programs_asked_for, repeated_tests
from sayso.targets.bash.syntax.parser import parse


def tar(*names: str, time: int = 0) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size, info.mtime = 4, time
            archive.addfile(info, io.BytesIO(b"pear"))
    return made.getvalue()


def cpio(name: str, held: bytes, time: int) -> bytes:
    fields = [1, 0o100644, 0, 0, 1, time, len(held), 0, 0, 0, 0, len(name) + 1, 0]
    head = b"070701" + b"".join(b"%08X" % number for number in fields) + name.encode() + b"\0"
    return head + b"\0" * (-len(head) % 4) + held + b"\0" * (-len(held) % 4)


def test_archives_are_what_they_hold() -> None:
    assert contents(tar("a", "b", time=5)) == contents(tar("b", "a", time=9)) != contents(tar("a", "c"))
    assert contents(gzip.compress(tar("a"), mtime=1)) == contents(gzip.compress(tar("a", time=3), mtime=2))
    assert contents(gzip.compress(b"pear", mtime=1)) == "gzip\npear"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("pear", "x")
    assert (contents(made.getvalue()) or "").startswith("zip\npear 1 ")
    assert contents(cpio("pear", b"x", 1)) == contents(cpio("pear", b"x", 2)) != contents(cpio("pear", b"y", 1))
    assert contents(b"plain text") is None and contents(b"\x1f\x8bnot gzip") is None and contents(b"PKnot zip") is None


def test_classes_of_characters_have_no_mutants() -> None:
    assert {mutant.text for mutant in mutants("find . -name 'pear[0-9][a-z]*'")} == {
        "find . -name 'pqar[0-9][a-z]*'",
        "find . ",
    }
    assert {mutant.how for mutant in mutants("find . -mtime +2 | head")} == {"dropped", "number", "sign", "stage"}


@pytest.mark.parametrize(
    ("request_text", "wants_lines"),
    [
        ("print all lines with pear in any file", True),
        ("find the occurrences of pear in .c files", True),
        ("list files that have a line with pear", False),
        ("show what is new", False),
    ],
)
def test_lines_are_wanted_where_a_request_names_them_first(request_text: str, wants_lines: bool) -> None:
    assert read_reading(parse("grep -r pear ."), False, request_text).asks_lines == wants_lines


def test_a_variable_that_is_appended_to_or_counted_up_holds_something() -> None:
    assert ground("word+=x", "").variables["word"] and ground("n=$((n+2))", "").variables == {"n": "7"}


def test_facts_of_two_commands_are_joined() -> None:
    reference = ground("find ./ -name '*.c'", "list all C files")
    assert joined(reference, ground("find . -name '*.c'", "list all C files")) == reference
    both = joined(reference, ground("find /srv -iname '*.h' -size +3k", "list all C files"))
    assert (both.roots, both.names, both.sizes) == (["./", "/srv"], ["*.c", "*.h"], [(3, 1024)])
    assert both.asks_case and both.only_files


@pytest.mark.parametrize(
    ("request_text", "reference", "asked"),
    [
        ("list them using xargs", "find . | xargs ls", {"xargs"}),
        ("find mp3 files and pass them to the ls command", "find . -name '*.mp3' | xargs ls", {"ls"}),
        ("find files with names like x", "find . -name x", set()),
        ("show files that end with sort", "ls | sort", {"sort"}),
    ],
)
def test_programs_that_a_request_says_to_use(request_text: str, reference: str, asked: set[str]) -> None:
    assert programs_asked_for(request_text, reference) == asked


def test_a_condition_said_twice_is_a_slip() -> None:
    assert repeated_tests("find . -user ann -user ann") == {("-user", "ann")}
    assert repeated_tests("find . -name a -o -name b") == set() == repeated_tests("find '")


def shows(one: str, other: str, command: str, request_text: str = "") -> bool:
    files = Fixture({path: FileSpec(path, b"words\n") for path in ("a.txt", "north/b.txt")})
    reading = read_reading(parse(command), False, request_text)
    first, second = (view(Outcome(0, text.encode(), b""), files, reading) for text in (one, other))
    return same(first, second, reading)


@pytest.mark.parametrize(
    ("one", "other", "command", "request_text", "expected"),
    [
        ("a  b\n", "a b\n", "column -t x", "", False),
        ("a  b\n", "a b\n", "cat x", "", True),
        (f"{HERE}/a.txt\n", "a.txt\n", "readlink -f a.txt", "", False),
        (f"{HERE}/a.txt\n", "a.txt\n", "find $PWD", "print the full path of files", False),
        (f"{HERE}/a.txt\n", "a.txt\n", "find $PWD", "print files", True),
        ("a.txt\0north/b.txt\0", "a.txt\nnorth/b.txt\n", "find . -print0", "list files, null separated", False),
        ("total 4\na.txt\n", "a.txt\n", "ls -l | head -2", "", False),
        ("total 4\na.txt\n", "a.txt\n", "ls -l", "", True),
        ("found a.txt\n", "lost a.txt\n", "find . -exec echo found {} +", "", False),
    ],
)
def test_what_is_read_strictly_where_it_is_asked_for(
    one: str, other: str, command: str, request_text: str, expected: bool
) -> None:
    assert shows(one, other, command, request_text) is expected


def test_complaints_count_where_a_request_says_how_much_to_say() -> None:
    loud, quiet = Outcome(0, b"", b"x: done\n"), Outcome(0, b"", b"")
    for request_text, expected in (("verbosely compress x", False), ("compress x", True)):
        reading = read_reading(parse("bzip2 x"), False, request_text)
        assert same(view(loud, Fixture(), reading), view(quiet, Fixture(), reading), reading) is expected


def test_a_judge_is_named_by_its_code(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("code") / "a.py"
    digests = []
    for text in ("one", "two"):
        path.write_text(text)
        digests.append(_digest([path]))
    assert digests[0] != digests[1]
    name, judge, canonical = judge_name().split(",")
    assert name == "bash-fixtures-v5"
    assert judge.startswith("judge:") and canonical.startswith("canonical:") and judge[6:] != canonical[10:]


VISIBLE = [
    ("switch promptvars on", "shopt -s promptvars", "shopt -s promptvars extglob"),
    ("the file with inode 752010", "find . -inum 752010", "find . -inum 752011"),
    ("files of nobody", "find . -nouser", "find ."),
    ("files of one name", "find . -type f -links 1", "find . -type f"),
    ("folders with a pear.txt file", "find . -name pear.txt -exec dirname {} +", "find . -name pear.txt"),
    ("lines common to a.txt and b.txt", "comm -12 <(sort a.txt) <(sort b.txt)", "comm -12 a.txt b.txt"),
]  # fmt: skip


def test_fixtures_hold_what_links_dates_programs_and_folders_ask_for() -> None:
    links = build(ground("find . -lname /srv/pear.txt", ""), "rich", "seed", NOON).files
    assert {b"/srv/pear.txt", b"/srv/pear.txtx"} <= {spec.content for spec in links.values() if spec.kind == "link"}
    dated = build(ground("find . -newermt 'Nov 22'", ""), "rich", "seed", NOON).files
    november = moment("Nov 22", NOON)
    assert november and {spec.mtime > november for spec in dated.values() if spec.kind == "file"} == {True, False}
    found = build(ground("which -a pear", ""), "rich", "seed", NOON).files
    assert {"/usr/local/bin/pear", "/usr/local/games/pear"} <= found.keys()
    made = build(ground("mkdir /srv/fruit/pear", ""), "rich", "seed", NOON).files
    assert "/srv/fruit" in made and "/srv/fruit/pear" not in made
    assert "/srv/fruit" not in build(ground("mkdir -p /srv/fruit/pear", ""), "rich", "seed", NOON).files


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.parametrize(("request_text", "reference", "wrong"), VISIBLE)
def test_what_showed_nothing_is_made_visible(sandbox: Sandbox, request_text: str, reference: str, wrong: str) -> None:
    ready = prepare(request_text, reference, sandbox)
    assert isinstance(ready, Ready), ready
    assert agreeing(ready, [reference, wrong], sandbox) == {reference}


@pytest.mark.sandbox
def test_a_candidate_is_tried_on_what_it_asks_for_itself(sandbox: Sandbox) -> None:
    ready = prepare("list all txt files", "find . -name '*.txt'", sandbox)
    assert isinstance(ready, Ready)
    more = "find . -name '*.txt' ! -size 7k"
    assert agreeing(ready, [more, "find -name '*.txt' -print"], sandbox) == {"find -name '*.txt' -print"}


@pytest.mark.sandbox
def test_fixtures_that_tell_nothing_of_a_constant_are_no_measure(sandbox: Sandbox) -> None:
    untold = prepare("show ls for 80 characters", "ls | column -c 80", sandbox)
    assert getattr(untold, "reason", "") == "not told from its mutants"
