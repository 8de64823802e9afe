"""The small transformer that reads a request with an operation (`specs/context.py`), learnt from `data/asked`.

    python -m sayso.experiments.api_reader --out FOLDER [--write]

It learns from every group but those that are held back from the trunk as well, so that what both are worth where they
have not learnt can be fitted there (`api_heard`). It learns twice: on two thirds of the APIs, so that `api_asked` can
learn from the others, and on all, which `--write` makes the bundle that ships.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.experiments.api_asked import HELD, PARTS, Dealing, dealing, operation_of, part_of
from sayso.experiments.trunk_calls import groups
from sayso.experiments.trunk_functions import is_held
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.neural.meaning import read_shape
from sayso.targets.api.corpus.asked import Taught, Wanted
from sayso.targets.api.specs.fill import WANTED, weighed
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.reader import shipped_weights
from sayso.targets.api.specs.said.spans import said
from sayso.targets.api.specs.slots import context
from sayso.targets.api.specs.slots.context import FLAGS, KIND, WEIGHTS, Asked, asked_of, places_of
from sayso.targets.api.specs.slots.features import FEATURES
from sayso.targets.api.specs.slots.meaning import ENCODER, GRAPH, READER, text_vectors, written_of
from sayso.training.meaning_graph import make_meaning_graph

SETTINGS: dict[str, Any] = {"width": 128, "layers": 1, "heads": 4, "size": 64}
HIDDEN, WIDER = 48, 2
LAYERS = (3, 5)
"""Of the encoder, whose vectors a token has."""
ROUNDS, BATCH, RATE, DECAY, PULL = 6, 16, 1e-3, 0.05, 1e-3
DROPPED, UNSEEN = 0.4, 0.1
"""Shares of what goes in, and of what is looked at, that are hidden while learning."""
NEAREST, WRONG = 5, 1
"""Operations near a request of which some are shown as ones that it does not ask for."""
ASKS = 1.0
WHOLE = "whole"


@dataclass(frozen=True)
class Row:
    """A request for one operation, or (`made` is None) one that an API cannot answer."""

    group: str
    wanted: Wanted
    made: Dealing | None
    asked: Asked
    places: np.ndarray
    others: tuple[Asked, ...]
    """The same request with operations that it does not ask for."""


class Reader(nn.Module):
    """What `context.odds` computes with numpy, for a batch of pairs of a request and an operation."""

    def __init__(self, token: int, text: int) -> None:
        super().__init__()
        width, size = SETTINGS["width"], SETTINGS["size"]
        self.drop = nn.Dropout(DROPPED)
        self.token, self.choice = nn.Linear(token, width), nn.Linear(text, width)
        self.slot, self.operation = nn.Linear(text + FLAGS, width), nn.Linear(2 * text + len(context.DEEDS), width)
        self.sorts = nn.Parameter(torch.randn(4, width) * 0.1)
        self.layers = nn.ModuleList(Layer(width, SETTINGS["heads"]) for _ in range(SETTINGS["layers"]))
        self.norm = nn.LayerNorm(width)
        self.key, self.query = nn.Linear(width, 3 * size), nn.Linear(width, context.MAPS * size)
        self.alone = nn.Linear(width, context.MAPS)
        self.told, self.chosen, self.asks = (head(width, many) for many in (4, 1, 1))

    def join(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        tokens = self.token(self.drop(batch["tokens"])) + self.sorts[0]
        slots = self.slot(self.drop(batch["slots"])) + self.sorts[1]
        owned = slots.gather(1, batch["owners"][..., None].expand(-1, -1, slots.shape[-1]))
        choices = self.choice(self.drop(batch["choices"])) + self.sorts[2] + owned
        about = self.operation(self.drop(batch["about"])) + self.sorts[3]
        seen = torch.cat([tokens, slots, choices, about[:, None]], 1)
        for layer in self.layers:
            seen = layer(seen, batch["seen"])
        sizes = [tokens.shape[1], slots.shape[1], choices.shape[1], 1]
        first, second, third, fourth = self.norm(seen).split(sizes, 1)
        return first, second, third, fourth[:, 0]

    def forward(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        tokens, slots, choices, about = self.join(batch)
        asks = self.asks(about)[:, 0]
        size = SETTINGS["size"]
        keys, queries = self.key(tokens).split(size, -1), self.query(slots).split(size, -1)
        alone, seen = self.alone(tokens), batch["words"][..., None]
        maps = [
            (torch.einsum("btd,bvd->btv", keys[(at + 1) // 2], queries[at]) / size**0.5 + alone[..., at : at + 1])
            * seen
            for at in range(context.MAPS)
        ]
        row, (slot, first, last, sort, choice) = batch["row"], batch["places"].unbind(1)
        sums = F.pad(maps[0].cumsum(1), (0, 0, 1, 0))
        end = tokens.shape[1]
        spans = (sums[row, last, slot] - sums[row, first, slot]) / (last - first).clamp(min=1)
        spans = spans + maps[1][row, first, slot] + maps[2][row, (last - 1).clamp(min=0), slot]
        spans = spans + maps[3][row, (first - 1).clamp(min=0), slot] * (first > 0)
        spans = spans + maps[4][row, last.clamp(max=end - 1), slot] * (last < end)
        found = spans * (((sort == context.SPAN) | (sort == context.COMING)) & (last > first))
        told = self.told(slots)[row, slot]
        for at, one in enumerate((context.TRUE, context.FALSE, context.COMING), 1):
            found = found + told[:, at] * (sort == one)
        if choices.shape[1]:
            chosen = self.chosen(choices)[..., 0]
            found = found + chosen[row, choice.clamp(max=choices.shape[1] - 1)] * (sort == context.CHOICE)
        return found - told[:, 0], asks


class Layer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, WIDER * width), nn.Linear(WIDER * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.drop = nn.Dropout(UNSEEN)

    def forward(self, x: Tensor, seen: Tensor) -> Tensor:
        rows, time, width = x.shape
        parts = self.qkv(self.norm1(x)).view(rows, time, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        much = UNSEEN if self.training else 0.0
        query, key, value = parts
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=seen[:, None, None, :], dropout_p=much)
        x = x + self.drop(self.out(mixed.transpose(1, 2).reshape(rows, time, width)))
        found: Tensor = x + self.drop(self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh")))
        return found


def head(width: int, many: int) -> nn.Sequential:
    last = nn.Linear(HIDDEN, many)
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    return nn.Sequential(nn.Linear(width, HIDDEN), nn.GELU(approximate="tanh"), last)


def batched(pairs: Sequence[Asked], places: Sequence[np.ndarray]) -> dict[str, Tensor]:
    """Filled up with zeros, which `seen` hides."""

    def padded(parts: Sequence[np.ndarray]) -> tuple[Tensor, Tensor]:
        longest = max(len(one) for one in parts)
        made = np.zeros((len(parts), longest, *parts[0].shape[1:]), parts[0].dtype)
        there = np.zeros((len(parts), longest), bool)
        for at, one in enumerate(parts):
            made[at, : len(one)], there[at, : len(one)] = one, True
        return torch.from_numpy(made), torch.from_numpy(there)

    tokens, words = padded([one.tokens.astype(np.float32) for one in pairs])
    slots, of_slots = padded([one.slots for one in pairs])
    choices, of_choices = padded([one.choices for one in pairs])
    owners, _ = padded([one.owners for one in pairs])
    about = torch.from_numpy(np.stack([np.concatenate([one.operation, one.request]) for one in pairs]))
    ones = torch.ones(len(pairs), 1, dtype=torch.bool)
    return {
        **{"tokens": tokens, "slots": slots, "choices": choices, "owners": owners, "about": about},
        "words": words.float(),
        "seen": torch.cat([words, of_slots, of_choices, ones], 1),
        "places": torch.from_numpy(np.concatenate(places) if places else np.zeros((0, 5), np.int64)),
        "row": torch.from_numpy(np.repeat(np.arange(len(places)), [len(one) for one in places])),
    }


def value_loss(found: Tensor, rows: Sequence[Row], batch: dict[str, Tensor], weights: Tensor) -> Tensor:
    """A softmax over what each slot could take, beside nothing."""
    made = [row.made for row in rows if row.made is not None]
    most = batch["slots"].shape[1]
    segment = batch["row"] * most + batch["places"][:, 0]
    features = torch.from_numpy(np.concatenate([one.rows for one in made])).float()
    right = torch.from_numpy(np.concatenate([np.array(one.right, bool) for one in made]))
    needed, said = torch.zeros(len(made), most), torch.zeros(len(made), most, dtype=torch.bool)
    for at, one in enumerate(made):
        for place, slot in enumerate(one.operation.slots):
            needed[at, place], said[at, place] = float(slot.is_needed), slot.path in one.said_of
    scores = found + features @ weights + WANTED * needed.reshape(-1)[segment]
    count = len(made) * most
    whole = summed(scores, segment, torch.zeros(count), torch.ones_like(right))
    meant = summed(scores, segment, torch.full((count,), -1e9), right)
    has = torch.zeros(count).scatter_add(0, segment, right.float()) > 0
    there = torch.zeros(count).scatter_add(0, segment, torch.ones_like(scores)) > 0
    used = there & (has | ~said.reshape(-1))
    loss: Tensor = ((whole - torch.where(has, meant, torch.zeros(count))) * used).sum() / len(made)
    return loss


def summed(scores: Tensor, segment: Tensor, start: Tensor, kept: Tensor) -> Tensor:
    """The logarithm of the sum of exponentials of a segment, with what it starts with."""
    scores = torch.where(kept, scores, torch.full_like(scores, -1e9))
    most = start.scatter_reduce(0, segment, scores, "amax").detach()
    total = torch.exp(start - most).scatter_add(0, segment, torch.exp(scores - most[segment]))
    return most + torch.log(total.clamp(min=1e-12))


def fit(rows: Sequence[Row], rounds: int, seed: int = 0) -> tuple[Reader, np.ndarray]:
    """The reader, and the weights of the other features as they stand beside it."""
    torch.manual_seed(seed)
    draw = random.Random(seed)
    first = rows[0].asked
    reader = Reader(first.tokens.shape[1], first.request.shape[0])
    start = torch.tensor(weighed(shipped_weights()["slots"]))
    weights = nn.Parameter(start.clone())
    parts = [{"params": list(reader.parameters()), "weight_decay": DECAY}, {"params": [weights], "lr": 10 * RATE}]
    steps = torch.optim.AdamW(parts, lr=RATE, weight_decay=0.0)
    total = rounds * ((len(rows) + BATCH - 1) // BATCH)
    slower = torch.optim.lr_scheduler.LambdaLR(steps, lambda at: min(1.0, (at + 1) / 30) * (1 - at / total))
    order = list(rows)
    reader.train()
    for round_ in range(rounds):
        draw.shuffle(order)
        lost = [0.0, 0.0]
        for begin in range(0, len(order), BATCH):
            chosen = order[begin : begin + BATCH]
            told = [row for row in chosen if row.made is not None]
            values = torch.zeros(())
            asks = torch.zeros(())
            if told:
                batch = batched([row.asked for row in told], [row.places for row in told])
                found, asks = reader(batch)
                values = value_loss(found, told, batch, weights)
            pairs = [
                (at, one)
                for at, row in enumerate([*told, *(row for row in chosen if row.made is None)])
                for one in draw.sample(row.others, min(WRONG, len(row.others)))
            ]
            loss = values + PULL * ((weights - start) ** 2).sum()
            if pairs:
                wrong = reader.asks(reader.join(batched([one for _, one in pairs], []))[3])[:, 0]
                choice = choice_loss(asks, wrong, [at for at, _ in pairs])
                loss = loss + ASKS * choice
                lost[1] += float(choice.detach()) / total * rounds
            steps.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(reader.parameters(), 5.0)
            steps.step()
            slower.step()
            lost[0] += float(values.detach()) / total * rounds
        print(f"round {round_ + 1}: values {lost[0]:.3f}, operation {lost[1]:.3f}", file=sys.stderr, flush=True)
    return reader.eval(), weights.detach().numpy().astype(float)


def choice_loss(asks: Tensor, wrong: Tensor, owners: Sequence[int]) -> Tensor:
    """That the right operation stands above the others, and above nothing; the others below."""
    sure = F.softplus(-asks).sum() + F.softplus(wrong).sum()
    place = torch.tensor(owners)
    among = place < len(asks)
    above = F.softplus(wrong[among] - asks[place[among]]).sum() if len(asks) else torch.zeros(())
    loss: Tensor = (0.5 * sure + above) / max(1, len(asks) + len(wrong)) * 2
    return loss


def rows_of(groups: Sequence[Taught]) -> list[Row]:
    found = []
    for group in groups:
        vectors = text_vectors([written_of(one) for one in group.api.operations])
        assert vectors is not None
        for one in group.wanted:
            request = text_vectors([one.text])
            assert request is not None
            near = np.argsort(-(vectors @ request[0]))
            others = [group.api.operations[at] for at in near if group.api.operations[at].id != one.operation]
            found.append(row_of(group.name, one, others[:NEAREST], group))
    return found


def row_of(name: str, one: Wanted, others: Sequence[Operation], group: Taught) -> Row:
    made = dealing(operation_of(group, one), one) if one.operation else None
    cut = made.said if made is not None else said(one.text, one.clock)
    beside = tuple(asked_of(cut, other) for other in others)
    asked = asked_of(cut, made.operation) if made is not None else beside[0]
    places = places_of(made.options, made.operation) if made is not None else np.zeros((0, 5), np.int64)
    return Row(name, one, made, asked, places, beside)


def stored(reader: Reader) -> dict[str, Any]:
    return {name: one.detach().numpy().astype(np.float16) for name, one in reader.state_dict().items()}


def bundle_weights(reader: Reader) -> context.Reads:
    return context.weights_from(stored(reader), SETTINGS, "what was learnt")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.api_reader", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for what was learnt")
    parser.add_argument("--only", choices=(HELD, WHOLE), help="learn one of the two")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--write", action="store_true", help="make the bundle that ships")
    args = parser.parse_args(argv)
    torch.set_num_threads(1)
    rows = rows_of([one for one in groups() if not is_held(one.name)])
    print(f"{len(rows)} requests", file=sys.stderr)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "settings.json").write_text(json.dumps(SETTINGS))
    for name in (HELD, WHOLE) if args.only is None else (args.only,):
        learnt_on = [row for row in rows if name == WHOLE or part_of(row.group, PARTS)]
        reader, weights = fit(learnt_on, args.rounds)
        (args.out / f"weights.{name}.json").write_text(json.dumps(dict(zip(FEATURES, weights, strict=True))))
        with (args.out / f"reader.{name}.npz").open("wb") as file:
            np.savez(file, **stored(reader))
        if name == WHOLE and args.write:
            write(reader)
    return 0


def write(reader: Reader) -> None:
    packed = io.BytesIO()
    np.savez_compressed(packed, **stored(reader))
    card = READER / "MODEL_CARD.md"
    graph = make_meaning_graph(read_shape(load_bundle(ENCODER)), LAYERS)
    files = {WEIGHTS: packed.getvalue(), GRAPH: graph, card.name: card.read_bytes()}
    write_bundle(READER, name=KIND, target="api", kind=KIND, settings=SETTINGS, files=files, licence="Apache-2.0")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
