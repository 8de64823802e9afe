"""A cell cut into pieces that together are the cell again, whatever text it is: code that is cut off, Python 2, prose.

The standard library's tokenizer raises on cut code and takes several times as long; a tree-sitter tree has to be walked
in Python, node by node. Magics are pieces of their own where IPython reads them: at the start of a statement, or as the
whole right side of an assignment.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

KEYWORDS = frozenset(keyword.kwlist)
OPENERS, CLOSERS = frozenset("([{"), frozenset(")]}")

_TOKEN = re.compile(
    r"""
      (?P<space>[^\S\r\n]+)
    | (?P<string>(?:[rR][bBfF]?|[bBfF][rR]?|[uU])?
        (?: '''[^'\\]*(?:(?:\\[\s\S]|'(?!''))[^'\\]*)*(?:'''|\\?\Z)
          | \"\"\"[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*(?:\"\"\"|\\?\Z)
          | '[^'\\\r\n]*(?:\\(?:\r\n|[\s\S])[^'\\\r\n]*)*'
          | "[^"\\\r\n]*(?:\\(?:\r\n|[\s\S])[^"\\\r\n]*)*"))
    | (?P<name>[^\W\d]\w*)
    | (?P<number>0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+
        |(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9][0-9_]*)?[jJlL]?)
    | (?P<line>\r\n|\n|\r)
    | (?P<comment>\#[^\r\n]*)
    | (?P<continuation>\\(?:\r\n|\n|\r))
    | (?P<operator>\*\*=?|//=?|>>=?|<<=?|->|:=|==|!=|<=|>=|<>|\.\.\.|[-+*/%&|^@]=|[\s\S])
    """,
    re.VERBOSE,
)
MAGIC = re.compile(r"(?:%|!|\?)[^\r\n]*")
HELP = re.compile(r"[^\W\d][\w.*]*\?\??[^\S\r\n]*(?=[\r\n]|\Z)")
ASSIGNED = re.compile(r"(?:%(?=[^\W\d])|!)[^\r\n]*")

Found = tuple[str, str]
"""The kind of a piece (the names of the groups above, or `magic`) and its text."""


def scan(text: str) -> Iterator[Found]:
    """x = !ls # -> (name, x) (space, ' ') (operator, =) (space, ' ') (magic, '!ls #')"""
    if "%" in text or "!" in text or "?" in text:
        return _with_magics(text)
    return ((found.lastgroup or "", found.group()) for found in _TOKEN.finditer(text))


def _with_magics(text: str) -> Iterator[Found]:
    at, depth, first, assigned = 0, 0, True, False
    if text.startswith("%%") or text.lstrip().startswith("%%"):
        # A cell magic owns the cell: what it says of the rest is for `magics` to know.
        start = len(text) - len(text.lstrip())
        yield from ((found.lastgroup or "", found.group()) for found in _TOKEN.finditer(text[:start]))
        end = MAGIC.match(text, start)
        at = end.end() if end else start
        yield "magic", text[start:at]
    while at < len(text):
        if depth == 0 and (first or assigned):
            pattern = ASSIGNED if assigned else HELP if text[at] not in "%!?" else MAGIC
            magic = pattern.match(text, at)
            if magic:
                yield "magic", magic.group()
                at, first, assigned = magic.end(), False, False
                continue
        found = _TOKEN.match(text, at)
        if found is None:  # the last alternative takes any character
            return
        kind, piece, at = found.lastgroup or "", found.group(), found.end()
        yield kind, piece
        if kind == "operator":
            depth = depth + 1 if piece in OPENERS else max(depth - 1, 0) if piece in CLOSERS else depth
        if kind != "space":
            assigned = kind == "operator" and piece == "=" and depth == 0
            first = kind == "line"
