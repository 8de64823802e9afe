"""A judged run shows the same whenever it starts: clock, zone, numbers that the system gives out, seeds of hashes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sayso.core.types import Change, FileSpec, Outcome, Sandbox
from sayso.targets.bash.executed.clock import NOON, ZONE, Clock, offset, zone
from sayso.targets.bash.executed.dates import moment
from sayso.targets.bash.executed.fixture import SHAPES, Fixture
from sayso.targets.bash.executed.fixtures import build
from sayso.targets.bash.executed.grounding import ground
from sayso.targets.bash.executed.running import execute_all, execute_together, leaves_no_trace
from sayso.targets.bash.executed.spellings import about_numbers, about_seconds

START = NOON + 100_000
DAY = 86_400


def test_a_run_begins_at_noon_whatever_the_clock_says() -> None:
    clock = Clock(START)
    assert clock.text(b"%d %d.5" % (START, START - DAY)) == b"%d %d" % (NOON, NOON - DAY)
    assert clock.text(b"12:00:07.123 12:03 12:30 11:59") == b"12:00:00 12:00 12:30 11:59"
    assert clock.text(b"at " + offset(NOON - START)) == b"at +0000"
    assert clock.text(b"1073741824 12345") == b"1073741824 12345"


def test_files_are_moved_and_changes_are_moved_back() -> None:
    fixture = Fixture({"a": FileSpec("/home/user/work/a", b"", mtime=NOON - 50.0)}, accessed={"a": NOON - 60.0})
    moved = Clock(START).moved(fixture)
    assert (moved.files["a"].mtime, moved.accessed["a"]) == (START - 50, START - 60)
    assert moved.files[ZONE].content.startswith(b"TZif")
    after = FileSpec("a", b"made at %d\n" % (START + 3), mtime=START + 3.4)
    settled = Clock(START).settled(Outcome(0, b"", b"", (Change("a", "created", None, after),)))
    assert settled.changes[0].after == FileSpec("a", b"made at %d\n" % NOON, mtime=float(NOON))


def test_the_zone_leads_to_that_monday(tmp_path: Path) -> None:
    (tmp_path / "zone").write_bytes(zone(NOON - START))
    environment = {**os.environ, "TZ": f":{tmp_path}/zone", "LC_ALL": "C"}
    shown = subprocess.run(["date", "-d", f"@{START}", "+%F %T %z"], env=environment, capture_output=True, check=True)
    assert shown.stdout.strip() == b"2026-06-01 12:00:00 " + offset(NOON - START)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2026-05-30", -2.5),
        ("20260530", -2.5),
        ("05/30/2026", -2.5),
        ("May 30", -2.5),
        ("30 May 2026", -2.5),
        ("May 30th, 2026", -2.5),
        ("3 days ago", -3),
        ("-2 weeks", -14),
        ("yesterday", -1),
        ("last month", -30),
        ("now", 0),
    ],
)
def test_dates_that_commands_name(text: str, days: float) -> None:
    assert moment(text, NOON) == NOON + days * DAY


@pytest.mark.parametrize("text", ["", "pear", "2026-13-40", "May 77", "9999-01-01"])
def test_what_is_no_date(text: str) -> None:
    assert moment(text, NOON) is None


def test_numbers_that_the_system_gives_out_are_put_in() -> None:
    fixture = build(ground("find . -inum 77 -o -uid 5", ""), "rich", "seed", NOON)
    told = about_numbers("find . -inum 77 -o -uid 5 -o -inum 778", fixture)
    assert told == "find . -inum $GIVEN_inum_77 -o -uid $GIVEN_uid_5 -o -inum 778"
    assert about_seconds("date -d @1278999698 +%s@12", 10) == "date -d @1278999708 +%s@12"


def test_what_looks_at_times_of_access_runs_alone() -> None:
    assert leaves_no_trace("find . -name pear")
    for text in ("find . -atime +3", "find . -anewer x", "find . -cmin 5", "ls -lu", "rm pear"):
        assert not leaves_no_trace(text), text


def test_no_seed_of_hashes_changes_a_fixture() -> None:
    commands = ["find a b -name '*.c' -perm /220 -user anna -mtime +3", "grep -r x . | sort", "which -a pear plum"]
    code = (
        "import hashlib; from sayso.targets.bash.executed.fixtures import build;"
        "from sayso.targets.bash.executed.facts import NOON; from sayso.targets.bash.executed.grounding import ground;"
        f"print(hashlib.sha256(repr([build(ground(c, c), s, c, NOON) for c in {commands!r} for s in {SHAPES!r}])"
        ".encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


@pytest.mark.sandbox
def test_two_runs_at_different_times_show_the_same(sandbox: Sandbox) -> None:
    commands = ["ls -l --full-time", "date '+%F %T %s'", "find . -printf '%T@ %p\\n'", "touch pear; stat -c %y pear"]
    fixture = build(ground("find . -name '*.c' -mmin -5", ""), "rich", "seed", NOON)
    first = execute_all(commands, fixture, (), sandbox)
    time.sleep(1.1)
    again = execute_all(commands, fixture, (), sandbox)
    assert [(run.stdout, run.changes) for run in first] == [(run.stdout, run.changes) for run in again]
    assert b"2026-06-01 12:00:00" in first[1].stdout
    assert len(first[2].stdout.splitlines()) > 10


@pytest.mark.sandbox
def test_a_search_of_the_machine_passes_over_the_system(sandbox: Sandbox) -> None:
    fixture = build(ground("find / -name pear.txt", ""), "rich", "seed", NOON)
    texts = ["find / -name pear.txt", "find /", "find / -name bash -maxdepth 3", "find . -maxdepth 1"]
    named, everything, real, here = execute_together(texts, fixture, (), sandbox)
    assert b"/srv/depot/pear.txt" in named.stdout
    assert b"/usr/away/pear.txt\n" in everything.stdout and b"/usr/share/" not in everything.stdout
    assert b"/usr/bin/bash\n" in real.stdout
    assert here.stdout.startswith(b".\n")
