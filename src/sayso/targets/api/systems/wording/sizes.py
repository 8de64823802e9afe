"""Sizes of files as people say them: 20mb, half a gig, five hundred kilobytes."""

from __future__ import annotations

import re

from sayso.english.words import numbers

UNITS = {
    "b": "", "byte": "",
    "k": "KB", "kb": "KB", "kilo": "KB", "kilobyte": "KB",
    "m": "MB", "mb": "MB", "mib": "MB", "meg": "MB", "mega": "MB", "megabyte": "MB",
    "g": "GB", "gb": "GB", "gib": "GB", "gig": "GB", "giga": "GB", "gigabyte": "GB",
    "t": "TB", "tb": "TB", "terabyte": "TB",
}  # fmt: skip
BELOW = {"KB": ("B", 1024), "MB": ("KB", 1024), "GB": ("MB", 1024), "TB": ("GB", 1024)}


def read_size(text: str) -> str | None:
    """ "half a gig" -> "512 MB"; None where it is no size"""
    words = text.casefold().replace("-", " ").strip()
    half = re.fullmatch(r"half an? (\w+)", words)
    if half:
        unit = UNITS.get(half[1].removesuffix("s"), "")
        return f"{BELOW[unit][1] // 2} {BELOW[unit][0]}" if unit else None
    found = re.fullmatch(r"(?P<n>\d[\d,]*(?: ?\. ?\d+)?)\s*(?P<unit>[a-z]*)", words)
    if found:
        named = found["unit"].removesuffix("s")
        if named and named not in UNITS:
            return None
        return f"{found['n'].replace(',', '').replace(' ', '')} {UNITS.get(named, '')}".strip()
    *counted, last = words.split() or [""]
    n, named = _number(counted), last.removesuffix("s")
    return f"{n} {UNITS[named]}".strip() if named in UNITS and n else None


def _number(words: list[str]) -> int:
    """a hundred -> 100; two hundred fifty -> 250; 0 where it is none"""
    total = 0
    for word in words:
        if word in ("a", "an", "one"):
            total += 1
        elif word == "hundred":
            total = max(total, 1) * 100
        elif word == "thousand":
            total = max(total, 1) * 1000
        elif word in numbers(99):
            total += numbers(99)[word]
        elif word != "and":
            return 0
    return total
