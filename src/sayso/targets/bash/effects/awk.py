"""What a program of awk does besides printing: enough of the language to see files written and commands run.

The answer is "reads", "writes" or "unknown"; a program that cannot be followed to its end is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

TOKEN = re.compile(
    r"""
    (?P<blank>[ \t\r]+|\\\n|\#[^\n]*)
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<name>[A-Za-z_]\w*)
    |(?P<number>\.?\d[\w.]*)
    |(?P<mark>\|\||\|&|>>|>=|<=|==|!=|&&|\+\+|--|\n|[^\w\s"])
    """,
    re.X | re.S,
)
# gawk lets a slash stand inside [...]; older ones end the expression there. Both are tried.
READINGS = (
    re.compile(r"/(?:[^/\\\n\[]|\\.|\[\^?\]?(?:[^\]\\\n]|\\.)*\])*/"),
    re.compile(r"/(?:[^/\\\n]|\\.)*/"),
)
# After these, names, numbers, strings and expressions a slash divides; else it begins a regular expression.
REGEX = "/regex/"
ENDS_A_VALUE = {")", "]", "++", "--", REGEX}
BEFORE_A_VALUE = {"print", "printf", "return", "in", "case", "do", "else", "exit"}
CONDITIONS = {"if", "while", "for", "switch"}
ENDS_A_STATEMENT = {";", "}", "\n", ""}
HARMLESS_FILES = {'"/dev/stderr"', '"/dev/stdout"', '"/dev/null"', '"/dev/tty"', '"-"'}


def awk_effect(program: str) -> str:
    """`{print $1}` -> reads, `{print > "f"}` -> writes, `{system($0)}` and pipes -> unknown."""
    first, second = ([*_tokens(program, regex), "", ""] for regex in READINGS)
    if first == second or "?unread" in second:
        return _effect(first)
    return max(_effect(first), _effect(second), key=("reads", "writes", "unknown").index)


def _effect(tokens: list[str]) -> str:
    effect = "reads"
    printing = False
    depth = 0
    for at, token in enumerate(tokens):
        if token in ("system", "|", "|&", "@", "?unread"):
            return "unknown"
        if token in ("print", "printf"):
            printing, depth = True, 0
        elif token in ENDS_A_STATEMENT:
            printing = False
        elif token in ("(", "["):
            depth += 1
        elif token in (")", "]"):
            depth -= 1
        elif token in (">", ">>") and printing and depth <= 0 and not _is_harmless(tokens[at + 1 : at + 3]):
            effect = "writes"
    return effect


def _is_harmless(after: list[str]) -> bool:
    return after[0] in HARMLESS_FILES and after[1] in ENDS_A_STATEMENT


def _tokens(program: str, regex: re.Pattern[str]) -> Iterator[str]:
    """The tokens in order; "?unread" where one does not end or may be two things."""
    at = 0
    last = ""
    opened: list[str] = []
    while at < len(program):
        is_regex = program[at] == "/" and not _is_value(last)
        found = regex.match(program, at) if is_regex else TOKEN.match(program, at)
        if found is None or (program[at] == "/" and last == "getline"):
            yield "?unread"
            return
        at = found.end()
        if found.lastgroup == "blank":
            continue
        token = REGEX if is_regex else found[0]
        yield token
        if token == "(":
            opened.append(last)
        # After `if (…)` a statement begins, which may be a regular expression.
        last = ";" if token == ")" and opened and opened.pop() in CONDITIONS else token


def _is_value(token: str) -> bool:
    return token in ENDS_A_VALUE or (bool(re.match(r'[\w".]', token)) and token not in BEFORE_A_VALUE)
