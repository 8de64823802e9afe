"""Blank words, numbers that are none, and files of the user's that are no such thing: one line each, exit code 2."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sayso.apps.cli.main import main

ARGUMENTS = [
    ["list", "--json", " "],
    ["list", "--json", ""],
    ["frobnicate", "--json", ""],
    ["frobnicate", "--json", "\t"],
    ["list", "-k", "2", " "],
    ["bash", "--json", " "],
    ["--json", " "],
    ["--", " "],
    [" "],
    [""],
    ["api", "--json", " "],
    ["explain", " "],
    ["fix", "--json", " "],
    ["then", " "],
    ["history", " "],
    ["history", "list", " "],
    ["daemon", " "],
    ["data", " "],
    ["score", " ", "--predictions", " "],
    ["translate", " "],
    ["train", "x", "--out", "y", "--minutes", "nan"],
    ["train", "x", "--out", "y", "--minutes", "inf"],
    ["train", "x", "--out", "y", "--minutes", "-1"],
    ["history", "list", "-n", "nan"],
    ["history", "list", "-n", "-5"],
    ["list files", "-k", "nan"],
    ["list files", "-k", "1e3"],
    ["fix", "ls", "--exit", "inf"],
    ["judge", "bash/command", "--port", "nan"],
]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=" ".join)
def test_a_command_that_makes_no_sense_ends_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert not out and err.startswith("sayso: ") and "bug in sayso" not in err
    assert len(err.strip().split("\n")) <= 3, "a line, a blank one and a hint"


@pytest.mark.parametrize("minutes", ["nan", "inf", "-1", "1e999", "soon"])
def test_minutes_are_a_number(minutes: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "x", "--out", "y", "--minutes", minutes]) == 2
    assert f"--minutes: must be a number from 0 to 1e+06, not {minutes}" in capsys.readouterr().err


@pytest.mark.parametrize("change", ["rate=nan", "rate=inf", "model.width=nan"])
def test_a_setting_is_a_finite_number(change: str) -> None:
    from sayso.core.errors import UserError
    from sayso.experiments import RECIPES
    from sayso.experiments.override import override

    with pytest.raises(UserError, match=r"nan|inf"):
        override(next(iter(RECIPES.values())), [change])


CONFIGS = {
    "NaN": "idle_minutes = nan",
    "infinite": "idle_minutes = inf",
    "minus infinite": "idle_minutes = -inf",
    "too large": "idle_minutes = 1e999",
    "NaN candidates": "k = nan",
    "endless": f"k = {'9' * 5000}",
    "nested": f"k = {'[' * 5000}",
    "nested tables": f"k = {'{a=' * 5000}",
    "a list": "idle_minutes = [1]",
    "megabytes": "# " + "x" * 2_000_000,
}


def config(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    (home / "sayso").mkdir()
    return home / "sayso" / "config.toml"


@pytest.mark.parametrize("what", CONFIGS)
def test_settings_that_are_no_settings_name_the_file(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, monkeypatch)
    path.write_text(CONFIGS[what])
    assert main(["list files"]) == 2
    err = capsys.readouterr().err
    assert str(path) in err and len(err) < 500


@pytest.mark.parametrize("what", ["pipe", "folder", "device"])
def test_settings_that_are_no_file_do_not_hang(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, monkeypatch)
    if what == "device":
        path.symlink_to("/dev/zero")
    elif what == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    assert main(["list files"]) == 2
    assert f"it is a {what}, not a plain file" in capsys.readouterr().err
