"""The values of one operation as a line and back: `sku=AC-5; quantity=12; tags=[new, cold]`, in the slots' order.

`-` says that the request is not one for the operation, `+` that it is and says no value. Text with what would be read
as something else stands as JSON does.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.prompts.signature import Labelled, labelled

NOT_ASKED, NO_VALUES = "-", "+"
WHOLE = re.compile(r"-?\d{1,15}")
REAL = re.compile(r"-?(?:\d{1,300}\.?\d{0,300}|\.\d{1,300})(?:e[+-]?\d{1,3})?")
NEXT = "; "
DECODER = json.JSONDecoder()
ENDS = {False: re.compile(r"(?=;)|$"), True: re.compile(r"(?=[,\]])")}
"""Of plain text: in a list and outside."""


def answer_of(operation: Operation, values: Mapping[str, Any] | None) -> str:
    """Values by path of their slots, those that are missing here left out; None: it is not asked for."""
    return NOT_ASKED if values is None else joined(labelled(operation), values)


def joined(slots: tuple[Labelled, ...], values: Mapping[str, Any]) -> str:
    parts = [f"{one.label}={said(values[one.slot.path], one.slot.many)}" for one in slots if one.slot.path in values]
    return NEXT.join(parts) or NO_VALUES


def said(value: Any, many: bool) -> str:
    if not many:
        return item(value, False)
    given = value if isinstance(value, list | tuple) else [value]
    return f"[{', '.join(item(one, True) for one in given)}]"


def item(value: Any, listed: bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = value if isinstance(value, str) else repr(value)
    is_plain = text and text == " ".join(text.split()) and text[0] != '"' and not re.search(r"[;\\]", text)
    if not is_plain or (listed and re.search(r"[,\[\]]", text)):
        return json.dumps(text, ensure_ascii=False)
    return text


def read_answer(operation: Operation, text: str) -> dict[str, Any] | None:
    """Values by path; None where the line is not one that `answer_of` writes, or says that nothing is asked for."""
    slots = {one.label: one for one in labelled(operation)}
    found: dict[str, Any] = {}
    if text == NO_VALUES:
        return found
    at = 0
    while True:
        label, sign, _ = text[at:].partition("=")
        one = slots.get(label)
        if not sign or one is None or one.slot.path in found:
            return None
        read = read_value(text, at + len(label) + 1, one)
        if read is None:
            return None
        found[one.slot.path], at = read
        if at == len(text):
            return found
        if not text.startswith(NEXT, at):
            return None
        at += len(NEXT)


def read_parts(operation: Operation, text: str) -> dict[str, Any]:
    """Of a line that cannot be read whole what can be: `size=5; colour=red` is a size where nothing is a colour."""
    slots = {one.label: one for one in labelled(operation)}
    found: dict[str, Any] = {}
    for part in text.split(NEXT):
        label, _, rest = part.partition("=")
        one = slots.get(label)
        if one is None or one.slot.path in found or not rest:
            continue
        is_list = one.slot.many and not rest.startswith("[")
        whole = f"[{rest}]" if is_list else rest
        read = read_value(whole, 0, one)
        if read is not None and read[1] == len(whole):
            found[one.slot.path] = read[0]
    return found


def read_value(text: str, at: int, one: Labelled) -> tuple[Any, int] | None:
    """The value that begins here and where it ends."""
    if not one.slot.many:
        return read_item(text, at, one.slot.kind, False)
    if not text.startswith("[", at):
        return None
    at += 1
    values: list[Any] = []
    while not text.startswith("]", at):
        read = read_item(text, at, one.slot.kind, True)
        if read is None:
            return None
        values.append(read[0])
        at = read[1]
        if text.startswith(", ", at):
            at += 2
            if text.startswith("]", at):
                return None
        elif not text.startswith("]", at):
            return None
    return values, at + 1


def read_item(text: str, at: int, kind: str, listed: bool) -> tuple[Any, int] | None:
    if text.startswith('"', at):
        try:
            value, end = DECODER.raw_decode(text, at)
        except ValueError:
            return None
        return typed(value, kind, end)
    ended = ENDS[listed].search(text, at)
    if ended is None or ended.start() == at:
        return None
    return typed(text[at : ended.start()], kind, ended.start())


def typed(text: str, kind: str, end: int) -> tuple[Any, int] | None:
    """As the slot wants it; what is none of its kind is no value."""
    if kind == "boolean":
        return (text == "true", end) if text in ("true", "false") else None
    if kind == "integer":
        return (int(text), end) if WHOLE.fullmatch(text) else None
    if kind == "number":
        if WHOLE.fullmatch(text):
            return int(text), end
        found = float(text) if REAL.fullmatch(text) else math.inf
        return (found, end) if math.isfinite(found) else None
    return text, end
