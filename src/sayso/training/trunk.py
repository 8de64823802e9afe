"""`python -m sayso.training.trunk`: fine-tune the variants of a plan on a machine that has torch and safetensors.

Each variant's answers to dev, curves and weights go to the outbox as soon as they are there; the weights that later
variants begin with stay in the work folder. A variant that the time left does not suffice for is left out and named.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import get_args

import torch
from safetensors.torch import save
from torch import Tensor, nn

from sayso.core.errors import SaysoError
from sayso.core.given import finite
from sayso.models.int4 import pack
from sayso.models.llama import Llama, leave_as_shipped, round_as_shipped
from sayso.models.lora import (
    Matrix,
    adapter_weights,
    matrices,
    merge_adapter,
)
from sayso.models.trunk_folder import PREFIX
from sayso.training.batches import Batches
from sayso.training.decode import pack_answers
from sayso.training.loop import Evaluated, Event, Run, Step, Stopped, fit
from sayso.training.pieces import Outbox
from sayso.training.runner import find_device
from sayso.training.settings import Precision, Training
from sayso.training.speed import speed_of
from sayso.training.trunk_answers import answer_all, greedy_match, same_ids, told_back
from sayso.training.trunk_distil import Distilled
from sayso.training.trunk_plan import Stage, Variant, read_plan
from sayso.training.trunk_start import Place, give_up, keep_variant, open_teachers, open_variant

SHAPES = 10
# With less time than this left no variant is begun.
LEAST_SECONDS = 20


def settings_for(stage: Stage, train: Batches, device: torch.device, precision: Precision = "auto") -> Training:
    steps = max(1, round(stage.epochs * train.per_epoch))
    return Training(
        epochs=1_000_000,
        steps=steps,
        batch=stage.batch,
        shapes=SHAPES,
        optimiser="adamw",
        rate=stage.rate,
        schedule="timed" if stage.timed else "cosine",
        warmup=min(100, steps // 10),
        beta2=0.98,
        decay=0.01,
        clip=1.0,
        evaluate_every=max(1, math.ceil(steps / max(1, stage.looks))),
        precision=precision,
        speed="graphs" if device.type == "cuda" else "eager",
    )


def run_stage(place: Place, network: Llama, stage: Stage, variant: Variant, seconds: float) -> list[dict[str, object]]:
    """Train in place; the network ends with the weights that were best on dev. Returns the curve."""
    round_as_shipped(network, stage.rounded, variant.group)
    whole = place.encoded(stage.data)
    train = Batches(
        whole, stage.batch, shapes=SHAPES, seed=variant.seed, device=place.device, fixed=place.device.type == "cuda"
    )
    settings = settings_for(stage, train, place.device, place.precision)
    assert speed_of(settings, place.device) == settings.speed
    dev = place.encoded(variant.dev)
    best: dict[str, Tensor] = {}

    def keep_best(step: int) -> None:
        for key, one in network.named_parameters():
            if one.requires_grad:
                best[key] = one.detach().clone()

    run = Run(
        seed=variant.seed,
        keep_best=keep_best,
        score=lambda _: greedy_match(network, dev, place.device),
        seconds=seconds,
        report_every=max(20, settings.steps // 10),
    )
    curve: list[dict[str, object]] = []
    looked = Batches(dev, 256, shapes=4, device=place.device)
    teachers = open_teachers(place, stage.teachers)
    learner = Distilled(network, teachers, stage.share) if teachers else network
    for event in fit(learner, train, settings, looked, run):
        curve.append({"event": type(event).__name__, **plain(event)})
        say(f"  {variant.name} {stage.data} {line(event, settings.steps)}")
    with torch.no_grad():
        for key, one in network.named_parameters():
            if key in best:
                one.copy_(best[key])
    return curve


def plain(event: Event) -> dict[str, object]:
    return {key: round(one, 5) if isinstance(one, float) else str(one) if isinstance(one, Path) else one
            for key, one in asdict(event).items()}  # fmt: skip


def line(event: Event, steps: int) -> str:
    if isinstance(event, Step):
        return (
            f"{event.step}/{steps} loss {event.loss:.4f} rate {event.rate:.1e} {event.tokens_per_second:,.0f} words/s"
        )
    if isinstance(event, Evaluated):
        return f"{event.step}/{steps} dev loss {event.loss:.4f} greedy {event.score:.4f}{' *' if event.better else ''}"
    return f"stopped at {event.step}: {event.reason}" if isinstance(event, Stopped) else ""


def run_variant(place: Place, variant: Variant, seconds: float) -> None:
    started = time.monotonic()
    torch.manual_seed(variant.seed)
    network, dropped, rank = open_variant(place, variant)
    learnt = sum(one.numel() for one in network.parameters() if one.requires_grad)
    say(
        f"{variant.name}: {len(network.layers)} layers, {learnt:,} learnt; opened in {time.monotonic() - started:.1f} s"
    )
    curves = []
    for stage in variant.stages:
        left = seconds - (time.monotonic() - started)
        curves.append(run_stage(place, network, stage, variant, left))
    alpha = next((one.scale * rank for _, one in matrices(network)), 0.0)
    kept = {"dropped": dropped, "rank": rank, "alpha": alpha}
    keep_variant(place, variant.name, network, kept)
    trained = time.monotonic() - started
    round_as_shipped(network, is_rounded=False)
    if variant.rounded:
        merge_adapter(network)
        leave_as_shipped(network, variant.group)
    found = {}
    if variant.answers:
        dev = place.encoded(variant.dev)
        answers = answer_all(network, dev, place.device, variant.width)
        place.out.put(f"{variant.name}/dev.npz", pack_answers(answers))
        if variant.told:
            told = told_back(network, dev, answers, place.device)
            place.out.put(f"{variant.name}/told.json", json.dumps(told).encode())
        found = {f"same_ids@{k}": same_ids(answers, dev, k) for k in (1, 3, 5)}
        (place.work / f"{variant.name}.json").write_text(json.dumps({**kept, "score": sum(found.values())}))
    facts = {
        "variant": asdict(variant),
        **found,
        "dropped": dropped,
        "alpha": alpha,
        "learnt": learnt,
        "train_seconds": round(trained, 1),
        "seconds": round(time.monotonic() - started, 1),
        "device": torch.cuda.get_device_name() if place.device.type == "cuda" else "cpu",
        "memory": torch.cuda.max_memory_allocated() if place.device.type == "cuda" else 0,
        "torch": torch.__version__,
        "curves": curves,
    }
    place.out.put(f"{variant.name}/result.json", json.dumps(facts).encode())
    if variant.ship != "nothing":
        ship(place, variant, network, dropped, alpha)
    for name in variant.also:
        found_there = answer_all(network, place.encoded(name), place.device, variant.width)
        place.out.put(f"{variant.name}/{name}.npz", pack_answers(found_there))
    say(f"{variant.name}: trained in {trained:.1f} s, all in {time.monotonic() - started:.1f} s; {json.dumps(found)}")


def ship(place: Place, variant: Variant, network: Llama, dropped: Sequence[int], alpha: float) -> None:
    """An adapter in float16, or all matrices in four bits with the norms; the words never change and stay at home."""
    if variant.ship == "adapter":
        weights = {PREFIX + name: one.half().contiguous().cpu() for name, one in adapter_weights(network).items()}
    else:
        weights = {}
        for name, module in network.named_modules():
            if isinstance(module, Matrix):
                packed = pack(module.weight.detach(), variant.group)
                weights |= {f"{PREFIX}{name}.weight.q": packed.q.cpu(), f"{PREFIX}{name}.weight.d": packed.d.cpu()}
            elif isinstance(module, nn.RMSNorm):
                weights[f"{PREFIX}{name}.weight"] = module.weight.detach().half().cpu()
    facts = {"dropped": json.dumps(list(dropped)), "alpha": str(alpha), "variant": variant.name}
    fits = place.out.put(f"{variant.name}/{variant.ship}.safetensors", save(weights, facts), reserve=1 << 20)
    say(f"{variant.name}: {variant.ship} {'shipped' if fits else 'found no room'}")


def run_plan(place: Place, variants: Sequence[Variant], seconds: float) -> int:
    """Work the plan off in order. Returns how many variants failed."""
    started, failed = time.monotonic(), 0
    for variant in variants:
        left = seconds - (time.monotonic() - started)
        if f"{variant.name}/result.json" in place.out:
            continue
        if left < LEAST_SECONDS:
            say(f"{variant.name}: left out, {left:.0f} s left")
            give_up(place, variant.name)
            continue
        try:
            run_variant(place, variant, left)
        except (SaysoError, RuntimeError, AssertionError) as error:
            failed += 1
            say(f"{variant.name}: FAILED {type(error).__name__}: {error}")
            give_up(place, variant.name)
        gc.collect()
        if place.device.type == "cuda":
            torch.cuda.empty_cache()
    return failed


def say(text: str) -> None:
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stdout.flush()


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.training.trunk", description=__doc__)
    parser.add_argument("--trunk", type=Path, required=True, help="the trunk's folder")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the encoded pairs")
    parser.add_argument("--plan", type=Path, required=True, help="the variants, as write_plan writes them")
    parser.add_argument("--work", type=Path, required=True, help="where weights stay for later variants")
    parser.add_argument("--out", type=Path, required=True, help="where results go")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (auto)")
    parser.add_argument(
        "--precision", choices=get_args(Precision), default="auto", help="auto is bf16 on a GPU, fp32 elsewhere (auto)"
    )
    parser.add_argument("--minutes", type=finite, default=math.inf, help="of everything together")
    parser.add_argument("--patience", type=finite, default=0.0, metavar="SECONDS", help="wait for other weights")
    parser.add_argument("--only", action="append", default=[], metavar="VARIANT", help="this one; may be repeated")
    args = parser.parse_args(argv)
    try:
        device = find_device(args.device)
        torch.set_float32_matmul_precision("highest")  # training is in bf16; answers must be the same elsewhere
        args.work.mkdir(parents=True, exist_ok=True)
        place = Place(args.trunk, args.data, args.work, Outbox(args.out), device, args.patience, args.precision)
        variants = [one for one in read_plan(args.plan) if not args.only or one.name in args.only]
        return min(1, run_plan(place, variants, args.minutes * 60))
    except SaysoError as error:
        say(error.told())
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
