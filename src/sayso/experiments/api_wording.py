"""The network that reads people's own wording of requests for mail, calendar and files (`systems/wording`).

    python -m sayso.experiments.api_wording fit --data DATA --out FOLDER [--seeds 0]
    python -m sayso.experiments.api_wording score --bundle FOLDER [FOLDER...]

It learns from `data/wording`: nine tenths of the lines; a tenth of every writer's, by digest, is held back, and nobody
reads it (`score` counts). Requests of Okapi's train parts and made ones are shown beside them, in another manner.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from sayso.core.errors import SaysoError
from sayso.experiments.api_parser_command import UNION, load
from sayso.experiments.api_short import short_pairs
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.targets.api.corpus.wording import Worded, load_wording, load_wording_dev
from sayso.targets.api.request.around import in_tense
from sayso.targets.api.request.words import BUCKETS, SHAPES
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.requests.readings import read_query, reading_of_call
from sayso.targets.api.syntax.calls import OPERATORS, Call, canonical_call
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.phrases import spans as tagged
from sayso.targets.api.systems.wording import slots
from sayso.targets.api.systems.wording.marks import MARKS
from sayso.targets.api.systems.wording.network import Seen, WordingNetwork, see
from sayso.targets.api.systems.wording.plain import plain, singulars, untold_time
from sayso.targets.api.systems.wording.reading import Told, Wording
from sayso.targets.api.systems.wording.slots import Lesson, lesson_of
from sayso.targets.api.systems.wording.storing import KIND, open_wording, wording_files

if TYPE_CHECKING:
    from torch import Tensor

    from sayso.models.wording_tagger import WordingTagger

TOPICS = (slots.SEARCH, "message.subject", "event.subject", "file.name")
"""What something is about may stand in each of these."""
OKAPI, MADE = 3000, 1500
"""Requests of Okapi's train parts, and made ones, that are shown of each domain."""
CARD = Path(__file__).parents[1] / "bundles" / "api-wording" / "MODEL_CARD.md"
LICENCE = "Apache-2.0; trained beside Okapi (CDLA-Permissive-2.0)"
NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)
"""The clock by which two calls are held to be alike."""


@dataclass(frozen=True)
class WordingSettings:
    epochs: int = 28
    copies: int = 3
    """Requests with other values, beside each as it is written."""
    swapped: float = 0.6
    """How often a value is another one there."""
    rate: float = 2e-3
    batch: int = 32
    embedding: int = 128
    grams: int = 16
    hidden: int = 96
    layers: int = 1
    dropout: float = 0.3
    decay: float = 3e-2
    other: float = 1.2
    """Requests of Okapi an epoch, for each of ours."""
    other_weight: float = 0.3
    tag_weight: float = 1.0


def swap_pools(lessons: Sequence[Lesson]) -> dict[str, list[tuple[str, ...]]]:
    """What may stand in the place of a value: (words, …) by what it is."""
    found: dict[str, dict[tuple[str, ...], None]] = {}
    for one in lessons:
        for at, start, end in tagged(one.tags):
            found.setdefault(pool_of(one, at, start), {})[one.words[start:end]] = None
    return {name: list(values) for name, values in found.items()}


def pool_of(one: Lesson, at: int, start: int) -> str:
    name = slots.spans()[at]
    kind = slots.kinds().get(name, "")
    if name in TOPICS:
        return "topic"
    if kind == "person":
        return "person"
    if kind == "time":
        return f"time {OPERATORS[one.operators[start]]} {'start' if name.startswith('event') else 'past'}"
    return name


def swapped(one: Lesson, pools: Mapping[str, Sequence[tuple[str, ...]]], share: float, random: Random) -> Lesson:
    """The lesson with other values in some of its spans."""
    words: list[str] = []
    tags: list[int] = []
    operators: list[int] = []
    done = 0
    for at, start, end in tagged(one.tags):
        words += one.words[done:start]
        tags += one.tags[done:start]
        operators += one.operators[done:start]
        value = one.words[start:end]
        if random.random() < share and len(pool := pools[pool_of(one, at, start)]) > 1:
            other = random.choice(pool)
            value = tuple(word.lower() for word in other) if "".join(value).islower() else other
        words += value
        tags += [2 * at + 1, *([2 * at + 2] * (len(value) - 1))]
        operators += [one.operators[start], *([-1] * (len(value) - 1))]
        done = end
    words += one.words[done:]
    tags += one.tags[done:]
    operators += one.operators[done:]
    return replace(one, words=tuple(words), tags=tuple(tags), operators=tuple(operators))


