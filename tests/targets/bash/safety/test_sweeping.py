"""What was limited is never deleted whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.answer.verify import verify
from sayso.core.types import Candidate, Request
from sayso.targets.bash.safety.sweeping import limit_of, sweeping, sweeps
from sayso.targets.bash.tasks import BASH

SWEEPS = [
    "find . -type f -delete",
    "find /srv -exec rm {} +",
    "sudo find . -maxdepth 1 -type d -exec rm -r {} \\;",
    "find . -type f -print0 | xargs -0 rm -f",
    "rm *",
    "rm -rf build/*",
    "cd build && rm -rf ./*",
    "rm -r .",
]
CHOOSES = [
    "find . -name '*.o' -delete",
    "find . -type f -mtime +30 -delete",
    "find . -type f ! -name a.txt -exec rm {} +",
    "find . -type f | grep bak | xargs rm",
    "find . -type f",
    "rm *.bin",
    "rm -r build",
    "ls *",
]


@pytest.mark.parametrize("command", SWEEPS)
@pytest.mark.parametrize(
    "text",
    [
        "delete old files",
        "clean up large files",
        "remove all the duplicate files",
        "delete all files in this place older than 30 days",
        "get rid of everything in there except the newest",
        "remove temporary files",
    ],
)
def test_a_part_is_not_the_whole(text: str, command: str) -> None:
    given = [Candidate(command, 0.9), Candidate("ls", 0.1)]
    found = verify(BASH, Request(text), given)
    assert [one.text for one in found] == ["ls", command]
    assert "deletes everything" in found[1].why[-1]


@pytest.mark.parametrize("command", CHOOSES)
def test_a_command_that_chooses_is_not_doubted(command: str) -> None:
    assert not sweeps(command)
    assert not list(sweeping("delete old files", command))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("delete all files", "find . -type f -delete"),
        ("delete everything in old", "rm -rf old/*"),
        ("delete the old folder's content", "rm -rf old/*"),
        ("remove temporary files", "sudo rm -rf /tmp/*"),
        ("empty the folder build", "rm -rf build/*"),
        ("remove the temporary files in mail_temp", "rm mail_temp/*"),
        ("delete everything except a.txt", "find . ! -name a.txt -delete"),
        ("strip it down to the pdf files", "find . -type f ! -name '*.pdf' -exec rm {} +"),
        ("wipe build and make a new one", "rm -rf build/* && mkdir build"),
    ],
)
def test_the_whole_may_be_asked_for(text: str, command: str) -> None:
    assert not list(sweeping(text, command))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("delete old files in folder", "rm -rf folder/*"),
        ("remove new files", "rm newsletters/*"),
        ("delete temporary files", "rm templates/*"),
        ("compress a.txt and delete it", "find . -mindepth 1 ! -name a.txt -exec rm -r {} +"),
        ("delete the pdf files", "find . -type f -not -name '*.pdf' -delete"),
    ],
)
def test_a_name_that_sounds_alike_is_no_limit_and_what_is_named_is_not_spared(text: str, command: str) -> None:
    (doubt,) = sweeping(text, command)
    assert doubt.kind == "barred"


@pytest.mark.parametrize(
    ("text", "limit"),
    [("delete old files", "old"), ("show old files", ""), ("delete 'old stuff'", ""), ("delete files", "")],
)
def test_a_limit_stands_behind_the_deed(text: str, limit: str) -> None:
    assert limit_of(text) == limit


@given(st.text(max_size=40), st.text(max_size=40))
def test_anything_can_be_read(asked: str, text: str) -> None:
    assert all(doubt.kind == "barred" for doubt in sweeping(asked, text))
