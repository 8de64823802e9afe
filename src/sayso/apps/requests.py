"""One place where a request is read and refused: empty, binary, not UTF-8 or too long."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence

from sayso.core.errors import BadRequest

LONGEST = 10_000
"""Characters; a longer request is a file pasted by mistake."""


def read_request(words: Sequence[str]) -> str:
    """["list", "files"] -> "list files". `-`, or no word at all and something piped in, reads standard input."""
    if list(words) == ["-"] or (not words and piped()):
        return clean(from_standard_input())
    return clean(" ".join(words))


def piped() -> bool:
    """Whether standard input is a pipe or a file; a terminal, /dev/null or a closed one is nobody speaking."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def from_standard_input() -> str:
    limit = 4 * LONGEST  # a character is four bytes at most
    try:
        raw = sys.stdin.buffer.read(limit + 1)
    except (AttributeError, OSError, ValueError) as error:
        raise BadRequest(
            "standard input cannot be read", 'give the request in quotes: sayso "list all files"'
        ) from error
    if b"\0" in raw:
        raise binary(raw.index(b"\0"))
    if len(raw) > limit:
        raise too_long(f"more than {LONGEST:,} characters")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise not_utf8(error.start) from error


def clean(text: str) -> str:
    """The request without the spaces around it, or BadRequest."""
    for offset, character in enumerate(text[: LONGEST + 1]):
        code = ord(character)
        if 0xD800 <= code <= 0xDFFF:  # what Python makes of argv bytes that are not UTF-8
            raise not_utf8(offset)
        if (code < 32 and character not in "\t\n\r") or 127 <= code < 160:
            raise binary(offset)
    stripped = text.strip()
    if not stripped:
        raise BadRequest("the request is empty", 'say what you want in quotes: sayso "list the five largest files"')
    if len(stripped) > LONGEST:
        raise too_long(f"{len(stripped):,} characters")
    return stripped


def too_long(size: str) -> BadRequest:
    return BadRequest(f"the request has {size}; {LONGEST:,} is the most", "say it in a sentence or two")


def binary(offset: int) -> BadRequest:
    return BadRequest(
        f"the request holds a control character at character {offset}",
        "give plain text; a file of requests goes to `sayso translate`",
    )


def not_utf8(offset: int) -> BadRequest:
    return BadRequest(
        f"the request is not UTF-8 text (at character {offset})", "type it again in a terminal that speaks UTF-8"
    )
