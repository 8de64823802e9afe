"""Checkpoints: whole or not there, refused when damaged or foreign, and exact after kill -9."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from safetensors.torch import load_file
from torch import nn
from torch.optim import Adam

from sayso.core.errors import BadFile, MachineError
from sayso.training.checkpoint import Checkpoints, Position, average, put_weights, read_tensors, weights_of

pytestmark = pytest.mark.torch

# A training as a process of its own: a GRU with dropout, slowed down so that a signal finds it half-way.
SCRIPT = """
import sys, time
from pathlib import Path
import torch
from sayso.models import NETWORKS
from sayso.training.arrays import load_encoded
from sayso.training.batches import Batches
from sayso.training.checkpoint import Checkpoints
from sayso.training.loop import Run, Saved, fit
from sayso.training.settings import Training

folder, pause = Path(sys.argv[1]), float(sys.argv[2])
torch.set_num_threads(1)
torch.manual_seed(0)
Settings, Network = NETWORKS["gru"]
network = Network(Settings(12, 12, embedding=8, encoder=4, decoder=8))
whole = load_encoded(folder.parent / "train.npz")
settings = Training(epochs=100, steps=40, batch=8, rate=0.01, save_every=3, evaluate_every=7, accumulate=2)
run = Run(seed=7, checkpoints=Checkpoints(folder), report_every=1)
for event in fit(network, Batches(whole, 8, seed=7), settings, Batches(whole, 8), run):
    if isinstance(event, Saved):
        print(event.step, flush=True)
        time.sleep(pause)
