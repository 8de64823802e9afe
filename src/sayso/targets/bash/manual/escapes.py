"""Escapes and arguments of roff as plain text: `\\fB\\-a\\fR` -> `-a` between marks for bold and roman."""

from __future__ import annotations

import re

BOLD, ITALIC, ROMAN = "\x01", "\x02", "\x03"
MARKS = re.compile("[\x01\x02\x03]")
NO_MARKS = str.maketrans("", "", "\x01\x02\x03")
MAX_DEPTH = 6

ESCAPE = re.compile(
    r"""\\(?:
      f(?:\[(?P<f1>[^\]]*)\]|\((?P<f2>..)|(?P<f3>.))
    | \*(?:\[(?P<s1>[^\]\s]*)[^\]]*\]|\((?P<s2>..)|(?P<s3>.))
    | \[(?P<c1>[^\]]*)\] | \((?P<c2>..)
    | s(?:\[[^\]]*\]|\(..|'[^']*'|[-+]?(?:\(\d\d|[1-3]?\d))
    | [hvwlLDXbxoAZRSH](?P<q>['"]).*?(?P=q)
    | N'(?P<n>\d+)'
    | [mMFYVnkgO](?:\[[^\]]*\]|\(..|[-+]?.)
    | (?P<one>.)
    )""",
    re.VERBOSE | re.DOTALL,
)
ONE = {"-": "-", "e": "\\", "\\": "\\", "'": "'", "`": "`", " ": " ", "~": " ", "0": " ", "t": "\t", ".": ".", '"': '"'}
NAMED = {
    "hy": "-", "en": "-", "em": "—", "mi": "-", "aq": "'", "cq": "'", "oq": "'", "dq": '"', "lq": '"', "rq": '"',
    "Bq": '"', "bq": "'", "ga": "`", "aa": "'", "rs": "\\", "ha": "^", "ti": "~", "at": "@", "sh": "#", "Do": "$",
    "sl": "/", "ba": "|", "bv": "|", "br": "|", "or": "|", "lC": "{", "rC": "}", "lB": "[", "rB": "]", "la": "<",
    "ra": ">", "bu": "•", "mu": "x", "co": "(c)", "rg": "(R)", "eq": "=", "pl": "+", "->": "->", "<=": "<=", ">=": ">=",
}  # fmt: skip
FONTS = {"B": BOLD, "3": BOLD, "CB": BOLD, "C": BOLD, "CW": BOLD, "CR": BOLD, "5": BOLD, "BI": BOLD, "4": BOLD}
FONTS |= {"I": ITALIC, "2": ITALIC, "CI": ITALIC, "": ROMAN}


def without_fonts(text: str) -> str:
    return text.translate(NO_MARKS)


def unescape(text: str, strings: dict[str, str], depth: int = 0) -> str:
    """`\\fB\\-a\\fR` -> `<bold>-a<roman>`; unknown escapes vanish."""
    if "\\" not in text:
        return text
    previous = [ROMAN, ROMAN]

    def one(found: re.Match[str]) -> str:
        kind = found.lastgroup
        if kind in ("f1", "f2", "f3"):
            name = found[kind]
            mark = previous[0] if name == "P" else FONTS.get(name, ROMAN)
            previous[:] = [previous[1], mark]
            return mark
        if kind in ("s1", "s2", "s3"):
            return unescape(strings.get(found[kind], ""), strings, depth + 1) if depth < MAX_DEPTH else ""
        if kind in ("c1", "c2"):
            return named(found[kind])
        if kind == "n":
            return chr(int(found["n"])) if 32 <= int(found["n"][:6]) < 0x10000 else ""
        return ONE.get(found["one"], "") if kind == "one" else ""

    return ESCAPE.sub(one, text)


def named(name: str) -> str:
    """A special character by its name: `hy` -> `-`, `u2014` -> `—`."""
    if name in NAMED:
        return NAMED[name]
    if re.fullmatch(r"u[0-9A-F]{4,5}", name):
        return chr(int(name[1:], 16)).replace("\x00", "")
    return "?" if len(name) > 2 else ""


def arguments(rest: str) -> list[str]:
    """The arguments of a macro: blanks separate, double quotes hold together, `\\ ` does not separate."""
    return [
        (quoted.replace('""', '"') if quoted is not None else word)
        for quoted, word in ((m[1], m[2]) for m in ARGUMENT.finditer(rest))
    ]


ARGUMENT = re.compile(r'"((?:[^"]|"")*)"?|((?:\\.|[^\s\\])+)', re.DOTALL)
