"""A set of clauses as ids: one label a slot in a fixed order, and two source places where it takes a value.

Order-free by construction: two ways of listing the same clauses are the same ids. Plain Python, no torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sayso.core.errors import UserError


@dataclass(frozen=True)
class Slot:
    """Something that may be said at most once: a resource, a filter on one property, an order, a count."""

    name: str
    labels: tuple[int, ...]
    """The output ids that this slot chooses from; "absent" is one of them where the slot may be left out."""
    spans: tuple[int, ...] = ()
    """Those labels that come with a value copied from the source."""


@dataclass(frozen=True)
class Choice:
    """What a slot says: a label, and the first and last source place of its value where the label takes one."""

    label: int
    span: tuple[int, int] | None = None


def write_choices(slots: Sequence[Slot], output_size: int, choices: Sequence[Choice]) -> list[int]:
    """One choice a slot -> ids without BOS and EOS; source place p is the extended id output_size + p."""
    if len(slots) != len(choices):
        raise UserError(
            f"{len(choices)} choices for {len(slots)} slots", 'choose "absent" for a slot that says nothing'
        )
    ids = []
    for slot, choice in zip(slots, choices, strict=True):
        if choice.label not in slot.labels:
            raise UserError(f"slot {slot.name} has no label {choice.label}", f"its labels: {slot.labels}")
        if (choice.label in slot.spans) != (choice.span is not None):
            needs = "a value" if choice.span is None else "no value"
            raise UserError(f"label {choice.label} of slot {slot.name} takes {needs}", "give the label a span or none")
        ids.append(choice.label)
        if choice.span is not None:
            first, last = choice.span
            if not 0 <= first <= last:
                raise UserError(f"slot {slot.name} copies places {first} to {last}", "a span runs from left to right")
            ids += [output_size + first, output_size + last]
    return ids


def read_choices(slots: Sequence[Slot], output_size: int, ids: Sequence[int]) -> list[Choice]:
    """The inverse of `write_choices`; raises UserError on ids that no choices make."""
    choices, rest = [], list(ids)
    for slot in slots:
        if not rest or rest[0] not in slot.labels:
            raise UserError(
                f"no label of slot {slot.name} stands at id {len(ids) - len(rest)}", "search with this model"
            )
        label = rest.pop(0)
        if label not in slot.spans:
            choices.append(Choice(label))
            continue
        places = [one - output_size for one in rest[:2]]
        if len(places) < 2 or not 0 <= places[0] <= places[1]:
            raise UserError(f"slot {slot.name} has no span after label {label}", "search with this model")
        choices.append(Choice(label, (places[0], places[1])))
        rest = rest[2:]
    if rest:
        raise UserError(f"{len(rest)} ids are left after the last slot", "search with this model")
    return choices
