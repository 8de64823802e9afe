"""Okapi's stacks: what is trained together, what comes home, and how an answer is wrong."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sayso.core.types import Example, Request, Workspace
from sayso.experiments.api import T5_SCRATCH
from sayso.experiments.api_plan import PARTS, bring_home, make_plan, pieces_of
from sayso.experiments.recipe import make_job

CALL = "GET message FILTER message.from eq Ann TOP 3"


def test_a_plan_has_every_system_task_and_seed(workspace: Workspace) -> None:
    plans = make_plan(workspace)
    kinds = [plan["name"].rpartition(".")[2] for plan in plans]
    assert kinds == ["okapi"] * 3 + ["scan"] * 3 + ["okapi", "scan", "sizes"]
    names = [row["name"] for plan in plans for row in plan["members"]]
    assert len(names) == len(set(names)) == 281
    plain = [name for name in names if ".no-end" not in name and ".part" not in name]
    assert len(plain) == 4 * 10 * 5
    assert Counter(row["ends"] for plan in plans for row in plan["members"] if "ends" in row) == {False: 36}


def test_a_plan_of_some_stacks_has_them_in_the_order_asked_for(workspace: Workspace) -> None:
    only = ["t5-scratch.scan", "transformer-copy-minilm-tuned.okapi"]
    plans = make_plan(workspace, only)
    assert [plan["name"] for plan in plans] == only
    assert {row["folder"].partition("/")[0] for row in plans[1]["members"]} == {"tuned"}


def test_pieces_are_those_of_the_requests(tmp_path: Path) -> None:
    from sayso.training.arrays import Encoded, ragged

    source, target = ragged([[4 + 101, 4 + 7], [4 + 7, 4 + 102]]), ragged([[1, 2], [1, 2]])
    folder = tmp_path / "tuned" / "length-email" / "data" / "key"
    Encoded(source, source, target, np.zeros(2, np.int64)).save(folder / "train.npz")
    assert pieces_of(tmp_path) == [7, 101, 102]


def test_parts_keep_every_template(workspace: Workspace) -> None:
    members = {row["name"]: row for row in make_plan(workspace, ["transformer-copy-scratch.sizes"])[0]["members"]}
    assert len(members) == 3 * len(PARTS) * 3
    for rows, every in (("rows", 2763), ("dev_rows", 1346)):
        names = [f"program-document/transformer-copy-scratch.part{round(part * 1000)}.seed0" for part in PARTS]
        sizes = [len(members[name][rows]) for name in names]
        assert sizes == sorted(sizes) and sizes[2] == pytest.approx(every / 2, rel=0.1) and sizes[-1] == every


@pytest.mark.torch
def test_what_comes_home_becomes_the_folders_own(tmp_path: Path) -> None:
    from dataclasses import asdict, replace

    from sayso.targets.api.tasks import API
    from sayso.training.jobs import read_jobs, write_folder
    from sayso.training.pieces import Outbox, join_pieces
    from sayso.training.stacked_plan import zipped

    rows = [Example("1", Request("mails from Ann"), (CALL,))]
    job = make_job(T5_SCRATCH, 0, "t5-scratch.seed0")
    write_folder(
        tmp_path / "home" / "length-email", [job], API, {"train": rows, "dev": rows, "test": rows}, lambda _: ""
    )
    trained = replace(job, training=replace(job.training, rate=1e-3, steps=77))
    files = {
        f"length-email/{name}/{part}": content
        for name in ("t5-scratch.seed0", "t5-scratch.no-end.seed0")
        for part, content in (("test.npz", b"x"), ("test.endless.npz", b"y"), ("result.json", b""))
    }
    files = {name: content or json.dumps({"job": asdict(trained)}).encode() for name, content in files.items()}
    Outbox(tmp_path / "out").put("t5-scratch.okapi.zip", zipped(files))
    assert bring_home(tmp_path / "home", tmp_path / "out") == {"length-email": 1}
    assert set(join_pieces(tmp_path / "home" / "length-email" / "out")) == {
        "t5-scratch.seed0/test.npz",
        "t5-scratch.seed0/result.json",
    }
    assert read_jobs(tmp_path / "home" / "length-email") == [trained]


@pytest.mark.torch
@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("GET message TOP 3 FILTER message.from eq ann", "right"),
        ("GET message TOP 3", "missing parameter"),
        (CALL + " COUNT", "extra parameter"),
        (CALL.replace("Ann", "Bob"), "wrong parameter or value"),
        ("GET message FILTER message.from", "invalid"),
        ("", "invalid"),
    ],
)
def test_how_an_answer_is_wrong(said: str, kind: str) -> None:
    from sayso.experiments.api_tables import is_right, kind_of

    right = is_right("length-email", Example("1", Request("x"), (CALL,)), said)
    assert kind_of(CALL, said, right) == kind
