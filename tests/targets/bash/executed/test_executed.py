"""Executed equivalence in the real sandbox: what is the same, what is not, and what cannot be told."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from sayso.core.errors import SandboxFailed
from sayso.core.types import Candidate, Change, Example, FileSpec, Outcome, Request, Sandbox, Unscored, Workspace
from sayso.sandbox.fake import ScriptedSandbox
from sayso.targets.bash.execute import run
from sayso.targets.bash.executed.comparison import Reading, plain, same, view
from sayso.targets.bash.executed.equivalence import agreeing, prepare
from sayso.targets.bash.executed.facts import HERE
from sayso.targets.bash.executed.fixture import Fixture
from sayso.targets.bash.executed.judge import Judge
from sayso.targets.bash.executed.reach import REASONS, out_of_reach
from sayso.targets.bash.executed.reading import read_reading
from sayso.targets.bash.executed.spellings import about_changes_of_status
from sayso.targets.bash.metrics import metrics
from sayso.targets.bash.syntax.parser import parse

LISTS = Reading(lists=True, ordered=False, times=False)
LONG = Reading(lists=True, ordered=False, times=False, is_long=True)
SEARCHES = Reading(lists=True, ordered=False, times=False, searches_content=True)
LINES = Reading(lists=False, ordered=True, times=False)


def fixture(*paths: str) -> Fixture:
    return Fixture({path: FileSpec(path, f"words u{number}u\n".encode()) for number, path in enumerate(paths)})


def shows(one: str, other: str, reading: Reading) -> bool:
    files = fixture("a.txt", "north/b.txt", "north/c.txt")
    views = [view(Outcome(0, text.encode(), b""), files, reading) for text in (one, other)]
    return same(views[0], views[1], reading)


@pytest.mark.parametrize(
    ("one", "other", "reading", "expected"),
    [
        ("./a.txt\n./north/b.txt\n", "north/b.txt\na.txt\n", LISTS, True),
        ("./a.txt\n", f"{HERE}/a.txt\n", LISTS, True),
        ("a.txt\0north/b.txt\0", "a.txt\nnorth/b.txt\n", LISTS, True),
        ("a.txt north/b.txt\n", "a.txt\nnorth/b.txt\n", LISTS, True),
        ("a.txt\n", "a.txt\nnorth/b.txt\n", LISTS, False),
        ("b.txt\n", "north/b.txt\n", LISTS, True),
        ("b.txt\n", "north/c.txt\n", LISTS, False),
        ("-rw-r--r-- 1 user user 9 May 5 10:00 a.txt\n", "a.txt\n", LONG, True),
        ("pear a.txt\n", "a.txt\n", LISTS, False),
        ("a.txt\n", "-rw-r--r-- 1 user user 9 May 5 10:00 a.txt\n", LISTS, False),
        ("a.txt:words u0u\n", "words u0u\n", LISTS, True),
        ("a.txt\n", "words u0u\n", SEARCHES, True),
        ("a.txt\n", "words u0u\n", LISTS, False),
        ("words u0u\n", "words u1u\n", LISTS, False),
        ("a.txt\nerror\n", "a.txt\n", LISTS, False),
        ("3  a.txt\n", "3 ./a.txt\n", LINES, True),
        ("3 a.txt\n", "4 a.txt\n", LINES, False),
        ("x\ny\n", "y\nx\n", LINES, False),
        ("", "", LISTS, True),
        ("", "a.txt\n", LISTS, False),
    ],
)
def test_what_is_printed(one: str, other: str, reading: Reading, expected: bool) -> None:
    assert shows(one, other, reading) is expected


def test_folders_are_left_out_where_only_files_are_asked_for() -> None:
    assert not shows("north\nnorth/b.txt\n", "north/b.txt\n", LISTS)
    drops = Reading(lists=True, ordered=False, times=False, drops_folders=True)
    assert shows("north\nnorth/b.txt\n", "north/b.txt\n", drops)


def test_changes_decide_before_text() -> None:
    gone = Change("work/a.txt", "removed", FileSpec("work/a.txt", b"x"), None)
    made = Change("work/new", "created", None, FileSpec("work/new", b"one\ntwo\n"))
    swapped = Change("work/new", "created", None, FileSpec("work/new", b"two\none\n"))
    wider = Change("work/new", "created", None, FileSpec("work/new", b"one\ntwo\n", mode=0o666))
    files = fixture("a.txt")

    def agree(
        one: tuple[Change, ...], other: tuple[Change, ...], printed: bytes = b"", reading: Reading = LINES
    ) -> bool:
        first = view(Outcome(0, b"", b"", one), files, reading)
        return same(first, view(Outcome(0, printed, b"", other), files, reading), reading)

    assert agree((gone,), (gone,), b"removed a.txt\n")
    assert not agree((gone,), ())
    assert not agree((made,), (swapped,))
    assert agree((made,), (swapped,), reading=LISTS)
    assert not agree((made,), (wider,))


def test_paths_are_compared_in_one_spelling() -> None:
    assert plain("./a//b   c") == "a/b c"
    assert plain("/home/user/work") == "."
    assert plain("../x/./y") == "../x/./y"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("ssh host ls", ""),
        ("find . | xargs curl", ""),
        ("ps aux | grep x", ""),
        ("mount /dev/sda1 /mnt", ""),
        ("read -p name: x", ""),
        ("/usr/bin/ssh host ls", "needs a network"),
        ("/bin/ps aux", "needs processes"),
        ("jobs -l", "needs processes"),
        ("/bin/df -h", "needs devices"),
        ("cat /dev/sda", "needs devices"),
        ("dialog --yesno sure", "needs a person"),
        ("find . | while read f; do echo $f; done", ""),
        ("ls /dev/null", ""),
        ("rsync -a a b", ""),
    ],
)
def test_commands_out_of_reach(command: str, reason: str) -> None:
    assert out_of_reach(parse(command)) == reason
    assert reason in ("", *REASONS)


def test_order_counts_where_the_reference_makes_one() -> None:
    assert not read_reading(parse("find . -name x"), only_files=False).ordered
    assert read_reading(parse("find . -name x | sort"), only_files=False).ordered
    assert read_reading(parse("cat a b"), only_files=False).ordered
    assert not read_reading(parse("grep -r x ."), only_files=False).ordered
    assert not read_reading(parse("find . | wc -l"), only_files=False).lists


def test_times_of_status_change_are_tried_as_times_of_access() -> None:
    assert about_changes_of_status("find . -ctime +4 -atime 1") == "find . -atime +4 -ctime 1"
    assert about_changes_of_status("find . -atime 1 -name '-ctime'") == "find . -atime 1 -name '-ctime'"


PAIRS = [
    ("list all txt files", "find . -name '*.txt'", "find . -type f -name \\*.txt -print", True),
    ("list all txt files", "find . -name '*.txt'", "find . -name '*.md'", False),
    ("list all txt files", "find . -name '*.txt'", "find . -maxdepth 1 -name '*.txt'", False),
    ("list all directories named D", "find . -type d -name D", "find . -name D", False),
    ("files changed in the last 3 days", "find . -type f -mtime -3", "find . -type f -mtime +3", False),
    ("files changed 3 days ago", "find . -type f -mtime 3", "find . -type f -mtime -4 -mtime +2", True),
    ("files not accessed for 9 days", "find . -atime +9", "find . -mtime +9", False),
    ("files whose status changed 4 days ago", "find . -ctime +4 -type f", "find . -mtime +4 -type f", False),
    ("files larger than 100M", "find ~ -size +100M", "find ~ -size +100k", False),
    ("files in your home folder larger than 100M", "find ~ -size +100M", "find . -size +100M", False),
    ("delete all log files", "find . -name '*.log' -delete", "find . -name '*.log' | xargs rm", True),
    ("delete all log files", "find . -name '*.log' -delete", "find . -name '*.log'", False),
    ("search for foo in all c files", "find . -name '*.c' | xargs grep foo", "grep -r foo --include='*.c' .", True),
    ("search for foo in all c files", "find . -name '*.c' | xargs grep foo", "grep -r foo .", False),
    ("files with permissions 755", "find . -perm 755", "find . -perm -755", False),
    ("files of bob", "find . -user bob", "find . -user user", False),
    ("print lines found once in a.txt", "sort a.txt | uniq -u", "sort a.txt | uniq", False),
    ("count the lines of a.txt", "wc -l a.txt", "cat a.txt | wc -l", False),
    ("print the second column of a.txt", "cut -d' ' -f2 a.txt", "awk -F' ' '{print $1}' a.txt", False),
    ("ask and delete files 5 days old", "find . -mtime +5 -ok rm {} \\;", "find . -mtime +5 -exec rm {} \\;", False),
    ("go to the folder of build.xml", "cd $(dirname $(find . -name build.xml))", "cd .", False),
    ("unpack a.tar.gz", "tar -xzf a.tar.gz", "gunzip -c a.tar.gz | tar xf -", True),
]  # fmt: skip


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.parametrize(("request_text", "reference"), list(dict.fromkeys(pair[:2] for pair in PAIRS)))
def test_pairs(sandbox: Sandbox, request_text: str, reference: str) -> None:
    ready = prepare(request_text, reference, sandbox)
    assert not isinstance(ready, Unscored), ready
    expected = {pair[2]: pair[3] for pair in PAIRS if pair[:2] == (request_text, reference)}
    found = agreeing(ready, [reference, *expected], sandbox)
    assert found == {reference, *(candidate for candidate, is_same in expected.items() if is_same)}


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("find . -name '", "does not parse"),
        ("no-such-program x", "not installed"),
        ("true", "does nothing visible"),
        ("echo r$RANDOM$RANDOM", "differs from itself"),
        ("yes", "takes too long"),
    ],
)
def test_reasons(sandbox: Sandbox, reference: str, reason: str) -> None:
    assert prepare("do it", reference, sandbox) == Unscored(reason)


@pytest.mark.sandbox
def test_a_judge_keeps_its_verdicts(sandbox: Sandbox, tmp_path: Path) -> None:
    example = Example("toy", Request("list all txt files"), ("/usr/bin/ssh host ls", "find . -name '*.txt'"))
    judge = pickle.loads(pickle.dumps(Judge(sandbox, tmp_path)))
    assert judge(example, ["find -name '*.txt'", "find . -name '*.c'", "find '"]) == [True, False, False]
    kept = next((tmp_path / "executed").iterdir())
    told = json.loads(kept.read_text())
    told["verdicts"]["find . -name '*.c'"] = True
    kept.write_text(json.dumps(told))
    assert judge(example, ["find . -name '*.c'"]) == [True]
    kept.write_text("{damaged")
    assert judge(example, ["find . -name '*.c'"]) == [False]
    assert judge(Example("toy", Request("x"), ("/usr/bin/ssh host ls",)), ["ls"]) == Unscored("needs a network")


@pytest.mark.sandbox
def test_a_request_alone_makes_files_to_run_on(sandbox: Sandbox) -> None:
    request = Request("remove all *.tmp files larger than 5 MB")
    listed = run("find . -name '*.tmp' -size +5M", request, sandbox)
    assert listed.stdout
    assert listed.changes == ()
    removed = run("find . -name '*.tmp' -size +5M -delete", request, sandbox)
    assert {change.how for change in removed.changes} == {"removed"}
    assert len(removed.changes) == len(listed.stdout.splitlines())


def test_a_broken_sandbox_is_no_verdict(tmp_path: Path) -> None:
    broken = ScriptedSandbox(otherwise=SandboxFailed("it broke"))
    with pytest.raises(SandboxFailed):
        Judge(broken, tmp_path)(Example("toy", Request("list"), ("ls",)), ["ls -a"])
    assert not (tmp_path / "executed").exists()


def test_executed_scores_are_there_only_with_a_sandbox(tmp_path: Path) -> None:
    without = {metric.name for metric in metrics(Workspace(tmp_path, tmp_path))}
    found = metrics(Workspace(tmp_path, tmp_path, ScriptedSandbox()))
    assert {metric.name for metric in found} - without == {"executed@1", "executed@3"}
    example = Example("toy", Request("reach it"), ("/usr/bin/ssh host ls",))
    by_name = {metric.name: metric for metric in found}
    assert by_name["executed@1"].measure(example, [Candidate("ls", 0.0)]) == Unscored("needs a network")
