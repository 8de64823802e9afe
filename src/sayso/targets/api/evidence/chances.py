"""The chance that a call is right, fitted again for the embedded parsers: `data/chances.json`.

An entry names the fit that it stands in for, so that one made for an older bundle is not used for a newer one
(`experiments/api_chances.py` makes them).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

FILE = "chances.json"


def better_fit(domain: str, fit: Sequence[float]) -> tuple[float, ...]:
    """What to read chances with, where the bundle of a domain says `fit`."""
    entry = _entries().get(domain)
    return tuple(entry["is"]) if entry and list(fit) == entry["was"] else tuple(fit)


@cache
def _entries() -> dict[str, dict[str, list[float]]]:
    found: dict[str, dict[str, list[float]]] = json.loads(
        (files("sayso.targets.api") / "data" / FILE).read_text(encoding="utf-8")
    )
    return found
