"""Decoding on a GPU as recorded CUDA graphs: one launch a step instead of hundreds.

A network whose state keeps its shapes is recorded once for each shape and replayed for every batch of that shape. On
a CPU, and for trunks whose caches grow, steps go through unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Generic, Protocol, TypeGuard, TypeVar, cast

import torch
from torch import Tensor

from sayso.models.batch import Batch
from sayso.models.search import StepModel

State = TypeVar("State")
Part = TypeVar("Part")


class Cache(Protocol):
    """A part of a state that grows with the answer: it has a `length`, and room is made for it beforehand."""

    def with_room(self, places: int) -> object: ...


@dataclass(frozen=True)
class Recorded(Generic[State]):
    """A recorded step with the memory that it reads and writes."""

    graph: torch.cuda.CUDAGraph
    state: State
    last: Tensor
    parents: Tensor
    log_probs: Tensor


@dataclass(frozen=True)
class Moment(Generic[State]):
    """Between two steps: a state, or a recording whose memory holds it. Steps go forward only."""

    state: State | None
    recorded: Recorded[State] | None = None
    is_first: bool = False


class GraphedSteps(Generic[State]):
    """A StepModel over another one, for searches of at most `longest` ids. Log-probabilities are overwritten by the
    next step, and a moment is stepped from once."""

    def __init__(self, model: StepModel[State], longest: int) -> None:
        self.model, self.longest = model, longest
        self.recordings: dict[tuple[object, ...], Recorded[State]] = {}
        self.pool: Any = None
        """Of memory that recordings need on their way: they are replayed one at a time and read nothing of each
        other."""

    def start(self, batch: Batch) -> Moment[State]:
        """Encode the sources; nothing is recorded yet."""
        return Moment(with_room(self.model.start(batch), self.longest), is_first=True)

    def step(self, moment: Moment[State], last: Tensor, parents: Tensor) -> tuple[Tensor, Moment[State]]:
        """As the model's own; the first step, which may change the number of rows, is never recorded."""
        if moment.recorded is None:
            assert moment.state is not None
            if moment.is_first or not last.is_cuda or not can_be_recorded(moment.state):
                log_probs, state = self.model.step(moment.state, last, parents)
                return log_probs, Moment(state)
            moment = Moment(None, self._recording(moment.state, last, parents))
        recorded = cast("Recorded[State]", moment.recorded)
        recorded.last.copy_(last)
        recorded.parents.copy_(parents)
        recorded.graph.replay()
        return recorded.log_probs, moment

    def _recording(self, state: State, last: Tensor, parents: Tensor) -> Recorded[State]:
        """A recording of these shapes, filled with this state."""
        shape = tuple((tuple(one.shape), one.dtype) for one in tensors(state))
        key = (*shape, len(last), *plain(state), torch.is_autocast_enabled("cuda"))
        if key not in self.recordings:
            self.recordings[key] = self._record(state, last, parents)
        recorded = self.recordings[key]
        for kept, new in zip(tensors(recorded.state), tensors(state), strict=True):
            kept.copy_(new)
        return recorded

    def _record(self, state: State, last: Tensor, parents: Tensor) -> Recorded[State]:
        own = cloned(state)
        last, parents = last.clone(), parents.clone()
        # Autocast drops its converted weights when it ends: a recording must convert its own.
        caches = torch.is_autocast_cache_enabled()
        torch.set_autocast_cache_enabled(False)
        torch.clear_autocast_cache()
        try:
            graph, log_probs = self._capture(own, last, parents)
        finally:
            torch.set_autocast_cache_enabled(caches)
        return Recorded(graph, own, last, parents, log_probs)

    def _capture(self, own: State, last: Tensor, parents: Tensor) -> tuple[torch.cuda.CUDAGraph, Tensor]:
        """Record a step that leaves its new state where it found the old one."""
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(2):  # libraries set themselves up before they can be recorded
                self.model.step(own, last, parents)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        self.pool = self.pool or torch.cuda.graph_pool_handle()
        with torch.cuda.graph(graph, pool=self.pool):
            log_probs, after = self.model.step(own, last, parents)
            for kept, new in zip(tensors(own), tensors(after), strict=True):
                if kept is not new:
                    kept.copy_(new)
        return graph, log_probs


def tensors(part: object) -> Iterator[Tensor]:
    """Every tensor of a state, in the order of its fields."""
    if isinstance(part, Tensor):
        yield part
    elif isinstance(part, tuple):
        for one in part:
            yield from tensors(one)
    elif is_dataclass(part):
        for field in fields(part):
            yield from tensors(getattr(part, field.name))


def plain(part: object) -> Iterator[object]:
    """What else a recording holds fast: the plain numbers of a state, but for a length, which it does not read."""
    if is_dataclass(part):
        for field in fields(part):
            value = getattr(part, field.name)
            if isinstance(value, int) and field.name != "length":
                yield value
            yield from plain(value)


def can_be_recorded(part: object) -> bool:
    """Whether a state is made of tensors, numbers, tuples and dataclasses, and what has a length can make room."""
    if isinstance(part, tuple):
        return all(map(can_be_recorded, part))
    if is_dataclass(part):
        grows = hasattr(part, "length") and not can_make_room(part)
        return not grows and all(can_be_recorded(getattr(part, field.name)) for field in fields(part))
    return isinstance(part, Tensor | int)


def cloned(part: Part) -> Part:
    """A state with memory of its own."""
    if isinstance(part, Tensor):
        return cast("Part", part.clone())
    if isinstance(part, tuple):
        return cast("Part", tuple(cloned(one) for one in part))
    if is_dataclass(part) and not isinstance(part, type):
        return cast("Part", replace(part, **{one.name: cloned(getattr(part, one.name)) for one in fields(part)}))
    return part


def with_room(part: Part, places: int) -> Part:
    """A state whose caches will not grow before so many words."""
    if is_dataclass(part) and not isinstance(part, type):
        if can_make_room(part):
            return cast("Part", part.with_room(places))
        return cast(
            "Part", replace(part, **{one.name: with_room(getattr(part, one.name), places) for one in fields(part)})
        )
    return part


def can_make_room(part: object) -> TypeGuard[Cache]:
    return hasattr(part, "with_room")
