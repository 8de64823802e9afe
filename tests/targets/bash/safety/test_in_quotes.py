"""What stands in quotes and is run is held to the bars; what stands in quotes and is text is not."""

from __future__ import annotations

import pytest

from sayso.core.types import Request
from sayso.targets.bash.tasks import BASH


def names(request: str, command: str) -> set[str]:
    return {one.name for one in BASH.bars(BASH.read(Request(request)), BASH.draft([command]))[0]}


@pytest.mark.parametrize(
    "command",
    [
        "sed -n '1e rm -rf ~' a.txt",
        'sed -i "1e rm -rf ~" a.txt',
        "sed 's/.*/rm -rf \\/home/e' a.txt",
        "awk 'BEGIN{system(\"rm -rf ~\")}'",
        "awk '{ \"rm -rf $HOME\" | getline }' a.txt",
        "perl -e 'system(\"rm -rf /etc\")'",
        "ssh nas 'rm -rf ~/*'",
        "ssh nas 'cd /srv && find / -delete'",
        "sh -c 'rm -rf ~'",
        "watch 'rm -rf ~'",
    ],
)
@pytest.mark.parametrize("request_", ["delete everything in my home", "show the first line of a.txt", "SAME"])
def test_no_home_goes_by_a_text_in_quotes_whoever_asks(command: str, request_: str) -> None:
    asked = command if request_ == "SAME" else request_
    assert "sweeping" in names(asked, command) or "unasked_destruction" in names(asked, command)
    if "/home" not in command:
        assert "sweeping" in names("delete everything in my home", command)


@pytest.mark.parametrize(
    "command",
    [
        "echo 'rm -rf ~' > note.txt",
        "grep -rn 'rm -rf ~' .",
        "git commit -m 'no more rm -rf ~'",
        "rm a.txt && echo 'never rm -rf ~' >> log.txt",
        "sed -i 's/rm -rf ~/true/' run.sh",
    ],
)
def test_text_in_quotes_stays_text(command: str) -> None:
    assert "sweeping" not in names("remove a.txt and write a note about it", command)


@pytest.mark.parametrize(
    ("request_", "command", "is_barred"),
    [
        ("print the first column of list.txt", "awk '{system(\"rm \" $1)}' list.txt", True),
        ("delete every file that list.txt names", "awk '{system(\"rm \" $1)}' list.txt", False),
        ("show how full the disk of nas is", "ssh nas 'df -h; rm -r old'", True),
        ("remove the folder old on nas", "ssh nas 'rm -r old'", False),
        ("count the lines on nas", "ssh nas 'wc -l *.log'", False),
        ("ssh nas 'rm -r old'", "ssh nas 'rm -r old'", False),
    ],
)
def test_a_deletion_in_quotes_wants_to_be_asked_for(request_: str, command: str, is_barred: bool) -> None:
    assert ("unasked_destruction" in names(request_, command)) is is_barred
