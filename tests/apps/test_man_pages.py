"""The index of manual pages as it is kept fresh behind the user's back: when it starts, what it runs, what stops it."""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path

import pytest

from sayso.apps import man_pages
from sayso.apps.man_pages import Keeper, bring_up_to_date, refresh
from sayso.targets.bash.knowledge import MachineIndex
from sayso.targets.bash.manual import build_index, is_fresh

PAGE = """.TH {0} 1
.SH NAME
{0} \\- {1}
.SH SYNOPSIS
.B {0}
[\\fIOPTION\\fR]... \\fIFILE\\fR
.SH OPTIONS
.TP
\\fB\\-a\\fR, \\fB\\-\\-all\\fR
all of them
"""


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    section = tmp_path / "man" / "man1"
    section.mkdir(parents=True)
    (section / "peel.1").write_text(PAGE.format("peel", "take the skin off"))
    monkeypatch.setenv("MANPATH", str(tmp_path / "man"))
    return section


@pytest.fixture
def cache(user_folders: Path) -> Path:
    return user_folders / "cache" / "sayso"


def appeared(path: Path) -> bool:
    deadline = time.monotonic() + 60
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return path.exists()


def test_the_index_is_made_by_a_process_of_its_own_that_nobody_waits_for(pages: Path, cache: Path) -> None:
    assert refresh()
    assert appeared(cache / "man-index.jsonl")
    peel = MachineIndex(cache).find("peel")
    assert peel is not None and peel.gloss == "take the skin off"
    assert not refresh(), "what is fresh is left alone"


def test_a_page_that_comes_or_goes_makes_the_index_old(pages: Path, cache: Path) -> None:
    bring_up_to_date()
    assert is_fresh([pages.parent], cache)
    (pages / "core.1").write_text(PAGE.format("core", "take the core out"))
    os.utime(pages, ns=(1, 1))
    assert not is_fresh([pages.parent], cache)
    bring_up_to_date()
    assert MachineIndex(cache).find("core") is not None and is_fresh([pages.parent], cache)


def test_an_index_of_another_version_or_a_damaged_one_is_not_fresh(pages: Path, cache: Path) -> None:
    bring_up_to_date()
    path = cache / "man-index.jsonl"
    first, _, rest = path.read_text().partition("\n")
    path.write_text(json.dumps({**json.loads(first), "version": 1}) + "\n" + rest)
    assert not is_fresh([pages.parent], cache)
    for damaged in ("", "{", "[]\n", "\x00\n"):
        path.write_text(damaged)
        assert not is_fresh([pages.parent], cache)
        bring_up_to_date()
        assert is_fresh([pages.parent], cache), damaged


@pytest.mark.parametrize("line", ["man_index = false", "idle_minutes = 0"])
def test_it_is_switched_off_in_config(pages: Path, cache: Path, user_folders: Path, line: str) -> None:
    config = user_folders / "config" / "sayso" / "config.toml"
    config.parent.mkdir()
    config.write_text(f"{line}\n")
    assert not refresh() and not cache.exists()


def test_without_pages_nothing_is_started(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MANPATH", str(tmp_path / "nowhere"))
    assert not refresh() and not cache.exists()


def test_two_at_once_are_one(pages: Path, cache: Path) -> None:
    cache.mkdir()
    with (cache / "man-index.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        bring_up_to_date()
        assert not (cache / "man-index.jsonl").exists()
    bring_up_to_date()
    assert (cache / "man-index.jsonl").exists()


def test_programs_are_never_run_for_it(
    pages: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--help` is asked in a sandbox by `--index-man` alone; what that found stays."""
    found = tmp_path / "bin" / "stone"
    found.parent.mkdir()
    found.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    found.chmod(0o755)
    monkeypatch.setattr(man_pages, "programs", lambda: {"stone": found})
    bring_up_to_date()
    assert not (tmp_path / "ran").exists() and MachineIndex(cache).find("stone") is None
    status = found.stat()
    row = {"name": "stone", "gloss": "throw it", "syntax": "getopt", "operands": [], "flags": []}
    line = json.dumps({**row, "source": f"{found} {status.st_mtime_ns} {status.st_size}"})
    with (cache / "man-index.jsonl").open("a") as file:
        file.write(line + "\n")
    os.utime(pages, ns=(1, 1))
    bring_up_to_date()
    assert MachineIndex(cache).find("stone") is not None


def test_a_cache_that_cannot_be_written_is_no_reason_to_fail(pages: Path, cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    bring_up_to_date()


def test_a_process_that_lives_long_looks_now_and_then() -> None:
    now, looks = [0.0], []
    keeper = Keeper(lambda: looks.append(now[0]), lambda: now[0])
    for now[0] in (0.0, 30.0, 599.0, 601.0, 700.0, 1300.0):
        keeper.rest()
    assert looks == [0.0, 601.0, 1300.0]


def test_a_run_with_its_pages_unchanged_writes_the_same(pages: Path, cache: Path) -> None:
    bring_up_to_date()
    before = (cache / "man-index.jsonl").read_bytes()
    assert build_index([pages.parent], cache).reused == 1
    assert (cache / "man-index.jsonl").read_bytes() == before
