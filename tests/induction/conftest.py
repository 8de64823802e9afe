"""A small language of our own: deeds, directions, repetition, and two ways of joining two deeds."""

from __future__ import annotations

from itertools import product

import pytest

DEEDS = {"sing": "la", "drum": "bum", "clap": "paf", "hum": "mm"}
TIMES = {"": 1, "doubly": 2, "triply": 3}
Pairs = list[tuple[str, str]]


def simple() -> Pairs:
    """sing softly doubly -> hush la hush la"""
    found = []
    for (deed, sound), manner, (times, n) in product(DEEDS.items(), ("", "softly"), TIMES.items()):
        said = " ".join(word for word in (deed, manner, times) if word)
        found.append((said, " ".join([f"hush {sound}" if manner else sound] * n)))
    return found


@pytest.fixture(scope="session")
def language() -> Pairs:
    """Every sentence of the language: 24 simple ones and their pairs, joined by `then` or by `once`."""
    ones = simple()
    joined = [(f"{a} then {b}", f"{x} {y}") for (a, x), (b, y) in product(ones, ones)]
    turned = [(f"{a} once {b}", f"{y} {x}") for (a, x), (b, y) in product(ones, ones)]
    return [*ones, *joined, *turned]
