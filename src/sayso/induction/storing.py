"""A grammar as JSON and as a bundle folder; a few kilobytes, readable and comparable by eye."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from sayso.core.errors import BadBundle
from sayso.induction.grammar import Grammar, shown
from sayso.induction.places import Weights
from sayso.induction.rules import HOLES, Spelt
from sayso.neural import fields
from sayso.neural.bundle import Bundle, reading, write_bundle

FILE, CARD, KIND = "grammar.json", "MODEL_CARD.md", "induced"
LONGEST, LARGEST_COUNT = 1_000, 1e9
"""Words of a request that a grammar reads, and sightings of a rule: far more than any corpus has."""


def to_json(grammar: Grammar) -> dict[str, Any]:
    """Plain values; a grammar that never answers has no `sure`."""
    return {
        "sure": None if math.isinf(grammar.sure) else grammar.sure,
        "longest": grammar.longest,
        "rules": [[list(source), list(target)] for source, target in grammar.spelt],
        "counts": [
            [*place, [[rule, count] for rule, count in sorted(row.items())]]
            for place, row in sorted(grammar.weights.counts.items())
        ],
    }


def from_json(value: object, place: str = FILE) -> Grammar:
    """The inverse of `to_json`; raises BadBundle on anything else."""
    given = fields.table(value, place)
    rules, counts, sure = (fields.field(given, name, place) for name in ("rules", "counts", "sure"))
    spelt = []
    for at, rule in enumerate(fields.rows(rules, f"{place}: rules")):
        source, target = fields.rows(rule, f"{place}: rules.{at}", 2)
        spelt.append((side(source, f"{place}: rules.{at}.0"), side(target, f"{place}: rules.{at}.1")))
        holes = [one for one in spelt[-1][0] if isinstance(one, int)]
        if holes != list(range(len(holes))) or {one for one in spelt[-1][1] if isinstance(one, int)} - set(holes):
            raise BadBundle(f"{place}: rules.{at} has other holes in its target than in its source", fields.CURE)
    found: dict[tuple[int, int], dict[int, float]] = {}
    for at, row in enumerate(fields.rows(counts, f"{place}: counts")):
        here = f"{place}: counts.{at}"
        rule, hole, children = fields.rows(row, here, 3)
        slot = fields.whole(rule, f"{here}.0", -1, len(spelt) - 1), fields.whole(hole, f"{here}.1", 0, len(HOLES) - 1)
        found[slot] = {}
        for number, child in enumerate(fields.rows(children, f"{here}.2")):
            name, count = fields.rows(child, f"{here}.2.{number}", 2)
            name = fields.whole(name, f"{here}.2.{number}.0", 0, len(spelt) - 1)
            found[slot][name] = fields.number(count, f"{here}.2.{number}.1", 0.0, LARGEST_COUNT)
    least = math.inf if sure is None else fields.number(sure, f"{place}: sure", 0.0, 1.0)
    longest = fields.whole(fields.field(given, "longest", place), f"{place}: longest", 0, LONGEST)
    return Grammar(spelt, Weights(found), least, longest)


def side(items: object, place: str) -> Spelt:
    """One side of a rule, not empty; what is neither a word nor a hole is refused."""
    found = fields.rows(items, place)
    if not found:
        raise fields.wrong(place, found, "a phrase")
    for at, item in enumerate(found):
        if isinstance(item, str):
            word = fields.text(item, f"{place}.{at}")
            if word.split() != [word]:
                raise fields.wrong(f"{place}.{at}", word, "one word")
        else:
            fields.whole(item, f"{place}.{at}", 0, len(HOLES) - 1)
    return tuple(found)


def save_grammar(folder: Path, grammar: Grammar, *, name: str, target: str = "api") -> Bundle:
    """Write the grammar as a bundle folder, with a card that shows the rules."""
    lines = (f"{json.dumps(key)}: {json.dumps(item, ensure_ascii=False)}" for key, item in to_json(grammar).items())
    files = {FILE: ("{" + ",\n".join(lines) + "}\n").encode(), CARD: card(grammar, name).encode()}
    return write_bundle(folder, name=name, target=target, kind=KIND, settings={}, files=files, licence="Apache-2.0")


def card(grammar: Grammar, name: str) -> str:
    gate = "It never answers." if math.isinf(grammar.sure) else f"It answers from a confidence of {grammar.sure} on."
    rules = "\n".join(f"{shown(source)} -> {shown(target)}" for source, target in grammar.spelt)
    return (
        f"# {name}\n\nA synchronous grammar, induced from the train part of its task alone; "
        f"docs/papers/scan.md says how, and how good it is.\n{gate} Licence: Apache-2.0.\n\n```\n{rules}\n```\n"
    )


def load_grammar(bundle: Bundle) -> Grammar:
    """The grammar of a checked bundle; raises BadBundle."""
    with reading(bundle, "grammar", "learn it again, see docs/papers/scan.md"):
        return from_json(bundle.read_json(FILE), bundle.place(FILE))
