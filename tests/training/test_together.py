"""Two real processes (torchrun, gloo) train as one process with twice the batch does."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
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


LAUNCHER = """
import json, os, runpy, sys
import torch
import sayso.models, sayso.training.checkpoint, sayso.training.loop, sayso.training.together
from sayso.models import NETWORKS

for line in sys.stdin:
    asked = json.loads(line)
    started = []
    for rank in (0, 1):
        process = os.fork()
        if process == 0:
            os.environ |= asked["place"] | {"RANK": str(rank)}
            sys.argv = [asked["script"], *asked["words"]]
            said = os.open(f"{asked['folder']}.stderr-{rank}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(said, 2)
            code = 1
            try:
                runpy.run_path(asked["script"], run_name="__main__")
                code = 0
            except BaseException as error:
                print(repr(error), file=sys.stderr)
            finally:
                sys.stderr.flush()
                os._exit(code)
        started.append(process)
    codes = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in started]
    print(json.dumps(codes), flush=True)
"""


@pytest.fixture
def launcher(tmp_path: Path) -> Iterator[Callable[..., list[tuple[int, str]]]]:
    """launch(script, folder, port, …): two processes as torchrun starts them, without the launcher that would end the
    second one too; the code and the words of each. Torch is loaded once, by what they are forked from."""
    (tmp_path / "launcher.py").write_text(LAUNCHER)
    command = [sys.executable, str(tmp_path / "launcher.py")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def launch(script: Path, folder: Path, port: int, *more: str) -> list[tuple[int, str]]:
        place = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2", "TORCHELASTIC_RUN_ID": "test"}
        asked = {"script": str(script), "folder": str(folder), "words": [str(folder), "4", *more], "place": place}
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        codes = json.loads(process.stdout.readline())
        return [(code, Path(f"{folder}.stderr-{rank}").read_text()) for rank, code in enumerate(codes)]

    yield launch
    process.communicate(timeout=30)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def test_a_killed_process_ends_the_others_with_one_line_and_the_run_can_go_on(
    tmp_path: Path, reversals: Callable[..., Rows], launcher: Callable[..., list[tuple[int, str]]]
) -> None:
    rows = reversals(61)
    encoded([row[0] for row in rows], None, [row[1] for row in rows], [0] * 61).save(tmp_path / "train.npz")
    script = tmp_path / "train.py"
    script.write_text(KILLED)
    (lead, said), (killed, _) = launcher(script, tmp_path / "run", free_port(), "kill")
    assert killed == -9
    assert lead == 1
    lines = [line for line in said.splitlines() if line.startswith("sayso: ")]
    assert lines == ["sayso: process 0 lost another of the 2 processes that train together"]
    (left,) = (tmp_path / "run").glob("checkpoint-*")

    for code, words in launcher(script, tmp_path / "run", free_port()):
        assert code == 0, words
    (newest,) = (tmp_path / "run").glob("checkpoint-*")
    assert newest.name > left.name
