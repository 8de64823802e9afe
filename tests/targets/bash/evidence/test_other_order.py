"""A command that sorts the other way round is doubted; the one that was meant is not."""

from __future__ import annotations

import pytest

from sayso.targets.bash.evidence.other_order import other_order

# Request, the command that is meant, one that sorts the other way round.
TABLE = r"""
sort marks.txt by the second column descending :: sort -k2,2nr marks.txt :: sort -k2,2 marks.txt
sizes in ascending order :: du -s * | sort -n :: du -s * | sort -nr
sort n.txt from small to big :: sort -n n.txt :: sort -nr n.txt
sort n.txt from biggest to smallest :: sort -nr n.txt :: sort -n n.txt
list files by time, newest last :: ls -ltr :: ls -lt
"""
ROWS = [tuple(line.split(" :: ")) for line in TABLE.strip().splitlines()]


@pytest.mark.parametrize(("asked", "meant", "other"), ROWS)
def test_only_the_other_order_is_doubted(asked: str, meant: str, other: str) -> None:
    assert not list(other_order(asked, meant))
    assert {doubt.kind for doubt in other_order(asked, other)} == {"unfit"}


def test_words_in_quotes_name_no_order() -> None:
    assert not list(other_order("lines with 'sorted descending' in a.txt", "grep 'sorted descending' a.txt | sort"))
