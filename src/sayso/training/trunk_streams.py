"""`python -m sayso.training.trunk_streams`: go on with a trunk on notebooks and asked cells; torch alone is needed.

The rate follows the clock, so that any machine ends in time: warm up, a cosine, the last part under rounding to four
bits. Weights go out before anything is answered. The words stay as they are and are not sent.
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load, save
from torch import Tensor, nn

from sayso.english.vocabulary import BOS, EOS, PAD
from sayso.models.batch import Batch
from sayso.models.int4 import Packed, pack, unpack
from sayso.models.llama import Llama, LlamaSettings, least_needed, leave_as_shipped, round_as_shipped
from sayso.models.lora import Matrix
from sayso.models.trunk_folder import CONFIG, PREFIX, load_trunk_folder, read_json, settings_of
from sayso.models.trunk_folder import WEIGHTS as FOLDER_WEIGHTS
from sayso.models.trunk_folder import read_tensors as read_folder
from sayso.neural.weights import FUSED, TrunkShape, part_sizes, read_tensors, whole
from sayso.training.pieces import Outbox, join_pieces
from sayso.training.streams import LENGTHS, WINDOW, Ids, Rows, batches, filled, read_windows, rows_by_length
from sayso.training.trunk_start import drop_layers

WEIGHTS, EMBEDDING = "weights.safetensors", "embed_tokens.weight"
PARTS = 48
BACK = 0.25
"""Of what exercises give, left out anew in every epoch."""


@dataclass(frozen=True)
class Plan:
    """How it learns; shares are of the time for training."""

    rate: float = 8e-4
    micro: int = 32 * 1024
    accumulate: int = 2
    warm: float = 0.03
    rounded_from: float = 0.8
    least: float = 0.02
    clip: float = 1.0
    decay: float = 0.02
    temperature: float = 0.7
    top: float = 0.95
    drawn: int = 5
    longest: int = 256
    together: int = 384


def open_trunk(folder: Path, layers: int, probe: Tensor, device: torch.device) -> tuple[Llama, list[int]]:
    """The network of a pretrained trunk's folder without the layers that do least for some ids, and which these are."""
    network = load_trunk_folder(folder, device=str(device)).eval()
    dropped = least_needed(network, probe.to(device), network.settings.layers - layers)
    drop_layers(network, dropped)
    network.embed_tokens.weight.requires_grad_(False)
    return network.train(), dropped


def open_sent(results: Path, trunk: Path, device: torch.device) -> Llama:
    """The network that an earlier run sent home, with the words of its trunk's folder."""
    stored = load(join_pieces(results)[WEIGHTS])
    weights = {name: one.float() for name, one in stored.items() if name.endswith("norm.weight")}
    weights |= {
        name.removesuffix(".q"): unpack(Packed(one, stored[name.removesuffix("q") + "d"]))
        for name, one in stored.items()
        if name.endswith(".q")
    }
    settings = settings_of(read_json(trunk / CONFIG), trunk / CONFIG)
    layers = 1 + max(int(name.split(".")[1]) for name in stored if name.startswith("layers."))
    network = Llama(replace(settings, layers=layers, dropout=0.0))
    words = read_folder(trunk / FOLDER_WEIGHTS)[PREFIX + EMBEDDING].float()
    network.load_state_dict({EMBEDDING: words, **weights})
    return network.to(device)


