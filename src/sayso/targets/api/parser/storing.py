"""A trained parser as the files of a bundle: weights in eight bits a number with one scale a row, the rest as JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from sayso.core.errors import BadBundle
from sayso.targets.api.parser.habits import Habits
from sayso.targets.api.parser.layout import Layout
from sayso.targets.api.parser.network import Array, Network
from sayso.targets.api.parser.parse import Parser
from sayso.targets.api.parser.values import Values
from sayso.translate.bundle import Bundle

WEIGHTS, REST = "weights.npz", "parser.json"
KIND = "api-parser"


def parser_files(parser: Parser) -> dict[str, bytes]:
    arrays: dict[str, Any] = {}
    for at, network in enumerate(parser.networks):
        for name, weight in network.weights.items():
            arrays |= {f"{at}.{part}": one for part, one in packed(name, weight)}
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    rest = {
        "domain": parser.layout.domain,
        "resources": parser.layout.resources,
        "copied": parser.layout.copied,
        "chosen": parser.layout.chosen,
        "habits": asdict(parser.layout.habits),
        "values": parser.values.as_json(),
        "vocabulary": list(parser.vocabulary),
        "counts": [parser.counts.get(word, 0) for word in parser.vocabulary],
        "calibration": parser.calibration,
        "dropping": parser.dropping,
    }
    return {WEIGHTS: file.getvalue(), REST: json.dumps(rest, ensure_ascii=False, indent=0).encode()}


def packed(name: str, weight: Array) -> list[tuple[str, Any]]:
    """Matrices in eight bits; what is short, or holds what must never happen, in full."""
    if weight.ndim < 2 or name == "moves":
        return [(name, weight.astype(np.float32))]
    scale = np.maximum(np.abs(weight).max(1, keepdims=True), 1e-8) / 127
    return [(f"{name}:q", np.rint(weight / scale).astype(np.int8)), (f"{name}:s", scale.astype(np.float16))]


def open_parser(bundle: Bundle) -> Parser:
    """Raises BadBundle where the files are not a parser's."""
    try:
        rest = json.loads(bundle.read(REST))
        with np.load(io.BytesIO(bundle.read(WEIGHTS)), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        layout = Layout(
            rest["domain"],
            tuple(rest["resources"]),
            tuple(rest["copied"]),
            tuple((slot, tuple(values)) for slot, values in rest["chosen"]),
            habits(rest.get("habits", {})),
        )
        lists = {name: tuple(rest["values"].get(name, ())) for name in ("joined", "alone")}
        values = Values(**{**rest["values"], **lists})
        vocabulary = {word: at for at, word in enumerate(rest["vocabulary"], 2)}
        slope, intercept, *loss = map(float, rest["calibration"])
        counts = dict(zip(vocabulary, rest["counts"], strict=True))
        return Parser(
            layout,
            values,
            vocabulary,
            networks(arrays),
            (slope, intercept, *loss[:1]),
            counts,
            float(rest.get("dropping", 0.0)),
        )
    except (KeyError, TypeError, ValueError, OSError, EOFError) as error:
        raise BadBundle(
            f"{bundle.folder} holds no API parser that this sayso reads: {error!r}", "train it again"
        ) from error


def habits(said: Mapping[str, Any]) -> Habits:
    """Parsers that were trained before there were any have none."""
    apart = tuple((str(name), str(worse), str(better)) for name, worse, better in said.get("apart", ()))
    return Habits(bool(said.get("ordered")), apart)


def networks(arrays: Mapping[str, Any]) -> tuple[Network, ...]:
    each: dict[int, dict[str, Any]] = {}
    for key, array in arrays.items():
        number, _, name = key.partition(".")
        each.setdefault(int(number), {})[name] = array
    return tuple(Network(unpacked(each[at])) for at in sorted(each))


def unpacked(arrays: Mapping[str, Any]) -> dict[str, Array]:
    """The inverse of `packed`, but for rounding."""
    found: dict[str, Array] = {}
    for name, array in arrays.items():
        if name.endswith(":q"):
            found[name[:-2]] = array.astype(np.float32) * arrays[f"{name[:-2]}:s"].astype(np.float32)
        elif not name.endswith(":s"):
            found[name] = array
    return found
