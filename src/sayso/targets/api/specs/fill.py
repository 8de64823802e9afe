"""Values to slots, all at once: at most one span a slot and one slot a span, what speaks for them largest in sum.

A beam over options from the strongest down. A value that nothing takes counts against the operation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.targets.api.specs.calls import missing, nested
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.prompts.hearing import Heard, with_heard
from sayso.targets.api.specs.said.spans import Said
from sayso.targets.api.specs.slots.context import Reads, in_context
from sayso.targets.api.specs.slots.features import FEATURES, PLACE, Option
from sayso.targets.api.specs.slots.options import doubles, options_of

BEAM = 24
MOST_OPTIONS = 48
WANTED = 2.0
"""What filling a required slot is worth beside the value itself."""
SPARED = 0.5
"""Of that, what taking it counts when values are dealt out."""
MOST_SAID = 3.0
LISTED = 0.4
UNUSED = {"number": 0.9, "quoted": 1.5, "email": 1.5, "url": 1.2, "id": 1.0, "date": 0.8, "name": 0.4}
"""What a value that no slot takes costs."""


@dataclass(frozen=True)
class Filled:
    arguments: dict[str, Any]
    missing: tuple[str, ...]
    score: float
    unused: tuple[str, ...]
    chosen: tuple[Option, ...] = ()
    asks: float = 0.0
    """Log odds that the request asks for this operation, by the whole of both."""


@dataclass(frozen=True)
class State:
    score: float
    chosen: tuple[Option, ...]
    slots: frozenset[int]
    used: Mapping[int, frozenset[str]]


def weighed(weights: Mapping[str, float]) -> list[float]:
    return [weights.get(name, 0.0) for name in FEATURES]


def fill(
    said: Said,
    operation: Operation,
    weights: Sequence[float],
    reads: Reads | None = None,
    heard: Heard | None = None,
) -> Filled:
    """`reads`: what reads the request as a whole, `heard`: what the trunk says of it; without them options stand by
    their own features."""
    options, asks = in_context(said, operation, options_of(said, operation), reads)
    options = with_heard(said, operation, options, heard)
    best = dealt(said, operation, [(one.dot(weights), one) for one in options], weights)
    slots = operation.slots
    values = gathered(best.chosen, operation)
    covered = frozenset(at for one in best.chosen for at in one.cover)
    left = unused(said, covered)
    score = sum(counted(one, weights, slots[one.slot].is_needed) for one in best.chosen)
    score -= sum(UNUSED[kind] for kind, _ in left)
    lacking = missing(operation, values)
    return Filled(
        nested(values, operation.body_many),
        tuple(lacking),
        score - 1.0 * len(lacking),
        tuple(text for _, text in left),
        best.chosen,
        asks,
    )


def dealt(said: Said, operation: Operation, scored: Sequence[tuple[float, Option]], weights: Sequence[float]) -> State:
    """The assignment with the largest sum that a beam finds."""
    slots = operation.slots
    strong = {(span.first, span.last): UNUSED[span.kind] for span in said.spans if span.kind in UNUSED}
    for span in said.spans:
        if span.kind == "list":
            strong[(span.first, span.last)] = UNUSED.get(span.value[0], LISTED) * len(span.value[1])
    able = [
        (
            much
            + (WANTED if slots[one.slot].is_needed else 0.0)
            + SPARED * strong.get((one.first, one.first + len(one.cover)), 0.0),
            one,
        )
        for much, one in scored
    ]
    able = sorted((pair for pair in able if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].slot, pair[1].first))[
        :MOST_OPTIONS
    ]
    alike, unlike = weights[PLACE["order-alike"]], weights[PLACE["order-unlike"]]
    beam = [State(0.0, (), frozenset(), {})]
    for much, option in able:
        adds = slots[option.slot].many and bool(slots[option.slot].enum)
        grown = [
            with_option(state, much + ordered(state.chosen, option, operation, alike, unlike), option, adds)
            for state in beam
        ]
        beam = sorted([*beam, *(one for one in grown if one is not None)], key=lambda state: -state.score)[:BEAM]
    return beam[0]


def ordered(chosen: Sequence[Option], option: Option, operation: Operation, alike: float, unlike: float) -> float:
    """What it counts that values are said in the order of their slots, more so where they are of one kind."""
    total = 0.0
    kind = operation.slots[option.slot].kind
    for one in chosen:
        if one.slot != option.slot and one.cover and option.cover:
            much = alike if operation.slots[one.slot].kind == kind else unlike
            total += much if (one.slot < option.slot) == (one.first < option.first) else -much
    return total


def counted(option: Option, weights: Sequence[float], required: bool) -> float:
    """What a filled slot says for its operation; plain words fill anything, so that needing them is no reason."""
    plain = any(at == PLACE["words"] for at, _ in option.features)
    return max(0.0, min(MOST_SAID, option.dot(weights) + (WANTED if required and not plain else 0.0)))


def with_option(state: State, much: float, option: Option, adds: bool) -> State | None:
    if option.slot in state.slots and not adds:
        return None
    for at in option.cover:
        held = state.used.get(at)
        if held is not None and (
            not option.share or option.share in held or "" in held or option.share.startswith("many")
        ):
            return None
    used = dict(state.used)
    for at in option.cover:
        used[at] = used.get(at, frozenset()) | {option.share}
    return State(state.score + much, (*state.chosen, option), state.slots | {option.slot}, used)


def gathered(chosen: Sequence[Option], operation: Operation) -> dict[str, Any]:
    """Values by slot, in the order of the slots; of a list of choices, each once and in the order said."""
    found: dict[str, Any] = {}
    for one in sorted(chosen, key=lambda option: (option.slot, option.first)):
        slot = operation.slots[one.slot]
        if slot.path in found and isinstance(found[slot.path], list):
            found[slot.path] = [*found[slot.path], *(value for value in one.value if value not in found[slot.path])]
        else:
            found[slot.path] = one.value
    for inside, outside in doubles(operation).items():
        doubled = operation.find(inside)
        if outside in found and doubled is not None and doubled.required:
            found[inside] = found[outside]
    return {path: value for path, value in found.items() if not is_default(operation, path, value)}


def is_default(operation: Operation, path: str, value: Any) -> bool:
    """What the server would take anyway is left out."""
    slot = operation.find(path)
    return slot is not None and not slot.required and slot.default is not None and slot.default == value


def unused(said: Said, covered: frozenset[int]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    taken = set(covered)
    for kind in UNUSED:
        for span in said.spans:
            if span.kind == kind and not any(at in taken for at in range(span.first, span.last)):
                taken.update(range(span.first, span.last))
                found.append((kind, said.part(span.first, span.last)))
    return found
