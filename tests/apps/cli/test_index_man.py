"""`sayso bash --index-man` as a user runs it, over a folder of pages of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

PAGE = """.TH PEEL 1
.SH NAME
peel \\- take the skin off
.SH SYNOPSIS
.B peel
[\\fIOPTION\\fR]... \\fIFILE\\fR
.SH OPTIONS
.TP
\\fB\\-a\\fR, \\fB\\-\\-all\\fR
all of them
"""


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    section = tmp_path / "man" / "man1"
    section.mkdir(parents=True)
    (section / "peel.1").write_text(PAGE)
    (section / "broken.1.gz").write_bytes(b"no archive")
    return tmp_path / "man"


def test_the_index_is_built_and_reported(
    sayso: Callable[..., CompletedProcess[str]], pages: Path, tmp_path: Path
) -> None:
    variables = {"MANPATH": str(pages), "PATH": "", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = sayso("bash", "--index-man", "--json", env=variables)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["pages"], report["utilities"], report["options"]) == (2, 1, 1)
    assert report["problems"] == {"broken archive": 1}
    assert Path(report["path"]).is_file()
    again = sayso("bash", "--index-man", env=variables)
    assert "1 utilities with 1 options from 2 manual pages" in again.stdout
    assert "left out: broken archive: 1" in again.stdout


def test_no_pages_is_said_with_what_to_do(sayso: Callable[..., CompletedProcess[str]], tmp_path: Path) -> None:
    done = sayso("bash", "--index-man", env={"MANPATH": str(tmp_path)})
    assert done.returncode == 2
    assert "no manual pages" in done.stderr and "MANPATH" in done.stderr
