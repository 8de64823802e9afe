"""A word that only says which is no name to delete, and what people have is no account."""

from __future__ import annotations

import pytest

from sayso.core.types import Request
from sayso.targets.bash import language
from sayso.targets.bash.safety.barring import bars, read


def is_barred(request: str, command: str) -> bool:
    return any(one.name == "vague" for one in bars(read(Request(request)), language.drafts([command]))[0])


@pytest.mark.parametrize(
    ("request_", "command"),
    [
        ("delete everything old", "rm -r old"),
        ("remove the useless files", "rm useless"),
        ("remove user data", "sudo deluser data"),
        ("delete group photos", "sudo groupdel photos"),
    ],
)
def test_a_word_that_names_nothing_is_barred(request_: str, command: str) -> None:
    assert is_barred(request_, command)


@pytest.mark.parametrize(
    ("request_", "command"),
    [
        ("delete the folder old", "rm -r old"),
        ("delete the old folder", "rm -r old"),
        ("remove 'junk'", "rm junk"),
        ("delete the file called useless", "rm useless"),
        ("remove the user alice", "sudo deluser alice"),
        ("remove the user data", "sudo deluser data"),
        ("show everything old", "ls old"),
    ],
)
def test_a_word_that_is_said_to_be_a_name_is_not(request_: str, command: str) -> None:
    assert not is_barred(request_, command)
