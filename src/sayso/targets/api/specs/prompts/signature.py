"""An operation as a few lines of text: its name, what it does, and a line for each value that it takes.

    receiveGoods: Book goods that arrived
    quantity! int
    location!: Shelf or bay code
    cause count|damage|theft = count: Why it differs

Every id of a trunk costs time, so that there is room for so many characters: where that is too little descriptions are
cut first, then choices that the request has no word of, then values that may be left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sayso.targets.api.specs.model import Operation, Slot

MOST = 460
"""Characters of a signature: three or four come to an id."""
TOLD = 110
"""Characters of what an operation does."""
KINDS = {"integer": "int", "number": "num", "boolean": "bool"}
DATED = ("date", "date-time", "time")
STEPS = ((70, 16), (40, 12), (24, 8), (0, 6), (0, 4))
"""Characters of a description and choices of a slot, tried one after the other."""
PLAIN = re.compile(r"[^\w.$\[\]-]+")
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Labelled:
    """A slot and what it is called here."""

    label: str
    slot: Slot


@lru_cache(maxsize=2048)
def labelled(operation: Operation) -> tuple[Labelled, ...]:
    """Every slot that one value or a list can be said of; `body.` is left out, and each label stands once."""
    found: dict[str, Slot] = {}
    outside = {slot.name for slot in operation.slots if slot.where != "body"}
    for slot in operation.slots:
        if slot.kind == "object" or (slot.path == f"body.{slot.name}" and slot.name in outside):
            continue
        label = PLAIN.sub("_", slot.path.removeprefix("body."))
        if not label or label in found:
            label = PLAIN.sub("_", slot.path)
        while label in found:
            label += "_"
        found[label] = slot
    return tuple(Labelled(label, slot) for label, slot in found.items())


def signature_of(operation: Operation, request: str = "", most: int = MOST) -> str:
    """`request`: which choices and values are kept where there are too many of them."""
    return written(head_of(operation), labelled(operation), request, most)


def head_of(operation: Operation) -> str:
    """GET listItems: what it does; POST is not said, since most that are called by a name alone are one."""
    method = "" if operation.method == "post" else operation.method.upper() + " "
    told = first_of(operation.summary or operation.text, TOLD)
    return f"{method}{operation.id}" + (f": {told}" if told else "")


def written(head: str, slots: Sequence[Labelled], request: str, most: int = MOST) -> str:
    said = words_of(request)
    for told, choices in STEPS:
        lines = [line_of(one, told, choices, said) for one in slots]
        if len(head) + sum(len(line) + 1 for line in lines) <= most:
            return "\n".join((head, *lines))
    wanted = sorted(
        range(len(slots)), key=lambda at: (not slots[at].slot.is_needed, -len(said & names_in(slots[at].slot)), at)
    )
    kept: set[int] = set()
    room = most - len(head)
    for at in wanted:
        room -= len(lines[at]) + 1
        if room < 0:
            break
        kept.add(at)
    return "\n".join((head, *(lines[at] for at in sorted(kept))))


def line_of(one: Labelled, told: int, choices: int, said: Collection[str]) -> str:
    slot = one.slot
    kind = "|".join(shown(slot.enum, choices, said)) if slot.enum else KINDS.get(slot.kind, "")
    kind = kind or ("date" if slot.format in DATED else "")
    kind = f"{kind}[]" if slot.many else kind
    text = first_of(slot.text, told)
    default = "" if slot.default is None else f" = {plainly(slot.default)}"
    return one.label + "!" * slot.is_needed + (f" {kind}" if kind else "") + default + (f": {text}" if text else "")


def shown(enum: Sequence[object], most: int, said: Collection[str]) -> Iterator[str]:
    """In their order; where there are too many, those that share a word with the request before the others."""
    choices = [plainly(one) for one in enum]
    if len(choices) > most:
        near = sorted(range(len(choices)), key=lambda at: (-len(words_of(choices[at]) & set(said)), at))
        choices = [choices[at] for at in sorted(near[:most])]
    yield from choices


def plainly(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(text.split())[:40]


def first_of(text: str, most: int) -> str:
    """The first sentence, and of that whole words."""
    text = " ".join(text.split())
    text = re.split(r"(?<=[a-z)])[.!?] (?=[A-Z])", text)[0].rstrip(".")
    if len(text) <= most:
        return text
    return text[: most + 1].rpartition(" ")[0].rstrip(",;: ")


def words_of(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text.casefold()))


@lru_cache(maxsize=4096)
def names_in(slot: Slot) -> frozenset[str]:
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", slot.name)
    return words_of(f"{parts} {slot.text[:160]} {' '.join(map(str, slot.enum[:40]))}")
