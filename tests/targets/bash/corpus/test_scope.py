"""Table 2 of NL2Bash: what is in scope, and the reason for what is not."""

from __future__ import annotations

import pytest

from sayso.targets.bash.corpus.scope import REASONS, out_of_scope


@pytest.mark.parametrize(
    "command",
    [
        "ls -l",
        "ls | wc -l",
        "a && b || c",
        "(a; b)",
        "echo $(date)",
        "diff <(a) <(b)",
        "find . -exec rm {} \\;",
        "sh -c 'ls | wc'",
        "xargs -I {} mv {} x",
    ],
)
def test_in_scope(command: str) -> None:
    assert out_of_scope(command) == ()


@pytest.mark.parametrize(
    ("command", "reason", "word"),
    [
        ("ls > f", "redirection", ">"),
        ("ls 2>&1", "redirection", "2>&"),
        ("cat << E\nx\nE", "redirection", "<<"),
        ("(ls) < f", "redirection", "<"),
        ("A=1", "assignment", "A"),
        ("A=1 ls", "assignment", "A"),
        ("for i in a; do b; done", "compound statement", "for"),
        ("ls | while read x; do y; done", "compound statement", "while"),
        ("[[ a == b ]]", "compound statement", "test"),
        ("f() { a; }", "function", "f"),
        ("awk '{print}' f", "interpreter program", "awk"),
        ("find . -exec sed -i s/a/b/ {} +", "interpreter program", "sed"),
        ("python -c 'x'", "interpreter program", "python"),
        ("echo $(A=1 ls)", "assignment", "A"),
        ("sh -c 'ls > f'", "redirection", ">"),
        ("ls (", "not a command", "this is not a Bash command"),
    ],
)
def test_out_of_scope(command: str, reason: str, word: str) -> None:
    found = out_of_scope(command)
    assert (reason, word) in {(one.reason, one.word) for one in found}
    assert all(one.reason in REASONS for one in found)


def test_every_reason_is_given_with_its_place() -> None:
    command = "A=1 awk x f > g"
    assert [(one.reason, command[one.start]) for one in out_of_scope(command)] == [
        ("redirection", ">"),
        ("assignment", "A"),
        ("interpreter program", "A"),
    ]
