"""Templates: utilities and flags stay, arguments become their types (NL2Bash §3.3)."""

from __future__ import annotations

import pytest

from sayso.targets.bash.language import template
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Operand, commands
from sayso.targets.bash.syntax.types import CLOSED, TYPES, guess_type


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ('grep -l "TODO" *.java', "grep -l Regex File"),  # the paper's own example
        ("find . -name '*.py' -type f", "find Path -name Regex -type f"),
        ("find ~ -mtime +2 -size -10M -perm -644", "find Path -mtime +Timespan -size -Size -perm -Permission"),
        ("find . -exec rm -rf {} \\;", "find Path -exec rm -r -f {} \\;"),
        ("find . \\( -name a -o -name b \\)", "find Path \\( -name Regex -o -name Regex \\)"),
        ("ls | xargs -I {} cp {} {}.bak", "ls | xargs -I {} cp {} Path"),
        ("cd $(find . -name x | xargs dirname)", "cd $( find Path -name Regex | xargs dirname )"),
        ("diff <(sort a) <(sort b)", "diff <( sort File ) <( sort File )"),
        ("tar -czf a-$(date +%F).tgz d", "tar -c -z -f File$( date Format ) Path"),
        ("head -5 f && tail -n3 g", "head -n Number File && tail -n Number File"),
        ("head --lines=5 f", "head --lines=Number File"),
        ("chmod 755 f; chown root:root f", "chmod Permission Path ; chown User Path"),
        ("sort a > b 2>&1", "sort File > File 2>&1"),
        ("ps aux", "ps aux"),
        ("cp a b c d", "cp Path Path Path Path"),
        ("grep -e x -f y z", "grep -e Regex -f File File"),
        ("A=1 ls", "Variable=String ls"),
        ("$EDITOR f.txt", "Utility File"),
        ("$(which find) .", "$( which Utility ) Path"),
        ("ssh host 'ls | wc'", 'ssh Host "ls | wc"'),
        ("! a", "! a"),
        ("(a; b) &", "( a ; b ) &"),
        ("/usr/bin/find .", "find Path"),
    ],
)
def test_template(command: str, expected: str) -> None:
    assert template(command) == expected


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("10", "Number"), ("10M", "Size"), ("/tmp", "Path"), ("~", "Path"), ("a.txt", "File"), ("*.c", "File"),
        ("http://x.org", "URL"), ("2024-01-02", "DateTime"), ("10.0.0.1", "Host"), ("word", "String"), ("$x", "String"),
        ("$x/y", "String"), ("/a/$x", "Path"),
    ],
)  # fmt: skip
def test_shapes_suggest_types(word: str, kind: str) -> None:
    (command,) = commands(parse(f"frobnicate {word}"))
    (operand,) = command.arguments
    assert isinstance(operand, Operand)
    assert operand.type == guess_type(operand.word) == kind


def test_every_type_has_a_gloss_and_none_stands_twice() -> None:
    assert not set(TYPES) & set(CLOSED)
    assert all([*TYPES.values(), *CLOSED.values()])
