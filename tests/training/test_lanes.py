"""Lanes: who trains for how long, and a plan that goes end to end on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from sayso.core.errors import BadFile, UnknownName
from sayso.core.types import Example, Request
from sayso.experiments import RECIPES
from sayso.experiments.recipe import for_task, make_job
from sayso.experiments.tiny import shrink
from sayso.targets import find_target
from sayso.training.jobs import read_data, read_jobs, write_folder
from sayso.training.lanes import main, read_plan, seconds_for
from sayso.training.pieces import join_pieces

pytestmark = [pytest.mark.torch]


def test_time_is_shared_by_weight_among_those_to_come() -> None:
    lane = {"first": 3.0, "second": 1.0}
    assert seconds_for(lane, "first", 120, 10) == 75
    assert seconds_for(lane, "second", 60, 10) == 50
    assert seconds_for(lane, "second", 5, 10) == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tasks over the same requests, small enough to train in a second."""
    where = tmp_path_factory.mktemp("lanes")
    words = ["red", "green", "blue", "black", "white"]
    rows = [Example(f"{a} {b}", Request(f"say {a} and {b}"), (f"{b} {a}",)) for a in words for b in words]
    shorter = [Example(row.id, row.request, (row.references[0].split()[0],)) for row in rows]
    jobs = [make_job(shrink(RECIPES["lstm-k1"]))]
    jobs.append(make_job(shrink(for_task(RECIPES["transformer-k3"], "notebook/apis")), 0, "apis-transformer-k3"))
    write_folder(
        where, jobs, find_target("bash"), {"train": rows, "dev": rows[:5], "test": rows[5:9]},
        lambda rows: "", also={"apis": {"train": shorter, "dev": shorter[:5], "test": shorter[5:9]}},
    )  # fmt: skip
    return where


def test_a_plan_names_jobs_of_the_folder(folder: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text('{"lanes": [{"lstm-k1": 1}, {}]}')
    assert read_plan(plan, read_jobs(folder)).lanes == [{"lstm-k1": 1.0}]
    plan.write_text('{"lanes": [{"lstm-k9": 1}]}')
    with pytest.raises(UnknownName, match="lstm-k9"):
        read_plan(plan, read_jobs(folder))
    plan.write_text('{"lanes": [{"lstm-k1": 1, "apis-transformer-k3": 1}], "in_step": [["apis-transformer-k3"]]}')
    with pytest.raises(BadFile, match="apis-transformer-k3 does not begin a lane"):
        read_plan(plan, read_jobs(folder))
    plan.write_text('{"lanes": 3}')
    with pytest.raises(BadFile, match="is no plan"):
        read_plan(plan, read_jobs(folder))


def test_lanes_bring_answers_home(folder: Path, tmp_path: Path) -> None:
    plan, out = tmp_path / "plan.json", tmp_path / "out"
    plan.write_text(json.dumps({"lanes": [{"apis-transformer-k3": 1}]}))
    words = [str(folder), "--plan", str(plan), "--out", str(out), "--work", str(tmp_path / "work"), "--device", "cpu"]
    assert main([*words, "--seconds", "120", "--answering", "1", "--threads", "1", "--share"]) == 0
    found = join_pieces(out)
    assert set(found) == {f"apis-transformer-k3/{name}" for name in ("dev.npz", "test.npz", "result.json")}
    result = json.loads(found["apis-transformer-k3/result.json"])
    assert (result["epochs"], result["rows"]) == (2.0, 25)
    job = read_jobs(folder)[1]
    assert (job.system, read_data(folder, job).counts["test"]) == ("transformer-k3", 4)
