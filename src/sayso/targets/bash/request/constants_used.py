"""The constants of a request, and whether a command uses them, in any of the ways in which a command may write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sayso.core.types import Constant, Request
from sayso.english.naming import request_tokens
from sayso.english.tokens import CONSTANT_KINDS, Token

IN_DAYS = {"w": 7, "mo": 30, "y": 365}
IN_MINUTES = {"h": 60, "d": 1440}
IN_SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}


@lru_cache(maxsize=256)
def constants_of(request: Request) -> tuple[Token, ...]:
    """What a request names that a command must use."""
    return tuple(token for token in request_tokens(request.text) if token.kind in CONSTANT_KINDS - {"option"})


def is_used(token: Constant, text: str) -> bool:
    """Whether a constant, in any of the ways a command may write it, stands in the text."""
    low = text.lower()
    for form in map(str.lower, forms(token)):
        if form.isdigit():
            if re.search(rf"(?<!\d){form}(?!\d)", low):
                return True
        elif form and form in low:
            return True
    return False


def forms(token: Constant) -> Iterator[str]:
    """The ways in which a command may write a constant: 2 weeks is 2w, 2, 14 (days) or 1209600 (seconds)."""
    value = token.value
    yield value
    yield token.text.strip("'\"`")
    if token.kind in ("size", "timespan", "number", "time", "date"):
        for digits in re.findall(r"\d{1,18}", value):
            yield digits
            yield str(int(digits))
    if token.kind == "timespan" and (match := re.fullmatch(r"(\d{1,9})([a-z]+)", value)):
        for lengths in IN_DAYS, IN_MINUTES, IN_SECONDS:
            yield str(int(match[1]) * lengths.get(match[2], 1))
    if token.kind == "extension":
        yield value.lstrip(".")
    if token.kind == "glob" and len(value.partition("*")[0]) > 2:
        yield value.partition("*")[0]  # for f in draft_*; do … "final_${f#draft_}"
    if token.kind == "variable":
        yield token.text.strip("${}")
    if token.kind == "name" and value.endswith("s"):
        yield f".{value[:-1]}"  # all mp4s
    if token.kind in ("string", "name"):
        yield re.sub(r"([\\./*\[\]^$&])", r"\\\1", value)
        yield value.replace("'", "'\\''")
        yield value.replace("'", "'\"'\"'")
    if token.kind == "path":
        yield value.rstrip("/")
        yield value.removeprefix("~/")
    if token.kind == "number" and value.isdigit() and len(value) < 9:
        yield str(int(value) + 1)  # the first 10 below a header, everything from line 11 on
    if token.kind == "number" and token.text.isalpha():
        yield " "  # "one file" seldom means the number
