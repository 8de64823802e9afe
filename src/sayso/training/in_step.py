"""Jobs that are compared and run side by side: each answers with the weights of an epoch that all of them reached.

Networks of different size get different numbers of epochs in the same time, and then no order among them can be read.
Members tell how far they are through files of one folder; who is an epoch ahead waits, so that a GPU helps the slowest.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from safetensors.torch import save
from torch import nn

from sayso.core.files import write_atomically
from sayso.training.checkpoint import weights_of
from sayso.training.loop import Evaluated, Event, Stopped

AHEAD = 1
"""Epochs that a member may have over the slowest before it waits."""
LATEST = 60.0
"""Seconds for which a member that has stopped waits for the others to stop."""
PAUSE = 0.2


@dataclass(frozen=True)
class Group:
    """The members of one comparison, and where they tell of themselves."""

    folder: Path
    name: str
    """Of this member."""
    members: Sequence[str]

    def tell(self, epochs: int, ended: bool = False) -> None:
        with write_atomically(self.folder / f"{self.name}.json") as file:
            file.write(json.dumps({"epochs": epochs, "ended": ended, "process": os.getpid()}).encode())

    def others(self) -> dict[str, dict[str, Any]]:
        """What every other member last told; one that has not begun stands at 0, one that died is left out."""
        found = {}
        for name in self.members:
            if name == self.name:
                continue
            path = self.folder / f"{name}.json"
            told = json.loads(path.read_bytes()) if path.is_file() else {"epochs": 0, "ended": False, "process": 0}
            if told["ended"] or not told["process"] or lives(told["process"]):
                found[name] = told
        return found

    def wait_for_slower(self, epochs: int, until: float) -> None:
        """Until nobody who still trains is far behind, or it is `until` (monotonic)."""
        while time.monotonic() < until:
            if all(one["ended"] or one["epochs"] >= epochs - AHEAD for one in self.others().values()):
                return
            time.sleep(PAUSE)

    def agree(self, epochs: int) -> int:
        """The most epochs that all members have done, once all have stopped; those that never come do not count."""
        self.tell(epochs, ended=True)
        until = time.monotonic() + LATEST
        while time.monotonic() < until and not all(one["ended"] for one in self.others().values()):
            time.sleep(PAUSE)
        return min([epochs, *(int(one["epochs"]) for one in self.others().values() if one["ended"])])


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@dataclass
class Kept:
    """Weights of the epochs that were better on dev than any before: whichever epoch is agreed on, its best is here."""

    epochs: int = 0
    best: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    """Epoch → its last update, and its weights."""

    def at(self, epochs: int) -> tuple[int, bytes] | None:
        """None where no epoch until then was better since this process began: what is best is of an earlier one."""
        found = max((epoch for epoch in self.best if epoch <= epochs), default=None)
        return None if found is None else self.best[found]


def in_step(
    events: Iterator[Event], network: nn.Module, per_epoch: int, group: Group, best: Path, seconds: float
) -> Iterator[Event]:
    """The events of a training, at whose end `best` holds the best weights of the epochs that all members have done.

    A training that was resumed and never got better keeps the weights it had, and does not say that it is in step.
    """
    until = time.monotonic() + seconds
    kept = Kept()
    group.tell(0)
    for event in events:
        if isinstance(event, Stopped):
            agreed = group.agree(kept.epochs)
            held = kept.at(agreed)
            if held is not None:
                step, weights = held
                with write_atomically(best) as file:
                    file.write(weights)
                event = Stopped(agreed * per_epoch, f"{event.reason}, in step", step)
        yield event
        if isinstance(event, Evaluated) and event.step % per_epoch == 0:
            kept.epochs = event.step // per_epoch
            if event.better:
                weights = save(weights_of(network), {"step": str(event.step)})
                kept.best[kept.epochs] = event.step, weights
            group.tell(kept.epochs)
            group.wait_for_slower(kept.epochs, until)
