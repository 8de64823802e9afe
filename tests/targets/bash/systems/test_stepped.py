"""Acts are joined as a person would, with what each leaves for the next; one that is not known leaves no line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from sayso.answer.weigh import SCORE
from sayso.core.types import Draft, Request
from sayso.targets.bash import language
from sayso.targets.bash.safety.barring import read as read_request
from sayso.targets.bash.systems.left_behind import Left, entered, made_by, piped, resolved
from sayso.targets.bash.systems.stepped import behind, stepped

KNOWN: Mapping[str, str] = {
    "clone https://x.org/a/site.git": "git clone https://x.org/a/site.git",
    "create a branch called dev": "git switch -c dev",
    "make a folder pics": "mkdir pics",
    "move the pngs into pics": "mv *.png pics",
    'make a folder called "my pics"': "mkdir 'my pics'",
    'move a.png into "my pics"': "mv a.png 'my pics'",
    "get column 2 of a.csv": "cut -d, -f2 a.csv",
    "lowercase stream.txt": "tr A-Z a-z < stream.txt",
    "tar up the logs folder into logs.tar.gz": "tar -czf logs.tar.gz logs",
    "delete the folder logs": "rm -r logs",
    "list the newest file in backups/": "ls -t backups/ | head -n 1",
    "delete backups/": "rm -r backups/",
    "find the .log files older than 7 days": "find . -name '*.log' -mtime +7",
    "gzip the .log files": "gzip *.log",
    "copy a.txt into pics": "cp FILE pics",
    "list the files": "ls",
    "empty the trash": "rm -rf ~/.local/share/Trash/files/*",
    "delete everything": "rm -rf ~/.local/share/Trash/files/*",
    "delete all files": "rm -rf ~/.local/share/Trash/files/*",
    "unzip *.zip": "unzip *.zip",
    "delete *": "rm *",
    "unpack a.tar.gz into ~": "tar -xf a.tar.gz -C ~",
    "delete the folder ~": "rm -r ~",
    "make a folder $X": "mkdir $X",
    "delete the folder $X": "rm -r $X",
    "copy docs to backup": "cp -r docs backup",
    "delete backup": "rm -r backup",
    "delete the folder backup": "rm -r backup",
    "delete the folder pics": "rm -r pics",
    "get rid of *": "rm *",
    "get rid of backup": "rm -r backup",
    "get rid of the folder pics": "rm -r pics",
    "delete the logs": "rm *.log",
    "delete the file “old": "rm old",
    "move b.txt”": "mv b.txt c",
    "commit as first draft": "git commit -m 'first draft'",
    "unpack a.tgz": "tar -xf a.tgz",
}


def read(act: str) -> Sequence[Draft]:
    texts = [KNOWN[act]] if act in KNOWN else []
    return [replace(draft, scores={SCORE: 0.9}) for draft in language.drafts(texts)]


def line_of(request: str) -> str:
    found = stepped(read_request(Request(request)), read)
    return found[0].text if found else ""


@pytest.mark.parametrize(
    ("request_", "line"),
    [
        (
            "clone https://x.org/a/site.git, cd into it and create a branch called dev",
            "git clone https://x.org/a/site.git && cd site && git switch -c dev",
        ),
        ("make a folder pics and move the pngs into it", "mkdir pics && mv *.png pics"),
        ('make a folder called "my pics" and move a.png into it', "mkdir 'my pics' && mv a.png 'my pics'"),
        (
            "get column 2 of a.csv, lowercase them, sort them and save it to b.txt",
            "cut -d, -f2 a.csv | tr A-Z a-z | sort > b.txt",
        ),
        (
            "tar up the logs folder into logs.tar.gz and delete the folder afterwards",
            "tar -czf logs.tar.gz logs && rm -r logs",
        ),
        ("run ./configure and then make all", "./configure && make all"),
        ("list the files and empty the trash", "ls && rm -rf ~/.local/share/Trash/files/*"),
        ("make a folder pics and delete the folder", "mkdir pics && rm -r pics"),
        ("make a folder pics and get rid of the folder", "mkdir pics && rm -r pics"),
        ("go into src/old and delete the logs", "cd src/old && rm *.log"),
    ],
)
def test_steps_are_joined_with_what_each_leaves(request_: str, line: str) -> None:
    assert line_of(request_) == line


@pytest.mark.parametrize(
    "request_",
    [
        "make a folder pics and juggle the pngs",  # one act
        "make a folder pics and copy b.txt into it",  # not known
        "make a folder pics and copy a.txt into it",  # a gap
        "make a folder pics; rm -rf / and list the files",  # shell text
        "list the newest file in backups/ and delete it",  # what is listed is meant, not where
        "find the .log files older than 7 days and frobnicate them",  # no tool that is known
        "list the files and delete everything",  # of which the trash was not said
        "list the files and delete all files",
        "unzip *.zip and delete it",  # `*` is more than it
        "unpack a.tar.gz into ~ and delete the folder",
        "make a folder $X and delete the folder",
        "copy docs to backup and delete it",  # not the copy
        "copy docs to backup and delete the folder",
        "unzip *.zip and get rid of it",
        "copy docs to backup and get rid of it",
        "go to / and delete the logs",  # by then nothing says where
        "go into ~ and delete the logs",
        "go into $X and delete the logs",
        "go into ../.. and delete the logs",
        "delete the file “old, move b.txt” and list the files",  # one name
    ],
)
def test_no_line_where_an_act_is_not_known_or_its_object_is_not_sure(request_: str) -> None:
    assert line_of(request_) == ""


def test_every_step_is_told() -> None:
    found = stepped(read_request(Request("make a folder pics and move the pngs into it")), read)
    assert found[0].why == (
        "step 1 of 2, make a folder pics: mkdir pics",
        "step 2 of 2, move the pngs into it: mv *.png pics",
    )


@pytest.mark.parametrize(
    ("act", "folder"),
    [("cd into it", "site"), ("enter the src directory", "src"), ("go to /tmp", "/tmp"), ("switch to main", "")],
)
def test_an_act_that_goes_into_a_folder(act: str, folder: str) -> None:
    assert entered(act, Left(place="site", kinds={"folder": "site"})) == folder


def test_what_stands_for_something_is_said() -> None:
    left = Left(thing="docs.tar.gz", kinds={"file": "docs.tar.gz", "folder": "docs"}, place="docs")
    assert resolved("check its size", left) == "check the size of docs.tar.gz"
    assert resolved("delete that folder", left) == "delete the folder docs"
    assert resolved("list what is in there", left) == "list what is in docs"
    assert resolved("move it to /tmp", Left()) is None
    assert resolved('print "it" twice', left) == 'print "it" twice'


@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("mkdir -p a", ("a", "folder")),
        ("git clone https://x.org/b.git", ("b", "folder")),
        ("tar -xzf c.tgz", ("c", "folder")),
        ("tar -tf c.tgz", ("", "")),
        ("sort x > y", ("y", "file")),
        ("unzip p.zip -d q", ("q", "folder")),
        ("ls 'a", ("", "")),
    ],
)
def test_what_a_command_makes(command: str, made: tuple[str, str]) -> None:
    assert made_by(command) == made


def test_a_command_that_changes_its_file_reads_no_pipe() -> None:
    assert piped("sed -i s/a/b/ stream.txt") == piped("rm stream.txt") == piped("sort a b") == ""
    assert piped("cat stream.txt | sort") == "sort" and piped("sort stream.txt > o") == "sort > o"


def test_a_tool_on_what_was_found_takes_those_and_no_others() -> None:
    """`gzip *.log` would take the young ones, too."""
    found = stepped(read_request(Request("find the .log files older than 7 days and gzip them")), read)
    assert [one.text for one in found] == ["find . -name '*.log' -mtime +7 -exec gzip {} +"]


@pytest.mark.parametrize(
    ("request_", "command", "act", "line"),
    [
        ("make a folder pics", "mkdir pics", "and go into it", "mkdir pics && cd pics"),
        ("", "mkdir pics", "then cd into it", "mkdir pics && cd pics"),
        ("", "git add .", "and commit it as first draft", "git add . && git commit -m 'first draft'"),
        ("", "curl -O https://x.org/a.tgz", "now unpack it", "curl -O https://x.org/a.tgz && tar -xf a.tgz"),
        ("", "make clean", "then run make all", "make clean && make all"),
        ("", "cut -d, -f2 a.csv", "lowercase them", "cut -d, -f2 a.csv | tr A-Z a-z"),
    ],
)
def test_a_further_act_stands_behind_the_last_command(request_: str, command: str, act: str, line: str) -> None:
    assert [one.text for one in behind(request_, command, act, read)] == [line]


@pytest.mark.parametrize(
    ("command", "act"),
    [
        ("mkdir pics", "and frobnicate it"),
        ("ls &", "and go into pics"),
        ("ls ||", "and go into pics"),
        ("cp -r docs backup", "and delete it"),  # the copy is not what is to go
        ("ls *", "get rid of it"),
        ("cd ~", "delete everything"),
        ("mkdir pics", "delete everything"),
        ("mkdir pics", "run `rm -rf ~` in it"),
        ("mkdir pics", ""),
    ],
)
def test_an_act_that_is_not_known_or_may_lose_something_adds_nothing(command: str, act: str) -> None:
    assert behind("", command, act, read) == []