def open_bundle(folder: Path, device: torch.device) -> Llama:
    """The network of a trunk's bundle, its numbers as floats; files may be packed."""
    about = json.loads((folder / "bundle.json").read_text())["settings"]["shape"]
    shape = TrunkShape(**about)
    stored: dict[str, Any] = {}
    for path in sorted(folder.glob("weights-*.safetensors*")):
        content = path.read_bytes()
        stored |= read_tensors(lzma.decompress(content) if path.suffix == ".xz" else content, path.name)
    settings = LlamaSettings(
        shape.vocabulary, shape.vocabulary, shape.width, shape.heads, shape.key_heads, shape.layers,
        shape.feed_forward, shape.theta, shape.epsilon, dropout=0.0,
    )  # fmt: skip
    weights = {"embed_tokens.weight": whole(stored["embed.q"], stored["embed.d"], 8), "norm.weight": stored["norm"]}
    for layer in range(shape.layers):
        name = f"layers.{layer}"
        weights[f"{name}.input_layernorm.weight"] = stored[f"{name}.input_norm"]
        weights[f"{name}.post_attention_layernorm.weight"] = stored[f"{name}.post_norm"]
        for fused, parts in FUSED.items():
            matrix = whole(stored[f"{name}.{fused}.q"], stored[f"{name}.{fused}.d"], 4)
            ends = np.cumsum(part_sizes(fused, shape))[:-1]
            for part, one in zip(parts, np.split(matrix, ends), strict=True):
                weights[f"{name}.{part}.weight"] = one
    network = Llama(settings)
    network.load_state_dict({key: torch.tensor(np.asarray(one, np.float32)) for key, one in weights.items()})
    network.embed_tokens.weight.requires_grad_(False)
    return network.to(device)


