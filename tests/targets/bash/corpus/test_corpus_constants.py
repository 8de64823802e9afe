"""Constants that a description and its command spell differently."""

from __future__ import annotations

import pytest

from sayso.targets.bash.corpus.constants import is_slip, mismatches
from sayso.targets.bash.corpus.nl2bash import Pair


@pytest.mark.parametrize(
    ("nl", "command", "found"),
    [
        ("remove /data/Logs", "rm -r /data/logs", [("case", "/data/Logs", "/data/logs")]),
        ('print "sumary.txt"', "cat summary.txt", [("slip", "sumary.txt", "summary.txt")]),
        ("set mode 644 on x.sh", "chmod 755 x.sh", [("number", "644", "755")]),
        ('print "summary.txt"', "cat summary.txt", []),
        ('print "a.txt" and "b.txt"', "cat a.txt c.txt", []),  # other names are no slips
        ('find "files"', "find . -name file", []),  # nor are plurals
        ("find files older than 2 weeks", "find . -mtime +14", []),  # nor are units
        ("find files over 10 MB, under 900 deep", "find . -size +10M -maxdepth 9", []),
        ('print "x', "cat 'x", []),
    ],
)
def test_near_misses(nl: str, command: str, found: list[tuple[str, str, str]]) -> None:
    assert [(one.how, one.nl, one.command) for one in mismatches([Pair(7, nl, command)])] == found


def test_a_mismatch_names_its_pair() -> None:
    (one,) = mismatches([Pair(7, "list /Tmp", "ls /tmp")])
    assert one.id == "nl2bash:7"


@pytest.mark.parametrize(
    ("one", "other", "slip"),
    [
        ("access", "acess", True),
        ("files", "file", False),
        ("logs", "lgos", True),
        ("log", "lgo", False),
        ("database", "datbse", True),
        ("target", "trgt", False),
        ("same", "same", False),
    ],
)
def test_slips(one: str, other: str, slip: bool) -> None:
    assert is_slip(one, other) is slip
