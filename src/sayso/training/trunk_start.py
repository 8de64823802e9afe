"""What a variant of a trunk begins with: the trunk itself, cut where it is cut, or what other variants left behind."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from sayso.core.errors import MissingData
from sayso.models.llama import Llama, join, least_needed
from sayso.models.lora import add_adapter
from sayso.models.trunk_folder import load_trunk_folder
from sayso.training.arrays import Encoded, load_encoded
from sayso.training.batches import Batches
from sayso.training.checkpoint import Tensors
from sayso.training.pieces import Outbox
from sayso.training.settings import Precision
from sayso.training.trunk_plan import TRUNK, Variant

GIVEN_UP = ".none"
"""Stands beside the weights of other variants where one will never come."""


@dataclass(frozen=True)
class Place:
    """Where the trunk, the data, the work and the results lie."""

    trunk: Path
    data: Path
    work: Path
    out: Outbox
    device: torch.device
    patience: float = 0.0
    """Seconds to wait for weights that another process is to leave in the work folder."""
    precision: Precision = "auto"

    def encoded(self, name: str) -> Encoded:
        return load_encoded(self.data / f"{name}.npz")


def open_variant(place: Place, variant: Variant) -> tuple[Llama, list[int], int]:
    """The network that a variant begins with, the layers it lacks and the rank of its adapter."""
    network = load_trunk_folder(place.trunk, variant.dropout, str(place.device))
    dropped: list[int] = []
    rank = variant.rank
    if variant.start != TRUNK:
        weights, facts = best_start(place, variant)
        dropped, rank = facts["dropped"], facts["rank"]
        drop_layers(network, dropped)
        if rank:
            add_adapter(network, rank, facts["alpha"])
        network.load_state_dict(weights)
    else:
        network.eval()
        if variant.layers:
            dropped = least_needed(network, probe(place, variant), network.settings.layers - variant.layers)
            drop_layers(network, dropped)
        if rank:
            add_adapter(network, rank, variant.alpha)
    if not rank:
        network.requires_grad_(True)
    # The words are shared by all targets, and most of them are not in the pairs.
    network.embed_tokens.requires_grad_(False)
    return network, dropped, rank


def best_start(place: Place, variant: Variant) -> tuple[Tensors, dict[str, Any]]:
    """The weights to begin with, and what they are: the best on dev of "one|another", the mean of "one+another"."""
    found = left_behind(place, re.split(r"[|+]", variant.start))
    if not found:
        raise MissingData(f"{variant.name} begins with {variant.start}, which is not in {place.work}", "run it too")
    path, facts = max(found, key=lambda one: one[1].get("score", 0.0))
    if "+" not in variant.start:
        return load_file(path), facts
    # Networks tuned from the same weights lie close enough for their mean to be one, too (Wortsman et al., 2022).
    whole = [load_file(path) for path, _ in found]
    return {name: torch.stack([one[name] for one in whole]).mean(0) for name in whole[0]}, facts


def left_behind(place: Place, names: Sequence[str]) -> list[tuple[Path, dict[str, Any]]]:
    """The weights of these variants that are there, and what they are; those still to come are waited for."""
    paths = [place.work / f"{name}.safetensors" for name in names]
    until = time.monotonic() + place.patience
    while time.monotonic() < until and not all(
        path.is_file() or path.with_suffix(GIVEN_UP).is_file() for path in paths
    ):
        time.sleep(0.5)
    paths = [path for path in paths if path.is_file()]
    return [(path, json.loads(path.with_suffix(".json").read_text())) for path in paths]


def open_teachers(place: Place, names: str) -> list[Llama]:
    """The networks of "one+another", to be learnt from."""
    teachers = []
    for path, facts in left_behind(place, names.split("+") if names else []):
        teacher = load_trunk_folder(place.trunk, 0.0, str(place.device))
        drop_layers(teacher, facts["dropped"])
        teacher.load_state_dict(load_file(path, str(place.device)))
        teachers.append(teacher.eval().requires_grad_(False))
    return teachers


def probe(place: Place, variant: Variant) -> Tensor:
    """Pairs that tell which layers do least, as rows of ids."""
    whole = place.encoded(variant.stages[-1].data)
    batch = next(Batches(whole, 256, shapes=1, device=place.device).epoch(0))
    return join(batch.source, batch.target, batch.source_mask.sum(1, keepdim=True))


def drop_layers(network: Llama, dropped: Sequence[int]) -> None:
    network.layers = nn.ModuleList(layer for at, layer in enumerate(network.layers) if at not in set(dropped))
    network.settings = replace(network.settings, layers=len(network.layers))


def keep_variant(place: Place, name: str, network: Llama, facts: dict[str, Any]) -> None:
    """For variants that begin with it, in this run or a later one."""
    weights = {key: one.detach().contiguous().cpu() for key, one in network.state_dict().items()}
    (place.work / f"{name}.json").write_text(json.dumps(facts))
    save_file(weights, place.work / f"{name}.part")
    (place.work / f"{name}.part").rename(place.work / f"{name}.safetensors")  # another process may wait for it


def give_up(place: Place, name: str) -> None:
    """Nobody need wait for it."""
    if not (place.work / f"{name}.safetensors").is_file():
        (place.work / f"{name}{GIVEN_UP}").touch()