def lessons(network: Llama, ids: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """The weighted sum of losses of (rows, length) ids, and the sum of weights."""
    labels = F.pad(ids[:, 1:], (0, 1), value=PAD)
    counted = F.pad(weights[:, 1:], (0, 1)).float()
    hidden, _ = network.read(network.embed(ids))
    logits = network.logits(hidden).float()
    lost = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none").view_as(counted)
    return (lost * counted).sum(), counted.sum()


class Clock:
    """How far training is, from 0 to 1."""

    def __init__(self, until: float) -> None:
        self.began, self.until = time.monotonic(), until

    def share(self) -> float:
        return min(1.0, (time.monotonic() - self.began) / max(1e-6, self.until - self.began))


def rate_at(share: float, plan: Plan) -> float:
    if share < plan.warm:
        return plan.rate * max(0.02, share / plan.warm)
    down = (share - plan.warm) / (1 - plan.warm)
    return plan.rate * (plan.least + (1 - plan.least) * 0.5 * (1 + math.cos(math.pi * down)))


def epochs(windows: Sequence[Ids], pool: ProcessPoolExecutor, ids: int) -> Iterator[tuple[int, Rows]]:
    """Batches without an end; an epoch is made by other processes while the one before is learnt."""
    chunks = [windows[start::PARTS] for start in range(PARTS)]

    def begin(number: int) -> list[Any]:
        return [pool.submit(rows_by_length, chunk, 1000 * number + place, BACK) for place, chunk in enumerate(chunks)]

    number, coming = 0, begin(0)
    while True:
        here = batches((one.result() for one in coming), ids, number)
        coming = begin(number + 1)
        for batch in here:
            yield number, batch
        number += 1


def on(device: torch.device, rows: Rows) -> tuple[Tensor, Tensor]:
    ids, weights = torch.from_numpy(rows.ids), torch.from_numpy(rows.weights)
    return ids.to(device, non_blocking=True).long(), weights.to(device, non_blocking=True)


def loss_of(network: Llama, rows: Rows, device: torch.device, micro: int) -> float:
    lost = counted = 0.0
    # Batches as they are learnt, with gradients, though none are asked for: that forward pass is compiled already.
    together = max(1, micro // rows.ids.shape[1])
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        for start in range(0, len(rows.ids), together):
            one, n = lessons(network, *on(device, rows.taken(np.arange(start, start + together) % len(rows.ids))))
            lost, counted = lost + float(one.detach()), counted + float(n)
    return round(lost / max(1.0, counted), 4)


def fit(network: Llama, windows: Sequence[Ids], looks: Mapping[str, Rows], plan: Plan, pool: ProcessPoolExecutor,
        until: float, device: torch.device, out: Outbox) -> dict[str, Any]:  # fmt: skip
    """Train until the time is up; `looks` are rows to tell the loss of now and then."""
    learnt = [one for one in network.parameters() if one.requires_grad]
    grouped = [
        {"params": [one for one in learnt if one.ndim > 1], "weight_decay": plan.decay},
        {"params": [one for one in learnt if one.ndim < 2], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(grouped, lr=plan.rate, betas=(0.9, 0.95), fused=device.type == "cuda")
    curve: list[dict[str, float]] = []
    clock, step, ids_read, is_rounded, losses = Clock(until), 0, 0, False, []
    source = epochs(windows, pool, plan.micro)
    told, number = time.monotonic(), 0

    def look() -> dict[str, float]:
        return {name: loss_of(network, rows, device, plan.micro) for name, rows in looks.items()}

    while clock.share() < 1:
        if not is_rounded and clock.share() >= plan.rounded_from:
            curve.append({"step": step, "share": clock.share(), **look()})
            say(f"floats: {curve[-1]} after {ids_read:,} ids, epoch {number}")
            round_as_shipped(network, is_rounded=True)
            is_rounded = True
        rate = rate_at(clock.share(), plan)
        for group in optimiser.param_groups:
            group["lr"] = rate
        total = torch.zeros((), device=device)
        counted = torch.zeros((), device=device)
        for _ in range(plan.accumulate):
            number, rows = next(source)
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                lost, n = lessons(network, *on(device, rows))
            # Sums of about 25,000 labels: divided by a number that stays, so that halves weigh alike.
            (lost / (plan.micro * plan.accumulate / 4)).backward()  # type: ignore[no-untyped-call]
            total, counted = total + lost.detach(), counted + n
            ids_read += rows.ids.size
        nn.utils.clip_grad_norm_(learnt, plan.clip)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        step += 1
        losses.append(total / counted)
        if step % 50 == 0 or step in (1, 5, 20):
            loss = float(torch.stack(losses).mean())
            losses = []
            taken, told = time.monotonic() - told, time.monotonic()
            entry = {"step": step, "share": round(clock.share(), 4), "loss": round(loss, 4), "rate": rate,
                     "epoch": number, "ids": ids_read, "seconds": round(taken, 2)}  # fmt: skip
            if step % 200 == 0:
                entry |= look()
                told = time.monotonic()
            curve.append(entry)
            say(json.dumps(entry))
            write(out.folder / "curve.json", json.dumps(curve).encode())
    last = look()
    curve.append({"step": step, "share": 1.0, "ids": ids_read, **last})
    say(f"rounded: {curve[-1]}, epoch {number}")
    write(out.folder / "curve.json", json.dumps(curve).encode())
    return {"steps": step, "ids": ids_read, "epochs": number, **last}


def write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def ship(network: Llama, out: Outbox, facts: dict[str, Any]) -> None:
    """All matrices in four bits, and the norms."""
    weights: dict[str, Tensor] = {}
    for name, module in network.named_modules():
        if isinstance(module, Matrix):
            packed = pack(module.weight.detach())
            weights |= {f"{name}.weight.q": packed.q.cpu(), f"{name}.weight.d": packed.d.cpu()}
        elif isinstance(module, nn.RMSNorm):
            weights[f"{name}.weight"] = module.weight.detach().half().cpu()
    fits = out.put(WEIGHTS, save(weights, {"facts": json.dumps(facts)}))
    say(f"weights {'are out' if fits else 'FOUND NO ROOM'}")


def answers(network: Llama, prompts: Sequence[Sequence[int]], plan: Plan, device: torch.device) -> list[list[Any]]:
    """For every prompt the likeliest answer, an id at a time, and some that are drawn: [ids, log-probability]."""
    rows = 1 + plan.drawn
    longest = max(map(len, prompts)) - 1
    source = torch.zeros((len(prompts), longest), dtype=torch.long, device=device)
    for place, prompt in enumerate(prompts):
        source[place, : len(prompt) - 1] = torch.tensor(list(prompt[:-1]), device=device)
    batch = Batch(source, source, source[:, :0], 0)
    n = len(prompts) * rows
    is_first = torch.arange(n, device=device) % rows == 0
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        state = network.start(batch, plan.longest + 16)
        last = torch.full((n,), BOS, dtype=torch.long, device=device)
        said = torch.full((n, plan.longest), PAD, dtype=torch.long, device=device)
        score = torch.zeros(n, device=device)
        is_over = torch.zeros(n, dtype=torch.bool, device=device)
        parents = torch.arange(len(prompts), device=device).repeat_interleave(rows)
        for place in range(plan.longest):
            # The first step makes one row of each prompt into several.
            log_probs, state = network.step(state, last, parents if place == 0 else torch.arange(n, device=device))
            log_probs = log_probs.float()
            likely = log_probs.argmax(-1)
            sharp = (log_probs / plan.temperature).softmax(-1)
            top, ids = sharp.topk(40, -1)
            kept = top.cumsum(-1) - top < plan.top
            drawn = ids.gather(1, torch.multinomial(top * kept + 1e-12, 1))[:, 0]
            last = torch.where(is_first, likely, drawn)
            score = score + torch.where(is_over, 0.0, log_probs.gather(1, last[:, None])[:, 0])
            said[:, place] = torch.where(is_over, PAD, last)
            is_over = is_over | (last == EOS)
            if place % 16 == 15 and bool(is_over.all()):
                break
    found = []
    for row, total in zip(said.cpu().tolist(), score.cpu().tolist(), strict=True):
        end = row.index(EOS) + 1 if EOS in row else next((i for i, one in enumerate(row) if one == PAD), len(row))
        found.append([row[:end], round(total, 4)])
    return [found[start : start + rows] for start in range(0, n, rows)]


def answer_all(network: Llama, asked: Sequence[dict[str, Any]], plan: Plan, device: torch.device, out: Outbox,
               until: float) -> None:  # fmt: skip
    """Prompts of like lengths together; what is answered when time is up goes out."""
    found: dict[str, list[Any]] = {}
    order = sorted(range(len(asked)), key=lambda one: (asked[one]["rank"], len(asked[one]["prompt"])))
    took = 0.0
    for start in range(0, len(order), plan.together):
        if time.monotonic() + 1.3 * took > until:
            say(f"time is up: {len(found)} of {len(order)} answered")
            break
        began = time.monotonic()
        some = [asked[place] for place in order[start : start + plan.together]]
        for one, said in zip(some, answers(network, [one["prompt"] for one in some], plan, device), strict=True):
            found[one["id"]] = said
        took = max(took, time.monotonic() - began)
        say(f"answered {len(found)} of {len(order)} in {time.monotonic() - began:.1f} s")
        write(out.folder / "answers.json.xz", lzma.compress(json.dumps(found).encode(), preset=1))


def say(text: str) -> None:
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stdout.flush()


def main(argv: Sequence[str]) -> int:
    began = time.monotonic()
    parser = argparse.ArgumentParser(prog="python -m sayso.training.trunk_streams", description=__doc__)
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--bundle", type=Path, help="the trunk's bundle to begin with")
    start.add_argument("--trunk", type=Path, help="or a pretrained trunk's folder")
    parser.add_argument("--sent", type=Path, metavar="DIR", help="with --trunk: what a run sent home; answers alone")
    parser.add_argument("--layers", type=int, default=24, help="of that folder's trunk that stay (%(default)s)")
    parser.add_argument(
        "--train", type=Path, default=[], action="append", metavar="FILE",
        help="windows, as experiments/notebook_streams and asked_rows pack them; may be repeated",
    )  # fmt: skip
    parser.add_argument("--held", type=Path, metavar="FILE", help="windows whose loss is told and which are not learnt")
    parser.add_argument("--asked", type=Path, required=True, help="prompts to answer, packed JSON")
    parser.add_argument("--rounded-from", type=float, default=Plan.rounded_from, help="share of the time (%(default)s)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True, help="of everything together")
    parser.add_argument("--answering", type=float, default=100.0, help="seconds of that for answers (%(default)s)")
    parser.add_argument("--rate", type=float, default=Plan.rate)
    parser.add_argument(
        "--micro", type=int, default=Plan.micro, help="ids that are learnt from at a time (%(default)s)"
    )
    parser.add_argument("--longest", type=int, default=Plan.longest)
    parser.add_argument("--most", type=int, default=0, help="windows and prompts at most, for a trial")
    args = parser.parse_args(argv)
    plan = Plan(rate=args.rate, micro=args.micro, longest=args.longest, rounded_from=args.rounded_from)
    pool = ProcessPoolExecutor(12)
    windows = [window for path in args.train for window in read_windows(path)[: args.most or None]]
    asked = json.loads(lzma.decompress(args.asked.read_bytes()))
    asked = asked[: args.most] if args.most else asked
    looks = {"dev": json_rows(asked)}
    if args.held:
        looks["held"] = rows_by_length(read_windows(args.held)[: args.most or None], 0, 0.0)[LENGTHS[0]]
    say(f"{len(windows):,} windows, {len(asked):,} prompts read in {time.monotonic() - began:.1f} s")
    list(pool.map(abs, range(12)))  # processes are made before a device is touched
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(17)
    torch.set_float32_matmul_precision("high")
    facts: dict[str, Any] = {}
    if args.sent:
        network = open_sent(args.sent, args.trunk, device)
    elif args.bundle:
        network = open_bundle(args.bundle, device)
    else:
        probe = torch.from_numpy(filled(windows[:: max(1, len(windows) // 16)][:16], WINDOW).ids).long()
        network, facts["dropped"] = open_trunk(args.trunk, args.layers, probe, device)
    if device.type == "cuda":
        torch._dynamo.config.suppress_errors = True  # what cannot be compiled runs as it is
        for block in network.layers:
            block.compile()
    args.out.mkdir(parents=True, exist_ok=True)
    out = Outbox(args.out)
    ends = began + args.seconds
    try:
        facts |= {} if args.sent else fit(network, windows, looks, plan, pool, ends - args.answering, device, out)
    except RuntimeError as error:  # what was learnt until then goes home all the same
        say(f"FAILED {type(error).__name__}: {error}")
        facts["failed"] = str(error)[:500]
        torch.cuda.empty_cache()
    pool.shutdown(cancel_futures=True)
    facts |= {"device": torch.cuda.get_device_name() if device.type == "cuda" else "cpu", "torch": torch.__version__}
    if not args.sent:
        ship(network, out, facts)
    leave_as_shipped(network)
    answer_all(network, asked, plan, device, out, ends)
    facts["seconds"] = round(time.monotonic() - began, 1)
    if device.type == "cuda":
        facts["memory"] = torch.cuda.max_memory_allocated()
    write(out.folder / "facts.json", json.dumps(facts).encode())
    say(json.dumps(facts))
    return 0


def json_rows(asked: Sequence[dict[str, Any]], n: int = 256, length: int = 1024) -> Rows:
    """The first prompts of dev with what was written, a loss on that alone."""
    some = [one for one in asked if one["id"].startswith("dev ") and len(one["prompt"]) < length - 32][:n]
    ids = np.zeros((len(some), length), np.int16)
    weights = np.zeros((len(some), length), np.float16)
    for row, one in enumerate(some):
        line = [*one["prompt"], *one["answer"]][:length]
        ids[row, : len(line)] = line
        weights[row, len(one["prompt"]) : len(line)] = 1
    return Rows(ids, weights)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
