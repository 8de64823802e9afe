"""A request of several acts is parted at its orders, and nowhere else."""

from __future__ import annotations

import pytest

from sayso.english.acts import acts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("unzip a.zip, go into it and list the files", ("unzip a.zip", "go into it", "list the files")),
        ("stash my changes, switch to main and pull", ("stash my changes", "switch to main", "pull")),
        ("sort a.txt and then please remove dups afterwards", ("sort a.txt", "remove dups")),
        ("run make all, saving the output to b.log", ("run make all", "save the output to b.log")),
        # A joint without an order behind it goes on with the same act.
        ("delete a.txt and b.txt", ("delete a.txt and b.txt",)),
        ("list files bigger than 1M, newest first", ("list files bigger than 1M, newest first",)),
        # What is quoted is never torn.
        ('make a folder called "copy and paste"', ('make a folder called "copy and paste"',)),
        ("commit it as 'fix, then run' and push", ("commit it as 'fix, then run'", "push")),
        ("", ("",)),
    ],
)
def test_a_request_is_parted_where_an_order_begins(text: str, parts: tuple[str, ...]) -> None:
    assert acts(text) == parts


def test_a_long_text_is_no_list_of_acts() -> None:
    text = "copy a, " * 40
    assert acts(text) == (text.strip().rstrip(" .!?"),)
