"""Train the sentence encoder so that ways to ask for the same thing lie close together, and near misses apart.

In-batch contrast (Karpukhin et al. 2020 §3.2; Henderson et al. 2017): a batch holds two ways to ask for each of some
groups, and each must find its other among all. Half of a batch are groups that lie near each other just then. Word
vectors and the first layers stay, and in the end the weights are averaged with a part of those it began from (Wortsman
et al. 2022), which is to keep what it knew about words that our texts do not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import torch
import torch.nn.functional as F
from torch import Tensor

from sayso.models.meaning import SentenceEncoder
from sayso.neural.meaning_words import WordPieces

Way = tuple[str, ...]
"""One way to ask, as texts that differ in what stands in its slots."""
Group = Sequence[Way]
"""Two or more ways to ask for the same thing."""


@dataclass(frozen=True)
class Source:
    """Groups of one origin. `share` of the batches are drawn from it; `is_hard`: with neighbours in the batch."""

    groups: Sequence[Group]
    share: float
    is_hard: bool = False


@dataclass(frozen=True)
class Plan:
    """`together` groups lie near each other in a hard batch; `kept` is the part of the first weights in the average."""

    steps: int = 520
    groups: int = 48
    together: int = 8
    rate: float = 4e-5
    warm: float = 0.1
    scale: float = 20.0
    frozen_layers: int = 1
    refresh: int = 200
    misspelt: float = 0.06
    kept: float = 0.1
    seed: int = 0


def fit(
    encoder: SentenceEncoder,
    pieces: WordPieces,
    sources: Sequence[Source],
    plan: Plan,
    report: Callable[[int, float], None] = lambda step, loss: None,
) -> None:
    """Train in place; `report` hears of the mean loss of every fifty steps."""
    random = Random(plan.seed)
    first = {name: value.clone() for name, value in encoder.state_dict().items()}
    trained = [value for name, value in encoder.named_parameters() if not is_frozen(name, plan.frozen_layers)]
    for value in encoder.parameters():
        value.requires_grad_(any(value is one for one in trained))
    optimiser = torch.optim.AdamW(trained, lr=plan.rate, weight_decay=0.01)
    warm = max(1, round(plan.warm * plan.steps))
    pace = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / warm, (plan.steps - step) / max(1, plan.steps - warm))
    )
    losses: list[float] = []
    for step, texts in enumerate(batches(encoder, pieces, sources, plan, random), 1):
        optimiser.zero_grad()
        loss = contrast(encoder(*padded(pieces, texts, encoder.shape.places)), plan.scale)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        pace.step()
        losses.append(loss.item())
        if step % 50 == 0 or step == plan.steps:
            report(step, sum(losses) / len(losses))
            losses.clear()
    state = encoder.state_dict()
    encoder.load_state_dict({name: torch.lerp(state[name], first[name], plan.kept) for name in state})


def is_frozen(name: str, layers: int) -> bool:
    """Words, places and the norm over them, and so many of the first layers."""
    part, *rest = name.split(".")
    return part != "layers" or int(rest[0]) < layers


def contrast(vectors: Tensor, scale: float) -> Tensor:
    """Rows 2i and 2i + 1 ask for the same: each must find the other among all rows but itself."""
    likeness = scale * vectors @ vectors.T  # (row, row)
    likeness = likeness.masked_fill(torch.eye(len(vectors), dtype=torch.bool), -1e4)
    return F.cross_entropy(likeness, torch.arange(len(vectors)) ^ 1)


def batches(
    encoder: SentenceEncoder, pieces: WordPieces, sources: Sequence[Source], plan: Plan, random: Random
) -> Iterator[list[str]]:
    """`plan.steps` batches of texts, two of a group side by side."""
    near: dict[int, Tensor] = {}
    for step in range(plan.steps):
        if step % plan.refresh == 0:
            near = {at: neighbours(encoder, pieces, one.groups, plan) for at, one in enumerate(sources) if one.is_hard}
        at = random.choices(range(len(sources)), [source.share for source in sources])[0]
        groups = sources[at].groups
        chosen = random.sample(range(len(groups)), min(plan.groups, len(groups)))
        if at in near:
            chosen = with_neighbours(chosen, near[at], plan)
        pairs = [random.sample(list(groups[number]), 2) for number in chosen]
        yield [misspell(random.choice(way), plan.misspelt, random) for pair in pairs for way in pair]


def with_neighbours(chosen: Sequence[int], near: Tensor, plan: Plan) -> list[int]:
    """The first of the chosen with those near them, as many as there were."""
    found = [int(one) for number in chosen[: -(-len(chosen) // plan.together)] for one in (number, *near[number])]
    return list(dict.fromkeys(found))[: len(chosen)]


def neighbours(encoder: SentenceEncoder, pieces: WordPieces, groups: Sequence[Group], plan: Plan) -> Tensor:
    """The groups nearest to each (group, together - 1), by the middle of their ways."""
    texts = [way[0] for group in groups for way in group]
    with torch.no_grad():
        parts = [
            encoder(*padded(pieces, texts[start : start + 64], encoder.shape.places))
            for start in range(0, len(texts), 64)
        ]
    rows = iter(torch.cat(parts))
    middles = torch.stack([torch.stack([next(rows) for _ in group]).mean(0) for group in groups])
    likeness = F.normalize(middles, dim=1) @ F.normalize(middles, dim=1).T
    likeness.fill_diagonal_(-2.0)
    return likeness.topk(min(plan.together, len(groups)) - 1).indices


def padded(pieces: WordPieces, texts: Sequence[str], most: int) -> tuple[Tensor, Tensor]:
    rows = [torch.tensor(pieces.encode(text, most)) for text in texts]
    lengths = torch.tensor([len(row) for row in rows])
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True), lengths


def misspell(text: str, rate: float, random: Random) -> str:
    """Now and then a letter of a longer word is lost, doubled or changes places with the next."""
    words = text.split(" ")
    for at, word in enumerate(words):
        if len(word) > 4 and word.isalpha() and random.random() < rate:
            place = random.randrange(1, len(word) - 1)
            middle = random.choice(("", 2 * word[place], word[place + 1] + word[place]))
            rest = word[place + 2 :] if len(middle) == 2 and middle[0] == word[place + 1] else word[place + 1 :]
            words[at] = word[:place] + middle + rest
    return " ".join(words)
