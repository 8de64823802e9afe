"""A trained parser as the files of a bundle: weights in eight bits a number with one scale a row, the rest as JSON."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from sayso.core.errors import BadBundle
from sayso.neural import fields
from sayso.neural.arrays import read_npz, shaped
from sayso.neural.bundle import Bundle, reading
from sayso.targets.api.request.words import BUCKETS, SHAPES
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.habits import Habits
from sayso.targets.api.systems.layout import BY, COUNT, FIRST, ORDER, RESOURCE, SAME, TOP, WAY, Layout
from sayso.targets.api.systems.network import Array, Network
from sayso.targets.api.systems.parse import Parser
from sayso.targets.api.systems.values import Values

WEIGHTS, REST = "weights.npz", "parser.json"
KIND = "api-parser"
LISTS, MOST = ("resources", "copied"), 1 << 40
SLOT = re.compile(r"SEARCH|TOP|FILTER \S+ \S+")


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
    with reading(bundle, "API parser", "train it again"):
        place = bundle.place(REST)
        rest = fields.table(bundle.read_json(REST), place)

        def given(name: str) -> Any:
            return fields.field(rest, name, place)

        layout = read_layout(rest, place)
        words = fields.texts(given("vocabulary"), f"{place}: vocabulary")
        vocabulary = {word: at for at, word in enumerate(words, 2)}
        counts = fields.rows(given("counts"), f"{place}: counts", len(vocabulary))
        calibration = fields.numbers(given("calibration"), f"{place}: calibration")
        if not 2 <= len(calibration) <= 3:
            raise fields.wrong(f"{place}: calibration", given("calibration"), "two or three numbers")
        arrays = read_npz(bundle.read(WEIGHTS), bundle.place(WEIGHTS))
        return Parser(
            layout,
            read_values(given("values"), f"{place}: values"),
            vocabulary,
            check_networks(networks(arrays), layout, len(words) + 2, bundle.place(WEIGHTS)),
            calibration,
            {
                word: fields.whole(count, f"{place}: counts.{word}", 0, MOST)
                for word, count in zip(words, counts, strict=True)
            },
            fields.number(rest.get("dropping", 0.0), f"{place}: dropping"),
        )


def read_layout(rest: Mapping[str, Any], place: str) -> Layout:
    """The slots of a domain that this sayso has a schema for."""
    domain = fields.field(rest, "domain", place)
    if domain not in DOMAINS:
        raise fields.wrong(f"{place}: domain", domain, f"one of {', '.join(DOMAINS)}")
    resources, copied = (fields.texts(fields.field(rest, name, place), f"{place}: {name}") for name in LISTS)
    if not resources or not all(SLOT.fullmatch(slot) for slot in copied):
        raise BadBundle(f"{place} has no resource, or copies into a slot that no call has", "train it again")
    chosen = []
    for at, entry in enumerate(fields.rows(fields.field(rest, "chosen", place), f"{place}: chosen")):
        here = f"{place}: chosen.{at}"
        slot, values = fields.rows(entry, here, 2)
        chosen.append((fields.text(slot, here), fields.texts(values, here)))
        check_choices(*chosen[-1], here)
    habits = read_habits(fields.table(rest.get("habits", {}), f"{place}: habits"), f"{place}: habits")
    return Layout(domain, resources, copied, tuple(chosen), habits)


def check_choices(slot: str, values: tuple[str, ...], place: str) -> None:
    """What may be chosen has to make a call that can be written down."""
    if slot in (FIRST, TOP) and not all(value.isascii() and value.isdigit() for value in values):
        raise fields.wrong(place, list(values), "whole numbers")
    if slot in (ORDER, WAY) and not all(value.split()[-1:] in (["asc"], ["desc"]) for value in values):
        raise fields.wrong(place, list(values), "asc and desc")
    known = (ORDER, WAY, BY, COUNT, FIRST, RESOURCE)
    if not values or (slot not in known and not SLOT.fullmatch(slot.removeprefix(SAME))):
        raise fields.wrong(place, slot, "a slot of a call with its values")


def read_values(value: object, place: str) -> Values:
    given = fields.table(value, place)
    tables = {
        name: {pool: fields.named_texts(one, f"{place}.{name}.{pool}") for pool, one in pools(given, name, place)}
        for name in ("known", "heard", "cases", "parts")
    }
    complete = {pool: fields.number(one, f"{place}.complete.{pool}") for pool, one in pools(given, "complete", place)}
    joined, alone = (fields.texts(given.get(name, []), f"{place}.{name}") for name in ("joined", "alone"))
    around = {
        pool: {
            side: fields.texts(words, f"{place}.around.{pool}.{side}")
            for side, words in fields.table(one, f"{place}.around.{pool}").items()
        }
        for pool, one in pools(given, "around", place)
    }
    return Values(**tables, complete=complete, joined=joined, alone=alone, around=around)


def pools(given: Mapping[str, Any], name: str, place: str) -> list[tuple[str, Any]]:
    return list(fields.table(given.get(name, {}), f"{place}.{name}").items())


def read_habits(said: Mapping[str, Any], place: str) -> Habits:
    """Parsers that were trained before there were any have none."""
    apart = []
    for at, row in enumerate(fields.rows(said.get("apart", []), f"{place}.apart")):
        name, worse, better = fields.rows(row, f"{place}.apart.{at}", 3)
        apart.append((fields.text(name, place), fields.text(worse, place), fields.text(better, place)))
    return Habits(bool(said.get("ordered")), tuple(apart))


def check_networks(found: tuple[Network, ...], layout: Layout, words: int, place: str) -> tuple[Network, ...]:
    """Every weight that a network asks for, in the size that its layout makes it ask for."""
    if not found:
        raise BadBundle(f"{place} holds no network", "train it again")
    tags, choices = layout.tags, sum(layout.sizes)
    for at, network in enumerate(found):
        weights = network.weights

        def fit(name: str, *shape: int) -> tuple[int, ...]:
            return shaped(weights.get(name), f"{place}: {at}.{name}", *shape).shape  # noqa: B023

        inside = fit("words", words, -1)[1] + fit("grams", BUCKETS, -1)[1] + SHAPES
        given = check_layers(weights, inside, f"{place}: {at}.")
        fit("tags.weight", given + inside, tags)
        fit("tags.bias", tags)
        fit("choices.weight", given + inside, choices)
        fit("choices.bias", choices)
        fit("starts", tags)
        fit("moves", tags, tags)
    return found


def check_layers(weights: Mapping[str, Array], inside: int, place: str) -> int:
    """Recurrent layers over `inside` numbers a word, each in its size; how many numbers the last one gives."""

    def fit(name: str, *shape: int) -> tuple[int, ...]:
        return shaped(weights.get(name), f"{place}{name}", *shape).shape

    given, layer = inside, 0
    while f"gru{layer}.forward.hidden" in weights:
        widths = []
        for way in ("forward", "backward"):
            name = f"gru{layer}.{way}"
            widths.append(fit(f"{name}.hidden", -1, -1)[0])
            fit(f"{name}.hidden", widths[-1], 3 * widths[-1])
            fit(f"{name}.input", given, 3 * widths[-1])
            fit(f"{name}.input_bias", 3 * widths[-1])
            fit(f"{name}.hidden_bias", 3 * widths[-1])
        given, layer = sum(widths), layer + 1
    return given


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
            scale = shaped(arrays.get(f"{name[:-2]}:s"), f"{name[:-2]}:s", len(array), 1)
            found[name[:-2]] = array.astype(np.float32) * scale.astype(np.float32)
        elif not name.endswith(":s"):
            found[name] = array
    return found
