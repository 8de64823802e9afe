"""What an event of the log holds: each is checked as it is read, so that a line that was tampered with is named.

A line that is no JSON is what a kill left of an event that nobody was told of (store.py); a whole line of another shape
is no accident.
"""

from __future__ import annotations

from collections.abc import Mapping

from sayso.apps.judge.items import Json, item_from_json
from sayso.core.errors import UserError

LARGEST = 2**53
"""Of a number: what JavaScript and JSON agree on."""
TEXTS: Mapping[str, tuple[str, ...]] = {
    "item": (),
    "answer": ("item", "annotator"),
    "undo": ("annotator",),
    "again": ("item", "annotator", "why"),
}
NUMBERS: Mapping[str, tuple[str, ...]] = {"answer": ("look",), "undo": ("answer",)}
OBJECTS: Mapping[str, tuple[str, ...]] = {"item": ("item",), "answer": ("answer",)}


def check_event(event: Json) -> None:
    """Raises UserError with what is wrong; a kind of event that is not known here is another version's to read."""
    kind = event.get("event")
    if not isinstance(kind, str) or not isinstance(event.get("at"), str):
        raise UserError("an event has a kind and a time")
    for name in TEXTS.get(kind, ()):
        if not isinstance(event.get(name), str):
            raise UserError(f'"{name}" of {kind} must be text')
    for name in ("n", *NUMBERS.get(kind, ())):
        if not is_count(event.get(name)):
            raise UserError(f'"{name}" of {kind} must be a whole number from 1 on')
    for name in OBJECTS.get(kind, ()):
        if not isinstance(event.get(name), dict):
            raise UserError(f'"{name}" of {kind} must be an object')
    if kind == "item":
        item = event["item"]
        assert isinstance(item, dict)
        item_from_json(item)


def is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= LARGEST
