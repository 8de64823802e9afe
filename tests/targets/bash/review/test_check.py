"""Findings: what a reader would point at, at the right characters, and nothing on commands that are fine."""

from __future__ import annotations

import pytest

from sayso.targets.bash.language import check
from sayso.targets.bash.review.page import examples


@pytest.mark.parametrize(
    ("command", "message", "marked"),
    [
        ("grpe x f", "unknown utility grpe; did you mean grep?", "grpe"),
        ("find . -nmae x", "find has no flag -nmae; did you mean -name?", "-nmae"),
        ("ls --recursiv --colour", "ls has no flag --colour; did you mean --color?", "--colour"),
        ("sort -y f", "sort has no flag -y", "-y"),
        ("find . -name", "-name needs a value: Regex", "-name"),
        ("head f -n", "-n needs a value: Number", "-n"),
        ("find . -type x", "x of -type is no Type that find understands", "x"),
        ("find . -maxdepth two", "two of -maxdepth is no Number that find understands", "two"),
        ("find . -size 10MB", "10MB of -size is no Size that find understands", "10MB"),
        ("find . -mtime 7d", "7d of -mtime is no Timespan that find understands", "7d"),
        ("cut -f a f", "a of -f is no Fields that cut understands", "a"),
        ("chmod 7x5 f", "7x5 is no Permission that chmod understands", "7x5"),
        ("find . -exec rm {}", "-exec is not closed by \\; or {} +", "-exec rm {}"),
        ("find . -exec", "-exec needs a command", "-exec"),
        ("find . -name a b", "find takes paths before its tests: b", "b"),
        ("find . \\( -name a", "the brackets and operators of find's expression do not fit together", "\\("),
        ("grep", "grep needs one more argument: Regex", "grep"),
        ("cp a", "cp needs one more argument: Path", "cp"),
        ("sed -E -I x f g", "-I is a flag of sed on bsd, not on GNU systems", "-I x"),
        (
            "for i in 1 2; do mkdir a; done",
            "every round does the same: nothing in the loop says $i",
            "for i in 1 2; do mkdir a; done",
        ),
        ("grep -n app.log", "grep waits for input: no file is named", "grep"),
        ("sort", "sort waits for input: no file is named", "sort"),
        ("sort -u | uniq -c", "sort waits for input: no file is named", "sort"),
        ("cut -d, -f2", "cut waits for input: no file is named", "cut"),
        ("tr a-z A-Z", "tr waits for input: no file is named", "tr"),
        ("sed s/a/b/", "sed waits for input: no file is named", "sed"),
        ("sed -e s/a/b/ -e s/c/d/", "sed waits for input: no file is named", "sed"),
        ("ls && jq .name | sort", "jq waits for input: no file is named", "jq"),
        ("find . >a.txt && xargs -d '\\n' rm -f", "xargs waits for input: nothing is piped into it", "xargs"),
        ("tee a.txt", "tee waits for input: nothing is piped into it", "tee"),
        ("cp a.txt b.txt c.txt", "cp puts several files into c.txt", "c.txt"),
        ("date -d last friday +%F", "date takes one word as its date: friday is left over", "friday"),
        ("mv a.txt a.txt", "mv has a.txt as what to take and as where to put it", "a.txt"),
        ("cp -r a b 'b'", "cp has 'b' as what to take and as where to put it", "'b'"),
        (
            "find . -name a -o -name b -delete",
            "-delete is done only for what stands behind the last -o, unless brackets hold the rest",
            "-delete",
        ),
        ("ls | wc (", "this is not a Bash command", "("),
    ],
)
def test_one_finding(command: str, message: str, marked: str) -> None:
    (finding,) = check(command)
    assert finding.message == message
    assert command[finding.start : finding.end] == marked


@pytest.mark.parametrize(
    "command",
    [
        "find . -name '*.c' -type f,d -size +10k -mtime -1 -perm -u+x",
        "find $dir -maxdepth $n -type $t",
        "find . | xargs grep",
        "find . -exec chmod 644 {} +",
        "chmod u+x,go-w f; chmod 0644 f; chmod -x f",
        "head -n -5 f; tail -n +2 f; head -c 1K f",
        "cut -f 1,3-5 f; cut -c -3 f",
        "cp -t d a; cp $files; cp *",
        "grep --help; grep -f patterns file; grep -e x",
        "./frob; frob() { ls; }; frob",
        "git status; docker ps",
        "kill -9 1; kill -TERM 1; kill -l",
        "ls --recurs",
        "cat a | grep x; grep x < a; grep -rn x; jq -n .; jq . a; grep x $f",
        "ls | sort | tr a b | wc -l; sort < a; sort $f; sort --files0-from=a; cat > a; while read x; do wc; done",
        "sed s/a/b/ f; sed -e s/a/b/ f; tr a b < f; cut -f1 f; find . -exec sort {} +; echo a | tac; head --version",
        "mv a b; cp *.a *.a; mv -t a b a; mv a.txt b.txt conf.d; cp a b c; mv a.txt b.txt",
        "date -d 'last friday' +%F; date -d now; date +%F",
        "find . \\( -name a -o -name b \\) -delete; find . -name a -prune -o -name b -print0",
        "find . -name a -o -name b",
        "ps aux; tar xf f",
        "for i in 1 2 3; do ./run.sh; done",
        'for i in 1 2; do touch "a/${i}.txt"; done',
    ],
)
def test_nothing_to_find(command: str) -> None:
    assert check(command) == []


def test_the_examples_are_fine() -> None:
    found = {finding.message for command in examples() for finding in check(command)}
    assert found == set()


@pytest.mark.parametrize(
    ("command", "fatal"),
    [
        ("mv a", True),
        ("mv a a", True),
        ("grep x", True),
        ("sort", False),
        ("date -d last friday", True),
        ("ls -y", False),
        ("frob", False),
    ],
)
def test_what_fails_or_does_nothing_is_told_from_what_is_odd(command: str, fatal: bool) -> None:
    (finding,) = check(command)
    assert finding.fatal is fatal
