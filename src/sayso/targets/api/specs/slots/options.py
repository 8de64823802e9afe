"""Which values of a request a slot could take, each with the features that speak for it. Weights are learnt."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.said.spans import Said
from sayso.targets.api.specs.slots.beside import beside, meant, standing
from sayso.targets.api.specs.slots.choices import NOT_FOR_CHOICES, flag_options, phrase_options, unsaid_choices
from sayso.targets.api.specs.slots.features import Option, made
from sayso.targets.api.specs.slots.looked import Looked, look
from sayso.targets.api.specs.slots.values import readings
from sayso.targets.api.specs.slots.views import View

if TYPE_CHECKING:
    pass


def options_of(said: Said, operation: Operation) -> list[Option]:
    looked = look(said, operation)
    found: list[Option] = []
    doubled = doubles(operation)
    for view in looked.views:
        if view.slot.path not in doubled:
            options = list(slot_options(looked, view))
            found += [*options, *unsaid_choices(view, options)]
    return found


@lru_cache(maxsize=512)
def doubles(operation: Operation) -> dict[str, str]:
    """Fields of the body that are a parameter too -> that parameter: both have one value."""
    outside = {slot.name: slot.path for slot in operation.slots if slot.where != "body"}
    return {
        slot.path: outside[slot.name]
        for slot in operation.slots
        if slot.where == "body" and slot.path == f"body.{slot.name}" and slot.name in outside
    }


def slot_options(looked: Looked, view: View) -> Iterator[Option]:
    slot = view.slot
    if slot.kind == "object":
        return
    if slot.kind == "boolean":
        yield from flag_options(looked, view)
        return
    if view.phrases:
        yield from phrase_options(looked, view)
        if slot.enum and not any(isinstance(one, int | float) for one in slot.enum):
            return
    for place, span in enumerate(looked.said.spans):
        if span.kind in ("words", "name", "id") and all(looked.names[span.first : span.last]):
            continue
        if slot.where == "path" and looked.said.is_torn(span.first, span.last, view.words):
            continue
        for value, share, more in readings(view, span):
            features = {**more, **beside(looked, view, span), **meant(looked, view, span, place)}
            features.update(standing(looked, view, span))
            cover = range(span.first, span.last)
            if "unit" in features and slot.kind == "string":  # the word behind the number, which stays free
                cover = range(span.last, span.last + 1) if span.last < len(looked.said.tokens) else cover
            if "pattern" in features or "format" in features or "counts" in features:
                for name in NOT_FOR_CHOICES:
                    features.pop(name, None)
            yield made(view, value, cover, share, features)
