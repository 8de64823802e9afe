"""What is known of each cell that may be the answer, as numbers in columns: what weighs them is fitted.

A cell comes from the trunk, or is a copy: what the exercise gives, or the nearest code above. Nothing here looks at a
reference.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sayso.core.types import Evidence, Request
from sayso.english.cells import BOILERPLATE
from sayso.targets.notebook.syntax.canonical import canonical_strings
from sayso.targets.notebook.syntax.magics import without_magics
from sayso.targets.notebook.syntax.tokens import code_tokens, cut

COLUMNS = (
    "mean_log", "total_log", "likeliest", "ended", "parses", "undefined", "kept", "untouched", "left_open",
    "alike", "named", "repeats", "log_length", "of_given", "of_above", "like_above",
)  # fmt: skip
OPEN = re.compile(
    r"your (?:code|solution|answer)s?\b|fill (?:in|this)|#\s*(?:todo|complete)\b|NotImplementedError"
    r"|(?<![\w_])_{2,}(?![\w_])|\?\?|=\s*(?:\.\.\.|None)\s*(?:#|$)|^\s*(?:\.\.\.|pass)\s*(?:#.*)?$",
    re.I | re.M,
)
NAMED = re.compile(r"`([^`\n]{1,60})`|\b([a-zA-Z]+_\w+|[a-z]+[A-Z]\w+)\b")
WORD = re.compile(r"[A-Za-z_]\w+")
FEW = 3


@dataclass(frozen=True)
class Option:
    """A cell that may be the answer. `log_prob` and `ids` are the trunk's; a copy has none."""

    text: str
    source: str
    """"trunk", "given" or "above"."""
    log_prob: float = 0.0
    ids: int = 0
    is_likeliest: bool = False
    is_ended: bool = True


def given_code(request: Request) -> str:
    return next((piece.text for piece in reversed(request.context) if piece.name == BOILERPLATE), "")


def code_above(request: Request) -> str:
    return next((p.text for p in reversed(request.context) if p.kind == "code" and p.name != BOILERPLATE), "")


def copies(request: Request) -> list[Option]:
    """Cells that are there already."""
    found = [(given_code(request), "given"), (code_above(request), "above")]
    return [Option(text, source) for text, source in found if text.strip()]


def paper_cells(texts: Sequence[str]) -> list[list[str]]:
    """Their tokens as the paper counts them."""
    return [cut(code_tokens(canonical_strings(without_magics(text)))) for text in texts]


def pairs(tokens: Sequence[str]) -> Counter[tuple[str, str]]:
    return Counter(zip(("", *tokens), tokens, strict=False))


def likeness(one: Counter[tuple[str, str]], other: Counter[tuple[str, str]]) -> float:
    """The share of neighbouring tokens that both have, of 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def columns(
    request: Request, options: Sequence[Option], seen: Sequence[Sequence[Evidence] | None]
) -> list[list[float]]:
    """A row for each option; `seen` is what speaks against it, None where it does not parse."""
    tokens = paper_cells([option.text for option in options])
    shapes = [pairs(one) for one in tokens]
    given, above = (pairs(one) for one in paper_cells([given_code(request), code_above(request)]))
    asked = {name for found in NAMED.findall(request.text) for part in found for name in WORD.findall(part)}
    trunk = [place for place, option in enumerate(options) if option.source == "trunk"]
    rows = []
    for place, (option, shape, against) in enumerate(zip(options, shapes, seen, strict=True)):
        others = [likeness(shape, shapes[other]) for other in trunk if other != place]
        values = {one.name: one.value for one in against or ()}
        lines = [line.strip() for line in option.text.splitlines() if line.strip()]
        is_trunk = option.source == "trunk"
        rows.append([
            option.log_prob / max(1, option.ids) if is_trunk else 0.0,
            max(-40.0, option.log_prob) / 10 if is_trunk else 0.0,
            float(option.is_likeliest),
            float(option.is_ended),
            float(against is not None),
            min(FEW, values.get("undefined", 0.0)),
            (given & shape).total() / given.total() if given.total() else 0.0,
            float(bool(given.total()) and shape == given),
            float(len(OPEN.findall(option.text)) > 0),
            sum(others) / len(others) if others else 0.0,
            len(asked & set(WORD.findall(option.text))) / len(asked) if asked else 0.0,
            1 - len(set(lines)) / len(lines) if lines else 0.0,
            math.log1p(len(tokens[place])),
            float(option.source == "given"),
            float(option.source == "above"),
            likeness(shape, above) if above.total() else 0.0,
        ])  # fmt: skip
    return rows
