"""What a request says of each slot, read as a whole: its words, the operation, the slots and their choices look at each
other once.

`api-reader` holds the weights of a small transformer over vectors of the sentence encoder (`meaning.py`), learnt by
`experiments/api_reader.py`. It gives every value that a slot could take the logarithm of its odds against none, and the
operation those of being asked for at all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadBundle
from sayso.neural.arrays import read_npz, shaped
from sayso.neural.bundle import MANIFEST, load_bundle, reading
from sayso.targets.api.specs.deeds import deed_of
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.said.spans import Said
from sayso.targets.api.specs.slots.features import PLACE, Option
from sayso.targets.api.specs.slots.meaning import (
    READER,
    choice_texts,
    encoder,
    slot_text,
    text_vectors,
    token_vectors,
    written_of,
)
from sayso.targets.api.specs.slots.views import View, views_of

if TYPE_CHECKING:
    from sayso.targets.api.specs.slots.likeness import Array

KIND, WEIGHTS = "api-reader", "weights.npz"
LOUD = 8.0
"""What unit vectors are multiplied with, so that they weigh as much as those of tokens."""
DEEDS = ("read", "create", "update", "delete")
FLAGS = 10
SPAN, CHOICE, TRUE, FALSE, COMING = range(5)
"""What an option is to the reader: words, a choice, one of two truths, or a date that lies ahead."""
MAPS = 5
"""Of a token to a slot: within the value, its first, its last, before it, behind it."""


@dataclass(frozen=True)
class Asked:
    """A request and an operation as vectors."""

    tokens: Array
    request: Array
    operation: Array
    slots: Array
    choices: Array
    owners: Array
    """For each choice, its slot."""


def deeds_of(operation: Operation) -> list[float]:
    return [float(deed_of(operation) == one) for one in DEEDS]


def flags_of(view: View) -> list[float]:
    slot = view.slot
    is_number = slot.kind in ("integer", "number")
    found = (slot.is_needed, slot.default is not None, slot.kind == "boolean", bool(slot.enum), is_number)
    return [*map(float, (*found, view.is_date, view.is_id, slot.many, slot.where == "path", bool(slot.text)))]


@lru_cache(maxsize=512)
def operation_vectors(operation: Operation) -> tuple[Array, Array, Array, Array]:
    """Of itself, its slots and its choices, and whose choices they are. Only where there is an encoder."""
    import numpy as np

    views = views_of(operation)
    choices = [(view.at, text) for view in views for text in choice_texts(view)]
    texts = [written_of(operation), *map(slot_text, views), *(text for _, text in choices)]
    found = text_vectors(texts)
    assert found is not None
    own = np.concatenate([found[0] * LOUD, np.array(deeds_of(operation), np.float32)])
    flags = np.array([flags_of(view) for view in views], np.float32).reshape(-1, FLAGS)
    slots = np.concatenate([found[1 : len(views) + 1] * LOUD, flags], axis=1)
    return own, slots, found[len(views) + 1 :] * LOUD, np.array([at for at, _ in choices], np.int64)


@lru_cache(maxsize=64)
def words_read(words: tuple[str, ...]) -> Array:
    reads = encoder()
    assert reads is not None
    return token_vectors(reads, words)


def asked_of(said: Said, operation: Operation) -> Asked:
    request = text_vectors([said.text])
    assert request is not None
    tokens = words_read(tuple(token.text for token in said.tokens))
    return Asked(tokens, request[0] * LOUD, *operation_vectors(operation))


def places_of(options: Sequence[Option], operation: Operation) -> Any:
    """(option, 5): its slot, its first token, the one behind its last, what it is, and the place of its choice."""
    import numpy as np

    views = views_of(operation)
    known: dict[tuple[int, str], int] = {}
    for view in views:
        for value in view.slot.enum[: len(choice_texts(view))] if view.slot.enum else ():
            known[view.at, repr(value)] = len(known)
    rows = []
    for one in options:
        single = one.value[0] if isinstance(one.value, list) and len(one.value) == 1 else one.value
        sort, choice = SPAN, 0
        if views[one.slot].slot.kind == "boolean":
            sort = TRUE if single is True else FALSE
        elif (one.slot, repr(single)) in known:
            sort, choice = CHOICE, known[one.slot, repr(single)]
        elif any(at in AHEAD for at, _ in one.features):
            sort = COMING
        first, last = (min(one.cover), max(one.cover) + 1) if one.cover else (0, 0)
        rows.append((one.slot, first, last, sort, choice))
    return np.array(rows, np.int64).reshape(-1, 5)


AHEAD = (PLACE["coming"], PLACE["coming-unhinted"])


@dataclass(frozen=True)
class Reads:
    settings: Mapping[str, Any]
    of: Mapping[str, Array]

    def linear(self, name: str, x: Array) -> Array:
        made: Array = x @ self.of[f"{name}.weight"].T + self.of[f"{name}.bias"]
        return made

    def normed(self, name: str, x: Array) -> Array:
        import numpy as np

        middle = x - x.mean(-1, keepdims=True)
        made: Array = np.divide(middle, np.sqrt((middle * middle).mean(-1, keepdims=True) + 1e-5), dtype=np.float32)
        return made * self.of[f"{name}.weight"] + self.of[f"{name}.bias"]


def gelu(x: Array) -> Array:
    import numpy as np

    bent: Any = np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))
    made: Array = 0.5 * x * (1.0 + bent)
    return made


def looked(weights: Reads, x: Array) -> Array:
    """Everything looks at everything, `layers` times."""
    import numpy as np

    heads = int(weights.settings["heads"])
    for layer in range(int(weights.settings["layers"])):
        own = f"layers.{layer}."
        rows = weights.linear(own + "qkv", weights.normed(own + "norm1", x)).reshape(len(x), 3, heads, -1)
        query, key, value = rows.transpose(1, 2, 0, 3)
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ value
        x = x + weights.linear(own + "out", mixed.transpose(1, 0, 2).reshape(len(x), -1))
        x = x + weights.linear(own + "down", gelu(weights.linear(own + "up", weights.normed(own + "norm2", x))))
    return weights.normed("norm", x)


def joined(weights: Reads, asked: Asked) -> tuple[Array, Array, Array, Array]:
    """Tokens, slots, choices and the operation, as they stand after they have looked at each other."""
    import numpy as np

    sorts = weights.of["sorts"]
    tokens = weights.linear("token", asked.tokens) + sorts[0]
    slots = weights.linear("slot", asked.slots) + sorts[1]
    choices = weights.linear("choice", asked.choices) + sorts[2] + slots[asked.owners]
    about = np.concatenate([asked.operation, asked.request])
    operation = weights.linear("operation", about) + sorts[3]
    seen = looked(weights, np.concatenate([tokens, slots, choices, operation[None]]))
    ends = np.cumsum([len(tokens), len(slots), len(choices)])
    first, second, third, fourth = np.split(seen, ends)
    return first, second, third, fourth[0]


def odds(weights: Reads, asked: Asked, places: Array) -> tuple[Array, float]:
    """The log odds of each option against none, and those of the operation."""
    import numpy as np

    tokens, slots, choices, operation = joined(weights, asked)
    asks = float(weights.linear("asks.2", gelu(weights.linear("asks.0", operation)))[0])
    if not len(places):
        return np.zeros(0, np.float32), asks
    size = int(weights.settings["size"])
    keys = np.split(weights.linear("key", tokens), 3, axis=1)
    queries = np.split(weights.linear("query", slots), MAPS, axis=1)
    alone = weights.linear("alone", tokens)
    maps = [
        keys[(at + 1) // 2] @ queries[at].T / math.sqrt(size) + alone[:, at : at + 1] for at in range(MAPS)
    ]  # (token, slot)
    slot, first, last, sort, choice = places.T
    sums = np.concatenate([np.zeros((1, len(slots)), np.float32), np.cumsum(maps[0], axis=0)])
    end = len(tokens)
    spans = (sums[last, slot] - sums[first, slot]) / np.maximum(last - first, 1)
    spans += maps[1][np.minimum(first, end - 1), slot] + maps[2][np.maximum(last - 1, 0), slot]
    spans += np.where(first > 0, maps[3][np.maximum(first - 1, 0), slot], 0.0)
    spans += np.where(last < end, maps[4][np.minimum(last, end - 1), slot], 0.0)
    found = np.where(((sort == SPAN) | (sort == COMING)) & (last > first), spans, 0.0)
    told = weights.linear("told.2", gelu(weights.linear("told.0", slots)))  # none, true, false, coming
    for at, one in enumerate((TRUE, FALSE, COMING), 1):
        found = found + np.where(sort == one, told[slot, at], 0.0)
    if len(choices):
        chosen = weights.linear("chosen.2", gelu(weights.linear("chosen.0", choices)))[:, 0]
        found = found + np.where(sort == CHOICE, chosen[np.minimum(choice, len(chosen) - 1)], 0.0)
    return (found - told[slot, 0]).astype(np.float32), asks


@cache
def shipped() -> Reads | None:
    """What ships, read once; None where nothing can be read with it."""
    if not (READER / MANIFEST).is_file() or encoder() is None:
        return None
    bundle = load_bundle(READER)
    with reading(bundle, "reader of API calls"):
        if bundle.kind != KIND:
            raise BadBundle(f"{bundle.place(WEIGHTS)} belongs to a bundle of kind {bundle.kind}")
        return weights_from(read_npz(bundle.read(WEIGHTS), bundle.place(WEIGHTS)), bundle.settings, str(READER))


def weights_from(stored: Mapping[str, Array], settings: Mapping[str, Any], place: str) -> Reads:
    import numpy as np

    found = {name: one.astype(np.float32) for name, one in stored.items()}
    width = int(settings["width"])
    shaped(found.get("sorts"), place, 4, width)
    shaped(found.get("norm.weight"), place, width)
    return Reads(dict(settings), found)


def in_context(
    said: Said, operation: Operation, options: Sequence[Option], reads: Reads | None
) -> tuple[list[Option], float]:
    """Options with what the whole request says for each, and the log odds that the operation is asked for."""
    if reads is None or not said.tokens:
        return list(options), 0.0
    told, asks = odds(reads, asked_of(said, operation), places_of(options, operation))
    place = PLACE["context"]
    return [
        replace(one, features=(*one.features, (place, float(much)))) for one, much in zip(options, told, strict=True)
    ], asks
