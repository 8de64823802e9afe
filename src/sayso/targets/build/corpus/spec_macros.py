"""Macros and conditions of RPM spec files, as far as they can be known without running anything.

`%(command)`, `%{lua:…}` and macros that take arguments stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sayso.core.errors import BadFile

DEEPEST, LONGEST = 20, 1 << 20
"""Of macros inside of macros, and characters that all expansions of a file may come to."""

NAMED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
TOKEN = re.compile(r"\s*(\d+|\"[^\"]*\"|&&|\|\||[!=<>]=|[<>!()]|[A-Za-z_.][\w.]*)")


class Macros:
    """What a spec file has defined so far."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self.known = dict(known)
        self.left = LONGEST

    def expand(self, text: str, depth: int = 0) -> str:
        """ "%{name}-%{version}" -> "bsf-2.4.0"; what is unknown stays."""
        if "%" not in text:
            return text
        out, at = [], 0
        while (start := text.find("%", at)) >= 0:
            out.append(text[at:start])
            value, at = self.one(text, start, depth)
            out.append(value)
        out.append(text[at:])
        whole = "".join(out)
        self.left -= len(whole)
        if self.left < 0:
            raise BadFile(f"macros that come to more than {LONGEST:,} characters", "give a spec file of a package")
        return whole

    def one(self, text: str, start: int, depth: int) -> tuple[str, int]:
        """The macro at a percent sign, and where it ends."""
        following = text[start + 1 : start + 2]
        if following == "%":
            return "%", start + 2
        if following == "{":
            end = closing(text, start + 1)
            if end < 0:
                return text[start:], len(text)
            whole = text[start : end + 1]
            return self.braced(text[start + 2 : end], whole, depth), end + 1
        if following == "(":
            end = closing(text, start + 1, "()")
            return (text[start:], len(text)) if end < 0 else (text[start : end + 1], end + 1)
        conditional = re.compile(r"[!?]*").match(text, start + 1)
        at = conditional.end() if conditional else start + 1
        named = NAMED.match(text, at)
        if not named:
            return "%", start + 1
        whole = text[start : named.end()]
        return self.braced(text[start + 1 : named.end()], whole, depth), named.end()

    def braced(self, inside: str, whole: str, depth: int) -> str:
        found = re.compile(r"([!?]*)([A-Za-z_][A-Za-z0-9_]*)").match(inside)
        if not found:
            return whole
        marks, name, rest = found[1], found[2], inside[found.end() :]
        if "?" in marks:
            wanted = "!" not in marks
            if (name in self.known) != wanted or (not rest and not wanted):
                return ""
            return self.inner(rest[1:] if rest.startswith(":") else self.known.get(name, ""), whole, depth)
        if rest.startswith((" ", ":")) and name in ("with", "without"):
            return str(int(self.has(rest[1:].strip()) == (name == "with")))
        if name == "expand" and rest.startswith(":"):
            return self.inner(rest[1:], whole, depth)
        if rest or name not in self.known:
            return whole
        return self.inner(self.known[name], whole, depth)

    def inner(self, text: str, whole: str, depth: int) -> str:
        return self.expand(text, depth + 1) if depth < DEEPEST else whole

    def has(self, option: str) -> bool:
        return f"with_{option}" in self.known

    def define(self, name: str, body: str, at_once: bool) -> None:
        """%global expands at once, %define when it is used."""
        self.known[name] = self.expand(body) if at_once else body

    def option(self, line: str) -> None:
        """ "%bcond_without docs" turns an option on, "%bcond_with docs" leaves it off."""
        words = line.split()
        on = words[0] == "%bcond_without" or (words[0] == "%bcond" and words[2:3] == ["1"])
        if on and len(words) > 1:
            self.known[f"with_{words[1]}"] = "1"


def closing(text: str, start: int, pair: str = "{}") -> int:
    """Where the brace at `start` is closed, -1 where it is not; never further than a macro can be long."""
    depth = 0
    for at in range(start, min(len(text), start + 20_000)):
        if text[at] == pair[0]:
            depth += 1
        elif text[at] == pair[1]:
            depth -= 1
            if not depth:
                return at
    return -1


def holds(expression: str) -> bool:
    """Whether an expanded %if holds: "0" -> False, "17 >= 15" -> True; what cannot be known is taken to hold."""
    tokens = TOKEN.findall(expression)
    if not tokens or len(tokens) > 200 or TOKEN.sub("", expression).strip():
        return True
    try:
        value, rest = either(tokens, 0)
    except (ValueError, IndexError, RecursionError):
        return True
    return bool(value) if rest == len(tokens) else True


def either(tokens: list[str], at: int) -> tuple[int, int]:
    value, at = every(tokens, at)
    while at < len(tokens) and tokens[at] == "||":
        other, at = every(tokens, at + 1)
        value = int(bool(value) or bool(other))
    return value, at


def every(tokens: list[str], at: int) -> tuple[int, int]:
    value, at = compared(tokens, at)
    while at < len(tokens) and tokens[at] == "&&":
        other, at = compared(tokens, at + 1)
        value = int(bool(value) and bool(other))
    return value, at


def compared(tokens: list[str], at: int) -> tuple[int, int]:
    value, at = operand(tokens, at)
    while at < len(tokens) and tokens[at] in ("==", "!=", "<", ">", "<=", ">="):
        sign = tokens[at]
        other, at = operand(tokens, at + 1)
        signs = {"==": value == other, "!=": value != other, "<": value < other, ">": value > other}
        value = int(signs.get(sign, value <= other if sign == "<=" else value >= other))
    return value, at


def operand(tokens: list[str], at: int) -> tuple[int, int]:
    if tokens[at] == "!":
        value, at = operand(tokens, at + 1)
        return int(not value), at
    if tokens[at] == "(":
        value, at = either(tokens, at + 1)
        if tokens[at] != ")":
            raise ValueError("no closing parenthesis")
        return value, at + 1
    if tokens[at].startswith('"'):
        return int.from_bytes(tokens[at].encode("utf-8", "replace")), at + 1  # equal where the words are
    return int(tokens[at][:18]), at + 1
