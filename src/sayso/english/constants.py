"""Single-word constants: what kind a piece of a request without spaces is, and its value in a plain spelling.

Every pattern is matched against a whole piece, has no nested repetition, and is tried a fixed number of times, so the
cost is linear in the piece. Constants of several words (2 GB, Aug 15 2014) are put together in `phrases`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from sayso.english.words import listed


class Token(NamedTuple):
    """Characters start:end of a request. `value` is the constant in a plain spelling: "five" -> "5", "2 GB" -> "2G".

    A named tuple because importing `dataclasses` costs more than the whole tokeniser may.
    """

    text: str
    kind: str
    start: int
    end: int
    value: str


def word_set(text: str) -> frozenset[str]:
    """ "a b c" -> {"a", "b", "c"}: tables of words stay readable as running text."""
    return frozenset(text.split())


# How a size unit is written, and the letter that `find -size` and `head -c` know it by.
SIZE_UNITS = {
    **dict.fromkeys(("b", "byte", "bytes"), "B"),
    **dict.fromkeys(("k", "kb", "kib", "kilobyte", "kilobytes", "kibibyte", "kibibytes", "kbyte", "kbytes"), "K"),
    **dict.fromkeys(
        ("m", "mb", "mib", "megabyte", "megabytes", "mebibyte", "mebibytes", "mbyte", "mbytes", "meg"), "M"
    ),
    **dict.fromkeys(("megs", "mbs", "mg"), "M"),
    **dict.fromkeys(("g", "gb", "gib", "gigabyte", "gigabytes", "gibibyte", "gibibytes", "gbyte", "gbytes"), "G"),
    **dict.fromkeys(("gig", "gigs", "gbs"), "G"),
    **dict.fromkeys(("t", "tb", "tib", "terabyte", "terabytes", "tebibyte", "tebibytes"), "T"),
    **dict.fromkeys(("p", "pb", "pib", "petabyte", "petabytes"), "P"),
}

# "m" alone is a size or minutes: `phrases` decides by the words before it.
TIME_UNITS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "m"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("d", "day", "days"), "d"),
    **dict.fromkeys(("w", "wk", "wks", "week", "weeks"), "w"),
    **dict.fromkeys(("month", "months"), "mo"),
    **dict.fromkeys(("y", "yr", "yrs", "year", "years"), "y"),
}

# Words that are written with a digit but name a thing everybody knows, not something of the user's.
WORDS_WITH_DIGITS = listed("constants.words_with_digits")

# Both sides of a slash in this list: "files/directories" and "read/write" are two words each, not a path.
SLASH_WORDS = listed("constants.slash_words")

# After a leading dot these are files or folders of their own; anything short after a dot is an extension.
DOT_NAMES = listed("constants.dot_names")

# Longer than an extension usually is, and still one.
LONG_EXTENSIONS = listed("constants.long_extensions")

# Endings of a host name; any other dotted name is a file.
HOST_ENDINGS = ("com", "org", "net", "edu", "gov", "mil", "localdomain")

ABBREVIATIONS = frozenset(("e.g", "i.e", "a.m", "p.m", "u.s", "vs", "etc", "a.k.a"))

_NAME = r"[\w.+@%=:~#-]"

# (kind, pattern, why). The order matters: the first pattern that matches the whole piece wins.
_PATTERNS = (
    ("url", r"(?:[a-z][a-z0-9+]{1,9}://|www\.)\S+", "a scheme or www. is never anything else"),
    ("user_host", r"[\w.+${}-]+@[\w-]+(?:\.[\w-]+)*(?::\S*)?", "user@host, with :path for scp and rsync"),
    ("user_host", r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?(?::\S*)?", "an IPv4 address or network, or a path on one"),
    ("user_host", r"[A-Za-z][\w.-]+:[/~]\S*", "host:/path; one letter before the colon is a Windows drive"),
    ("user_host", rf"(?:[A-Za-z0-9-]+\.)+(?:{'|'.join(HOST_ENDINGS)})(?::\d+)?", "a host name by its ending"),
    ("variable", r"\$(?:\w+|\{[^{}]*\}|[?!#@*$-])", "$NAME, ${NAME}, $1, $?"),
    ("variable", r"[A-Z][A-Z0-9]*_[A-Z0-9_]+", "capitals with an underscore: JAVA_HOME"),
    ("permission", r"\+[rwxXst]+", "+x; -x is an option"),
    ("permission", r"[ugoa]+[-+=][rwxXst]*(?:,[ugoa]*[-+=][rwxXst]*)*", "u+x, go-w, u=rwx,g=rx,o="),
    ("permission", r"[-dlbcps]?(?:[r-][w-][xsS-]){2}[r-][w-][xtTsS-]", "rwxr-xr-x, as ls prints it"),
    ("permission", r"0[0-7]{3}|0o[0-7]{3,4}", "an octal mode with its leading zero"),
    ("date", r"\d{4}-\d{1,2}-\d{1,2}(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?", "ISO 8601"),
    ("date", r"\d{4}/\d{1,2}/\d{1,2}|\d{1,2}/\d{1,2}/\d{4}|\d{1,2}\.\d{1,2}\.\d{4}", "day, month and year in digits"),
    ("time", r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:am|pm|AM|PM)?", "10:30, 23:59:59"),
    ("time", r"\d{1,2}(?:am|pm|AM|PM)", "5pm"),
    (
        "size",
        r"[-+]?\d+(?:\.\d+)?(?:[kKmMGTPgt]|[kKmMgGtTpP]i?[bB]|[Bb]ytes?|B)",
        "10MB, 1.5GiB, 10k; 10m may yet be minutes",
    ),
    (
        "timespan",
        r"\d+-?(?:s|secs?|mins?|hrs?|h|d|days?|hours?|minutes?|seconds?|weeks?|w|months?|years?)",
        "5d, 7-day",
    ),
    ("number", r"[-+]?\d+(?:,\d{3})*(?:\.\d+)*%?", "10, 1,000, 3.11, 50%"),
    ("number", r"\d+(?:st|nd|rd|th)", "3rd: its value is the bare number"),
    ("number", r"\d+(?:-|\.\.)\d+", "a range: 2-5"),
    ("number", r"0x[0-9a-fA-F]+", "hexadecimal"),
    ("number", r"\d+\*\d+", "7*24 (hours): its value is the product"),
    ("option", r"--?[A-Za-z][\w-]*(?:=\S*)?", "-r, --color=auto"),
    ("extension", r"\.[A-Za-z0-9]{1,5}(?:\.(?:gz|bz2|xz|zst|Z|lz))?", ".py, .tar.gz; DOT_NAMES are files"),
    ("regex", r"\^\S+|\S*\.[*+](?!\.)\S+|\S*\\[.(|d\[]\S*|\S+[\w*)\]]\$", "anchors, .* before more, escaped dots"),
    ("glob", r"[^\s*?\[\]]*(?:[*]|\[[^\[\]\s]+\]|\?(?=.))\S*", "a star, a set, or a question mark inside"),
    ("glob", r"[^\s{}]*\{(?=[^\s{},.]*(?:,|\.\.))[^\s{}]*\}\S*", "brace expansion: file{1..3}.txt"),
    ("path", r"~\w*(?:/\S*)?|\.{1,2}/\S*|/\S*", "begins at the home folder, here or the root"),
    ("path", r"[A-Za-z]:\\\S*|[A-Za-z]:/\S*", "a Windows drive"),
    ("path", rf"(?:\$\{{?\w+\}}?|{_NAME}+)(?:/\S*)", "a slash inside, unless both sides are SLASH_WORDS"),
    ("file", r"\.\w[\w.-]*", ".bashrc"),
    ("file", r"[\w+@%=#$-][\w+@%=:#${}.~-]*\.[A-Za-z_~]\w{0,10}~?", "name.ext"),
    ("file", r"[\w+@%=#$-][\w+@%=:#${}.~-]*\.[A-Za-z]\w*(?:[.-]\d+)+", "libfoo.so.1, name.log.2"),
    ("variable", r"[A-Z_][A-Z0-9_]*=\S*", "NAME=value"),
    ("name", r"(?=\w*_)(?=_*[^\W_])\w+(?:-\w+)*", "an underscore: my_db"),
    ("name", r"[^\W\d_]+\d\w*(?:-\w+)*|\d+[^\W\d_]+\d\w*|[^\W\d_]+(?:-[^\W\d_]+)*-?\d\w*", "file1, eth0, backup-2"),
    ("name", r"[a-z]+[A-Z][A-Za-z0-9]*", "camel case: destDir"),
    ("name", r"[\w.+%=:~#{}-]*\$[\w{}@*!?#$][\w.+@%=:~#{}$@*-]*", "a dollar amid others: $x-old, nobody's x-old"),
)


@cache
def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern)) for kind, pattern, _ in _PATTERNS)


def kind_of(piece: str) -> str:
    """The kind of constant that a piece without spaces is, "" where it is none: "/var/log" -> "path"."""
    if not piece or piece.isalpha():
        camel = piece[1:] != piece[1:].lower() and piece[:1].islower() and not piece[1:].isupper()
        return "name" if camel and piece.isascii() else ""
    low = piece.lower()
    if low in WORDS_WITH_DIGITS or low in ABBREVIATIONS or not re.search(r"[\w/~*.$]", piece):
        return ""
    for kind, pattern in _compiled():
        if pattern.fullmatch(piece):
            return _settled(piece, kind)
    return ""


def _settled(piece: str, kind: str) -> str:
    """Second thoughts that a pattern cannot have."""
    if kind == "path" and is_slashed_words(piece):
        return ""
    if kind == "extension" and piece[1:].lower() in DOT_NAMES:
        return "file"
    if kind == "file" and piece[0] == "." and piece[1:].lower() in LONG_EXTENSIONS:
        return "extension"
    return kind


def is_slashed_words(piece: str) -> bool:
    """Whether a piece is plain words with slashes between them: "read/write" yes, "src/main" no, "and/or" yes."""
    parts = piece.lower().split("/")
    return len(parts) > 1 and all(part in SLASH_WORDS for part in parts)


def value_of(piece: str, kind: str) -> str:
    """A constant in one plain spelling: 10MB -> 10M, 7-day -> 7d, 1,000 -> 1000, 3rd -> 3; others as they stand."""
    if kind == "number":
        if match := re.fullmatch(r"(\d+)\*(\d+)", piece):
            return str(int(match[1][:18]) * int(match[2][:18]))
        return re.sub(r"(?<=\d)(?:st|nd|rd|th|,)", "", piece)
    if kind in ("size", "timespan"):
        split = re.fullmatch(r"([-+]?[\d.]+)-?([A-Za-z]+)", piece)
        units = SIZE_UNITS if kind == "size" else TIME_UNITS
        if split and split[2].lower() in units:
            return split[1] + units[split[2].lower()]
    if kind == "time" and (match := re.fullmatch(r"(\d+)(?::(\d\d))?((?::\d\d)?)([apAP])[mM]", piece)):
        hour = int(match[1]) % 12 + (12 if match[4] in "pP" else 0)
        return f"{hour:02}:{match[2] or '00'}{match[3]}"
    if kind == "permission" and piece.startswith("0o"):
        return piece[2:]
    return piece
