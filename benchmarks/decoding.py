"""Beam-5 decoding of NL2Bash dev requests, against `transformers.generate` with the same weights and settings.

On a GPU a network is trained for some seconds first, so that answers are as long as answers are, and 500 requests are
decoded in bf16 by both, each with the batch size that suits it best. On a CPU weights are random and every answer is
made to have the same number of ids.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks import Row
from benchmarks.nl2bash_ids import Ids, find_ids

AIM = 5.0
BEAM = 5


@dataclass(frozen=True)
class Setting:
    """What is decoded on a device."""

    requests: int
    longest: int
    batches: tuple[int, ...]
    """Requests that are decoded together; the quickest counts, for either side."""
    updates: int
    """Of training before, 0 for random weights and answers of `longest` ids."""


SETTINGS = {
    "cuda": Setting(requests=500, longest=64, batches=(500, 125), updates=1000),
    "cpu": Setting(requests=8, longest=20, batches=(8,), updates=0),
}


@dataclass(frozen=True)
class Decoded:
    """What one side found, and how long it took."""

    ids: list[list[int]]
    seconds: float


def run(device: str = "auto", data: Path | None = None, *, tiny: bool = False) -> list[Row]:
    """One row, whose ratio is to `transformers`; none without the corpus."""
    ids = find_ids(data)
    if ids is None:
        print("decoding: NL2Bash is not on this machine (set SAYSO_DATA)", file=sys.stderr)
        return []
    import torch

    from sayso.training.runner import find_device

    place = find_device(device)
    torch.set_num_threads(1)
    setting = SETTINGS[place.type]
    if tiny:
        setting = replace(setting, requests=min(30, setting.requests), updates=min(20, setting.updates), longest=12)
    return [compare(ids, place, setting, tiny=tiny)]


def compare(ids: Ids, device: Any, setting: Setting, *, tiny: bool) -> Row:
    import torch

    from benchmarks.t5 import as_t5, same_shape

    sizes = {"width": 32, "heads": 2, "layers": 1, "feed_forward": 64} if tiny else {}
    ours = same_shape(ids.words, **sizes).to(device)
    if setting.updates:
        note(f"training for {setting.updates} updates")
        train(ours, ids, device, setting.updates)
    ours.eval()
    theirs = as_t5(ours).eval()
    if device.type == "cuda":
        ours, theirs = ours.to(torch.bfloat16), theirs.to(torch.bfloat16)
    best: dict[str, Decoded] = {}
    for size in setting.batches:
        batches = make_batches(ids, device, setting.requests, size)
        for name, decode in (
            ("ours", our_decoder(ours, setting, device)),
            ("theirs", their_decoder(theirs, setting)),
        ):
            if device.type == "cuda" and (name == "ours" or name not in best):
                timed(decode, batches, device)  # shapes are recorded once, and not counted
            found = timed(decode, batches, device)
            note(f"{name}, batches of {size}: {found.seconds:.2f} s, {sum(map(len, found.ids))} ids")
            if name not in best or found.seconds < best[name].seconds:
                best[name] = found
    pairs = list(zip(best["ours"].ids, best["theirs"].ids, strict=True))
    if setting.updates:
        note(f"the same best answer for {sum(one == other for one, other in pairs)} of {len(pairs)}")
    seconds, peer = best["ours"].seconds, best["theirs"].seconds
    return Row(
        f"beam-{BEAM} decoding, 6 + 6 × 512, {device.type}",
        setting.requests / seconds,
        "requests/s" if device.type == "cuda" else "requests/CPU-s",
        setting.requests,
        peer / seconds,
        "transformers.generate",
        at_least=AIM if device.type == "cuda" else None,
    )


def train(network: Any, ids: Ids, device: Any, updates: int) -> None:
    from sayso.training.batches import Batches
    from sayso.training.loop import Step, fit
    from sayso.training.settings import Training

    settings = Training(
        steps=updates, epochs=10_000, rate=5e-4, warmup=min(200, updates), batch=128, shapes=8, clip=1.0, speed="auto"
    )
    batches = Batches(ids.train, settings.batch, shapes=settings.shapes, device=device, fixed=device.type == "cuda")
    for event in fit(network, batches, settings):
        if isinstance(event, Step) and event.step % 500 == 0:
            note(f"update {event.step}: loss {event.loss:.3f}, {event.tokens_per_second:,.0f} ids/s")


def make_batches(ids: Ids, device: Any, requests: int, size: int) -> list[Any]:
    from sayso.training.arrays import encoded
    from sayso.training.batches import decoding_batches

    rows = [ids.dev.source[row].tolist() for row in range(min(requests, len(ids.dev)))]
    whole = encoded(rows, None, [[] for _ in rows], [0] * len(rows))
    return [batch for _, batch in decoding_batches(whole, size, device)]


def our_decoder(network: Any, setting: Setting, device: Any) -> Callable[[Any], list[list[int]]]:
    import torch

    from sayso.english.vocabulary import EOS
    from sayso.models.graphs import GraphedSteps
    from sayso.models.search import SearchSettings, beam_search

    search = SearchSettings(width=BEAM, n_best=BEAM, longest=setting.longest)
    steps = GraphedSteps(network, setting.longest)
    size = network.settings.output_size
    goes_on = torch.arange(size, device=device) != EOS

    def all_the_way(prefixes: Any, requests: Any) -> Any:
        """Every answer has `longest` ids: EOS only where the search itself asks for it."""
        is_last = prefixes.shape[1] == setting.longest
        return (goes_on | is_last).expand(len(requests), size)

    def decode(batch: Any) -> list[list[int]]:
        found = beam_search(steps, batch, search, None if setting.updates else all_the_way)
        return [list(answers[0].ids) for answers in found]

    return decode


def their_decoder(network: Any, setting: Setting) -> Callable[[Any], list[list[int]]]:
    from sayso.english.vocabulary import EOS, PAD

    def decode(batch: Any) -> list[list[int]]:
        found = network.generate(
            input_ids=batch.source,
            attention_mask=batch.source_mask.long(),
            num_beams=BEAM,
            num_return_sequences=BEAM,
            do_sample=False,
            length_penalty=0.0,
            early_stopping=False,
            max_new_tokens=setting.longest,
            min_new_tokens=0 if setting.updates else setting.longest,
        )
        best = found[::BEAM, 1:].tolist()  # without the first id, which starts every answer
        return [[one for one in row if one not in (EOS, PAD)] for row in best]

    return decode


def timed(decode: Callable[[Any], list[list[int]]], batches: Sequence[Any], device: Any) -> Decoded:
    import torch

    on_gpu = device.type == "cuda"
    clock = time.perf_counter if on_gpu else time.process_time
    if on_gpu:
        torch.cuda.synchronize()
    start = clock()
    found = []
    with torch.inference_mode():
        for batch in batches:
            found += decode(batch)
    if on_gpu:
        torch.cuda.synchronize()
    return Decoded(found, clock() - start)


def note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(argv: Sequence[str]) -> int:
    """For a machine that has only torch and transformers: `--data` is a folder of ids."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.decoding", description=__doc__)
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (auto)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="train.npz and dev.npz instead of the corpus")
    parser.add_argument("--tiny", action="store_true", help="a small network and few requests, to try the path")
    args = parser.parse_args(argv)
    print(json.dumps([asdict(row) for row in run(args.device, args.data, tiny=args.tiny)]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
