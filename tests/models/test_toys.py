"""Toy tasks that must always train: to reverse words, and to copy words that no vocabulary holds."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import cast

import pytest
import torch

from sayso.english.vocabulary import BOS, EOS, UNK
from sayso.models import make_network
from sayso.models.batch import Batch
from sayso.models.search import StepModel, greedy_search
from sayso.models.slots import Slot

pytestmark = [pytest.mark.torch]

SIZE = 12
RECURRENT: dict[str, object] = {"embedding": 48, "encoder": 32, "decoder": 64, "dropout": 0.0}
ATTENTIVE: dict[str, object] = {"width": 32, "heads": 2, "layers": 2, "feed_forward": 64, "dropout": 0.0}
Row = tuple[list[int], list[int], list[int]]
Task = Callable[[random.Random], Row]


def reverse(draw: random.Random) -> Row:
    """5 6 7 -> 7 6 5"""
    words = [draw.randrange(4, SIZE) for _ in range(draw.randint(2, 3))]
    return [*words, EOS], [*words, EOS], [BOS, *words[::-1], EOS]


def copy(draw: random.Random) -> Row:
    """Words of which some are unknown -> the unknown ones in order, which the source shows as UNK."""
    source, extended, said = [], [], [4]
    for _ in range(draw.randint(2, 4)):
        if draw.random() < 0.4:
            source.append(UNK)
            extended.append(SIZE + len(said) - 1)
            said.append(extended[-1])
        else:
            source.append(draw.randrange(4, SIZE))
            extended.append(source[-1])
    return [*source, EOS], [*extended, EOS], [BOS, *said, EOS]


def reverse_in_slots(draw: random.Random) -> Row:
    """Three slots: the words from the last to the first, then 4 for "absent"."""
    words = [draw.randrange(5, SIZE) for _ in range(draw.randint(2, 3))]
    places = [SIZE + place for place in range(len(words) + 1)]
    return [*words, EOS], places, [BOS, *words[::-1], *[4] * (3 - len(words)), EOS]


VALUES = (Slot("a", (4, 5), (5,)), Slot("b", (4, 6), (6,)), Slot("c", (4, 7), (7,)))


def values(draw: random.Random, most: int = 2) -> Row:
    """Key words in any order, each before one or two unknown words: a slot each, which copies its unknown words."""
    keys = draw.sample((5, 6, 7), draw.randint(0 if most < 3 else 3, most))
    source, spans = [], {}
    for key in keys:
        source += [draw.randrange(8, SIZE) for _ in range(draw.randint(0, 1))]
        n = draw.randint(1, 2)
        spans[key] = (len(source) + 1, len(source) + n)
        source += [key, *[UNK] * n]
    # A label a slot, and where it takes a value the first and last place of it, as ids beyond the vocabulary.
    said = [[key, *(SIZE + place for place in spans[key])] if key in spans else [4] for key in (5, 6, 7)]
    places = [SIZE + place for place in range(len(source) + 1)]
    return [*source, EOS], places, [BOS, *(one for slot in said for one in slot), EOS]


def collate(rows: list[Row]) -> Batch:
    def pad(lists: list[list[int]]) -> torch.Tensor:
        width = max(map(len, lists))
        return torch.tensor([one + [0] * (width - len(one)) for one in lists])

    sources, extended, targets = (list(column) for column in zip(*rows, strict=True))
    return Batch(pad(sources), pad(extended), pad(targets), max(0, max(map(max, extended)) + 1 - SIZE))


def right(network: torch.nn.Module, rows: list[Row]) -> float:
    network.eval()
    found = greedy_search(cast("StepModel[object]", network), collate(rows), longest=12)
    network.train()
    return sum(
        [list(one.ids) for one in of_row] == [row[2][1:-1]] for of_row, row in zip(found, rows, strict=True)
    ) / len(rows)


def trained(name: str, settings: dict[str, object], task: Task, rate: float, enough: float = 0.95) -> torch.nn.Module:
    """Stops when `enough` unseen rows are answered right."""
    steps = 300
    torch.manual_seed(0)
    draw, fresh = random.Random(0), random.Random(1)
    network = make_network(name, {"source_size": SIZE, "output_size": SIZE, **settings})
    optimiser = torch.optim.Adam(network.parameters(), rate, betas=(0.9, 0.98))
    unseen = [task(fresh) for _ in range(100)]
    for step in range(1, steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = rate * min(step / 60, 1 - step / (steps + 1))
        loss, n = network.loss(collate([task(draw) for _ in range(32)]))  # type: ignore[operator]
        optimiser.zero_grad()
        (loss / n).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        if step % 30 == 0 and right(network, unseen) >= enough:
            break
    return network


@pytest.mark.parametrize(
    ("name", "settings", "task", "rate"),
    [
        ("gru", RECURRENT, reverse, 5e-3),
        ("lstm", {**RECURRENT, "layers": 1}, reverse, 5e-3),
        ("copynet", RECURRENT, reverse, 5e-3),
        ("transformer", ATTENTIVE, reverse, 3e-3),
        ("transformer-copy", ATTENTIVE, reverse, 3e-3),
        ("modern", ATTENTIVE, reverse, 3e-3),
        ("modern", {**ATTENTIVE, "positions": "relative"}, reverse, 3e-3),
        ("llama", {**ATTENTIVE, "key_heads": 1}, reverse, 3e-3),
        (
            "set",
            {**ATTENTIVE, "slots": [Slot(str(i), tuple(range(4, SIZE))) for i in range(3)]},
            reverse_in_slots,
            3e-3,
        ),
        ("copynet", RECURRENT, copy, 5e-3),
        ("copynet", {**RECURRENT, "cell": "lstm"}, copy, 5e-3),
        ("transformer-copy", ATTENTIVE, copy, 3e-3),
        ("modern", {**ATTENTIVE, "copies": True}, copy, 3e-3),
        ("set", {**ATTENTIVE, "slots": VALUES}, values, 3e-3),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_it_learns(name: str, settings: dict[str, object], task: Task, rate: float) -> None:
    network = trained(name, settings, task, rate)
    held_out = random.Random(2)
    assert right(network, [task(held_out) for _ in range(100)]) >= 0.9


@pytest.mark.slow
def test_slots_answer_more_clauses_than_they_were_taught() -> None:
    network = trained("set", {**ATTENTIVE, "slots": VALUES, "dropout": 0.1}, values, 3e-3, enough=2.0)
    held_out = random.Random(3)
    assert right(network, [values(held_out, most=3) for _ in range(100)]) >= 0.7
