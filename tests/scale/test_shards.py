"""Shards: killed and resumed gives what a run left alone gives; nothing is lost and nothing is run twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from sayso import scale
from sayso.core.errors import BadFile


def stored(folder: Path) -> list[object]:
    return [result.value if isinstance(result, scale.Done) else result.error for result in scale.read_shards(folder)]


def test_a_second_run_makes_nothing_again(jobs: ModuleType, tmp_path: Path) -> None:
    items = [(n, str(tmp_path)) for n in range(10)]
    first = scale.map_shards(jobs.slow_double, items, tmp_path / "out", shard=4)
    second = scale.map_shards(jobs.slow_double, items, tmp_path / "out", shard=4)
    assert (first.items, first.shards, first.resumed) == (10, 3, 0)
    assert (second.items, second.shards, second.resumed) == (10, 3, 3)
    assert (tmp_path / "log").read_text().split() == [str(n) for n in range(10)]
    assert stored(tmp_path / "out") == [2 * n for n in range(10)]


def test_a_changed_item_makes_only_its_own_shard_again(jobs: ModuleType, tmp_path: Path) -> None:
    scale.map_shards(jobs.double, [1, 2, 3, 4], tmp_path, shard=2)
    report = scale.map_shards(jobs.double, [1, 2, 3, 5], tmp_path, shard=2)
    assert report.resumed == 1
    assert stored(tmp_path) == [2, 4, 6, 10]


def test_a_shorter_input_leaves_no_shard_of_the_longer_one(jobs: ModuleType, tmp_path: Path) -> None:
    scale.map_shards(jobs.double, range(6), tmp_path, shard=2)
    scale.map_shards(jobs.double, range(2), tmp_path, shard=2)
    assert stored(tmp_path) == [0, 2]


def test_failures_are_kept_and_counted_also_when_resumed(jobs: ModuleType, tmp_path: Path) -> None:
    for _ in range(2):
        report = scale.map_shards(jobs.double_unless_three, range(5), tmp_path, shard=2)
        assert report.failed == 1
    assert stored(tmp_path) == [0, 2, 4, "ValueError: three is not allowed", 8]


def test_a_broken_shard_is_named_with_the_way_out(jobs: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "shard-000000.jsonl").write_text("{ torn")
    with pytest.raises(BadFile, match=r"shard-000000.jsonl is not a shard"):
        scale.map_shards(jobs.double, [1], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_killed_with_nine_and_resumed_is_the_same_as_left_alone(
    engine: str, jobs: ModuleType, jobs_folder: Path, tmp_path: Path
) -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(jobs_folder)!r})\n"
        "import scale_jobs\nfrom pathlib import Path\nfrom sayso import scale\n"
        "if __name__ == '__main__':\n"
        f"    items = [(n, {str(tmp_path)!r}) for n in range(60)]\n"
        f"    engine = scale.open_engine({engine!r}, 2)\n"
        f"    scale.map_shards(scale_jobs.slow_double, items, Path({str(tmp_path / 'out')!r}), engine, shard=5)\n"
    )
    (tmp_path / "run.py").write_text(script)
    run = subprocess.Popen([sys.executable, str(tmp_path / "run.py")], start_new_session=True)
    deadline = time.monotonic() + 20
    while not list((tmp_path / "out").glob("shard-*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    kept = len(list((tmp_path / "out").glob("shard-*.jsonl")))
    assert 0 < kept < 12, "the kill must fall in the middle for this test to mean anything"

    subprocess.run([sys.executable, str(tmp_path / "run.py")], check=True)
    assert stored(tmp_path / "out") == [2 * n for n in range(60)]
    runs = Counter((tmp_path / "log").read_text().split())
    assert all(runs[str(n)] == 1 for n in range(5 * kept)), "a finished shard was run again"
