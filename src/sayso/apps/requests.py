"""One place where a request is read and refused: empty, binary, not UTF-8 or too long."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence

from sayso.core.errors import BadRequest

LONGEST = 10_000
"""Characters; a longer request is a file pasted by mistake."""
EXAMPLES = {"request": 'sayso "list the five largest files"', "command": "sayso explain 'du -sh *'"}


def read_request(words: Sequence[str], noun: str = "request") -> str:
    """["list", "files"] -> "list files". `-`, or no word at all and something piped in, reads standard input."""
    if list(words) == ["-"] or (not words and piped()):
        return clean(from_standard_input(noun), noun)
    return clean(" ".join(words), noun)


def piped() -> bool:
    """Whether standard input is a pipe or a file; a terminal, /dev/null or a closed one is nobody speaking."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def from_standard_input(noun: str) -> str:
    limit = 4 * LONGEST  # a character is four bytes at most
    try:
        raw = sys.stdin.buffer.read(limit + 1)
    except (AttributeError, OSError, ValueError) as error:
        raise BadRequest("standard input cannot be read", f"give the {noun} in quotes") from error
    if b"\0" in raw:
        raise binary(raw.index(b"\0"), noun)
    if len(raw) > limit:
        raise too_long(f"more than {LONGEST:,} characters", noun)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise not_utf8(error.start, noun) from error


def clean(text: str, noun: str = "request") -> str:
    """The text without the spaces around it, or BadRequest."""
    for offset, character in enumerate(text[: LONGEST + 1]):
        code = ord(character)
        if 0xD800 <= code <= 0xDFFF:  # what Python makes of argv bytes that are not UTF-8
            raise not_utf8(offset, noun)
        if (code < 32 and character not in "\t\n\r") or 127 <= code < 160:
            raise binary(offset, noun)
    stripped = text.strip()
    if not stripped:
        raise BadRequest(f"the {noun} is empty", f"give the {noun} in quotes: {EXAMPLES[noun]}")
    if len(stripped) > LONGEST:
        raise too_long(f"{len(stripped):,} characters", noun)
    return stripped


def too_long(size: str, noun: str) -> BadRequest:
    return BadRequest(f"the {noun} has {size}; {LONGEST:,} is the most", f"give one {noun}, not a file of them")


def binary(offset: int, noun: str) -> BadRequest:
    return BadRequest(
        f"the {noun} holds a control character at character {offset}",
        "give plain text; a file of requests goes to `sayso translate`",
    )


def not_utf8(offset: int, noun: str) -> BadRequest:
    return BadRequest(
        f"the {noun} is not UTF-8 text (at character {offset})", "type it again in a terminal that speaks UTF-8"
    )
