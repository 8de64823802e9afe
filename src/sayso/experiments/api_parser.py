"""Train the order-free API parser on the train part of a task, judge it on dev, write its weights."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from sayso.learners.linear import Data, fit_newton
from sayso.targets.api.lessons.recombine import find_cues, more_rows, share, swap
from sayso.targets.api.request.words import BUCKETS, looks
from sayso.targets.api.syntax.calls import Call
from sayso.targets.api.systems.align import Row, align
from sayso.targets.api.systems.layout import TIMES, Layout, make_layout
from sayso.targets.api.systems.network import Network, make_input
from sayso.targets.api.systems.parse import Parser
from sayso.targets.api.systems.phrases import find_phrases
from sayso.targets.api.systems.values import NEARLY_ALL, Values, learn_values

if TYPE_CHECKING:
    import numpy as np
    from torch import Generator, Tensor

    from sayso.models.clause_tagger import ClauseTagger

Pair = tuple[str, Call]
DROPPING = 3.0
"""Chosen on Okapi's dev: between 2 and 5 nothing changes much."""
LEAST = 1.0
"""An unused word takes at least so much off the logit of the chance."""


@dataclass(frozen=True)
class ParserSettings:
    epochs: int = 14
    joined: float = 1.5
    """Recombined requests a request of train, anew every epoch."""
    swapped: float = 0.4
    rate: float = 3e-3
    batch: int = 64
    minimum: int = 2
    hide_value: float = 0.35
    hide_word: float = 0.06
    embedding: int = 64
    grams: int = 32
    hidden: int = 96
    layers: int = 2
    dropout: float = 0.5
    decay: float = 1e-2


@dataclass(frozen=True)
class Trained:
    layout: Layout
    values: Values
    vocabulary: dict[str, int]
    weights: dict[str, np.ndarray]
    counts: dict[str, int]


def describe(domain: str, pairs: Sequence[Pair], settings: ParserSettings, made: Sequence[Pair] = ()) -> Trained:
    """All that is known before training: slots, values and words; the same for every seed.

    Requests that were made teach times and words, but not how people write values.
    """
    layout = make_layout(domain, [*pairs, *made])
    rows = [align(layout, request, call) for request, call in (*pairs, *made)]
    seen = Counter(looks(word) for row in rows for word in row.words)
    vocabulary = {word: at for at, word in enumerate((word for word in seen if seen[word] >= settings.minimum), 2)}
    outside = Counter(looks(word) for row in rows for word, tag in zip(row.words, row.tags, strict=True) if not tag)
    counts = {word: outside[word] for word in vocabulary}
    values, more = learn_values(layout, pairs), learn_values(layout, [*pairs, *made])
    if TIMES in more.known:
        known = {**values.known, TIMES: more.known[TIMES]}
        values = replace(values, known=known, complete={**values.complete, TIMES: more.complete[TIMES]})
    return Trained(layout, values, vocabulary, {}, counts)


def fit(
    domain: str,
    pairs: Sequence[Pair],
    settings: ParserSettings,
    seed: int,
    progress: Callable[[int, Trained], None] | None = None,
    device: str = "cpu",
    made: Sequence[Pair] = (),
) -> Trained:
    import torch

    from sayso.models.clause_tagger import ClauseTagger, TaggerSettings

    random = Random(seed)
    torch.manual_seed(seed)
    start = describe(domain, pairs, settings, made)
    layout, vocabulary = start.layout, start.vocabulary
    rows = [align(layout, request, call) for request, call in (*pairs, *made)]
    whole = [row for row in rows if row.whole]
    complete = [pool for pool, share_known in start.values.complete.items() if share_known >= NEARLY_ALL]
    cues, phrases = find_cues(domain, whole), find_phrases(layout, whole, complete)
    network = ClauseTagger(
        TaggerSettings(
            len(vocabulary) + 2, layout.tags, layout.sizes, BUCKETS, settings.embedding, settings.grams,
            settings.hidden, settings.layers, settings.dropout, layout.unasked,
        )
    ).to(device)  # fmt: skip
    optimiser = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=settings.decay)
    extra = int(settings.joined * len(rows))
    steps = settings.epochs * math.ceil((len(rows) + extra) / settings.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.rate, total_steps=steps + settings.epochs)
    dice = torch.Generator().manual_seed(seed)

    def trained() -> Trained:
        weights = {name: weight.cpu().numpy().copy() for name, weight in network.exported().items()}
        return replace(start, weights=weights)

    for epoch in range(settings.epochs):
        network.train()
        shown = [*rows, *more_rows(layout, whole, cues, extra, random)]
        shown = [share(layout, swap(row, phrases, random, settings.swapped), random) for row in shown]
        for batch in batches(shown, settings.batch, random):
            loss = batch_loss(network, batch, vocabulary, settings, dice, device, phrases.known)
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            schedule.step()
        if progress:
            network.eval()
            progress(epoch + 1, trained())
    network.eval()
    return trained()