@dataclass(frozen=True)
class Shown:
    lesson: Lesson
    seen: Seen
    other: float


def shown(lessons: Sequence[Lesson], other: float = 0.0) -> list[Shown]:
    return [Shown(one, see.__wrapped__(one.words), other) for one in lessons]


def fit(
    lessons: Sequence[Lesson],
    settings: WordingSettings,
    seed: int,
    others: Sequence[Shown] = (),
    made: Sequence[Sequence[Shown]] | None = None,
    progress: Callable[[int, float, dict[str, np.ndarray]], None] | None = None,
) -> dict[str, np.ndarray]:
    import torch

    from sayso.models.clause_tagger import TaggerSettings
    from sayso.models.wording_tagger import WordingTagger

    random = Random(seed)
    torch.manual_seed(seed)
    variants = made if made is not None else variants_of(lessons, settings, seed)
    sizes = tuple(len(values) for _, values in slots.choices())
    unasked = tuple(at for at, (slot, _) in enumerate(slots.choices()) if slot in (slots.RESOURCE, slots.WAY))
    width = variants[0][0].seen.vectors.shape[1]
    network = WordingTagger(
        TaggerSettings(
            1, 1 + 2 * len(slots.spans()), sizes, BUCKETS, settings.embedding, settings.grams,
            settings.hidden, settings.layers, settings.dropout, unasked, SHAPES + MARKS,
        ),
        width,
        len(OPERATORS),
    )  # fmt: skip
    optimiser = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=settings.decay)
    extra = min(len(others), int(settings.other * len(variants)))
    steps = settings.epochs * math.ceil((len(variants) + extra) / settings.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.rate, total_steps=steps + settings.epochs + 1)
    for epoch in range(settings.epochs):
        network.train()
        rows = [random.choice(one) for one in variants] + random.sample(list(others), extra)
        lost = 0.0
        for batch in batches(rows, settings.batch, random):
            loss = batch_loss(network, batch, settings)
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            lost += float(loss.detach()) * len(batch) / len(rows)
        if progress:
            network.eval()
            progress(epoch + 1, lost, {n: w.numpy().copy() for n, w in network.exported().items()})
    network.eval()
    return {name: weight.numpy().copy() for name, weight in network.exported().items()}


def variants_of(lessons: Sequence[Lesson], settings: WordingSettings, seed: int) -> list[list[Shown]]:
    """Each lesson as it is written, and with other values."""
    random, pools = Random(seed), swap_pools(lessons)
    found = []
    for one in lessons:
        copies = [swapped(one, pools, settings.swapped, random) for _ in range(settings.copies)]
        found.append(shown([one, *{each.words: each for each in copies if each.words != one.words}.values()]))
    return found


def batches(rows: Sequence[Shown], size: int, random: Random) -> list[list[Shown]]:
    """Requests of about the same length together, in random order."""
    mixed = sorted(rows, key=lambda row: len(row.lesson.words) + random.random() * 4)
    found = [list(mixed[at : at + size]) for at in range(0, len(mixed), size)]
    random.shuffle(found)
    return found


def batch_loss(network: WordingTagger, batch: Sequence[Shown], settings: WordingSettings) -> Tensor:
    import torch

    longest = max(len(one.lesson.words) for one in batch)

    def padded(parts: Sequence[np.ndarray], fill: float = 0) -> Tensor:
        made = np.full((len(parts), longest, *parts[0].shape[1:]), fill, parts[0].dtype)
        for at, one in enumerate(parts):
            made[at, : len(one)] = one
        return torch.from_numpy(made)

    vectors = padded([one.seen.vectors.astype(np.float32) for one in batch])
    grams, shapes = padded([one.seen.grams for one in batch]), padded([one.seen.shapes for one in batch])
    tags = padded([np.array(one.lesson.tags, np.int64) for one in batch])
    operators = padded([np.array(one.lesson.operators, np.int64) for one in batch], -1)
    lengths = torch.tensor([len(one.lesson.words) for one in batch])
    choices = torch.tensor([one.lesson.choices for one in batch])
    whole = torch.tensor([float(one.lesson.whole) for one in batch])
    other = torch.tensor([one.other for one in batch])
    weight = torch.where(other > 0, settings.other_weight, 1.0)
    told, compared, chosen = network.tell(vectors, grams, shapes, lengths, other)
    losses = network.tag_loss(told, tags, lengths) * whole * settings.tag_weight
    losses = losses + network.operator_loss(compared, operators) + network.choice_loss(chosen, choices)
    return (losses * weight).sum() / weight.sum()


