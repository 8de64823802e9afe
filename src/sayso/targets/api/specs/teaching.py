"""What a user teaches: a request and the call that answers it, put into the description as its author might have.

The words of the request become words of the operation, and what it says for a choice or a truth becomes a gloss of that
value, so that everything that reads descriptions reads it too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sayso.targets.api.specs.calls import leaves, parse_call
from sayso.targets.api.specs.model import Api, Operation, Slot
from sayso.targets.api.specs.words import stems_of, stop_words


@dataclass(frozen=True)
class Taught:
    request: str
    call: str


def with_taught(api: Api, taught: Sequence[Taught]) -> Api:
    """The description with what was taught in it; an example of an operation that is gone is left out."""
    operations = {one.id: one for one in api.operations}
    for one in taught:
        call = parse_call(one.call)
        if call.operation in operations:
            operations[call.operation] = taught_one(operations[call.operation], one)
    return replace(api, operations=tuple(operations.values()))


def taught_one(operation: Operation, one: Taught) -> Operation:
    values = dict(leaves(parse_call(one.call).arguments, operation.slots))
    said = {str(value).casefold() for value in values.values() if not isinstance(value, bool | list | dict)}
    said |= {str(item).casefold() for value in values.values() if isinstance(value, list) for item in value}
    words = [
        word
        for word in re.findall(r"[A-Za-z][\w'-]*", one.request)
        if word.casefold() not in said and word.casefold() not in stop_words()
    ]
    words = [word for word in words if not any(word.casefold() in value.split() for value in said)]
    slots = tuple(
        glossed(slot, values[slot.path], words, operation) if slot.path in values else slot for slot in operation.slots
    )
    # Not into the summary: its words speak of the operation, and so never of a value.
    return replace(operation, returns=f"{operation.returns} {' '.join(words * 3)}".strip(), slots=slots)


def glossed(slot: Slot, value: object, words: list[str], operation: Operation) -> Slot:
    known = set(stems_of(operation.summary)) | set(stems_of(operation.id)) | set(stems_of(slot.text))
    new = [word for word in words if not set(stems_of(word)) & known]
    if not new or not (slot.enum or slot.kind == "boolean"):
        return slot
    if slot.kind == "boolean":
        return replace(
            slot, text=f"{slot.text} {' '.join(new)}" if value is True else f"false for {' '.join(new)}. {slot.text}"
        )
    one = value[0] if isinstance(value, list) and value else value
    return replace(slot, text=f"{slot.text}; `{one}` is {' '.join(new)}")
