"""A grammar as JSON and as a bundle folder; a few kilobytes, readable and comparable by eye."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sayso.core.errors import BadBundle
from sayso.translate.bundle import Bundle, write_bundle
from sayso.translate.induction.grammar import Grammar, shown
from sayso.translate.induction.places import Weights
from sayso.translate.induction.rules import HOLES, Spelt

FILE, CARD, KIND = "grammar.json", "MODEL_CARD.md", "induced"


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


def from_json(value: Mapping[str, Any]) -> Grammar:
    """The inverse of `to_json`; raises ValueError, KeyError or TypeError on anything else."""
    spelt = [(side(source), side(target)) for source, target in value["rules"]]
    counts = {
        (int(rule), int(hole)): {int(child): float(count) for child, count in row}
        for rule, hole, row in value["counts"]
    }
    numbers = {rule for rule, _ in counts} | {child for row in counts.values() for child in row}
    if numbers - set(range(-1, len(spelt))):
        raise ValueError("a count speaks of a rule that is not there")
    sure = math.inf if value["sure"] is None else float(value["sure"])
    return Grammar(spelt, Weights(counts), sure, int(value["longest"]))


def side(items: list[str | int]) -> Spelt:
    for item in items:
        if not isinstance(item, str) and item not in range(len(HOLES)):
            raise ValueError(f"{item!r} is neither a word nor a hole")
    if not items:
        raise ValueError("a side of a rule is empty")
    return tuple(items)


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
    try:
        return from_json(json.loads(bundle.read(FILE)))
    except (KeyError, TypeError, ValueError) as error:
        raise BadBundle(
            f"{bundle.folder} holds no grammar that this sayso reads: {error!r}",
            "learn it again, see docs/papers/scan.md",
        ) from error
