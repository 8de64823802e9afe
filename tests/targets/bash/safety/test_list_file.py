"""What is listed in a file is meant by "them", and never the file."""

from __future__ import annotations

import pytest

from sayso.core.types import Request
from sayso.targets.bash.tasks import BASH

LISTS = [
    ("list them in old.txt and then delete them", "old.txt"),
    ("find files older than 30 days, list them in old.txt and then delete them", "old.txt"),
    ("write the names of all empty files to old.txt, then remove those", "old.txt"),
    ("save the list of logs into a file called old.txt and gzip them", "old.txt"),
]


def reasons(request: str, command: str) -> list[str]:
    found = BASH.bars(BASH.read(Request(request)), BASH.draft([command]))[0]
    return [one.reason for one in found if "what it lists" in one.reason]


@pytest.mark.parametrize(
    "command",
    [
        "find . -type f -mtime +30 > old.txt && find old.txt -delete",
        "find old.txt -type f -mtime +30 -delete",
        "ls > old.txt && rm old.txt",
        "ls > old.txt; sudo rm -- ./old.txt",
        "ls > old.txt && mv old.txt /backup",
        "ls > old.txt && gzip old.txt",
        "ls > old.txt && mv /backup/old.txt /backup/",
    ],
)
@pytest.mark.parametrize("request_", [request for request, _ in LISTS])
def test_nothing_is_done_to_the_list(request_: str, command: str) -> None:
    assert len(reasons(request_, command)) == 1


@pytest.mark.parametrize(
    "command",
    [
        "find . -type f -mtime +30 > old.txt && xargs -d '\\n' rm < old.txt",
        "find . -type f -mtime +30 > old.txt && xargs -a old.txt -d '\\n' rm --",
        "find . -type f -mtime +30 | tee old.txt | xargs -d '\\n' rm",
        "find . -type f -mtime +30 -fprint old.txt -delete",
        'while IFS= read -r f; do rm -- "$f"; done < old.txt',
        "rm a.txt",
    ],
)
@pytest.mark.parametrize("request_", [request for request, _ in LISTS])
def test_reading_the_list_is_no_action_on_it(request_: str, command: str) -> None:
    assert reasons(request_, command) == []


@pytest.mark.parametrize(
    ("request_", "command"),
    [
        ("delete old.txt", "rm old.txt"),
        ("list what is in old.txt and then delete it", "cat old.txt && rm old.txt"),
        ("save the output of ls to old.txt and move it to /backup", "ls > old.txt && mv old.txt /backup"),
        ("copy a.txt and old.txt to /backup and compress them", "cp a.txt old.txt /backup && gzip old.txt"),
        ("delete the files listed in old.txt and old.txt too", "xargs -a old.txt rm; rm old.txt"),
    ],
)
def test_who_means_the_file_gets_the_file(request_: str, command: str) -> None:
    assert reasons(request_, command) == []