"""

Rows = list[tuple[list[int], list[int]]]


@pytest.mark.slow
def test_killed_and_resumed_is_the_same_as_left_alone(
    tmp_path: Path,
    reversals: Callable[..., Rows],
    run_here: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    from sayso.training.arrays import encoded

    rows = reversals(60)
    encoded([row[0] for row in rows], None, [row[1] for row in rows], [0] * 60).save(tmp_path / "train.npz")
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)

    run_here(script, tmp_path / "alone", 0)
    whole = capsys.readouterr().out.split()
    assert whole[-1] == "40"

    # Only what is killed needs a process of its own: each loads torch anew.
    command = [sys.executable, str(script), str(tmp_path / "killed"), "0.3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        seen = [process.stdout.readline().strip() for _ in range(3)]
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        assert process.wait(30) == -signal.SIGKILL
    run_here(script, tmp_path / "killed", 0)
    assert seen + capsys.readouterr().out.split() == whole
    for name in ("weights", "optimiser"):
        last_file = f"checkpoint-00000040/{name}.safetensors"
        one, other = (load_file(tmp_path / folder / last_file) for folder in ("alone", "killed"))
        assert one.keys() == other.keys() and len(one) > 5
        assert all(torch.equal(one[key], other[key]) for key in one)


def make(width: int = 3, seed: int = 0) -> tuple[nn.Module, Adam]:
    """A network with a tensor that two modules share, and an optimiser with something to remember."""
    torch.manual_seed(seed)
    network = nn.ModuleDict({"read": nn.Embedding(5, width), "out": nn.Linear(width, 5, bias=False)})
    network["out"].weight = network["read"].weight
    network.register_buffer("count", torch.tensor(seed))
    optimiser = Adam(network.parameters())
    network["out"](network["read"](torch.tensor([1, 2]))).square().sum().backward()
    optimiser.step()
    return network, optimiser


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    network, optimiser = make()
    place = Position(step=12, epoch=1, batch=4, best=-0.25, best_step=10, waited=1, looked_at=12)
    Checkpoints(tmp_path).save(place, network, optimiser)
    other, other_optimiser = make(seed=1)
    assert Checkpoints(tmp_path).load(other, other_optimiser) == place
    wanted, found = network.state_dict(), other.state_dict()
    assert wanted.keys() == found.keys() and all(torch.equal(wanted[name], found[name]) for name in wanted)
    assert other["out"].weight is other["read"].weight  # type: ignore[index]
    before, after = (one.state_dict()["state"][0] for one in (optimiser, other_optimiser))
    assert all(torch.equal(before[name], after[name]) for name in ("step", "exp_avg", "exp_avg_sq"))


def test_a_shared_tensor_is_stored_once() -> None:
    assert list(weights_of(make()[0])) == ["count", "read.weight"]


def test_nothing_there_is_no_error(tmp_path: Path) -> None:
    assert Checkpoints(tmp_path / "none").load(*make()) is None


def test_only_the_newest_are_kept_and_the_newest_is_read(tmp_path: Path) -> None:
    kept = Checkpoints(tmp_path, keep=2)
    for step in (5, 10, 15):
        kept.save(Position(step), *make(seed=step))
    (tmp_path / ".checkpoint-abc.part").mkdir()  # what a killed process leaves
    assert [path.name for path in kept.found()] == ["checkpoint-00000010", "checkpoint-00000015"]
    network, optimiser = make()
    assert kept.load(network, optimiser) == Position(15)
    assert int(network.count) == 15  # type: ignore[arg-type]


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "weights flipped": lambda folder: flip(folder / "weights.safetensors"),
    "weights cut": lambda folder: os.truncate(folder / "weights.safetensors", 40),
    "optimiser gone": lambda folder: (folder / "optimiser.safetensors").unlink(),
    "manifest cut": lambda folder: os.truncate(folder / "checkpoint.json", 40),
    "manifest gone": lambda folder: (folder / "checkpoint.json").unlink(),
    "not an object": lambda folder: (folder / "checkpoint.json").write_text("[]"),
    "step altered": lambda folder: (folder / "checkpoint.json").write_text(
        (folder / "checkpoint.json").read_text().replace('"step": 5', '"step": 6')
    ),
    "another format": lambda folder: (folder / "checkpoint.json").write_text('{"format": 99}'),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_is_one_clear_line(tmp_path: Path, damage: str) -> None:
    folder = Checkpoints(tmp_path).save(Position(5), *make())
    DAMAGES[damage](folder)
    with pytest.raises(BadFile, match="checkpoint-00000005") as caught:
        Checkpoints(tmp_path).load(*make())
    assert "\n" not in caught.value.message and caught.value.hint


def test_a_checkpoint_of_another_run_names_the_difference(tmp_path: Path) -> None:
    Checkpoints(tmp_path, {"seed": 1, "rate": 0.1}).save(Position(5), *make())
    with pytest.raises(BadFile, match=r"of another run: rate is 0\.1 there and 0\.2 here"):
        Checkpoints(tmp_path, {"seed": 1, "rate": 0.2}).load(*make())


def test_weights_of_another_size_or_network_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"network or vocabulary: read.weight is \[5, 4\] there and \[5, 3\] here"):
        put_weights(make()[0], weights_of(make(width=4)[0]), tmp_path)
    with pytest.raises(BadFile, match="another network: it lacks count"):
        put_weights(make()[0], {"read.weight": torch.zeros(5, 3)}, tmp_path)
    with pytest.raises(BadFile, match="another network: it holds an unknown gate"):
        put_weights(make()[0], {**weights_of(make()[0]), "gate": torch.zeros(1)}, tmp_path)


def test_an_optimiser_of_another_network_is_refused(tmp_path: Path) -> None:
    folder = Checkpoints(tmp_path).save(Position(5), *make())
    manifest = json.loads((folder / "checkpoint.json").read_text())
    assert set(manifest["files"]) == {"weights.safetensors", "optimiser.safetensors"}
    network, _ = make()
    with pytest.raises(BadFile, match="not of this network's optimiser"):
        Checkpoints(tmp_path).load(network, Adam(make(width=7)[0].parameters()))


def test_text_is_no_weights_file(tmp_path: Path) -> None:
    (tmp_path / "weights.safetensors").write_text("hello")
    with pytest.raises(BadFile, match="does not hold weights"):
        read_tensors(tmp_path / "weights.safetensors")


def test_the_average_is_the_mean_of_floats_and_the_last_of_counts(tmp_path: Path) -> None:
    kept = Checkpoints(tmp_path, keep=3)
    networks = [make(seed=seed) for seed in (1, 2, 3)]
    for step, (network, optimiser) in enumerate(networks):
        kept.save(Position(step), network, optimiser)
    mean = kept.average()
    wanted = torch.stack([weights_of(network)["read.weight"] for network, _ in networks]).mean(0)
    torch.testing.assert_close(mean["read.weight"], wanted)
    assert int(mean["count"]) == 3


def test_different_networks_have_no_average() -> None:
    with pytest.raises(BadFile, match=r"read\.weight differs"):
        average([weights_of(make()[0]), weights_of(make(width=4)[0])])
    with pytest.raises(BadFile, match="no checkpoint"):
        average([])


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, match="cannot write"):
        Checkpoints(tmp_path / "file" / "run").save(Position(1), *make())


@pytest.fixture
def small_files() -> Iterator[None]:
    """No file may grow above 2,000 bytes: what a full disk does, where a test may not fill one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_one_clear_line_and_leaves_the_checkpoint_before(tmp_path: Path, small_files: None) -> None:
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(Position(1), *make(width=2))
    with pytest.raises(MachineError, match=r"cannot write .*checkpoint-00000002: File too large"):
        checkpoints.save(Position(2), *make(width=400))
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-00000001"]
    assert checkpoints.load(*make(width=2)) == Position(1)
