"""The networks that read people's own wording as the files of a bundle: eight bits a weight, one scale a row."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from sayso.core.errors import BadBundle
from sayso.neural.arrays import read_npz, shaped
from sayso.neural.bundle import Bundle, reading
from sayso.targets.api.request.words import BUCKETS, SHAPES
from sayso.targets.api.specs.slots.meaning import encoder
from sayso.targets.api.syntax.calls import OPERATORS
from sayso.targets.api.systems.network import Array
from sayso.targets.api.systems.storing import check_layers, networks, packed
from sayso.targets.api.systems.wording import slots
from sayso.targets.api.systems.wording.marks import MARKS
from sayso.targets.api.systems.wording.network import WordingNetwork
from sayso.targets.api.systems.wording.reading import Wording

WEIGHTS, SLOTS = "weights.npz", "slots.json"
KIND = "api-wording"
AGAIN = "train it again"


def slots_told() -> dict[str, Any]:
    """What the outputs of a network stand for."""
    return {"spans": list(slots.spans()), "choices": [[slot, list(values)] for slot, values in slots.choices()]}


def wording_files(found: Sequence[WordingNetwork]) -> dict[str, bytes]:
    arrays: dict[str, Any] = {}
    for at, network in enumerate(found):
        for name, weight in network.weights.items():
            arrays |= {f"{at}.{part}": one for part, one in packed(name, weight)}
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return {WEIGHTS: file.getvalue(), SLOTS: json.dumps(slots_told(), indent=0).encode()}


def open_wording(bundle: Bundle) -> Wording:
    """Raises BadBundle where the files are not those of such a network, or of other slots than there are now."""
    with reading(bundle, "reader of requests in people's own wording", AGAIN):
        if bundle.kind != KIND or bundle.read_json(SLOTS) != slots_told():
            raise BadBundle(f"{bundle.place(SLOTS)} names other slots than this sayso has", AGAIN)
        place = bundle.place(WEIGHTS)
        found = networks(read_npz(bundle.read(WEIGHTS), place))
        if not found:
            raise BadBundle(f"{place} holds no network", AGAIN)
        return Wording(tuple(checked(WordingNetwork(one.weights), f"{place}: {at}") for at, one in enumerate(found)))


def checked(network: WordingNetwork, place: str) -> WordingNetwork:
    """Every weight that the network asks for, in its size."""
    weights = network.weights

    def fit(name: str, *shape: int) -> tuple[int, ...]:
        found: Array = shaped(weights.get(name), f"{place}.{name}", *shape)
        return found.shape

    tags, choices = 1 + 2 * len(slots.spans()), sum(len(values) for _, values in slots.choices())
    reads = encoder()
    inside = fit("words", reads.token_width if reads else -1, -1)[1] + fit("grams", BUCKETS, -1)[1] + SHAPES + MARKS
    fit("words.bias", weights["words"].shape[1])
    given = check_layers(weights, inside, f"{place}.")
    for name, many in (("tags", tags), ("operators", len(OPERATORS)), ("choices", choices)):
        fit(f"{name}.weight", given + inside, many)
        fit(f"{name}.bias", many)
    fit("whole.weight", given + inside, choices)
    fit("starts", tags)
    fit("moves", tags, tags)
    return network
