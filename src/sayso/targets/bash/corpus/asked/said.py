"""Whether the constants of a command stand in its request: paths, file names and numbers, by letters and digits.

A measure of the whole corpus, no judge of a pair: what a request implies (a unit, a mode, a place of the system) is
known here only in part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.bash.forms.structure import Part

NAME = re.compile(r"~?[\w./@+-]*/[\w./@+-]*|[\w@+-]*\w\.[A-Za-z]\w{0,4}|\d{2,}")
# What everybody means who speaks of the system, of nothing, of here.
PLACES = frozenset((
    "~", ".", "..", "bin", "boot", "dev", "etc", "home", "lib", "local", "log", "media", "mnt", "null", "opt", "proc",
    "root", "run", "sbin", "share", "srv", "sys", "tmp", "usr", "var",
))  # fmt: skip
UNITS = frozenset((10, 12, 16, 24, 60, 100, 365, 1000, 1024, 1440, 3600, 86400, 1_000_000, 1 << 20, 1 << 30))
NUMBER = re.compile(r"\d+")


def constants_said(request: str, parts: list[Part]) -> tuple[int, int]:
    """(said, all): how many of the constants that look like a name are said or plainly implied."""
    said = letters_of(request)
    numbers = {int(number[:15]) for number in NUMBER.findall(request)}
    found = list(dict.fromkeys(names(parts)))
    return sum(is_said(name, said, numbers) for name in found), len(found)


def names(parts: list[Part]) -> Iterator[str]:
    """Arguments that are a path, a file name or a number of two digits or more."""
    return (part.text for part in parts if part.kind == "argument" and NAME.fullmatch(part.text))


def is_said(name: str, said: str, numbers: set[int]) -> bool:
    """("/etc/nginx", "thenginxsettings", …) -> True: a place of the system needs no word."""
    if name.isdigit():
        number = int(name[:15])
        near = {number - 1, number, number + 1}
        return number in UNITS or any(one in near or is_multiple(number, one) for one in numbers) or name in said
    pieces = [piece for piece in name.split("/") if piece and piece not in PLACES]
    return all(letters_of(piece.rpartition(".")[0] or piece) in said for piece in pieces)


def is_multiple(number: int, said: int) -> bool:
    """7200, said 2: two hours, in seconds."""
    return said > 0 and number % said == 0 and number // said in UNITS


def letters_of(text: str) -> str:
    """My-File.txt -> myfiletxt"""
    return re.sub(r"[\W_]", "", text.lower())
