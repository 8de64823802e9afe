"""Requests as typed in a hurry, made from enumerated calls: what the parsers of `sayso api` learn beside Okapi.

The wordings are `data/utterance/english-short.toml`, the values those of `data/construct.toml`. They are reworded as
every request to `sayso api` is, since that is what its parsers see.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from random import Random

from sayso.core.types import Example, Request
from sayso.experiments.api_parser import Pair
from sayso.targets.api.lessons.construct import Plan, draw_calls
from sayso.targets.api.lessons.utterance import phrase
from sayso.targets.api.request.rewording import reword
from sayso.targets.api.syntax.calls import parse_call

SHORT = "english-short"
SIZES = ((2, 0.3), (3, 0.45), (4, 0.25))
"""Parameters at most -> share of the calls: whoever types little asks for little."""
SMALL = 0.7
"""So many requests are in small letters throughout."""
WAYS = 2


def short_pairs(domain: str, n: int, seed: int = 0, wordings: str = SHORT) -> Iterator[Pair]:
    """About n requests with their calls, each call in two wordings; wordings may be those of another file."""
    random = Random(f"short {domain} {seed}")
    for parameters, share in SIZES if n else ():
        calls = list(draw_calls(domain, Plan(parameters, seed=seed, values=wordings), max(1, int(n * share / WAYS))))
        for call in calls:
            for _ in range(WAYS):
                text = phrase(call, wordings, random)
                yield reword(text.lower() if random.random() < SMALL else text, domain), call


def free_requests(part: str) -> list[Example]:
    """The short requests that people might type, written before these wordings; part is dev or blind."""
    content = (files("sayso.targets.api") / "data" / "free" / "requests.jsonl").read_text(encoding="utf-8")
    return [
        Example(row["id"], Request(row["text"]), (row["call"],), {"domain": row["domain"]})
        for row in map(json.loads, content.splitlines())
        if row["part"] == part
    ]


def free_pairs(domain: str, part: str) -> list[Pair]:
    return [
        (reword(one.request.text, domain), parse_call(one.references[0]))
        for one in free_requests(part)
        if one.meta["domain"] == domain
    ]
