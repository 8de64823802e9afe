"""Completion in the shells themselves, and the manual page through groff: complete, and without a warning."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sayso.apps import settings
from sayso.apps.cli import completion, man
from sayso.apps.cli.main import COMMANDS
from sayso.apps.cli.outline import places

Open = Callable[..., Any]
Need = Callable[[str, str], None]
TYPED = {
    "sayso conf": {"config"},
    "sayso config ": {"list", "get", "set", "unset"},
    "sayso config get model.": {"model.url", "model.name", "model.seconds"},
    "sayso --json hotkey z": {"zsh"},
    "sayso eval --split t": {"train", "test"},
    "sayso eval bash/c": {"bash/command"},
    "sayso report notebook/e": {"notebook/everyday"},
    "sayso eval bash/command --system released-t": {"released-tellina"},
    "sayso train st-": {"st-copynet", "st-copynet-manual"},
    "sayso stats asked-w": {"asked-weighing"},
    "sayso data check tl": {"tldr"},
    "sayso translate no": {"notebook"},
    "sayso he": {"help"},
    "sayso help conf": {"config"},
}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    found = list(places())
    for name, make in completion.SCRIPTS.items():
        (folder / name).write_text(make(found))
    return folder


@pytest.fixture(autouse=True)
def on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines ask `sayso` for names that take a while to know."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")


@pytest.mark.parametrize("typed", TYPED)
def test_bash(scripts: Path, typed: str) -> None:
    words = typed.split(" ")
    script = (
        f'. {scripts}/bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sayso sayso; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(["bash", "-uc", script, "-", *words], capture_output=True, text=True, check=True)
    found = set(done.stdout.split())
    assert done.stderr == "" and {one for one in found if not one.startswith("-")} == TYPED[typed]


@pytest.mark.parametrize("typed", TYPED)
def test_fish(scripts: Path, typed: str, need: Need, user_folders: Path) -> None:
    need("fish", "apt install fish")
    line = f"source {scripts}/fish; complete -C '{typed}'"
    done = subprocess.run(["fish", "--no-config", "-c", line], capture_output=True, text=True, check=True)
    assert {one.partition("\t")[0] for one in done.stdout.splitlines()} == TYPED[typed]


def test_where_a_file_may_stand_its_name_is_completed(
    scripts: Path, need: Need, user_folders: Path, tmp_path: Path
) -> None:
    (tmp_path / "requests.tsv").write_text("")
    bash = f"cd {tmp_path}; . {scripts}/bash; complete -p sayso"
    shown = subprocess.run(["bash", "-uc", bash], capture_output=True, text=True, check=True).stdout
    assert "-o default" in shown  # readline completes what the function leaves empty
    need("fish", "apt install fish")
    line = f"cd {tmp_path}; source {scripts}/fish; complete -C 'sayso translate bash --in req'"
    done = subprocess.run(["fish", "--no-config", "-c", line], capture_output=True, text=True, check=True)
    assert "requests.tsv" in done.stdout


@pytest.mark.slow
def test_zsh(scripts: Path, terminal: Open, need: Need) -> None:
    need("zsh", "apt install zsh")
    screen = terminal("env PS1='ready> ' zsh -f")
    screen.wait("ready>$")
    screen.enter(f"autoload -U compinit; compinit -u -D; source {scripts}/zsh; clear")
    screen.wait("^ready>$")
    screen.type("sayso conf")
    screen.press("Tab")
    screen.wait("ready> sayso config$")
    screen.type("get model.u")
    screen.press("Tab")
    screen.wait("ready> sayso config get model.url")
    screen.press("C-u")
    screen.type("sayso ex")
    screen.press("Tab")
    screen.wait("ready> sayso explain")


def test_zsh_whose_completion_is_not_on_yet(scripts: Path, terminal: Open, need: Need) -> None:
    need("zsh", "apt install zsh")
    screen = terminal("env PS1='ready> ' zsh -f")
    screen.wait("ready>$")
    screen.enter(f"source {scripts}/zsh; clear")
    screen.wait("^ready>$")
    screen.type("sayso conf")
    screen.press("Tab")
    screen.wait("ready> sayso config$")


def test_the_manual_names_everything_and_formats_without_a_warning(need: Need) -> None:
    need("groff", "apt install groff")
    text = "\n".join(man.page()) + "\n"
    made = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-K", "utf8", "-P-cbou", "-rLL=100n"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stderr == ""
    for name in COMMANDS:
        assert f"sayso {name}" in made.stdout
    for name in (*settings.KEYS, *settings.ENVIRONMENT, "--dry-run", "--split"):
        assert name in made.stdout
    assert "`" not in made.stdout and "\\" not in made.stdout.replace("\\n", "").replace("\\C", "")


def test_roff_means_itself() -> None:
    assert man.roff(".x \\n a-b `c d`") == "\\&.x \\en a\\-b \\fBc d\\fR"
