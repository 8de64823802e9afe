"""What the grammar misreads, shown to it otherwise. Tokens are made from what is shown; their text is not."""

from __future__ import annotations

import re

LETTER = "\u07ff".encode()


def escaped_blanks_shown(data: bytes) -> bytes:
    """`'a'\\ b` is one word, but the grammar skips an escaped blank after a quote: show it a letter of the same length.

    Only tokens are made from this text; what they hold is always cut from the original.
    """
    if b"\\ " not in data and b"\\\t" not in data:
        return data
    return re.sub(rb"\\(.)", lambda match: LETTER if match[1] in b" \t" else match[0], data, flags=re.S)


def far_letters_shown(data: bytes) -> bytes:
    """`{😀`: behind a brace the grammar looks every character up in a table of 256, and a far one ends the process.

    Characters of four bytes are shown as two letters of two, which it takes for a word as well.
    """
    return re.sub(rb"[\xf0-\xf4][\x80-\xbf]{3}", LETTER * 2, data) if any(byte >= 0xF0 for byte in data) else data


def signs_shown(data: bytes) -> bytes:
    """`me@host` is no command's name to the grammar, and `==` no last argument: show it letters instead of the signs.

    What follows a dollar or stands in `${x@Q}`, and the pattern `a@(b|c)`, stays. Only for what it refuses as it is.
    """
    data = re.sub(rb"(?<![\w${!#@])(\w+)@(?!\()", rb"\1x", data)
    return re.sub(rb"(?<=[ \t])(?:==|=~)(?=[ \t\n<>|;&)]|$)", b"xx", data)


def back_quotes_shown(text: str) -> tuple[bytes, list[int]]:
    """The grammar reads "`a` `b`" as one substitution: show it `$(a) $(b)`, with where each byte stands in the text."""
    marks: list[int] = []
    quote = ""
    at = 0
    while at < len(text):
        letter = text[at]
        if letter == "\\" and quote != "'":
            at += 1
        elif letter == "`" and quote != "'":
            marks.append(at)
        elif letter in "'\"" and (not quote or quote == letter) and not len(marks) % 2:
            quote = "" if quote else letter
        at += 1
    shown = dict.fromkeys(marks[0::2], "$(") | dict.fromkeys(marks[1::2], ")") if len(marks) % 2 == 0 else {}
    pieces = [(index, shown.get(index, letter).encode()) for index, letter in enumerate(text)]
    columns = [index for index, piece in pieces for _ in piece]
    return b"".join(piece for _, piece in pieces), [*columns, len(text)]
