"""A training as it stands, on disk: weights, optimiser and place, whole or not there at all; no pickle.

`checkpoint-00000200/` is written beside its place and renamed, so a killed process leaves the one before. There is no
random state to keep: every step's randomness is drawn from (seed, step), see `loop`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.optim import Optimizer

from sayso.core.errors import BadFile
from sayso.core.files import cannot_write

FORMAT = 1
MANIFEST, WEIGHTS, OPTIMISER = "checkpoint.json", "weights.safetensors", "optimiser.safetensors"
CURE = "remove it to go on from the one before, or start again with another --out"

Tensors = dict[str, Tensor]


@dataclass(frozen=True)
class Position:
    """Where a training stands: `batch` batches of `epoch` are done, `step` updates in all."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    best: float | None = None
    """The best score on dev so far (a loss counts as its negative), found at `best_step`."""
    best_loss: float = 0.0
    best_step: int = 0
    waited: int = 0
    """Looks at dev since then."""
    looked_at: int = -1
    """The step of the last look at dev."""


@dataclass(frozen=True)
class Checkpoints:
    """The checkpoints of one run. `identity` is everything that must be equal for one to be taken up."""

    folder: Path
    identity: Mapping[str, Any] = field(default_factory=dict)
    keep: int = 1

    def found(self) -> list[Path]:
        """Oldest first."""
        names = (path for path in self.folder.glob("checkpoint-*") if re.fullmatch(r"checkpoint-\d{8}", path.name))
        return sorted(names)

    def save(self, position: Position, network: nn.Module, optimiser: Optimizer) -> Path:
        """Write a whole new checkpoint, then drop the oldest ones."""
        place = self.folder / f"checkpoint-{position.step:08d}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            scratch = Path(tempfile.mkdtemp(prefix=".checkpoint-", suffix=".part", dir=self.folder))
            try:
                write_tensors(weights_of(network), scratch / WEIGHTS)
                write_tensors(optimiser_tensors(optimiser), scratch / OPTIMISER)
                write_manifest(scratch, {"position": asdict(position), "identity": dict(self.identity)})
                if place.exists():  # the same step again, after a run that was asked to go further
                    shutil.rmtree(place)
                scratch.chmod(0o755)
                scratch.rename(place)
                sync(self.folder)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
            for old in self.found()[: -self.keep]:
                shutil.rmtree(old, ignore_errors=True)
        except OSError as error:
            raise cannot_write(place, error) from error
        return place

    def check(self) -> tuple[Path, dict[str, Any]] | None:
        """The newest checkpoint and its manifest, if it is whole and of this run; None where there is none."""
        if not self.found():
            return None
        place = self.found()[-1]
        manifest = read_manifest(place)
        refuse_foreign(place, manifest["identity"], self.identity)
        return place, manifest

    def load(self, network: nn.Module, optimiser: Optimizer) -> Position | None:
        """Put the newest checkpoint into both and return where it stands; None where there is none."""
        found = self.check()
        if not found:
            return None
        place, manifest = found
        put_weights(network, read_tensors(place / WEIGHTS), place)
        put_optimiser(optimiser, read_tensors(place / OPTIMISER), place)
        try:
            return Position(**manifest["position"])
        except TypeError as error:
            raise BadFile(f"{place / MANIFEST} gives no place to go on from: {error}", CURE) from error

    def average(self) -> Tensors:
        """The mean of the weights of all that are kept."""
        return average([read_checked(place) for place in self.found()])


def read_checked(place: Path) -> Tensors:
    read_manifest(place)
    return read_tensors(place / WEIGHTS)


def average(parts: Sequence[Tensors]) -> Tensors:
    """The mean of every tensor, summed in double precision; whole numbers are those of the last."""
    if not parts:
        raise BadFile("there is no checkpoint to average", "train first")
    mean: Tensors = {}
    for name, last in parts[-1].items():
        if any(name not in part or part[name].shape != last.shape for part in parts):
            raise BadFile(f"checkpoints of different networks cannot be averaged: {name} differs")
        if last.is_floating_point():
            mean[name] = torch.stack([part[name].double() for part in parts]).mean(0).to(last.dtype)
        else:
            mean[name] = last.clone()
    return mean


def weights_of(network: nn.Module) -> Tensors:
    """Every parameter and buffer once, on the CPU; a tensor that two modules share goes by its first name."""
    seen: set[tuple[int, torch.Size]] = set()
    found: Tensors = {}
    for name, tensor in network.state_dict().items():
        place = (tensor.data_ptr(), tensor.shape)
        if tensor.numel() and place in seen:
            continue
        seen.add(place)
        found[name] = tensor.detach().to("cpu").contiguous().clone()
    return found


