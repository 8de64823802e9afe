"""Strings that a shell pattern or a regular expression matches, and near misses: names and lines of fixtures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product
from re import _parser as regex_parser  # type: ignore[attr-defined]  # the reader of `re`, without its old public name
from typing import Any

MOST_BRACES = 40
# Operators that stand for themselves without a backslash; find's own dialect is that of Emacs.
PLAIN = {"basic": "(){}|+?", "emacs": "(){}|"}
MOST_REPEATS = 12
# How a class of POSIX is written in a Python set.
CLASSES = {
    "space": r"\s", "blank": " ", "digit": "0-9", "alpha": "a-zA-Z", "alnum": "a-zA-Z0-9", "upper": "A-Z",
    "lower": "a-z", "punct": "!-/", "xdigit": "0-9a-f", "print": " -~", "graph": "!-~", "cntrl": "\t", "word": r"\w",
}  # fmt: skip


def expand_braces(text: str) -> list[str]:
    """v_{1,2}/a -> v_1/a, v_2/a; a{1..3} -> a1, a2, a3; text without a list stays."""
    match = re.search(r"\{([^{}]*)\}", text)
    if match is None:
        return [text]
    numbers = re.fullmatch(r"(\d+)\.\.(\d+)", match[1])
    if numbers:
        first, last = int(numbers[1]), int(numbers[2])
        inside = [str(number) for number in range(first, min(last, first + MOST_BRACES) + 1)]
    elif "," in match[1]:
        inside = match[1].split(",")
    else:
        return [text]
    before, after = text[: match.start()], text[match.end() :]
    return [made for part in inside for made in expand_braces(f"{before}{part}{after}")][:MOST_BRACES]


def is_glob(text: str) -> bool:
    return re.search(r"[*?]|\[.+\]", text) is not None


def fill_glob(pattern: str, word: str) -> str:
    """('*.txt', 'log') -> log.txt; ('a[0-9]?', 'x') -> a0x"""
    out = []
    for part in re.findall(r"\\.|\[[!^]?\]?(?:\[:\w+:\]|[^]])*\]|\*+|\?|.", pattern, re.S):
        if part.startswith("\\"):
            out.append(part[1:])
        elif part.startswith("*"):
            out.append(word)
        elif part == "?":
            out.append(word[:1] or "x")
        elif len(part) > 1:
            out.append(_from_set(part[1:-1]))
        else:
            out.append(part)
    return "".join(out)


def _from_set(inside: str) -> str:
    if inside[:1] in "!^":
        return next(letter for letter in "kz7_.-A" if letter not in inside[1:])
    named = re.match(r"\[:(\w+):", inside)
    if named:
        return {"digit": "4", "upper": "K", "space": " "}.get(named[1], "k")
    return inside[:1]


def near_names(name: str, cased: bool) -> list[str]:
    """Names that are almost this one: something before or after, another ending, other case where that matters."""
    stem, dot, ending = name.rpartition(".")
    found = [f"{name}x", f"x{name}"]
    if cased and name.swapcase() != name:
        found += [name.swapcase(), name.capitalize()]
    if dot and stem:
        found += [f"{stem}{ending}", f"{stem}.{ending[:-1] or 'q'}q", f"{name}.bak"]
    return list(dict.fromkeys(found))


def match_texts(pattern: str, dialect: str, fill: str = "k") -> list[str]:
    """Texts that a pattern matches, one for each alternative; dialect is "basic", "emacs", "extended" or "fixed"."""
    if dialect == "fixed":
        return [line for line in pattern.split("\n") if line]
    source = _posix_classes(pattern if dialect == "extended" else _from_basic(pattern, plain=PLAIN[dialect]))
    try:
        tree = regex_parser.parse(source)
    except (re.error, RecursionError, OverflowError, ValueError):
        return [re.sub(r"[\\^$*+?()|{}\[\]]", "", pattern) or fill]
    return list(dict.fromkeys(_texts(tree, fill)))[:6]


def _from_basic(pattern: str, plain: str) -> str:
    """Basic to extended: \\( and ( change places, as do the other operators that stand for themselves when plain."""
    out, at = [], 0
    while at < len(pattern):
        two = pattern[at : at + 2]
        if two[0] == "\\" and len(two) == 2:
            out.append(two[1] if two[1] in plain else {"<": r"\b", ">": r"\b"}.get(two[1], two))
            at += 2
            continue
        # An anchor that is not where it would hold anything stands for itself.
        idle = (two[0] == "$" and at + 1 < len(pattern)) or (two[0] == "^" and at > 0 and pattern[at - 1] not in "[|(")
        idle = idle and pattern[at + 1 : at + 3] not in ("\\)", "\\|")
        out.append(f"\\{two[0]}" if two[0] in plain or idle else two[0])
        at += 1
    return "".join(out)


def _posix_classes(pattern: str) -> str:
    return re.sub(r"\[:(\w+):\]", lambda match: CLASSES.get(match[1], match[1]), pattern)


def _texts(tree: Iterable[Any], fill: str) -> list[str]:
    """Every combination of alternatives, few of them; repeats happen once at least where they may."""
    parts = [_pieces(str(kind), value, fill) for kind, value in tree]
    return ["".join(combination) for _, combination in zip(range(6), product(*parts), strict=False)] or [""]


def _pieces(kind: str, value: Any, fill: str) -> Sequence[str]:
    if kind == "LITERAL":
        return [chr(value)]
    if kind == "NOT_LITERAL":
        return [fill if fill != chr(value) else "z"]
    if kind == "ANY":
        return [fill]
    if kind == "IN":
        return [_from_class(value)]
    if kind == "BRANCH":
        return [text for branch in value[1] for text in _texts(branch, fill)]
    if kind == "SUBPATTERN":
        return _texts(value[-1], fill)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, body = value
        times = min(max(least, 1 if most else 0), MOST_REPEATS)
        return [text * times for text in _texts(body, fill)]
    return [""]


def _from_class(items: Sequence[tuple[Any, Any]]) -> str:
    negated = any(str(kind) == "NEGATE" for kind, _ in items)
    if negated:
        out = {chr(value) for kind, value in items if str(kind) == "LITERAL"}
        for kind, value in items:
            if str(kind) == "RANGE":
                out |= {chr(code) for code in range(value[0], min(value[1], value[0] + 200) + 1)}
        return next((letter for letter in "kz7_K ." if letter not in out), "~")
    for kind, value in items:
        if str(kind) == "LITERAL":
            return chr(value)
        if str(kind) == "RANGE":
            return chr(min(value[0] + 2, value[1]))
        if str(kind) == "CATEGORY":
            return {"CATEGORY_DIGIT": "4", "CATEGORY_SPACE": " "}.get(str(value), "k")
    return "k"
