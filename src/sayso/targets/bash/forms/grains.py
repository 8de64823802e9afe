"""Commands as characters, tokens and sub-tokens, each with an exact inverse, odd spacing included (NL2Bash §6.1).

Reading is by a small lexer and never fails, so that what a model emits can be joined and cut as well. A gap between two
tokens is one blank unless a rule says none (after `$(` and `>`, before `)` and `;`); other gaps become tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sayso.core.types import Grain
from sayso.english.grains import from_subtokens, to_subtokens
from sayso.targets.bash.knowledge.utilities import find_utility

NO_SPACE = "NO_SPACE"
TOKEN = re.compile(
    r"""
    (?P<blank>\s+)
    |(?P<operator>\d*(?:&>>|&>|>>|<<<|<<-|<<|>\||<>)|\d*[<>]&(?:\d+|-)|\d*[<>]&|<\(|>\(|\d*[<>](?!\()
        |\|\||\|&|&&|;;|[|;&()`]|\$\((?!\())
    |(?P<word>(?:
        \\.|'[^']*'|\$'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\$\{[^{}]*\}|\$\(\([^()]*\)\)
        |(?!\d+[<>])[^\s|&;()<>`\\'"$]|\$(?!\()|(?<=[^\s|&;()<>`])\d(?=[<>])
    )+)
    |(?P<rest>.)
    """,
    re.VERBOSE | re.DOTALL,
)
OPENERS = {"$(", "<(", ">(", "("}
CLOSERS = {")", ";"}
REDIRECT = re.compile(r"\d*(?:&>>|&>|>>|<<<|<<-|<<|>\||<>|[<>]&?)")
FLAG = re.compile(r"--?[A-Za-z][A-Za-z-]*|-[0-9A-Za-z]")


def split_command(command: str, grain: Grain) -> list[str]:
    """`ls $(pwd)` -> ls $( pwd ) as tokens."""
    if grain == "char":
        return list(command)
    tokens = _with_gaps(command)
    return tokens if grain == "token" else to_subtokens(tokens, stays_whole)


def join_command(parts: Sequence[str], grain: Grain) -> str:
    """The inverse of `split_command`."""
    if grain == "char":
        return "".join(parts)
    return _join(parts if grain == "token" else from_subtokens(parts))


def tokens(command: str) -> list[str]:
    """The tokens alone, without marks for odd gaps."""
    return [match[0] for match in TOKEN.finditer(command) if match.lastgroup != "blank"]


def stays_whole(token: str) -> bool:
    """Utilities, flags, operators and gaps are no constants, and are never cut (NL2Bash §6.1)."""
    return (
        token == NO_SPACE
        or token.isspace()
        or FLAG.fullmatch(token) is not None
        or find_utility(token) is not None
        or not re.search(r"[\w/.]", token)
    )


def _gap(left: str, right: str) -> str:
    """The gap that is not written down."""
    if not left or not right or left in OPENERS or right in CLOSERS or REDIRECT.fullmatch(left):
        return ""
    return " "


def _with_gaps(command: str) -> list[str]:
    out: list[str] = []
    left, gap = "", ""
    for match in TOKEN.finditer(command):
        token = match[0]
        if match.lastgroup == "blank":
            gap = token
            continue
        # The mark itself, as a word, is written so that it is not taken for the mark.
        pieces = [token[:2], token[2:]] if token == NO_SPACE else [token]
        for index, piece in enumerate(pieces):
            actual = "" if index else gap
            if actual != _gap(left, piece):
                out.append(actual or NO_SPACE)
            out.append(piece)
            left = piece
        gap = ""
    if gap:
        out.append(gap)
    return out


def _join(parts: Iterable[str]) -> str:
    out: list[str] = []
    left = ""
    gap: str | None = None
    for part in parts:
        if part == NO_SPACE:
            gap = ""
        elif part.isspace():
            gap = (gap or "") + part
        elif part:
            out += [_gap(left, part) if gap is None else gap, part]
            left, gap = part, None
    return "".join(out) + (gap or "")
