"""The frame of the command line: which command, what a slip gets, how a failure ends."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sayso import __version__
from sayso.apps.cli import doctor, failures, main
from sayso.core.errors import BadInstruction, RunFailed, SandboxFailed, SaysoError, UserError
from sayso.targets import TASKS

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(autouse=True)
def nothing_piped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (["list files"], ("bash", ["list files"])),
        (["find", "large", "files"], ("bash", ["find", "large", "files"])),
        (["uptime"], ("bash", ["uptime"])),
        (["-k", "1", "list files"], ("bash", ["-k", "1", "list files"])),
        (["--", "-n weird"], ("bash", ["--", "-n weird"])),
        (["bash", "--", "doctor"], ("bash", ["--", "doctor"])),
        (["explain", "ls"], ("explain", ["ls"])),
        (["explain the ls command"], ("bash", ["explain the ls command"])),
        (["--json", "explain", "ls"], ("explain", ["--json", "ls"])),
        (["--json", "explain how to list files"], ("bash", ["--json", "explain how to list files"])),
        (["--json", "list files"], ("bash", ["--json", "list files"])),
        (["--json", "find", "large", "files"], ("bash", ["--json", "find", "large", "files"])),
        (["--json", "--", "explain", "ls"], ("bash", ["--json", "--", "explain", "ls"])),
        (["--json", "-k", "1", "explain"], ("bash", ["--json", "-k", "1", "explain"])),
        (["--json"], ("bash", ["--json"])),
        (["--debug", "--json", "doctor", "--strict"], ("doctor", ["--debug", "--json", "--strict"])),
        (["--json", "help", "bash"], ("bash", ["--json", "--help"])),
        (["--debug", "--version"], ("--version", ["--debug"])),
        (["help", "bash"], ("bash", ["--help"])),
        (["help"], ("--help", [])),
        (["help", "me", "find", "files"], ("bash", ["help", "me", "find", "files"])),
        ([], ("--help", [])),
        (["--version"], ("--version", [])),
    ],
)
def test_which_command(argv: list[str], command: tuple[str, list[str]]) -> None:
    assert main.find_command(argv) == command


# What each command can do with least; a new one is added here.
LEAST = {
    "config": ["list"],
    "completion": ["bash"],
    "man": [],
    "table": ["--list"],
    "bash": ["list files"], "api": ["show my mails"], "then": ["only five"], "fix": ["sl"], "explain": ["ls"],
    "history": ["list"], "hotkey": ["bash"], "daemon": ["status"], "doctor": [], "translate": ["bash"],
    "eval": ["bash/command"], "score": ["bash/command", "--predictions", "x"], "results": ["list"], "report": [],
    "stats": ["nl2bash"], "data": ["list"], "recipes": [], "train": ["st-copynet", "--out", "x"],
    "encode": ["st-copynet", "--out", "x"], "collect": ["x"], "judge": ["bash/command"],
    "construct": ["calls", "x"], "docs": [], "cell": ["a.ipynb", "plot it"], "build": [],
}  # fmt: skip


@pytest.mark.parametrize("name", main.COMMANDS)
def test_flags_that_all_commands_share_may_stand_before_the_command(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[argparse.Namespace] = []

    def keep(args: argparse.Namespace) -> int:
        seen.append(args)
        return 0

    monkeypatch.setattr(main.make_parser(name)[0], "run", keep)
    for words in (["--json", "--debug", name], [name, "--json", "--debug"], ["--debug", name, "--json"]):
        assert main.main([*words, *LEAST[name]]) == 0, capsys.readouterr().err
    assert seen[0] == seen[1] == seen[2]
    assert (seen[0].json, seen[0].debug) == (True, True)


def test_explain_after_json_explains(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for argv in (["--json", "explain", "ls -l"], ["explain", "--json", "ls -l"]):
        assert main.main(argv) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] and said[0].startswith("{")


def test_build_with_several_words_is_a_request_and_with_one_a_source() -> None:
    assert main.find_command(["build", "my", "project"])[0] == "bash"
    for words in ([], ["."], ["--check"], ["src", "--format", "sh"]):
        assert main.find_command(["build", *words]) == ("build", words)


def test_a_task_without_systems_says_what_can_be_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    task = "api/length-email"
    monkeypatch.setitem(TASKS, task, replace(TASKS[task], systems={}))
    monkeypatch.setenv("SAYSO_RESULTS", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main.main(["eval", task, "--split", "dev", "--system", "default"]) == 2
    shown = capsys.readouterr().err
    assert f"{task} has no system in this build" in shown and f"sayso score {task} --predictions" in shown


@pytest.mark.parametrize(
    "argv",
    [
        ["docter"],
        ["explian"],
        ["Doctor"],
        ["deamon", "--json"],
        ["--json", "deamon"],
        ["explian", "--target", "bash", "ls"],
        ["--json", "explian", "--target", "bash", "ls"],
    ],
)
def test_a_slip_is_answered_with_near_misses(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(argv) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    typed = next(word for word in argv if word != "--json")
    assert shown.err.startswith(f'sayso: unknown command "{typed}"\n\nhint: did you mean `sayso ')


def test_help_of_an_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["help", "bsh"]) == 2
    assert "did you mean bash?" in capsys.readouterr().err


def test_version_overview_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--version"]) == 0
    assert capsys.readouterr().out == f"sayso {__version__}\n"
    assert main.main([]) == 0
    overview = capsys.readouterr().out
    assert all(f"\n  {name} " in overview for name in main.COMMANDS)
    assert all(f"\n\n{part}:\n  {name} " in overview for name, part in main.PARTS.items())
    assert overview.startswith('usage: sayso "REQUEST" ')
    assert main.main(["bash", "--help"]) == 0
    shown = capsys.readouterr().out
    assert main.main(["help", "bash"]) == 0
    assert capsys.readouterr().out == shown and "--no-daemon" in shown


def test_every_command_has_json_debug_and_help_for_each_argument() -> None:
    for name in main.COMMANDS:
        _, parser = main.make_parser(name)
        flags = {flag for action in parser._actions for flag in action.option_strings}
        assert {"--json", "--debug", "--help"} <= flags, name
        silent = [
            one.dest for one in parser._actions if not one.help and not isinstance(one, argparse._SubParsersAction)
        ]
        assert not silent, f"sayso {name}: no help for {silent}"


def test_an_unknown_option_points_at_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["doctor", "--frobnicate"]) == 2
    assert capsys.readouterr().err == (
        "sayso: unrecognized arguments: --frobnicate\n\nhint: see `sayso doctor --help`\n"
    )


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["score", "x", "--predictions", "y", "--split", "deb"], 'unknown --split "deb"\n\nhint: did you mean dev?'),
        (["daemon", "strt"], 'unknown action "strt"\n\nhint: did you mean start'),
        (["data", "lst"], 'unknown action "lst"\n\nhint: did you mean list?'),
        (["doctor", "--strcit"], "hint: did you mean --strict? see `sayso doctor --help`"),
        (["bash", "list files", "--no-deamon"], "hint: did you mean --no-daemon? see"),
        (["bash", "list files", "--k", "3"], "hint: did you mean -k? see"),
    ],
)
def test_a_mistyped_choice_or_option_is_answered_with_near_misses(
    argv: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(argv) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (UserError("no such thing", "try another"), 2, "sayso: no such thing\n\nhint: try another\n"),
        (RunFailed("stopped at example 7"), 1, "sayso: stopped at example 7\n"),
        (SandboxFailed("no bubblewrap", "install it"), 3, "sayso: no bubblewrap\n\nhint: install it\n"),
        (UserError('unknown task "a\x1b[2Jb"'), 2, 'sayso: unknown task "a\\x1b[2Jb"\n'),
        (SaysoError("two\nlines"), 1, "sayso: two lines\n"),
        (
            OSError(errno.ENOSPC, "No space left on device", "/x"),
            3,
            "sayso: /x: No space left on device\n\nhint: free some",
        ),
        (OSError(errno.EROFS, "Read-only file system", "/x"), 3, "sayso: /x: Read-only file system\n\nhint: the disk"),
        (
            BadInstruction("odd", "ls | | wc", 5),
            2,
            "sayso: odd, at character 5 of ls | | wc\n\nhint: look at the quotes",
        ),
        (BadInstruction("odd", "(ls", 3, "close it"), 2, "sayso: odd, at the end of (ls\n\nhint: close it\n"),
        (BadInstruction("too deep"), 2, "sayso: too deep\n\nhint: look at the quotes"),
        (MemoryError(), 3, "sayso: out of memory\n\nhint: "),
        (
            ZeroDivisionError("division by zero"),
            1,
            f"sayso: ZeroDivisionError: division by zero\n\nhint: {failures.NOT_OURS}",
        ),
    ],
)
def test_a_failure_is_one_line_a_hint_and_an_exit_code(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], error: Exception, code: int, line: str
) -> None:
    def fail(args: argparse.Namespace) -> int:
        raise error

    monkeypatch.setattr(failures, "silence_stdout", lambda: None)
    monkeypatch.setattr(doctor, "run", fail)
    assert main.main(["doctor"]) == code
    assert capfd.readouterr().err.startswith(line)
    assert main.main(["doctor", "--debug"]) == code
    assert "Traceback" in capfd.readouterr().err


def test_ctrl_c_is_130_and_silent(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(args: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(doctor, "run", interrupt)
    assert main.main(["doctor"]) == 130
    assert capsys.readouterr().err == ""


def test_ctrl_c_while_a_real_process_waits(runtime: Path) -> None:
    program = Path(sys.executable).with_name("sayso")
    process = subprocess.Popen(
        [program, "bash", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # `nohup make test &` ignores the signal, and a child would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    # It waits for its request once the modules are in.
    stat = Path(f"/proc/{process.pid}/stat")
    deadline = time.monotonic() + 20
    idle = 0
    while idle < 10 and time.monotonic() < deadline:
        time.sleep(0.05)
        idle = idle + 1 if stat.read_text().rpartition(")")[2].split()[0] == "S" else 0
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "")


def test_a_closed_pipe_is_silent(sayso: Run) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = sayso("--help", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_behind_stdout(sayso: Run) -> None:
    with Path("/dev/full").open("w") as full:
        done = sayso("--help", stdout=full)
    assert done.returncode == 3
    assert done.stderr.startswith("sayso: No space left on device\n\nhint: free some disk space")


@pytest.mark.parametrize(("closed", "code", "says"), [(1, 3, "sayso: standard output is closed\n"), (2, 2, "")])
def test_a_closed_stream_is_not_mistaken_for_the_other(sayso: Run, closed: int, code: int, says: str) -> None:
    done = sayso("bash", "", preexec_fn=lambda: os.close(closed))
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(says)


def test_an_ascii_terminal_is_no_reason_to_fail(sayso: Run) -> None:
    done = sayso("--help", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and "\\u2026" in done.stdout


def test_bytes_that_are_not_utf8_in_an_argument(sayso: Run) -> None:
    done = sayso("bash", b"list \xff files")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("sayso: the request is not UTF-8 text")
