"""Tokens as characters and as sub-tokens, each with an exact inverse (NL2Bash §6.1).

The inverses also read what a model emits: they never fail, and close a sub-token group that was left open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

SUB_START = "SUB_START"
SUB_END = "SUB_END"
TOKEN_END = "TOKEN_END"

# NL2Bash §6.1: runs of letters, runs of digits, every other character by itself.
_SUBTOKEN = re.compile(r"[^\W\d_]+|\d+|.", re.DOTALL)


def split_token(token: str) -> list[str]:
    """ "dir03/*" -> dir 03 / *"""
    return _SUBTOKEN.findall(token)


def never(token: str) -> bool:
    """No token is kept whole."""
    return False


def to_subtokens(tokens: Iterable[str], keep: Callable[[str], bool] = never) -> list[str]:
    """["ls", "/home/dir03/*.txt"] -> ls SUB_START / home / dir 03 / * . txt SUB_END

    `keep` says which tokens stay whole: utilities and flags, which are not constants (NL2Bash §6.1).
    """
    parts: list[str] = []
    for token in tokens:
        pieces = split_token(token)
        is_marker = token in (SUB_START, SUB_END)
        if len(pieces) == 1 or (token and not is_marker and keep(token)):
            parts.append(token)
        else:
            parts += [SUB_START, *pieces, SUB_END]
    return parts


def from_subtokens(parts: Iterable[str]) -> list[str]:
    """The inverse of `to_subtokens`."""
    tokens: list[str] = []
    open_group: list[str] | None = None
    for part in parts:
        if part in (SUB_START, SUB_END):
            if open_group is not None:
                tokens.append("".join(open_group))
            open_group = [] if part == SUB_START else None
        elif open_group is None:
            tokens.append(part)
        else:
            open_group.append(part)
    if open_group:
        tokens.append("".join(open_group))
    return tokens


def to_characters(tokens: Iterable[str]) -> list[str]:
    """["ls", "-l"] -> l s TOKEN_END - l TOKEN_END, so that blanks inside a token are characters like any other."""
    return [part for token in tokens for part in (*token, TOKEN_END)]


def from_characters(parts: Iterable[str]) -> list[str]:
    """The inverse of `to_characters`."""
    tokens: list[str] = []
    letters: list[str] = []
    for part in parts:
        if part == TOKEN_END:
            tokens.append("".join(letters))
            letters = []
        else:
            letters.append(part)
    if letters:
        tokens.append("".join(letters))
    return tokens
