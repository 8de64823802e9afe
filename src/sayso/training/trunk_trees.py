"""`python -m sayso.training.trunk_trees`: go on with a notebook trunk on asked cells, on a CPU or a GPU.

Rows of one notebook are learnt as a tree (training/trees). The rate follows the clock; the last part runs under
rounding to four bits, as the exported trunk computes. Words stay as they are. What it writes is what
`training.export_cells` reads; floats lie beside it, to go on from.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from sayso.models.llama import Llama, round_as_shipped
from sayso.training.pieces import Outbox
from sayso.training.trees import Tree, batches, forest, read_rows
from sayso.training.trunk_streams import Clock, open_bundle, rate_at, say, ship
from sayso.training.trunk_streams import Plan as StreamPlan

FLOATS = "floats.safetensors"


@dataclass(frozen=True)
class Plan:
    """How it learns; shares are of the time for training."""

    rate: float = 3e-4
    nodes: int = 1536
    """Of a step."""
    tree: int = 448
    """Nodes of one tree at most, about."""
    rounded_from: float = 0.55
    decay: float = 0.01
    clip: float = 1.0
    threads: int = 1
    """Of a busy machine several wait for each other more than they compute."""


def lessons(network: Llama, trees: Sequence[Tree]) -> tuple[Tensor, int]:
    """The sum of the losses of all that is said in some trees, and how many ids that are."""
    longest = max(len(tree.ids) for tree in trees)
    ids = torch.zeros((len(trees), longest), dtype=torch.long)
    places = torch.zeros((len(trees), longest), dtype=torch.long)
    # A node that only fills up looks at itself: a row of nothing has no softmax.
    seen = torch.eye(longest, dtype=torch.bool).repeat(len(trees), 1, 1)
    for n, tree in enumerate(trees):
        size = len(tree.ids)
        ids[n, :size], places[n, :size] = torch.from_numpy(tree.ids), torch.from_numpy(tree.places)
        seen[n, :size, :size] = torch.from_numpy(tree.seen)
    after = torch.cat([torch.from_numpy(tree.said[:, 0]) + n * longest for n, tree in enumerate(trees)])
    labels = torch.cat([torch.from_numpy(tree.said[:, 1]) for tree in trees])
    device = network.embed_tokens.weight.device
    ids, places, seen, after, labels = (one.to(device) for one in (ids, places, seen, after, labels))
    with torch.autocast(device.type, torch.bfloat16):
        hidden = network.read_trees(network.embed(ids), places, seen).flatten(0, 1)[after]
        logits = network.logits(hidden)
    return F.cross_entropy(logits.float(), labels, reduction="sum"), len(labels)


def held_loss(network: Llama, trees: Sequence[Tree], plan: Plan) -> float:
    lost, counted = 0.0, 0
    with torch.no_grad():
        for batch in batches(trees, 2 * plan.nodes):
            one, n = lessons(network, batch)
            lost, counted = lost + float(one), counted + n
    return lost / max(1, counted)


def fit(network: Llama, rows: Path, plan: Plan, seconds: float, out: Path) -> dict[str, Any]:
    """Train until the time is up."""
    draw = random.Random(17)
    learnt = [one for one in network.parameters() if one.requires_grad]
    grouped = [
        {"params": [one for one in learnt if one.ndim > 1], "weight_decay": plan.decay},
        {"params": [one for one in learnt if one.ndim < 2], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(grouped, lr=plan.rate, betas=(0.9, 0.98), fused=True)
    read = read_rows(rows)
    held = forest([row for row in read if row.is_held], plan.tree, random.Random(17))
    kept = [row for row in read if not row.is_held]
    say(f"{len(kept):,} rows, {len(read) - len(kept):,} held; held loss {held_loss(network, held, plan):.4f}")
    clock, step, nodes, epoch, is_rounded = Clock(time.monotonic() + seconds), 0, 0, 0, False
    curve: list[dict[str, float]] = []
    losses: list[float] = []
    schedule = StreamPlan(rate=plan.rate, least=0.05)
    while clock.share() < 1:
        trees = forest(kept, plan.tree, draw)
        if not epoch:
            say(f"an epoch has {len(trees):,} trees of {sum(len(tree.ids) for tree in trees):,} nodes")
        for batch in batches(trees, plan.nodes):
            if clock.share() >= 1:
                break
            if not is_rounded and clock.share() >= plan.rounded_from:
                say(f"floats: held loss {held_loss(network, held, plan):.4f} after {step} steps, epoch {epoch}")
                round_as_shipped(network, is_rounded=True)
                is_rounded = True
            for group in optimiser.param_groups:
                group["lr"] = rate_at(clock.share(), schedule)
            lost, n = lessons(network, batch)
            (lost / n).backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(learnt, plan.clip)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            step, nodes = step + 1, nodes + sum(len(tree.ids) for tree in batch)
            losses.append(float(lost.detach()) / n)
            if step % 20 == 0:
                told = {"step": step, "share": round(clock.share(), 4), "loss": round(sum(losses) / len(losses), 4),
                        "epoch": epoch, "nodes": nodes, "seconds": round(time.monotonic() - clock.began)}  # fmt: skip
                losses = []
                if step % 100 == 0:
                    told["held"] = round(held_loss(network, held, plan), 4)
                    save_file({name: one.contiguous() for name, one in network.state_dict().items()}, out / FLOATS)
                curve.append(told)
                say(json.dumps(told))
                (out / "curve.json").write_text(json.dumps(curve))
        epoch += 1
    if not is_rounded:
        round_as_shipped(network, is_rounded=True)
    loss = held_loss(network, held, plan)
    say(f"rounded: held loss {loss:.4f} after {step} steps of {epoch} epochs")
    save_file({name: one.contiguous() for name, one in network.state_dict().items()}, out / FLOATS)
    return {"steps": step, "nodes": nodes, "epochs": epoch, "held_loss": round(loss, 4), "rows": len(kept)}


def main(argv: Sequence[str]) -> int:
    began = time.monotonic()
    parser = argparse.ArgumentParser(prog="python -m sayso.training.trunk_trees", description=__doc__)
    parser.add_argument("--bundle", type=Path, required=True, help="the notebook trunk's bundle to begin with")
    parser.add_argument("--words", type=Path, required=True, help="the bundle of the trunk whose words it uses")
    parser.add_argument("--rows", type=Path, required=True, help="rows as experiments.asked_rows writes them")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--start", type=Path, help="floats of an earlier run to go on from")
    parser.add_argument("--rate", type=float, default=Plan.rate)
    parser.add_argument("--nodes", type=int, default=Plan.nodes)
    parser.add_argument("--rounded-from", type=float, default=Plan.rounded_from)
    parser.add_argument("--threads", type=int, default=Plan.threads)
    args = parser.parse_args(argv)
    plan = Plan(rate=args.rate, nodes=args.nodes, rounded_from=args.rounded_from, threads=args.threads)
    torch.set_num_threads(plan.threads)
    torch.manual_seed(17)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = open_bundle(args.bundle, device, args.words)
    if args.start:
        network.load_state_dict(load_file(args.start))
    args.out.mkdir(parents=True, exist_ok=True)
    facts = fit(network, args.rows, plan, args.seconds, args.out)
    facts |= {"device": device.type, "torch": torch.__version__, "seconds": round(time.monotonic() - began, 1)}
    ship(network, Outbox(args.out), facts)
    (args.out / "facts.json").write_text(json.dumps(facts))
    say(json.dumps(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
