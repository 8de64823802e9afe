"""What no call can say, and how far to doubt a request that names nothing of the three domains.

The parsers were taught requests that have a call, so they find one for every request. Patterns of what none can say are
data (`beyond.toml`); what doubts take off a chance is fitted on requests of our own (`doubts.json`).
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from sayso.targets.api.request.rewording import QUOTED, SUBJECT
from sayso.targets.api.syntax.schema import schema
from sayso.targets.api.syntax.times import FIGURES

FILE = "doubts.json"
DOUBTS = ("unnamed", "unnamed, unused", "unnamed, empty")
"""No word for files, emails or events is said; each word that the call does not use then; a call without a clause."""
MOST = 3
"""So many unused words count."""
THING = re.compile(
    r"\b(?:meetings?|appointments?|calendars?|inbox|drive|attachments?|pdfs?|docs?|documents?|spreadsheets?|slides|presentations?"
    r"|powerpoints?|images?|photos?|pictures?|e-?mailed)\b",
    re.IGNORECASE,
)
"""Words that name what a domain holds without being its own word for it."""
OPENERS = re.compile(
    r"^(?:(?:please|hey|hi|ok|okay|so|and|(?:can|could) you tell me|tell me|i wonder|do you know) )+", re.IGNORECASE
)
DATED = re.compile(
    r"\b(?:on|at|since|before|after|from|until|till|by|in) (?:the )?"
    rf"({FIGURES.pattern}|\d{{1,2}} in the (?:morning|afternoon|evening))(?!\w| (?:\w+ )?categor)",
    re.IGNORECASE,
)
"""Times are words in these calls: `today`, `last week`, `march`."""


def beyond(text: str, domain: str) -> str:
    """Why no call can say this, in words; "" where one may."""
    plain = SUBJECT.sub("", QUOTED.sub("", " ".join(text.split())))
    plain = OPENERS.sub("", plain.strip(" .?!"))
    if dated := DATED.search(plain):
        return f"a day or an hour in figures ({dated[1]}) cannot be asked for"
    offered = schema(domain)
    sorts = " or ".join(one.gloss for one in offered.properties.values() if one.sorts)
    for pattern, reason in _patterns(domain):
        if found := pattern.search(plain):
            said = found[0] if found.start() else found[0][0].lower() + found[0][1:]
            return reason.format(things=offered.gloss, found=said, sorts=sorts)
    return ""


@cache
def _patterns(domain: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    table = tomllib.loads((files("sayso.targets.api") / "data" / "beyond.toml").read_text(encoding="utf-8"))
    able = "".join(f"|{word}" for word in table["sorted"][domain])
    return tuple(
        (re.compile(pattern.replace("{sorted}", able), re.IGNORECASE), reason)
        for part in ("asked", "said")
        for pattern, reason in table[part].items()
    )


def names_thing(text: str) -> bool:
    return bool(THING.search(text))


def doubts_of(named: bool, unused: int, empty: bool) -> tuple[float, ...]:
    """How much there is of each of `DOUBTS`."""
    return (0.0, 0.0, 0.0) if named else (1.0, float(min(unused, MOST)), float(empty))


def doubted(chance: float, doubts: tuple[float, ...], weights: Mapping[str, float] | None = None) -> float:
    """The chance with what the doubts take off its logit."""
    held = min(max(chance, 1e-9), 1 - 1e-9)
    weights = fitted() if weights is None else weights
    loss = sum(weights[name] * much for name, much in zip(DOUBTS, doubts, strict=True))
    return round(1 / (1 + math.exp(loss - math.log(held / (1 - held)))), 9) if loss else chance


@cache
def fitted() -> dict[str, float]:
    found: dict[str, float] = json.loads((files("sayso.targets.api") / "data" / FILE).read_text(encoding="utf-8"))
    return found
