"""`sayso fix --hook SHELL --keep-stderr` in real terminals: what is kept, what is not, and the shell as it was."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.stderr_relay import MOST, Kept

Open = Callable[..., Any]
START = {"bash": "env PS1='ready> ' bash --norc --noprofile", "zsh": "env PS1='ready> ' zsh -f"}


@pytest.fixture(params=["bash", "zsh"])
def hooked(request: pytest.FixtureRequest, terminal: Open, tmp_path: Path, need: Callable[[str, str], None]) -> Any:
    shell = str(request.param)
    need(shell, f"apt install {shell}")
    (tmp_path / "run").mkdir(mode=0o700)
    screen = terminal(START[shell], XDG_RUNTIME_DIR=str(tmp_path / "run"))
    screen.wait("^ready>$")
    screen.enter(f'eval "$(sayso fix --hook {shell} --keep-stderr)"; clear; echo hooked')
    screen.wait("^hooked\nready>$")
    return screen


def kept() -> list[Path]:
    return sorted((Path(os.environ["XDG_RUNTIME_DIR"]) / "sayso" / "stderr").glob("*.stderr"))


@pytest.mark.slow
def test_an_ordinary_failure_is_repaired_by_what_the_tool_said(hooked: Any, here: Path) -> None:
    (here / "stuff").mkdir()
    (here / "stuff" / "a").write_text("")
    hooked.enter("rmdir stuff")
    shown = hooked.wait(r"rmdir: failed to remove 'stuff': Directory not empty\nready>$")
    assert shown.count("not empty") == 1
    (file,) = kept()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    hooked.enter("fix")
    hooked.wait(r"^rm -r stuff\n# destroys.*\nready>")  # what is typed before the prompt would end up behind the repair
    assert (here / "stuff" / "a").exists()
    hooked.press("C-u")
    hooked.enter("true; echo went on")
    hooked.wait(r"^went on\nready>$")
    assert kept() == [], "what succeeds leaves nothing"
    hooked.enter("clear; ls nowhere")
    hooked.wait(r"nowhere'.*\nready>$")
    assert len(kept()) == 1
    hooked.enter("clear; echo less >&2; false")
    hooked.wait(r"^less\nready>$")
    assert kept() == [], "what was left alone has nothing of another's"
    hooked.enter("clear; python3 -c 'import xyzzy'")
    hooked.wait(r"No module named 'xyzzy'\nready>$")
    (file,) = kept()
    assert "xyzzy" in file.read_text(), "a program of python's is no talk with python"
    hooked.enter("clear; python3")
    hooked.wait(r">>>$")
    hooked.enter("import abcdef")
    hooked.wait(r"No module named 'abcdef'\n>>>$")
    hooked.enter("exit()")
    hooked.wait(r"exit\(\)\nready>$")
    assert kept() == [], "a talk with python is left alone"
    hooked.enter("clear; sh -c 'echo said >&2; exit 5'")
    hooked.wait(r"^said\nready>$")
    assert "said" in kept()[0].read_text()


@pytest.mark.slow
def test_the_shell_is_as_it_was(hooked: Any, here: Path) -> None:
    hooked.enter("sleep 60 &")
    hooked.wait(r"ready>$")
    hooked.enter("clear; ls nowhere1; (exit 3)")
    hooked.wait(r"nowhere1.*\nready>$")
    hooked.enter("clear; echo code $? job $(jobs | wc -l)")
    hooked.wait(r"^code 0 job 1\nready>$")
    hooked.enter("kill $!; clear; (exit 3)")
    hooked.wait(r"ready>$")
    hooked.enter("echo code $?")
    hooked.wait(r"^code 3\nready>$")
    # What is left alone has the terminal itself behind its standard error, and so has the prompt.
    hooked.enter("clear; : less; sh -c '[ $(readlink /proc/$PPID/fd/2) = $(tty) ] && echo as it was'")
    hooked.wait(r"^as it was\nready>$")
    hooked.enter("clear; for i in 1 2; do ls nowhere$i; done | cat")
    shown = hooked.wait(r"nowhere2'.*\nready>$")
    assert shown.count("No such file") == 2
    hooked.enter("clear; seq 1 30000 >&2; (exit 1)")
    hooked.wait(r"30000\nready>$")
    (file,) = kept()
    assert file.stat().st_size <= MOST and file.read_bytes().rstrip().endswith(b"30000")


@pytest.mark.slow
def test_colours_stay_and_what_is_kept_goes_with_the_shell(hooked: Any, here: Path) -> None:
    script = here / "look"
    script.write_text("#!/bin/sh\n[ -t 2 ] && stty size <&2 >&2 && echo terminal >&2\nexit 4\n")
    script.chmod(0o755)
    hooked.enter("./look")
    hooked.wait(r"^40 100\nterminal\nready>$")
    assert len(kept()) == 1
    hooked.enter("exec true")
    for _ in range(200):
        if not kept():
            break
        subprocess.run(["sleep", "0.05"], check=True)
    assert kept() == []


def test_marks_are_told_from_what_programs_write(tmp_path: Path) -> None:
    found = Kept("abc", tmp_path / "kept")
    assert found.take(b"one\x1exy") == (b"one\x1exy", [])
    assert found.take(b"\x1eabc 1") == (b"", []), "half a mark is held back"
    assert found.take(b" 2\x1ethen") == (b"then", ["1"])
    assert (tmp_path / "kept").read_bytes() == b"one\x1exy"
    assert found.take(b"\x1eabc 2 0\x1e") == (b"", ["2"])
    assert not (tmp_path / "kept").exists()
    assert found.take(b"x" * 50_000 + b"\x1eabc 3 1\x1e")[1] == ["3"]
    assert (tmp_path / "kept").stat().st_size == MOST
