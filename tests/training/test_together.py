"""Two real processes (torchrun, gloo) train as one process with twice the batch does."""

from __future__ import annotations

import json
import os
import socket
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


def test_two_processes_equal_one_with_twice_the_batch(
    tmp_path: Path, reversals: Callable[..., Rows], run_here: Callable[..., None]
) -> None:
    rows = reversals(61)  # odd: the last batch of a bucket cannot be shared evenly
    encoded([row[0] for row in rows], None, [row[1] for row in rows], [0] * 61).save(tmp_path / "train.npz")
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    run_here(script, tmp_path / "one", 8)
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    command = [*torchrun, str(script), str(tmp_path / "two"), "4"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr[-2000:]
    results = {}
    for name in ("one", "two"):
        (checkpoint,) = (tmp_path / name).glob("checkpoint-*")
        size, losses = json.loads((tmp_path / name / "losses.json").read_text())
        results[name] = size, losses, load_file(checkpoint / "weights.safetensors")
    assert (results["one"][0], results["two"][0]) == (1, 2)
    assert len(results["one"][1]) > 10
    torch.testing.assert_close(torch.tensor(results["one"][1]), torch.tensor(results["two"][1]), rtol=1e-4, atol=1e-5)
    for name, tensor in results["one"][2].items():
        torch.testing.assert_close(tensor, results["two"][2][name], rtol=1e-3, atol=1e-4)


KILLED = SCRIPT.replace(
    "events = list(fit(network, made[0], settings, made[1], run))",
    """
import os
from sayso.core.errors import SaysoError
try:
    events = []
    for event in fit(network, made[0], settings, made[1], run):
        events.append(event)
        looks = sum(isinstance(one, Evaluated) for one in events)
        if looks == 2 and world.rank == 1 and len(sys.argv) > 3:  # the first look was saved
            os.kill(os.getpid(), 9)
except SaysoError as error:
    print(f"sayso: {error.message}", file=sys.stderr)
    os._exit(error.exit_code)
""",
)


def start(script: Path, folder: Path, port: int, *more: str) -> list[subprocess.Popen[str]]:
    """Two processes as torchrun starts them, without the launcher that would end the second one too."""
    place = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2", "TORCHELASTIC_RUN_ID": "test"}
    return [
        subprocess.Popen(
            [sys.executable, str(script), str(folder), "4", *more],
            env={**os.environ, **place, "RANK": str(rank)}, stderr=subprocess.PIPE, text=True,
        )
        for rank in (0, 1)
    ]  # fmt: skip


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def test_a_killed_process_ends_the_others_with_one_line_and_the_run_can_go_on(
    tmp_path: Path, reversals: Callable[..., Rows]
) -> None:
    rows = reversals(61)
    encoded([row[0] for row in rows], None, [row[1] for row in rows], [0] * 61).save(tmp_path / "train.npz")
    script = tmp_path / "train.py"
    script.write_text(KILLED)
    lead, killed = start(script, tmp_path / "run", free_port(), "kill")
    said = lead.communicate(timeout=200)[1]
    killed.communicate(timeout=200)
    assert killed.returncode == -9
    assert lead.returncode == 1
    lines = [line for line in said.splitlines() if line.startswith("sayso: ")]
    assert lines == ["sayso: process 0 lost another of the 2 processes that train together"]
    (left,) = (tmp_path / "run").glob("checkpoint-*")

    for process in start(script, tmp_path / "run", free_port()):
        assert process.communicate(timeout=200) is not None and process.returncode == 0
    (newest,) = (tmp_path / "run").glob("checkpoint-*")
    assert newest.name > left.name
