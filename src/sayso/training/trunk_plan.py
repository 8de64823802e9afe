"""What is to be made of a trunk: variants in order of importance, each with stages of training. Plain values, no torch.

A variant begins with the trunk or with what another variant ended with, so that several share a first stage.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from sayso.core.errors import BadFile
from sayso.training.settings import at_least, one_of

Ship = Literal["nothing", "adapter", "int4"]
TRUNK = "trunk"


@dataclass(frozen=True)
class Stage:
    """One run of the loop over one file of pairs; a cosine from `rate` to 0 after a short warm-up."""

    data: str
    epochs: float
    rate: float
    batch: int = 64
    rounded: bool = False
    """Let the matrices be seen as four bits leave them."""
    looks: int = 4
    """At dev; the weights that were best stay."""
    teachers: str = ""
    """Learn from what "one+another" find likely together."""
    share: float = 0.5
    """Of the loss that is theirs, where there are any."""
    timed: bool = False
    """Let the rate fall over the time that is left, where that ends before the epochs do."""

    def __post_init__(self) -> None:
        at_least("stage.batch", self.batch, 1)
        at_least("stage.epochs", self.epochs, 0)


@dataclass(frozen=True)
class Variant:
    """`layers` and `rank` are 0 where nothing is cut and the matrices themselves are learnt."""

    name: str
    stages: tuple[Stage, ...]
    start: str = TRUNK
    """The trunk, another variant, the best of "one|another", or the mean of "one+another"."""
    layers: int = 0
    rank: int = 0
    alpha: float = 64.0
    dropout: float = 0.1
    seed: int = 0
    rounded: bool = False
    """Answer with four bits, however it was trained."""
    group: int = 32
    """Weights that share a step in four bits: 32, 64 …"""
    dev: str = "dev"
    """The file of dev with the references that looks and answers are compared with."""
    answers: bool = True
    also: tuple[str, ...] = ()
    """Other files that are answered."""
    told: bool = False
    """Say of every answer to dev how likely its request is told back (`trunk_answers.told_back`)."""
    width: int = 5
    """Of the beam, and how many answers are kept."""
    ship: Ship = "nothing"

    def __post_init__(self) -> None:
        at_least("variant.layers", self.layers, 0)
        at_least("variant.rank", self.rank, 0)
        at_least("variant.width", self.width, 1)
        one_of("variant.ship", self.ship, ("nothing", "adapter", "int4"))


def write_plan(path: Path, variants: Sequence[Variant]) -> None:
    path.write_text(json.dumps([asdict(one) for one in variants], indent=1) + "\n", encoding="utf-8")


def read_variant(row: Mapping[str, Any]) -> Variant:
    stages = tuple(Stage(**one) for one in row["stages"])
    return Variant(**{**row, "stages": stages, "also": tuple(row.get("also", ()))})


def read_plan(path: Path) -> list[Variant]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        variants = [read_variant(row) for row in rows]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise BadFile(f"{path} is no plan for a trunk: {error}", "write it again with write_plan") from error
    known = {TRUNK}
    for one in variants:
        if one.name in known:
            raise BadFile(f"{path}: the name {one.name} is taken", "name every variant differently")
        known.add(one.name)
    return variants
