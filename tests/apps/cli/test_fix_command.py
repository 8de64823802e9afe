"""`sayso fix` as it is called: from arguments, a file of standard error, or what the hook left."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sayso.apps.cli import fix
from sayso.apps.cli.fix_hooks import HOOKS
from sayso.core.errors import UserError

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_a_command_to_run_then_its_risk_and_the_reason(warm: Run, tmp_path: Path) -> None:
    done = warm("fix", "--", "gti status", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "git status\n# reads: git, which is spelt almost like gti\n"


def test_standard_error_exit_code_and_the_names_around(warm: Run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "err").write_text("rm: cannot remove 'src': Is a directory\n")
    done = warm("fix", "--command", "rm src", "--exit", "1", "--stderr", "err", cwd=tmp_path)
    assert done.stdout.splitlines()[0] == "rm -r src" and "# destroys (rm" in done.stdout
    (tmp_path / "Makefile").write_text("test:\n\ttrue\n")
    said = "make: *** No rule to make target 'tset'.  Stop.\n"
    done = warm("fix", "--exit", "2", "--stderr", "-", "--", "make tset", cwd=tmp_path, input=said)
    assert done.stdout.splitlines()[0] == "make test"
    (tmp_path / "my notes.txt").write_text("x")
    assert warm("fix", "--", "cat my notes.txt", cwd=tmp_path).stdout.splitlines()[0] == "cat 'my notes.txt'"


def test_nothing_is_run(warm: Run, tmp_path: Path) -> None:
    done = warm("fix", "--", "tuoch made", cwd=tmp_path)
    assert done.stdout.splitlines()[0] == "touch made" and list(tmp_path.iterdir()) == []


def test_json_is_the_shape_of_an_answer(warm: Run, tmp_path: Path) -> None:
    shown = json.loads(warm("fix", "--json", "--exit", "1", "--", "git comit", cwd=tmp_path).stdout)
    assert list(shown) == ["target", "request", "exit", "candidates", "abstained", "seconds"]
    assert (shown["request"], shown["exit"], shown["abstained"]) == ("git comit", 1, False)
    first = shown["candidates"][0]
    assert list(first) == ["text", "score", "risk", "risky", "why"] and first["text"] == "git commit"


def test_i_dont_know_is_an_answer(warm: Run, tmp_path: Path) -> None:
    done = warm("fix", "--exit", "1", "--", "false", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "# I don't know what was meant.\n", "")
    assert warm("fix", "--fill", "--exit", "1", "--", "false", cwd=tmp_path).stdout == "\n"


def test_what_is_not_there_is_named(warm: Run, tmp_path: Path) -> None:
    said = tmp_path / "said"
    said.write_text("mv: cannot stat 'xyzzy.txt': No such file or directory\n")
    done = warm("fix", "--exit", "1", "--stderr", "said", "--", "mv xyzzy.txt /tmp/", cwd=tmp_path)
    assert done.stdout == "# There is no xyzzy.txt here, and I found no name like it.\n"


@pytest.mark.parametrize(
    ("command", "said", "told"),
    [
        (
            "make",
            "make: *** No targets specified and no makefile found.  Stop.\n",
            "There is no Makefile in this folder.",
        ),
        ("node app.js", "Error: Cannot find module '/x/app.js'\n", "There is no /x/app.js here"),
        (
            "python3 a.py",
            "python3: can't open file '/x/a.py': [Errno 2] No such file or directory\n",
            "no /x/a.py here",
        ),
    ],
)
def test_what_the_tool_wanted_and_did_not_find_is_told(
    warm: Run, tmp_path: Path, command: str, said: str, told: str
) -> None:
    (tmp_path / "said").write_text(said)
    assert told in warm("fix", "--exit", "2", "--stderr", "said", "--", command, cwd=tmp_path).stdout


def test_what_the_hook_left_is_read(warm: Run, tmp_path: Path) -> None:
    left = {"SAYSO_LAST_COMMAND": "gti log", "SAYSO_LAST_EXIT": "127"}
    assert warm("fix", "--fill", cwd=tmp_path, env=left).stdout == "git log\n"


WRONG = [
    ["fix"],
    ["fix", "--command", "a", "b"],
    ["fix", "--exit", "300", "--", "ls"],
    ["fix", "--stderr", "/nowhere", "--", "ls"],
]


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_use_says_what_to_type(warm: Run, arguments: list[str]) -> None:
    done = warm(*arguments)
    assert done.returncode == 2 and done.stdout == "" and "hint: " in done.stderr


@pytest.mark.parametrize("shell", sorted(HOOKS))
def test_the_hook_is_read_by_its_shell(warm: Run, shell: str, need: Callable[[str, str], None]) -> None:
    need(shell, f"apt install {shell}")
    printed = warm("fix", "--hook", shell).stdout
    done = subprocess.run([shell, "-n"], input=printed, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(warm("fix", "--hook", shell, "--json").stdout)["hook"] == printed


def test_the_hook_calls_the_program_that_printed_it(warm: Run) -> None:
    own = str(Path(sys.executable).with_name("sayso"))
    printed = warm("fix", "--hook", "bash", env={"PATH": "/usr/bin:/bin"}).stdout
    assert f"{own} fix " in printed and "@" not in printed.replace('"$@"', "")


@pytest.mark.parametrize(
    ("names", "command", "first"),
    [
        (["-rf"], "rm rf", "rm ./-rf"),
        (["~root"], "rm root", "rm './~root'"),
        (["~/notes.txt"], "rm notes.txt", ""),
        (["-x/notes.txt"], "rm notes.txt", ""),
        (["a;id.txt"], "cat aid.txt", "cat 'a;id.txt'"),
    ],
)
def test_the_names_of_files_become_neither_flags_nor_homes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], command: str, first: str
) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    said = f"rm: cannot remove '{command.split()[1]}': No such file or directory\n"
    found = fix.repaired(command, 1, said, 1)["candidates"]
    assert [one["text"] for one in found] == ([first] if first else [])


def test_fill_puts_nothing_on_the_line_that_is_not_seen(warm: Run, tmp_path: Path) -> None:
    (tmp_path / "rl\u202eo.txt").touch()
    said = "cat: rlo.txt: No such file or directory\n"
    arguments = ["--exit", "1", "--stderr", "-", "--", "cat rlo.txt"]
    assert warm("fix", *arguments, cwd=tmp_path, input=said).stdout.startswith("cat 'rl\\u202eo.txt'\n# unknown")
    assert warm("fix", "--fill", *arguments, cwd=tmp_path, input=said).stdout == "\n"


def test_only_the_end_of_what_was_said_is_kept(tmp_path: Path) -> None:
    (tmp_path / "err").write_bytes(b"x" * 5_000_000 + b"END")
    read = fix.read_stderr(str(tmp_path / "err"))
    assert len(read) == fix.MOST_STDERR and read.endswith("END")


def test_branches_are_found_from_any_folder_of_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git" / "refs" / "heads").mkdir(parents=True)
    (tmp_path / ".git" / "refs" / "heads" / "feature").write_text("")
    (tmp_path / "src" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "src" / "deep")
    said = "error: pathspec 'featuer' did not match any file(s) known to git\n"
    found = fix.repaired("git checkout featuer", 1, said, 3)
    assert found["candidates"][0]["text"] == "git checkout feature"


def test_only_files_that_list_names_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Makefile").write_text("all:\n")
    (tmp_path / "private").write_text("secret")
    assert fix.text("Makefile") == "all:\n" and fix.text("private") == "" and fix.text("/etc/shadow") == ""
    assert fix.names("/nowhere") == [] and fix.names("bad\0name") == []


def test_a_closed_standard_input_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UserError, match="standard input is closed"):
        fix.read_stderr("-")
    with pytest.raises(UserError, match="cannot be read: No such file"):
        fix.read_stderr(str(tmp_path / "none"))
