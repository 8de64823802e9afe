"""Two real processes (torchrun, gloo) train as one process with twice the batch does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from safetensors.torch import load_file

from sayso.training.arrays import encoded

pytestmark = [pytest.mark.torch, pytest.mark.slow]

SCRIPT = """
import json, sys
from pathlib import Path
import torch
from sayso.models import NETWORKS
from sayso.training.arrays import load_encoded
from sayso.training.batches import Batches
from sayso.training.checkpoint import Checkpoints
from sayso.training.loop import Evaluated, Run, Step, fit
from sayso.training.settings import Training
from sayso.training.together import join_world, leave_world

folder, batch = Path(sys.argv[1]), int(sys.argv[2])
torch.set_num_threads(1)
world = join_world(torch.device("cpu"))
torch.manual_seed(0)
Settings, Network = NETWORKS["gru"]
network = Network(Settings(12, 12, embedding=8, encoder=4, decoder=8, dropout=0.0))
whole = load_encoded(folder.parent / "train.npz")
made = [Batches(whole, batch, seed=seed, rank=world.rank, world=world.size) for seed in (7, 0)]
settings = Training(epochs=3, batch=batch, rate=0.01, accumulate=2)
run = Run(seed=7, world=world, checkpoints=Checkpoints(folder), report_every=1, seconds=600)
events = list(fit(network, made[0], settings, made[1], run))
losses = [event.loss for event in events if isinstance(event, Step | Evaluated)]
if world.leads:
    (folder / "losses.json").write_text(json.dumps([world.size, losses]))
leave_world()
"""

Rows = list[tuple[list[int], list[int]]]


def test_two_processes_equal_one_with_twice_the_batch(tmp_path: Path, reversals: Callable[..., Rows]) -> None:
    rows = reversals(61)  # odd: the last batch of a bucket cannot be shared evenly
    encoded([row[0] for row in rows], None, [row[1] for row in rows], [0] * 61).save(tmp_path / "train.npz")
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    results = {}
    for name, command in {
        "one": [sys.executable, str(script), str(tmp_path / "one"), "8"],
        "two": [*torchrun, str(script), str(tmp_path / "two"), "4"],
    }.items():
        done = subprocess.run(command, capture_output=True, text=True, timeout=200)
        assert done.returncode == 0, done.stderr[-2000:]
        (checkpoint,) = (tmp_path / name).glob("checkpoint-*")
        size, losses = json.loads((tmp_path / name / "losses.json").read_text())
        results[name] = size, losses, load_file(checkpoint / "weights.safetensors")
    assert (results["one"][0], results["two"][0]) == (1, 2)
    assert len(results["one"][1]) > 10
    torch.testing.assert_close(torch.tensor(results["one"][1]), torch.tensor(results["two"][1]), rtol=1e-4, atol=1e-5)
    for name, tensor in results["one"][2].items():
        torch.testing.assert_close(tensor, results["two"][2][name], rtol=1e-3, atol=1e-4)
