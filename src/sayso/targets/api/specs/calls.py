"""A call of a described operation as one line of text: its name and its arguments as JSON.

`addComment {"key": "OPS-17", "body": {"text": "fine now"}}`: parameters by name, the body under `body`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from sayso.core.errors import BadInstruction
from sayso.core.given import parse_json
from sayso.core.types import Finding
from sayso.targets.api.specs.model import Operation, Slot

CALL = re.compile(r"\s*(?P<name>[^\s{]+)\s*(?P<rest>\{.*\})?\s*", re.DOTALL)
RISKY = re.compile(r"\)[+*{]|\\\d|(?:[+*]|\{\d*,)(?:.*?(?:[+*]|\{\d*,)){3}", re.DOTALL)
"""A pattern that may take for ever, or looks back."""


@dataclass(frozen=True)
class Call:
    operation: str
    arguments: Mapping[str, Any]

    def __str__(self) -> str:
        return written(self.operation, self.arguments)


def written(name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name} {json.dumps(arguments, ensure_ascii=False, sort_keys=True)}"


def parse_call(text: str) -> Call:
    """Raises BadInstruction, which points at the character."""
    found = CALL.fullmatch(text)
    if not found:
        raise BadInstruction("this is no call", text, 0, 'write it as addComment {"key": "OPS-17"}')
    try:
        arguments = parse_json(found["rest"] or "{}", unique=True)
    except ValueError as error:
        place = found.start("rest") + getattr(error, "pos", 0)
        raise BadInstruction(f"the arguments are not JSON: {error}", text, place) from error
    return Call(found["name"], arguments)


def leaves(arguments: Mapping[str, Any], slots: tuple[Slot, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Arguments as pairs of a slot's path and its value; only the first of several objects is looked into."""
    known = {slot.path for slot in slots}

    def inside(path: str, value: Any) -> Iterator[tuple[str, Any]]:
        if path in known:
            yield path, value
        elif isinstance(value, dict) and value:
            for name, one in value.items():
                yield from inside(f"{path}.{name}", one)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for one in value:
                yield from inside(f"{path}[]", one)
        else:
            yield path, value

    for name, value in arguments.items():
        yield from inside(name, value)


def nested(values: Mapping[str, Any], body_many: bool = False) -> dict[str, Any]:
    """The inverse: `body.customer.name` -> {"body": {"customer": {"name": …}}}."""
    found: dict[str, Any] = {}
    for path, value in values.items():
        node: Any = found
        parts = path.split(".") if path.startswith("body.") else [path]
        for part in parts[:-1]:
            many, key = part.endswith("[]"), part.removesuffix("[]")
            inner = node.setdefault(key, [{}] if many else {})
            node = inner[0] if many else inner
        node[parts[-1]] = value
    if body_many and isinstance(found.get("body"), dict):
        found["body"] = [found["body"]]
    return found


def findings(call: Call, operation: Operation) -> list[Finding]:
    """What the server would refuse: an unknown name, a value of the wrong kind, what is missing."""
    known = {slot.path: slot for slot in operation.slots}
    found: list[Finding] = []
    given = dict(leaves(call.arguments, operation.slots))
    for path, value in given.items():
        slot = known.get(path)
        if slot is None:
            if path == "body" and value == {}:
                continue
            near = get_close_matches(path, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            found.append(Finding(f"{operation.id} takes no {path}{hint}", fatal=True))
        elif problem := wrong(slot, value):
            found.append(Finding(f"{path}: {problem}", fatal=True))
    return [*found, *(Finding(f"{name} is missing", fatal=True) for name in missing(operation, given))]


def missing(operation: Operation, given: Mapping[str, Any]) -> list[str]:
    """Required slots without a value; one of several objects is named by where they stand."""
    found: list[str] = []
    for slot in operation.slots:
        if not slot.required or slot.path in given:
            continue
        prefix = f"{slot.under}."
        if slot.under and not any(path.startswith(prefix) for path in given):
            continue
        name = slot.path.partition("[]")[0]
        if name not in found:
            found.append(name)
    needs_body = any(slot.where == "body" and not slot.under for slot in operation.slots)
    if needs_body and not any(path.startswith("body") for path in (*given, *found)):
        found.append("body")
    return found


def wrong(slot: Slot, value: Any) -> str:
    """Why a value does not fit, in one phrase; "" where it does."""
    if value is None:
        return "" if slot.nullable else "it is null"
    if slot.many:
        if not isinstance(value, list):
            return "it is no list"
        return next((problem for one in value if (problem := wrong_item(slot, one))), "")
    return wrong_item(slot, value)


def wrong_item(slot: Slot, value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)[:40]
    if slot.enum and value not in slot.enum:
        return f"{shown} is none of {', '.join(map(str, slot.enum[:12]))}"
    if slot.kind == "integer" and (not isinstance(value, int) or isinstance(value, bool)):
        return f"{shown} is no whole number"
    if slot.kind == "number" and (not isinstance(value, int | float) or isinstance(value, bool)):
        return f"{shown} is no number"
    if slot.kind == "boolean" and not isinstance(value, bool):
        return f"{shown} is neither true nor false"
    if slot.kind == "string" and not slot.enum and not isinstance(value, str):
        return f"{shown} is no text"
    if isinstance(value, int | float) and not isinstance(value, bool):
        if slot.least is not None and value < slot.least:
            return f"{shown} is less than {slot.least:g}"
        if slot.most is not None and value > slot.most:
            return f"{shown} is more than {slot.most:g}"
    if isinstance(value, str) and slot.pattern and not fits_pattern(slot.pattern, value):
        return f"{shown} is not of the form {slot.pattern}"
    if isinstance(value, str) and slot.where == "path" and value in ("", ".", ".."):
        return f"{shown} cannot stand in a path"
    if isinstance(value, str) and slot.where == "header" and re.search(r"[\r\n\0]", value):
        return f"{shown} has a line break, which no header may have"
    return ""


def fits_pattern(pattern: str, value: str) -> bool:
    """Whether a text has the form that a description asks for; a form that cannot be told is met."""
    if RISKY.search(pattern) or len(value) > 200:
        return True
    try:
        return re.search(pattern, value) is not None
    except (re.error, RecursionError, OverflowError):
        return True
