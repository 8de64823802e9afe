"""Values of a bundle's JSON, each checked before it is used: the error names the file, the field and what it holds.

A digest says that a file is as its maker left it, not that its maker wrote what we read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sayso.core.errors import BadBundle

CURE = "get the bundle again: copy the whole folder, or reinstall sayso if it is an embedded one"
LARGE = 1e12
"""More than any weight, count or threshold is."""
SHOWN = 40


def wrong(place: str, value: object, wanted: str) -> BadBundle:
    """bundle.json: curve.bias is "x", not a number"""
    said = repr(value) if not isinstance(value, list | dict) else f"{type(value).__name__} of {len(value)}"
    return BadBundle(f"{place} is {said if len(said) <= SHOWN else said[:SHOWN] + '…'}, not {wanted}", CURE)


def number(value: object, place: str, least: float = -LARGE, most: float = LARGE) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong(place, value, "a number")
    if not least <= value <= most:  # which NaN is never
        raise wrong(place, value, f"a number from {least:g} to {most:g}")
    return float(value)


def whole(value: object, place: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise wrong(place, value, f"a whole number from {least} to {most}")
    return value


def text(value: object, place: str) -> str:
    """A text that can be printed and stored: half of a surrogate pair cannot."""
    if not isinstance(value, str):
        raise wrong(place, value, "a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise wrong(place, value, "a text in Unicode") from None
    return value


def table(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise wrong(place, value, "an object")
    return value


def rows(value: object, place: str, size: int = -1) -> list[Any]:
    """A list, of `size` entries where that is given."""
    if not isinstance(value, list):
        raise wrong(place, value, "a list")
    if size >= 0 and len(value) != size:
        raise BadBundle(f"{place} has {len(value)} entries instead of {size}", CURE)
    return value


def are_texts(values: Iterable[object]) -> bool:
    """All at once: a cookbook has twenty thousand, and names of places are worth making only where one is wrong."""
    try:
        "".join(values).encode()  # type: ignore[arg-type]
    except (TypeError, UnicodeEncodeError):
        return False
    return True


def texts(value: object, place: str) -> tuple[str, ...]:
    found = rows(value, place)
    if are_texts(found):
        return tuple(found)
    return tuple(text(one, f"{place}.{at}") for at, one in enumerate(found))


def numbers(value: object, place: str, size: int = -1) -> tuple[float, ...]:
    return tuple(number(one, f"{place}.{at}") for at, one in enumerate(rows(value, place, size)))


def named_texts(value: object, place: str) -> dict[str, str]:
    found = table(value, place)
    if are_texts(found) and are_texts(found.values()):
        return found
    return {text(key, place): text(one, f"{place}.{key}") for key, one in found.items()}


def named_numbers(value: object, place: str, names: Collection[str]) -> dict[str, float]:
    """A number under each of these names; what else is there is left out."""
    found = table(value, place)
    return {name: number(field(found, name, place), f"{place}.{name}") for name in names}


def field(value: Mapping[str, Any], name: str, place: str) -> Any:
    """What stands under a name, whatever it is."""
    if name not in value:
        raise BadBundle(f"{place} lacks {name}", CURE)
    return value[name]
