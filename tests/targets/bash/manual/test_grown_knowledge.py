"""The shipped knowledge base grows by what a page adds, and by nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.apps import knowledge
from sayso.targets.bash.manual import find_pages, grown_knowledge

PAGE = """.TH FROB 1
.SH NAME
frob \\- turn things
.SH SYNOPSIS
.B frob
[\\fB\\-a\\fR] [\\fB\\-\\-often\\fR=\\fIN\\fR] \\fIFILE\\fR...
.SH OPTIONS
.TP
\\fB\\-a\\fR, \\fB\\-\\-all\\fR
turn all of them
.TP
\\fB\\-\\-often\\fR=\\fIN\\fR
so many times
"""


@pytest.fixture
def man(tmp_path: Path) -> Path:
    (tmp_path / "man1").mkdir()
    (tmp_path / "man1" / "frob.1").write_text(PAGE)
    (tmp_path / "man1" / "broken.1.gz").write_bytes(b"no gzip")
    return tmp_path


def test_a_page_makes_a_line_and_the_others_stay(man: Path) -> None:
    growth = grown_knowledge(find_pages([man]), ["frob", "nowhere"])
    assert list(growth.changed) == ["frob"] and growth.unreadable == ()
    flags = growth.changed["frob"]["flags"]
    assert isinstance(flags, list) and [flag["names"] for flag in flags] == [["-a", "--all"], ["--often"]]
    assert "frob" not in growth.before and "ls" in growth.before


def test_a_page_that_cannot_be_read_is_named(man: Path) -> None:
    growth = grown_knowledge(find_pages([man]), ["broken"])
    (message,) = growth.unreadable
    assert message.startswith(f"{man / 'man1' / 'broken.1.gz'}: ") and growth.changed == {}


def test_the_command_says_what_would_change(
    man: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MANPATH", str(man))
    assert knowledge.main(["frob"]) == 0
    assert capsys.readouterr().out == "frob: 0 -> 2 flags\n"
