"""Which program gets the text, and what happens where none takes it."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from sayso.apps.cli import clipboard

TEXT = "echo 'größe' | tr a b\n"


def program(folder: Path, name: str, code: int = 0) -> None:
    """One that writes what it is given, and how it was called, beside itself."""
    path = folder / name
    path.write_text(f'#!/bin/sh\n/bin/cat > {folder}/got\necho "$@" > {folder}/called\nexit {code}\n')
    path.chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of PATH; nothing says that there is a desktop."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("WAYLAND_DISPLAY", "DISPLAY", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("variable", "name", "words"),
    [
        ("WAYLAND_DISPLAY", "wl-copy", ""),
        ("DISPLAY", "xclip", "-selection clipboard"),
        ("DISPLAY", "xsel", "--clipboard --input"),
        ("HOME", "pbcopy", ""),
        ("TMUX", "tmux", "load-buffer -w -"),
    ],
)
def test_the_program_of_this_desktop_gets_the_text(
    programs: Path, monkeypatch: pytest.MonkeyPatch, variable: str, name: str, words: str
) -> None:
    monkeypatch.setenv(variable, "x")
    program(programs, name)
    assert clipboard.copy(TEXT) == name
    assert (programs / "got").read_text() == TEXT
    assert (programs / "called").read_text() == f"{words}\n"


def test_a_program_without_its_desktop_is_not_asked_and_one_that_fails_is_passed_over(
    programs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program(programs, "xclip", 1)
    assert clipboard.copy(TEXT) == "the terminal"
    assert not (programs / "got").exists()
    monkeypatch.setenv("DISPLAY", ":0")
    assert clipboard.copy(TEXT) == "the terminal"
    assert (programs / "got").exists()
    shown = capsys.readouterr().err
    assert shown == f"\x1b]52;c;{base64.b64encode(TEXT.encode()).decode()}\x07" * 2
