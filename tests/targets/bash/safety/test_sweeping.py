"""What was limited is never deleted whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.answer.verify import verify
from sayso.core.types import Candidate, Request
from sayso.targets.bash.safety.sweeping import sweeping, sweeps
from sayso.targets.bash.safety.unasked_deeds import spoken_words
from sayso.targets.bash.syntax.called import read_commands
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


def barred(asked: str, text: str) -> list[str]:
    return [one.name for one in sweeping(BASH.read(Request(asked)), text, read_commands(text))]


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
    assert any("deletes everything" in reason for reason in found[1].why)


@pytest.mark.parametrize("command", CHOOSES)
def test_a_command_that_chooses_is_not_doubted(command: str) -> None:
    assert not sweeps(read_commands(command))
    assert barred("delete old files", command) == []


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
    assert barred(text, command) == []


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
    assert barred(text, command) == ["sweeping"]


@pytest.mark.parametrize(
    ("text", "command", "is_barred"),
    [
        ("delete everything in my home directory", "rm -r ~", True),
        ("delete everything in my home directory", "rm -rf ~/*", True),
        ("delete everything of mine", 'rm -rf "$HOME"', True),
        ("remove all files in /", "find / -type f -exec rm {} +", True),
        ("wipe the whole system", "sudo rm -rf /*", True),
        ("delete all of ann's files", "sudo rm -rf /home/ann", True),
        ("delete everything in /etc", "sudo find /etc -delete", True),
        ("delete everything in ~/old", "rm -rf ~/old/*", False),
        ("delete everything in /var/tmp/build", "rm -rf /var/tmp/build", False),
        ("delete all logs older than a week in /var", "find /var -name '*.log' -mtime +7 -delete", False),
    ],
)
def test_a_home_or_the_system_never_goes_first_whoever_asks(text: str, command: str, is_barred: bool) -> None:
    assert ("sweeping" in barred(text, command)) is is_barred


@pytest.mark.parametrize("command", ["rm a.txt", "find . -name a.txt -delete", "find . -name a.txt | xargs rm"])
def test_files_never_go_first_where_text_was_meant(command: str) -> None:
    assert barred("remove the first line of a.txt", command) == ["sweeping"]
    assert barred("remove the file a.txt", command) == []


@pytest.mark.parametrize(
    ("text", "command", "is_barred"),
    [
        ("remove the folders called old1", "find . -type d -print0 | xargs -0 rm -r old1", True),
        ("delete all tmp files", "find / -name '*.tmp' -delete", True),
        ("delete all tmp files", "find /srv -name '*.tmp' -exec rm {} +", True),
        ("delete all tmp files on this machine", "find / -name '*.tmp' -delete", False),
        ("delete all tmp files in /srv", "find /srv -name '*.tmp' -delete", False),
        ("empty the temp folder", "find /tmp -mindepth 1 -delete", False),
        ("delete the logs of last year", "find /var/log -mtime +365 -delete", False),
        ("list all tmp files", "find / -name '*.tmp'", False),
        ("rename scan_*.png to page_*.png", "mv scan_*.png page_*.png", True),
        ("copy *.txt to *.bak", "sudo cp *.txt *.bak", True),
        ("move the pngs to docs", "mv *.png docs/", False),
        ("move the pngs to the d folders", "mv -t docs *.png", False),
        ("move it into the folder that begins with x", "mv a.txt x*/", False),
    ],
)
def test_what_nobody_meant_is_not_lost(text: str, command: str, is_barred: bool) -> None:
    assert bool(barred(text, command)) is is_barred


@pytest.mark.parametrize(
    ("text", "command", "is_barred"),
    [
        (
            "clone https://x.org/a.git and delete it",
            "git clone https://x.org/a.git && find . -mindepth 1 -delete",
            True,
        ),
        ("unzip a.zip and remove it", "unzip a.zip && rm -rf *", True),
        ("get rid of my draft", "rm -rf ~/*", True),
        ("wipe it all", "rm *", True),
        ("remove the useless files", "find . -type f -exec rm {} \\;", True),
        ("delete the report files", "rm -rf *", True),
        ("delete the report files", "rm -rf reports/*", False),
        ("remove all regular files", "find . -type f -delete", False),
        ("unpack it and delete the archive", "tar xf a.tar && find -type f -exec rm {} +", True),
        ("unzip a.zip and remove it", "unzip a.zip && rm a.zip", False),
        ("clone it and delete everything here", "git clone x && find . -mindepth 1 -delete", False),
        ("delete the files", "rm *", False),
        ("wipe this folder", "rm -rf ./*", False),
        ("remove what build holds", "rm -rf build/*", False),
        ("get rid of build", "find build -delete", False),
    ],
)
def test_all_that_is_here_goes_only_where_somebody_says_so(text: str, command: str, is_barred: bool) -> None:
    assert bool(barred(text, command)) is is_barred


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("delete old files", "old"),
        ("show old files", ""),
        ("delete 'old stuff'", ""),
        ("delete files", ""),
        ("remove all of my useless files", "useless"),
        ("delete all the files in this folder", ""),
    ],
)
def test_a_limit_stands_behind_the_deed(text: str, limit: str) -> None:
    assert BASH.read(Request(text)).limit == limit


@given(st.text(max_size=40), st.text(max_size=40))
def test_anything_can_be_read(asked: str, text: str) -> None:
    assert set(barred(asked, text)) <= {"sweeping"}


@pytest.mark.parametrize(("asked", "words"), [("list the folder to-shred", "to"), ("clean-up the cache", "clean")])
def test_a_name_with_a_deed_in_it_asks_for_none(asked: str, words: str) -> None:
    spoken = spoken_words(asked)
    assert words in spoken and "shred" not in spoken


@pytest.mark.parametrize(
    ("request_text", "loses", "spares"),
    [
        ("delete every log except today.log", "rm *.log", "find . -name '*.log' ! -name today.log -delete"),
        ("remove all files but readme.md", "rm -f *", "ls | grep -v readme.md | xargs rm"),
        ("delete files without permissions 750", "find . -perm 750 -delete", "find . -not -perm 750 -delete"),
        ("delete what is not named x, 2 levels", "find . -maxdepth 2 -name x -delete", "find . ! -name x -delete"),
        ("erase the files not owned by ann", "find . -user ann -delete", "find . ! -user ann -delete"),
        ("delete everything excluding src", "find . -exec rm {} +", "find . -path ./src -prune -o -exec rm {} +"),
        ("drop all but the newest two", "ls -t | head -n 2 | xargs rm", "ls -t | tail -n +3 | xargs -d '\\n' rm --"),
        ("remove the files that don't end in .txt", "rm *.txt", "rm -- !(*.txt)"),
        ("delete jpgs that aren't named cover", "rm *cover*.jpg", "find . -name '*.jpg' -not -name 'cover*' -delete"),
    ],
)  # fmt: skip
def test_what_is_to_stay_is_not_what_goes(request_text: str, loses: str, spares: str) -> None:
    found = verify(BASH, Request(request_text), [Candidate(loses, 0.9), Candidate("ls", 0.1)])
    assert found[0].text == "ls"
    assert "sweeping" not in barred(request_text, spares)


@pytest.mark.parametrize(
    ("request_text", "command"),
    [
        ("remove the link lib but not the folder it points to", "rm lib"),
        ("delete the empty folders without asking me", "find . -type d -empty -delete"),
        ("remove backups not modified for 30 days", "find . -name '*.bak' -mtime +30 -delete"),
        ("delete files that do not belong to any user", "find . -nouser -exec rm {} +"),
        ("remove the old volumes, not the images", "docker volume prune"),
    ],
)
def test_a_deletion_that_names_what_goes_stays_possible(request_text: str, command: str) -> None:
    assert "deletes what was to stay, too" not in [
        one.reason for one in sweeping(BASH.read(Request(request_text)), command, read_commands(command))
    ]
