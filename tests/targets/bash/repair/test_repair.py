"""`sayso fix` on commands that failed: what each tool really said, and what was meant.

`failures.jsonl`: rows of origin "ran" hold the standard error of the tool itself, run in an empty folder with these
files; "written" ones need a machine, a server or a key that a test does not have.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.bash import language
from sayso.targets.bash.repair.repairs import Failure, Surroundings, repair
from sayso.targets.bash.repair.scene import near
from sayso.targets.bash.repair.spelling import table
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.quote import quote
from sayso.targets.bash.syntax.tree import commands

ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parents[1] / "failures.jsonl").read_text(encoding="utf-8").splitlines()
]
PROGRAMS = """
git ls cat grep python3 apt ss find docker cp mv rm tail head systemctl pip3 lsof fuser mkdir tar sudo curl less vim
make node npm cargo ssh rsync unzip zip
"""
TEXTS = {"/etc/passwd": "root:x:0:0::/root:/bin/bash\n", "/etc/group": "root:x:0:\nstaff:x:50:\n"}


def names(files: Sequence[str], folder: str) -> list[str]:
    inside = folder.removeprefix("~").strip("/").removeprefix("./")
    lead = "" if inside in (".", "") else f"{inside}/"
    below = [one.removeprefix(lead) for one in files if one.startswith(lead) and one != lead]
    return sorted({one.split("/")[0] + ("/" if "/" in one else "") for one in below})


def read(texts: dict[str, str], path: str) -> str:
    return {**TEXTS, **texts}.get(path, "")


def surroundings(row: dict[str, Any]) -> Surroundings:
    programs = frozenset([*PROGRAMS.split(), *row["programs"]]) if "programs" in row else frozenset[str]()
    return Surroundings(programs, partial(names, row.get("files", [])), partial(read, row.get("texts", {})))


@pytest.mark.parametrize("name", ["app.log", "./app.log", "sub//app.log"])
def test_a_file_that_is_there_is_not_looked_for_elsewhere(name: str) -> None:
    here = Surroundings(frozenset(PROGRAMS.split()), partial(names, ["app.log", "sub/app.log"]))
    found = repair(Failure(f"grpe error {name}"), here)
    assert found[0].text == f"grep error {name}"
    assert not any("is not" in reason for one in found for reason in one.why)


@pytest.mark.parametrize("row", ROWS, ids=[row["command"][:40] for row in ROWS])
def test_the_first_repair_is_what_was_meant(row: dict[str, Any]) -> None:
    found = repair(Failure(row["command"], row["exit"], row["stderr"]), surroundings(row))
    assert found and found[0].text in row["wanted"], [one.text for one in found]
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True) and len({one.text for one in found}) == len(found)
    for one in found:
        language.normalise(one.text)  # every candidate parses
        assert one.why and one.text != row["command"]


def test_the_table_is_large_and_mostly_from_the_tools_themselves() -> None:
    assert len(ROWS) >= 60
    assert sum(row["origin"] == "ran" for row in ROWS) >= 140


@pytest.mark.parametrize("row", [row for row in ROWS if row["wanted"][0].startswith("sudo ")][:8], ids=str)
def test_rights_are_marked_as_a_risk(row: dict[str, Any]) -> None:
    risk = language.risk(row["wanted"][0])
    assert "sudo" in risk.words


def test_removing_a_folder_is_marked_as_destroying() -> None:
    found = repair(Failure("rm build", 1, "rm: cannot remove 'build': Is a directory\n"), Surroundings())
    assert found[0].text == "rm -r build" and language.risk(found[0].text).level == "destroys"


@pytest.mark.parametrize(
    "failure",
    [
        Failure("ls", 0, ""),
        Failure("false", 1, ""),
        Failure("grep foo a.txt", 1, ""),
        Failure("./server", 1, "Segmentation fault (core dumped)\n"),
        Failure("diff a b", 1, ""),
    ],
    ids=str,
)
def test_what_is_not_understood_gets_no_guess(failure: Failure) -> None:
    assert repair(failure, Surroundings(frozenset(("ls", "false", "grep", "diff")))) == []


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("gti status", "git status"),
        ("ls --hlep", "ls --help"),
        ("cat raedme.md", "cat readme.md"),
        ('echo "hi', 'echo "hi"'),
        ("git comit", "git commit"),
    ],
)
def test_the_text_alone_is_often_enough(command: str, wanted: str) -> None:
    here = Surroundings(frozenset(("git", "ls", "cat", "echo")), lambda folder: ["readme.md"])
    assert repair(Failure(command), here)[0].text == wanted


def test_two_slips_at_once() -> None:
    said = "bash: cta: command not found\nbash: haed: command not found\n"
    here = Surroundings(frozenset(("cat", "head")))
    assert repair(Failure("cta a.txt | haed -n 3", 127, said), here)[0].text == "cat a.txt | head -n 3"


def test_what_the_tool_suggests_goes_before_what_is_near() -> None:
    said = "git: 'lgo' is not a git command. See 'git --help'.\n\nThe most similar command is\n\tlog\n"
    found = repair(Failure("git lgo", 1, said), Surroundings())
    assert found[0].text == "git log" and "itself" in found[0].why[0]


@pytest.mark.parametrize("shell", ["bash: line 1: gti: command not found", "zsh: command not found: gti",
                                   "fish: Unknown command: gti", "sh: 1: gti: not found"])  # fmt: skip
def test_every_shell_says_it_differently(shell: str) -> None:
    assert repair(Failure("gti status", 127, shell), Surroundings(frozenset(("git",))))[0].text == "git status"


def test_a_program_that_exists_elsewhere_is_installed_rather_than_respelt() -> None:
    here = Surroundings(frozenset(("apt", "node")))
    found = [one.text for one in repair(Failure("ncdu /var", 127, "bash: ncdu: command not found"), here)]
    assert found[0] == "sudo apt install ncdu"


EVIL = "x;rm${IFS}-rf${IFS}~"


@pytest.mark.parametrize("row", [row for row in ROWS if row["origin"] == "written" or "git" in row["command"]], ids=str)
def test_what_a_program_prints_never_becomes_shell_text(row: dict[str, Any]) -> None:
    """A branch, a package or a file may bear any name, and the tool prints it."""
    for word in {one for one in re.findall(r"[\w./-]{3,}", row["stderr"]) if one not in row["command"]}:
        said = row["stderr"].replace(word, EVIL)
        for one in repair(Failure(row["command"], row["exit"], said), surroundings(row)):
            named = [command.utility for command in commands(parse(one.text))]
            found = set(named) - set(row["command"].split())
            assert "rm" not in found, (said, one.text)


@pytest.mark.parametrize("name", ["$(rm -rf ~)", "a;rm x", "`rm`", "a' ; rm '"])
def test_names_of_files_and_branches_are_quoted(name: str) -> None:
    here = Surroundings(frozenset(), lambda folder: [f"{name}1", f"{name}2/"])
    for command in (f"cat {quote(name + '3')}", f"git checkout {quote(name + '3')}", f"cd {quote(name + '3')}"):
        said = f"error: pathspec '{name}3' did not match any file(s) known to git\n"
        said += f"cat: {name}3: No such file or directory\n"
        for one in repair(Failure(command, 1, said), here):
            assert "rm" not in {found.utility for found in commands(parse(one.text))}


def test_near_names_prefer_swapped_letters_and_common_programs() -> None:
    assert near("gti", {"git", "gtk", "gt"})[0] == "git"
    assert near("LS", {"ls", "lz"}) == ["ls"]
    assert near("xyzzy", {"git", "ls"}) == []
    assert near("", {"a"}) == []
    assert near("rg", {"rm", "rig"}) == ["rig"] and near("sl", {"ls", "sh"}) == ["ls"]


def test_a_guess_that_destroys_comes_after_one_that_does_not() -> None:
    found = repair(Failure("rmv a b", 127, "bash: rmv: command not found"), Surroundings(frozenset(("rm", "mv"))))
    assert [one.text for one in found] == ["mv a b", "rm a b"]


@pytest.mark.parametrize("command", ["sed -i '' s/a/b/ f", "date -v-3d", "base64 -D f", "tail -r f", "stat -f %z f",
                                     "ps -aux", "find -E . -regex x", "du -I x ."])  # fmt: skip
def test_what_another_system_writes_becomes_flags_that_exist_here(command: str) -> None:
    (row,) = [one for one in table()["dialect"] if re.search(one["wrong"], command) and one["utility"] in command]
    assert language.check(re.sub(row["wrong"], row["right"], command)) == []


TEXT = st.text(alphabet=st.characters(blacklist_categories=["Cs"]), max_size=60)
SAID = st.sampled_from([row["stderr"] for row in ROWS])
COMMAND = st.sampled_from([row["command"] for row in ROWS])


@given(COMMAND, SAID)
def test_any_message_after_any_command_is_harmless(command: str, said: str) -> None:
    for one in repair(Failure(command, 1, said), Surroundings(frozenset(("git",)), lambda folder: ["a.txt", "b c/"])):
        language.normalise(one.text)


@given(TEXT, TEXT, st.none() | st.integers(0, 255))
def test_no_text_makes_it_fail(command: str, said: str, code: int | None) -> None:
    repair(Failure(command, code, said), Surroundings())
