"""The progress line: what it says, and that nobody sees it in a pipe."""

from __future__ import annotations

import io
import sys

import pytest

from sayso.apps.cli.progress import Progress, bar, clock


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_shows_how_far_how_fast_and_how_long_still() -> None:
    assert bar("scored", 30, 60, 30, 2.0) == "scored ████████████············ 30/60  15.0/s  0:02 left"
    assert bar("scored", 60, 60, 60, 4.0) == "scored ████████████████████████ 60/60  15.0/s"


def test_without_a_total_it_counts() -> None:
    assert bar("translated", 7, 0, 7, 2.0) == "translated 7  3.5/s"


def test_what_an_earlier_run_did_does_not_count_as_speed() -> None:
    assert "10.0/s" in bar("translated", 510, 1000, 10, 1.0)


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (75, "1:15"), (3700, "1:01:40")])
def test_time_left_reads_like_a_clock(seconds: float, text: str) -> None:
    assert clock(seconds) == text


def test_a_pipe_gets_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Progress()("scored", 1, 2)
    assert capsys.readouterr().err == ""


def test_a_terminal_gets_one_line_that_ends_when_the_work_does(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = Progress()
    progress("scored", 1, 2)
    progress("scored", 2, 2)
    progress.close()
    assert terminal.getvalue().count("\n") == 1
    assert "2/2" in terminal.getvalue()
