"""The key that fills the line, pressed in real shells: the next candidate, undo, odd characters, abstentions."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Open = Callable[..., Any]
Run = Callable[..., "subprocess.CompletedProcess[str]"]
SHELLS = ("bash", "zsh", "fish")
# Shell → how it starts with nothing but our lines, by keymap.
START = {
    ("bash", "emacs"): "bash --noprofile --rcfile {rc} -i",
    ("bash", "vi"): "bash --noprofile --rcfile {rc} -o vi -i",
    ("zsh", "emacs"): "env ZDOTDIR={folder} zsh -d",
    ("zsh", "vi"): "env ZDOTDIR={folder} zsh -d",
    ("fish", "emacs"): "fish",
    ("fish", "vi"): "fish",
}
BEFORE = {
    ("bash", "emacs"): "set -u\nPS1='ready> '\n",
    ("bash", "vi"): "PS1='ready> '\n",
    ("zsh", "emacs"): "PS1='ready> '\nbindkey -e\nsetopt nounset kshglob shwordsplit\n",
    ("zsh", "vi"): "PS1='ready> '\nbindkey -v\nKEYTIMEOUT=1\n",
    (
        "fish",
        "emacs",
    ): "function fish_prompt; echo -n 'ready> '; end\nset -g fish_greeting\nset -g fish_autosuggestion_enabled 0\n",
    (
        "fish",
        "vi",
    ): "function fish_prompt; echo -n 'ready> '; end\nfunction fish_mode_prompt; echo \"$fish_bind_mode \"; end\n"
    "fish_vi_key_bindings\n",
}


@pytest.fixture
def shell(terminal: Open, user_folders: Path, tmp_path: Path, need: Callable[[str, str], None]) -> Open:
    """shell("zsh", "vi", "--key", "M-s"): one that has our lines in its start-up file."""

    def start(name: str, keymap: str = "emacs", *options: str) -> Any:
        need(name, f"apt install {name}")
        fish = user_folders / "config" / "fish" / "config.fish"
        rc = {"bash": tmp_path / "bashrc", "zsh": tmp_path / ".zshrc", "fish": fish}[name]
        rc.parent.mkdir(exist_ok=True)
        made = subprocess.run(["sayso", "hotkey", name, *options], capture_output=True, text=True, check=True)
        rc.write_text(BEFORE[name, keymap] + made.stdout)
        screen = terminal(START[name, keymap].format(rc=rc, folder=tmp_path))
        screen.wait("ready>$")
        return screen

    return start


@pytest.mark.parametrize("name", SHELLS)
def test_the_line_is_filled_gone_through_undone_and_not_run(shell: Open, here: Path, name: str) -> None:
    (here / "notes.txt").write_text("first line\n")
    screen = shell(name)
    screen.type("show notes.txt")
    screen.wait("ready> show notes.txt$")
    for command in ("cat notes.txt", "head -n 10 notes.txt", "tail notes.txt", "cat notes.txt"):
        screen.press("C-g")
        screen.wait(rf"ready> {command}$")
    assert "first line" not in screen.text()
    for _ in range(4):
        screen.press("C-_")
    screen.wait("ready> show notes.txt$")
    screen.press("C-g")
    screen.wait("ready> cat notes.txt$")
    screen.type(" | cat -n")
    screen.press("Enter")
    screen.wait(r"^ +1\s+first line")
    screen.press("Up")
    screen.wait(r"(?s)first line.*ready> cat notes.txt \| cat -n$")


@pytest.mark.parametrize("name", SHELLS)
def test_in_vi_mode_from_insert_and_from_command(shell: Open, name: str) -> None:
    screen = shell(name, "vi", "--keymap", "vi")
    screen.type("show notes.txt")
    screen.wait("ready> show notes.txt$")
    screen.press("C-g")
    screen.wait("ready> cat notes.txt$")
    screen.press("Escape")
    if name == "fish":  # Escape and a key that follows at once are Alt and that key
        screen.wait("default ready>")
    screen.press("C-g")
    screen.wait("ready> head -n 10 notes.txt$")
    screen.press("u")
    screen.wait("ready> cat notes.txt$")


@pytest.mark.parametrize("name", SHELLS)
def test_another_key(shell: Open, name: str) -> None:
    screen = shell(name, "emacs", "--key", "M-s")
    screen.type("show notes.txt")
    screen.wait("notes.txt$")
    screen.press("M-s")
    screen.wait("ready> cat notes.txt$")


ODD = [
    'print it\'s $HOME "now"; rm -rf x',
    "back\\slash \\n and `ticks` $(touch gone) & | > out",
    "--json -k 7",
    "a * b ? [c] {d,e} ~ !e #f %g",
    "größe 你好",
]


@pytest.mark.parametrize("name", SHELLS)
def test_the_words_reach_sayso_as_they_were_typed(shell: Open, here: Path, name: str) -> None:
    screen = shell(name)
    for request in ODD:
        screen.type(request)
        screen.wait(r"ready> \S")
        screen.press("C-g")
        expected = f"ready> echo {shlex.quote(request)}"
        shown = screen.wait(r"ready> echo .*$")
        assert expected in shown.splitlines()
        screen.press("C-u")
        screen.wait(r"ready>$")
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("name", SHELLS)
def test_an_abstention_leaves_the_line_and_says_so(shell: Open, name: str) -> None:
    screen = shell(name)
    screen.type("nothing at all")
    screen.wait("ready> nothing at all$")
    screen.press("C-g")
    shown = screen.wait("I don't know; a request that I know: list all files")
    screen.wait("ready> nothing at all$")
    screen.press("C-u")
    screen.type("remove notes.txt")
    screen.press("C-g")
    screen.wait("ready> rm notes.txt$")
    screen.wait(r"sayso: 1 of 1, 97 % sure, destroys \(rm\)")
    assert "Traceback" not in shown


@pytest.mark.parametrize("name", SHELLS)
def test_pressed_again_an_abstention_gives_a_guess(shell: Open, name: str) -> None:
    screen = shell(name)
    screen.type("nothing sure")
    screen.wait("ready> nothing sure$")
    screen.press("C-g")
    screen.wait("I don't know; press the key again for a guess")
    screen.wait("ready> nothing sure$")
    screen.press("C-g")
    screen.wait("ready> wc -l notes.txt$")
    screen.wait("sayso: a guess, 31 % sure, reads")


@pytest.mark.parametrize("name", SHELLS)
def test_an_empty_line_is_left_alone(shell: Open, name: str) -> None:
    screen = shell(name)
    screen.press("C-g")
    screen.type("echo it goes on")
    screen.press("Enter")
    screen.wait("^it goes on")


@pytest.mark.parametrize("name", SHELLS)
def test_a_failure_is_said_and_the_line_stays(shell: Open, user_folders: Path, name: str) -> None:
    screen = shell(name)
    config = user_folders / "config" / "sayso" / "config.toml"
    config.parent.mkdir()
    config.write_text("k = many")
    screen.type("show notes.txt")
    screen.press("C-g")
    screen.wait("sayso failed: run it by hand to see why")
    screen.wait("ready> show notes.txt$")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["tcsh"], 'unknown shell "tcsh"'),
        (["bash", "--key", "C-c"], "C-c cannot be used: it interrupts"),
        (["bash", "--key", "C-x C-s"], "C-s cannot be used: terminals stop"),
        (["bash", "--key", "g"], "a key must begin with Ctrl or Alt"),
        (["bash", "--key", "Ctrl+G"], '"Ctrl+G" is no key'),
        (["bash", "--key", ""], "a key must begin with Ctrl or Alt"),
        (["zsh", "--keymap", "nano"], 'unknown --keymap "nano"'),
    ],
)
def test_a_key_or_shell_that_will_not_do(warm: Run, options: list[str], says: str) -> None:
    done = warm("hotkey", *options)
    assert done.returncode == 2 and done.stderr.startswith(f"sayso: {says}")


def test_json_and_two_keys(warm: Run) -> None:
    shown = json.loads(warm("hotkey", "bash", "--key", "C-x s", "--keymap", "emacs", "--json").stdout)
    assert (shown["shell"], shown["keymaps"], shown["append_to"]) == ("bash", ["emacs"], "~/.bashrc")
    assert """bind -m emacs -x '"\\C-xs": _sayso_fill'""" in shown["snippet"]
    assert "vi-insert" not in shown["snippet"]


def test_a_shell_that_is_not_interactive_binds_nothing(warm: Run, tmp_path: Path) -> None:
    rc = tmp_path / "rc"
    rc.write_text(warm("hotkey", "bash").stdout)
    done = subprocess.run(["bash", "-c", f". {rc}; type _sayso_fill"], capture_output=True, text=True, env=os.environ)
    assert done.returncode == 1 and "bind" not in done.stderr