def batches(rows: Sequence[Row], size: int, random: Random) -> list[list[Row]]:
    """Requests of about the same length together, in random order."""
    mixed = sorted(rows, key=lambda row: len(row.words) + random.random() * 4)
    found = [list(mixed[at : at + size]) for at in range(0, len(mixed), size)]
    random.shuffle(found)
    return found


def batch_loss(
    network: ClauseTagger,
    batch: Sequence[Row],
    vocabulary: dict[str, int],
    settings: ParserSettings,
    dice: Generator,
    device: str,
    known: Collection[int] = (),
) -> Tensor:
    """Words of values are hidden often, so that what stands round them tells; not those of slots whose values are all
    known: `today` is a time wherever it stands."""
    import torch

    given = make_input([row.words for row in batch], vocabulary)
    ids, grams = torch.from_numpy(given.ids), torch.from_numpy(given.grams)
    shapes, lengths = torch.from_numpy(given.shapes), torch.from_numpy(given.lengths)
    tags = torch.zeros_like(ids)
    for at, row in enumerate(batch):
        tags[at, : len(row.tags)] = torch.tensor(row.tags)
    open_value = (tags > 0) & ~torch.isin((tags - 1) // 2, torch.tensor(sorted(known), dtype=torch.long))
    chance = torch.where(open_value, settings.hide_value, settings.hide_word)
    hidden = (torch.rand(ids.shape, generator=dice) < chance) & (ids > 0)
    letters = hidden & (torch.rand(ids.shape, generator=dice) < 0.6)
    ids = torch.where(hidden, 1, ids)
    grams = torch.where(letters[..., None], torch.eye(1, grams.shape[-1], dtype=torch.long)[0], grams)
    whole = torch.tensor([float(row.whole) for row in batch])
    choices = torch.tensor([row.choices for row in batch])
    ids, grams, shapes, lengths, tags, whole, choices = (
        one.to(device) for one in (ids, grams, shapes, lengths, tags, whole, choices)
    )
    scores, evidence = network(ids, grams, shapes, lengths)
    losses = network.tag_loss(scores, tags, lengths) * whole + network.choice_loss(evidence, choices)
    return losses.mean()


def make_parser(trained: Sequence[Trained], held_out: Sequence[Pair], unused: bool = False) -> Parser:
    """Networks of one task that differ by seed as one parser, calibrated on requests that none of them has seen.

    Where unused words count, each takes off what it does there, LEAST or more.
    """
    first = trained[0]
    parser = Parser(
        first.layout,
        first.values,
        first.vocabulary,
        tuple(Network(one.weights) for one in trained),
        counts=first.counts,
        dropping=DROPPING,
    )
    return replace(parser, calibration=calibrate(parser, held_out, unused)) if held_out else parser


def calibrate(parser: Parser, pairs: Sequence[Pair], unused: bool = False) -> tuple[float, ...]:
    """Slope and intercept of the chance that the best reading is right (Platt), and what an unused word takes off."""
    import numpy as np

    from sayso.targets.api.language import fold

    best = [found[0] for found in parser.readings([request for request, _ in pairs], 2)]
    right = np.array(
        [float(fold(str(one.call)) == fold(str(call))) for one, (_, call) in zip(best, pairs, strict=True)]
    )
    columns = [[one.score for one in best], [1.0] * len(best)]
    if unused:
        columns.append([-float(one.unused) for one in best])
    given = np.stack([np.array(column) for column in columns], 1)
    weights = fit_newton(Data(given, right), np.ones(len(columns)), 0.1)
    return tuple(round(float(max(one, LEAST) if at == 2 else one), 4) for at, one in enumerate(weights))
