"""`python -m benchmarks`: the start-up promises are kept on this machine, and nothing is written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]


def benchmarks(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.slow
def test_first_and_warm_answers_keep_their_promises() -> None:
    done = benchmarks("startup", "--json", "--fewer")
    assert done.returncode == 0, done.stderr
    rows = {row["name"]: row for row in json.loads(done.stdout)["startup"]}
    assert all(row["n"] >= 5 for row in rows.values())
    # As ratios to bare Python (about 15 ms), so that a slow machine is no failure: 60 ms above it, and 1.5 s.
    assert rows["warm answer, client above bare Python"]["ratio"] <= 5
    assert rows["first answer, no daemon"]["ratio"] <= 100
    assert rows["first answer, starting the daemon"]["ratio"] <= 100


def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    done = benchmarks("statrup")
    assert done.returncode == 2 and "startup" in done.stderr