def put_weights(network: nn.Module, weights: Tensors, place: Path) -> None:
    """The inverse of `weights_of`; another network's weights are a BadFile that names the first difference."""
    expected = weights_of(network)
    for name in {**expected, **weights}:
        if name not in weights or name not in expected:
            side = "lacks" if name not in weights else "holds an unknown"
            raise BadFile(f"{place} is of another network: it {side} {name}", "use the settings it was made with")
        if weights[name].shape != expected[name].shape:
            ours, theirs = (list(one[name].shape) for one in (expected, weights))
            raise BadFile(
                f"{place} is of another network or vocabulary: {name} is {theirs} there and {ours} here",
                "use the settings and the vocabulary it was made with",
            )
    network.load_state_dict(weights, strict=False)  # the names that share a tensor are filled through the first


def optimiser_tensors(optimiser: Optimizer) -> Tensors:
    """`3.exp_avg` is the moment of the parameter with number 3."""
    return {
        f"{number}.{name}": value.detach().to("cpu").contiguous().clone()
        for number, state in optimiser.state_dict()["state"].items()
        for name, value in state.items()
    }


def put_optimiser(optimiser: Optimizer, tensors: Tensors, place: Path) -> None:
    """The rest of the optimiser's state, the rate included, comes from the settings."""
    state: dict[int, Tensors] = {}
    for key, tensor in tensors.items():
        number, _, name = key.partition(".")
        if not number.isdecimal() or not name:
            raise BadFile(f"{place / OPTIMISER} holds no optimiser's state: {key}", CURE)
        state.setdefault(int(number), {})[name] = tensor
    groups = optimiser.state_dict()["param_groups"]
    shapes = [tensor.shape for group in optimiser.param_groups for tensor in group["params"]]
    fits = sorted(state) == list(range(len(shapes))) and all(
        tensor.ndim == 0 or tensor.shape == shapes[number] for number, one in state.items() for tensor in one.values()
    )
    if not fits:
        raise BadFile(f"{place / OPTIMISER} is not of this network's optimiser", CURE)
    optimiser.load_state_dict({"state": state, "param_groups": groups})


def write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """`checkpoint.json`, with sizes and digests of every file beside it; all of it forced to disk."""
    files = {path.name: {"sha256": digest_of(path), "size": path.stat().st_size} for path in sorted(folder.iterdir())}
    manifest = {"format": FORMAT, **content, "files": files}
    manifest["digest"] = signature(manifest)
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    for path in (*folder.iterdir(), folder):
        sync(path)


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest, once it and every file that it lists are found to be what was written."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_bytes())
        if manifest["format"] != FORMAT:
            raise BadFile(f"{path} has format {manifest['format']}; this sayso reads {FORMAT}", CURE)
        if manifest["digest"] != signature(manifest):
            raise BadFile(f"{path} was altered: its digest does not fit", CURE)
        for name, facts in manifest["files"].items():
            if not (folder / name).is_file() or (folder / name).stat().st_size != facts["size"]:
                raise BadFile(f"{folder / name} is missing or cut short", CURE)
            if digest_of(folder / name) != facts["sha256"]:
                raise BadFile(f"{folder / name} was altered: it does not have the digest that was written", CURE)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadFile(f"{path} does not describe a checkpoint: {error}", CURE) from error
    return dict(manifest)


def signature(manifest: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in manifest.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_tensors(tensors: Tensors, path: Path) -> None:
    """A safetensors file; a disk that refuses is an OSError, whose number safetensors only says in words."""
    try:
        save_file(tensors, path)
    except SafetensorError as error:
        number = re.search(r"os error (\d+)", str(error))
        if not number:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1])), str(path)) from error


def read_tensors(path: Path) -> Tensors:
    """A safetensors file on the CPU."""
    try:
        return load_file(path)
    except (OSError, SafetensorError, ValueError) as error:
        raise BadFile(f"{path} does not hold weights: {error}", CURE) from error


def refuse_foreign(place: Path, theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> None:
    """One line that names the first setting in which a checkpoint differs from the run that wants it."""
    for name in {**theirs, **ours}:
        if theirs.get(name) != ours.get(name):
            raise BadFile(
                f"{place} is of another run: {name} is {theirs.get(name)} there and {ours.get(name)} here",
                "give the same settings again, or start with another --out",
            )