def other_lessons(data: Path) -> list[Shown]:
    """Requests of Okapi's train parts and made ones as typed in a hurry."""
    found: list[Lesson] = []
    for domain in DOMAINS:
        pairs = load(f"{UNION}-{domain}", data, "train")
        some = Random(0).sample(pairs, min(OKAPI, len(pairs)))
        found += [lesson_of(request, call) for request, call in (*some, *short_pairs(domain, MADE))]
    return shown(found, 1.0)


def alike(one: Call | None, other: Call | None, text: str = "") -> bool:
    """Whether two calls ask for the same, or both are none: values in the form of answers; in a request of what was,
    days are those behind."""
    if one is None or other is None:
        return one is other
    one, other = (singulars(plain(in_tense(each, text)), text) for each in (one, other))
    clock = Clock(NOW, UTC)
    try:
        first, second = (read_query(reading_of_call(str(each), clock), NOW) for each in (one, other))
    except SaysoError:
        return str(canonical_call(one)).casefold() == str(canonical_call(other)).casefold()
    return first == second


def best(reader: Wording, text: str) -> Told:
    return next(iter(reader.readings(text, 1)), Told(None, "beyond", 0.0))


def train(args: argparse.Namespace) -> None:
    import torch

    torch.set_num_threads(1)
    begun = time.process_time()
    lines = [one for one in load_wording() if not one.is_held]
    lessons = [lesson_of(one.request, one.call and plain(one.call), one.nothing) for one in lines]
    others = other_lessons(args.data)
    settings = WordingSettings(epochs=args.epochs)

    def say(epoch: int, lost: float, weights: Mapping[str, np.ndarray]) -> None:
        sys.stderr.write(f"round {epoch}: {lost:.3f}, {time.process_time() - begun:.0f} s of CPU\n")

    found = []
    for seed in args.seeds:
        found.append(WordingNetwork(fit(lessons, settings, seed, others, progress=say)))
        files = {**wording_files(found), "MODEL_CARD.md": CARD.read_bytes() if CARD.is_file() else b"# api-wording\n"}
        told = {"seeds": list(args.seeds[: len(found)]), "epochs": args.epochs, "lines": len(lines)}
        write_bundle(args.out, name=KIND, target="api", kind=KIND, settings=told, files=files, licence=LICENCE)


def wanted(line: Worded) -> Call | None:
    """What is to be answered: nothing where a time cannot be told."""
    return None if line.call is None or untold_time(line.call) else line.call


def score(args: argparse.Namespace) -> None:
    """On the tenth that is held back, and on the lines of another writer: counts alone."""
    readers = [open_wording(load_bundle(one)) for one in args.bundle]
    reader = Wording(tuple(network for one in readers for network in one.networks))
    for name, lines in (("held back", filter(lambda one: one.is_held, load_wording())), ("dev", load_wording_dev())):
        counts: Counter[str] = Counter()
        for line in lines:
            found, call = best(reader, line.request), wanted(line)
            kind = "call" if call else "none"
            counts[f"{kind}, {'right' if alike(found.call, call, line.request) else 'wrong'}"] += 1
            counts["of these answered"] += kind == "none" and found.call is not None
        print(json.dumps({"of": name, **dict(sorted(counts.items()))}))


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.api_wording", description=(__doc__ or "").partition("\n")[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("fit")
    one.set_defaults(run=train)
    one.add_argument("--data", type=Path, required=True, help="the folder with the corpora")
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--seeds", type=int, nargs="+", default=[0])
    one.add_argument("--epochs", type=int, default=WordingSettings().epochs)
    two = commands.add_parser("score")
    two.set_defaults(run=score)
    two.add_argument("--bundle", type=Path, nargs="+", required=True)
    args = parser.parse_args(argv)
    args.run(args)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
