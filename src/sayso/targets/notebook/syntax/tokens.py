"""A cell as the tokens that JuICe counts (§3.1), and back: comments and blank lines are no tokens, layout is marks.

`lossless_tokens` also keeps what `code_tokens` drops, so that any text at all comes back to the character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from sayso.targets.notebook.syntax.scan import CLOSERS, KEYWORDS, OPENERS, scan

NEWLINE, INDENT, DEDENT = "NEWLINE", "INDENT", "DEDENT"
GLUE, ESCAPE = "GLUE", "ESCAPE"
"""No gap where one is expected; the next token is code although it reads like a mark."""
MARKS = frozenset({NEWLINE, INDENT, DEDENT, GLUE, ESCAPE})
LONGEST = 120
"""Code tokens of a target cell (§3.1)."""
STEP = "    "
_GAP = re.compile(r"(?:\s|\\(?:\r\n|\n|\r))+")
_BLANK = frozenset({"space", "line", "continuation"})
_OPERANDS = frozenset({"None", "True", "False"})
_WORDS = KEYWORDS - _OPERANDS
_TIGHT_AFTER = frozenset("([{.") | {"~", "`", "$"}
_TIGHT_BEFORE = frozenset(")]},;:.")


def code_tokens(code: str) -> list[str]:
    """if a:⏎    b = 'x'  # why -> if a : NEWLINE INDENT b = 'x'

    Marks that only close what is open at the end are left out, so that cut code and whole code read alike.
    """
    tokens: list[str] = []
    widths = [0]
    depth, width, starts = 0, 0, True
    for kind, piece in scan(code):
        if kind == "space":
            if starts and width == 0:
                width = len(piece.expandtabs())
        elif kind == "line":
            if depth == 0:
                starts, width = True, 0
        elif kind != "comment" and kind != "continuation":
            if starts and depth == 0:
                if tokens:
                    tokens.append(NEWLINE)
                    tokens += _indentation(widths, width)
                else:
                    widths = [width]
                starts = False
            tokens.append(piece)
            if kind == "operator":
                if piece in OPENERS:
                    depth += 1
                elif piece in CLOSERS and depth:
                    depth -= 1
    return tokens


def _indentation(widths: list[int], width: int) -> list[str]:
    """The marks that lead to a line of this width; the stack of open widths follows."""
    if width > widths[-1]:
        widths.append(width)
        return [INDENT]
    marks = []
    while len(widths) > 1 and width < widths[-1]:
        widths.pop()
        marks.append(DEDENT)
    return marks


def cut(tokens: list[str], longest: int = LONGEST) -> list[str]:
    """The first tokens, without marks at the end."""
    kept = tokens[:longest]
    while kept and kept[-1] in (NEWLINE, INDENT, DEDENT):
        kept.pop()
    return kept


def lossless_tokens(text: str) -> list[str]:
    """Code tokens and comments, and every gap that `code_text` would not make by itself."""
    tokens: list[str] = []
    widths = [0]
    layout = _Layout()
    gap, first = "", True
    for kind, piece in scan(text):
        if kind in _BLANK:
            gap += piece
            continue
        breaks = not first and not layout.brackets and _breaks(gap)
        if breaks:
            width = len(re.split(r"[\r\n]", gap)[-1].expandtabs())
            marks = [] if kind == "comment" else _indentation(widths, width)
            tokens += [NEWLINE, *marks]
            layout.level += marks.count(INDENT) - marks.count(DEDENT)
            expected = "\n" + STEP * layout.level
        else:
            expected = "" if first else layout.gap(piece)
        if gap != expected:
            tokens.append(gap or GLUE)
        if piece in MARKS:
            tokens.append(ESCAPE)
        tokens.append(piece)
        layout.push(piece, breaks)
        gap, first = "", False
    return [*tokens, gap] if gap else tokens


def plain_layout(text: str) -> str:
    """The same code without comments and blank lines, in the layout of `code_text`."""
    kept: list[str] = []
    escaped = False
    for token in lossless_tokens(text):
        if escaped or not (token == GLUE or token.startswith("#") or _GAP.fullmatch(token)):
            kept.append(token)
        escaped = token == ESCAPE and not escaped
    return code_text(kept)


def _breaks(gap: str) -> bool:
    """Whether a statement ends here: a line end that no backslash hides."""
    return "\n" in gap or "\r" in gap if "\\" not in gap else re.search(r"(?<!\\)\n|(?<!\\)\r", gap) is not None


def code_text(tokens: Iterable[str]) -> str:
    """The inverse of `lossless_tokens`; the tokens of `code_tokens` become code in one plain layout. Never fails."""
    parts: list[str] = []
    layout = _Layout()
    given: str | None = None
    breaks = escaped = False
    for token in tokens:
        if not escaped and token in MARKS:
            if token == ESCAPE:
                escaped = True
            elif token == GLUE:
                given = ""
            else:
                breaks = True
                layout.level = max(0, layout.level + (token == INDENT) - (token == DEDENT))
            continue
        if not escaped and _GAP.fullmatch(token):
            given = token
            continue
        if given is None:
            given = ("\n" + STEP * layout.level if breaks else layout.gap(token)) if parts else ""
        parts += [given, token]
        layout.push(token, breaks)
        given, breaks, escaped = None, False, False
    return "".join(parts) + (given or "")


class _Layout:
    """Where a text stands, as far as the gap before its next token depends on it."""

    def __init__(self) -> None:
        self.level = 0
        self.brackets: list[str] = []
        self.last = ""
        self.unary = True
        """What comes next is an operand, so that a minus is a sign."""
        self.sign = False
        """The last token had nothing on its left."""

    def gap(self, token: str) -> str:
        tight = self._is_tight(token)
        return "" if tight and not _merge(self.last, token) else "  " if token.startswith("#") else " "

    def _is_tight(self, token: str) -> bool:
        last = self.last
        inside = self.brackets[-1] if self.brackets else ""
        if not last:
            return True
        if token in _TIGHT_BEFORE:
            # `from . import a`, and a number before an attribute.
            return token != "." or last not in _WORDS
        if last in _TIGHT_AFTER:
            return last != "." or token not in KEYWORDS
        if last == ":" and inside == "[":
            return True
        if inside == "(" and (token == "=" or last == "="):
            return True
        if last in ("-", "+", "*", "**", "@", "!") and self.sign:
            return True
        if token in ("(", "["):
            return last not in _WORDS and not self.unary
        return False

    def push(self, token: str, breaks: bool) -> None:
        if breaks:
            self.unary = True
        if token in OPENERS:
            self.brackets.append(token)
        elif token in CLOSERS and self.brackets:
            self.brackets.pop()
        self.sign = self.unary
        first = token[0]
        word = first.isalnum() or first == "_" or first in "\"'" or ord(first) > 127
        self.unary = token in _WORDS if word else token not in CLOSERS
        self.last = token


@lru_cache(maxsize=1 << 14)
def _merge(left: str, right: str) -> bool:
    """Whether two tokens without a gap would be read as others; behind a bracket nothing is a magic."""
    return [piece for _, piece in scan(f"({left}{right}")] != ["(", left, right]
