"""Updates a second of the 6 + 6 layers of 512 on NL2Bash batches, against `transformers` T5 of the same weights.

Both get the same padded batches, dropout, clipping and fused Adam; on a GPU both compute in bf16 and ours records CUDA
graphs, on a CPU both compute in fp32 on one thread. Rounds alternate, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import Row
from benchmarks.nl2bash_ids import Ids, find_ids

AIMS = {"cuda": 3.0, "cpu": 1.2}
RATE, CLIP = 3e-4, 1.0
Step = Callable[[Any], object]


def run(device: str = "auto", data: Path | None = None, *, tiny: bool = False, compiled: bool = False) -> list[Row]:
    """One row, whose ratio is to `transformers`; none without the corpus."""
    ids = find_ids(data)
    if ids is None:
        print("training: NL2Bash is not on this machine (set SAYSO_DATA)", file=sys.stderr)
        return []
    import torch

    from sayso.training.runner import find_device

    place = find_device(device)
    torch.set_num_threads(1)
    return [compare(ids, place, tiny=tiny, compiled=compiled)]


def compare(ids: Ids, device: Any, *, tiny: bool, compiled: bool) -> Row:
    from benchmarks.t5 import as_t5, same_shape, t5_inputs

    sizes = {"width": 32, "heads": 2, "layers": 1, "feed_forward": 64} if tiny else {}
    ours = same_shape(ids.words, **sizes).to(device)
    theirs = as_t5(ours)
    agree(ours, theirs, ids, device)
    batches = make_batches(ids, device, tiny=tiny, one_shape=compiled)
    inputs = [t5_inputs(batch) for batch in batches]
    our_step, their_step = our_update(ours, device), their_update(theirs, device, compiled=compiled)
    warm_up(our_step, batches, their_step, inputs, device)
    ours_seconds, theirs_seconds = alternate(our_step, batches, their_step, inputs, device)
    rate = 1 / statistics.fmean(ours_seconds)
    ratio = statistics.fmean(theirs_seconds) / statistics.fmean(ours_seconds)
    how = "compiled" if compiled else "eager"
    return Row(
        f"training step, 6 + 6 × 512, {device.type}",
        rate,
        "updates/s" if device.type == "cuda" else "updates/CPU-s",
        len(ours_seconds),
        ratio,
        f"transformers T5 ({how})",
        at_least=None if compiled else AIMS[device.type],
    )


def warm_up(our_step: Step, batches: Sequence[Any], their_step: Step, inputs: Sequence[Any], device: Any) -> None:
    """A GPU's shapes are recorded and compiled once, which is not counted; a CPU has nothing to record."""
    shapes = {tuple(batch.source.shape) + tuple(batch.target.shape): at for at, batch in enumerate(batches)}
    for at in shapes.values() if device.type == "cuda" else (0,):
        for _ in range(3 if device.type == "cuda" else 1):
            our_step(batches[at])
            their_step(inputs[at])


def agree(ours: Any, theirs: Any, ids: Ids, device: Any) -> None:
    """Before anything is trained both give the same loss: they are one function."""
    import torch

    from benchmarks.t5 import t5_inputs
    from sayso.training.batches import Batches

    batch = next(Batches(ids.dev, 8, shapes=4, device=device).in_order())
    ours.eval()
    theirs.eval()
    with torch.no_grad():
        loss, tokens = ours.loss(batch)
        apart = abs(float(loss / tokens) - float(theirs(**t5_inputs(batch)).loss))
    ours.train()
    theirs.train()
    if apart > 0.01:
        print(f"training: this T5 is another function, its loss differs by {apart:.3f}", file=sys.stderr, flush=True)


def make_batches(ids: Ids, device: Any, *, tiny: bool, one_shape: bool) -> list[Any]:
    """The first batches of an epoch, as training makes them."""
    from sayso.training.batches import Batches

    on_gpu = device.type == "cuda"
    made = Batches(ids.train, 128 if on_gpu else 16, shapes=8, device=device, fixed=on_gpu)
    whole = list(made.epoch(0)) if on_gpu else [batch for batch, _ in zip(made.epoch(0), range(12), strict=False)]
    if one_shape:
        shapes = [tuple(batch.source.shape) + tuple(batch.target.shape) for batch in whole]
        common = statistics.mode(shapes)
        whole = [batch for batch, shape in zip(whole, shapes, strict=True) if shape == common]
    return whole[:3] if tiny else whole


def our_update(network: Any, device: Any) -> Step:
    from sayso.training.loop import Run, make_optimiser, update
    from sayso.training.settings import Training
    from sayso.training.speed import make_backward

    settings = Training(rate=RATE, clip=CLIP, speed="auto", steps=1_000_000)
    optimiser, backward = make_optimiser(network, settings, device), make_backward(network, settings, device)
    count = iter(range(1, 1_000_000))
    return lambda batch: update(optimiser, backward, [batch], RATE, settings, Run(), next(count))


def their_update(network: Any, device: Any, *, compiled: bool) -> Step:
    import torch

    optimiser = torch.optim.Adam(network.parameters(), RATE, fused=True)
    forward = torch.compile(network, dynamic=False) if compiled else network
    lower = device.type == "cuda"

    def step(inputs: dict[str, Any]) -> None:
        optimiser.zero_grad(set_to_none=True)
        with torch.autocast(device.type, torch.bfloat16, enabled=lower):
            loss = forward(**inputs).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), CLIP)
        optimiser.step()

    return step


def alternate(
    our_step: Step, batches: Sequence[Any], their_step: Step, inputs: Sequence[Any], device: Any
) -> tuple[list[float], list[float]]:
    """Seconds of every update: of the wall on a GPU, in groups of ten, of one core on a CPU."""
    import torch

    size = 10 if device.type == "cuda" else 1
    clock = time.perf_counter if device.type == "cuda" else time.process_time

    def seconds(step: Step, group: Sequence[Any]) -> float:
        if device.type == "cuda":
            torch.cuda.synchronize()
        start = clock()
        for one in group:
            step(one)
        if device.type == "cuda":
            torch.cuda.synchronize()
        return (clock() - start) / len(group)

    ours, theirs = [], []
    for at in range(0, len(batches), size):
        ours.append(seconds(our_step, batches[at : at + size]))
        theirs.append(seconds(their_step, inputs[at : at + size]))
    return ours, theirs


def main(argv: Sequence[str]) -> int:
    """For a machine that has only torch and transformers: `--data` is a folder of ids."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=__doc__)
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (auto)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="train.npz and dev.npz instead of the corpus")
    parser.add_argument("--tiny", action="store_true", help="a small network and three batches, to try the path")
    parser.add_argument("--compiled", action="store_true", help="the peer through torch.compile, on its best shape")
    args = parser.parse_args(argv)
    rows = run(args.device, args.data, tiny=args.tiny, compiled=args.compiled)
    print(json.dumps([asdict(row) for row in rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
