"""Jobs in step: all answer after as many epochs, each with the best weights it had until then."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from safetensors.torch import load_file
from torch import nn

from sayso.training import in_step as module
from sayso.training.in_step import Group, in_step
from sayso.training.loop import Evaluated, Event, Stopped

pytestmark = pytest.mark.torch
NOBODY = 2**22 + 1
"""No process of Linux has this number."""


def test_the_slowest_says_whose_weights_are_kept(tmp_path: Path) -> None:
    """Three epochs of two updates; the second and third are better; the other member came to two and a half."""
    network = nn.Linear(1, 1, bias=False)

    def training() -> Iterator[Event]:
        for step, better in ((2, True), (4, True), (6, True)):
            nn.init.constant_(network.weight, step)
            yield Evaluated(step, 1.0, float(step), better)
        yield Stopped(6, "epochs", 6)

    Group(tmp_path / "told", "large", ("small", "large")).tell(2, ended=True)
    group = Group(tmp_path / "told", "small", ("small", "large"))
    events = list(in_step(training(), network, 2, group, tmp_path / "best", seconds=60))
    assert events[-1] == Stopped(4, "epochs, in step", 4)
    assert load_file(tmp_path / "best")["weight"] == torch.full((1, 1), 4.0)


def test_a_resumed_training_that_gets_no_better_keeps_what_it_had(tmp_path: Path) -> None:
    def training() -> Iterator[Event]:
        yield Evaluated(8, 2.0, 0.0, False)
        yield Stopped(8, "patience", 4)

    (tmp_path / "best").write_bytes(b"of the fourth update")
    group = Group(tmp_path / "told", "small", ("small",))
    events = list(in_step(training(), nn.Linear(1, 1), 2, group, tmp_path / "best", seconds=60))
    assert events[-1] == Stopped(8, "patience", 4)
    assert (tmp_path / "best").read_bytes() == b"of the fourth update"


def test_who_is_ahead_waits_for_the_living_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE", 0.01)
    members = ("one", "slow", "dead")
    group, slow, dead = (Group(tmp_path, name, members) for name in members)
    monkeypatch.setattr(os, "getpid", lambda: NOBODY)
    dead.tell(0)
    monkeypatch.undo()
    monkeypatch.setattr(module, "PAUSE", 0.01)
    slow.tell(1)
    group.wait_for_slower(2, time.monotonic() + 30)  # one epoch ahead of the slow one: goes on
    began = time.monotonic()
    group.wait_for_slower(3, began + 0.2)  # two ahead: waits as long as there is time
    assert time.monotonic() - began >= 0.2
    slow.tell(5, ended=True)
    assert group.agree(3) == 3
    assert slow.agree(5) == 3
