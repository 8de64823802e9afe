"""Beam search in numpy for whoever has no torch: the definition of `models/search.py`, whose answers it repeats.

That one is made of tensors on a device and full of what research asks for; here rows are few and lists, so that a row
that can no longer win costs nothing. The first ids come with the reading of the prompt, one step earlier than there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from sayso.core.errors import UserError
from sayso.english.vocabulary import BOS, EOS, PAD

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[Any]
    Whole = NDArray[Any]

State = TypeVar("State")
NO = float("-inf")
GROUPED = 64  # values whose maximum stands for them while the highest are looked for

Allowed = Callable[[int, tuple[int, ...]], "NDArray[Any]"]
"""A request's place and the ids said so far -> which ids may come next, (vocabulary,) bool."""


class Steps(Protocol[State]):
    """What search needs of a model: log-probabilities after the prompts, then one id on for every row."""

    def start(self, prompts: Sequence[Sequence[int]]) -> tuple[Floats, State]: ...

    def step(self, state: State, last: Whole, parents: Whole) -> tuple[Floats, State]: ...


@dataclass(frozen=True)
class Beam:
    """How a search goes. The score of an answer of n ids, EOS included, is log_prob / n ** length_power."""

    width: int = 4
    """Prefixes kept for each request."""
    n_best: int = 3
    """Answers wanted for each request, at most."""
    longest: int = 100
    """Ids of an answer, EOS included."""
    length_power: float = 0.0
    margin: float = float("inf")
    """A prefix so many nats less likely than the best answer found is given up; infinite, nothing is lost."""
    behind: float = float("inf")
    """The same, of the likeliest prefix of that length."""
    floor: float = 0.0
    """Where an answer was found, and all answers and prefixes together are less probable than this, search ends."""

    def __post_init__(self) -> None:
        for field in ("width", "n_best", "longest"):
            value = getattr(self, field)
            if not isinstance(value, int) or value < 1:
                raise UserError(f"Beam.{field} is {value!r}, not at least 1", "correct that setting")
        if self.length_power < 0 or not self.margin > 0 or not self.behind > 0:
            raise UserError(
                "Beam.length_power is below 0, or Beam.margin or Beam.behind not above it", "correct that setting"
            )

    def within(self, limits: Beam) -> Beam:
        """The same search, and nowhere wider than another; how answers are ranked stays."""
        return replace(
            self,
            width=min(self.width, limits.width),
            n_best=min(self.n_best, limits.n_best),
            longest=min(self.longest, limits.longest),
            margin=min(self.margin, limits.margin),
            behind=min(self.behind, limits.behind),
            floor=max(self.floor, limits.floor),
        )


@dataclass(frozen=True)
class Found:
    """One answer: ids without EOS, the model's log-probability, and the score it is ranked by."""

    ids: tuple[int, ...]
    log_prob: float
    score: float


@dataclass(frozen=True)
class Row:
    """A prefix that is still growing, of the request at this place; `parent` is the row it continues."""

    request: int
    ids: tuple[int, ...]
    log_prob: float
    parent: int


def beam_search(
    model: Steps[State],
    prompts: Sequence[Sequence[int]],
    beam: Beam,
    allowed: Allowed | None = None,
    started: tuple[Floats, State] | None = None,
) -> list[list[Found]]:
    """At most `n_best` answers for each prompt, best first; equal scores in order of being found, then of ids.

    `started`: what the model gave for these prompts, where somebody has read them already.
    """
    import numpy as np

    answers: list[list[Found]] = [[] for _ in prompts]
    if not prompts:
        return answers
    log_probs, state = started or model.start(prompts)
    rows = [Row(place, (), 0.0, place) for place in range(len(prompts))]
    for length in range(1, beam.longest + 1):
        totals = restricted(log_probs, rows, allowed, length == beam.longest)
        grown: list[Row] = []
        for first, last in blocks(rows):
            request = rows[first].request
            ended, going = grow(totals[first:last], rows[first:last], first, beam.width)
            score = [Found(row.ids, row.log_prob, row.log_prob / length**beam.length_power) for row in ended]
            answers[request] = sorted([*answers[request], *score], key=lambda one: -one.score)[: beam.n_best]
            grown += worthwhile(going, answers[request], beam)
        if not grown:
            break
        rows = grown
        said = np.array([row.ids[-1] for row in rows], np.int64)
        log_probs, state = model.step(state, said, np.array([row.parent for row in rows], np.int64))
    return answers


def restricted(log_probs: Floats, rows: Sequence[Row], allowed: Allowed | None, is_last: bool) -> Floats:
    """Totals (rows, vocabulary): PAD and BOS are never said, the last id is EOS, and the caller's constraint holds."""
    import numpy as np

    totals = log_probs + np.array([row.log_prob for row in rows], np.float32)[:, None]
    if is_last:
        ends = totals[:, EOS].copy()
        totals[:] = NO
        totals[:, EOS] = ends
    totals[:, PAD] = totals[:, BOS] = NO
    if allowed is not None:
        for place, row in enumerate(rows):
            totals[place][~allowed(row.request, row.ids)] = NO
    return totals


def blocks(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Where the rows of one request, which stand together, begin and end."""
    starts = [place for place in range(len(rows)) if place == 0 or rows[place].request != rows[place - 1].request]
    return list(zip(starts, [*starts[1:], len(rows)], strict=True))


def grow(totals: Floats, rows: Sequence[Row], first: int, width: int) -> tuple[list[Row], list[Row]]:
    """The prefixes of one request that end now, and those that go on, likeliest first."""
    size = totals.shape[1]
    flat = totals.ravel()
    ended: list[Row] = []
    going: list[Row] = []
    # At most one continuation of a prefix is EOS, so twice as many hold enough that go on.
    for rank, place in enumerate(top(flat, 2 * width)):
        total = float(flat[place])
        if total == NO:
            break
        row, one = rows[place // size], place % size
        if one == EOS:
            if rank < width:
                ended.append(Row(row.request, row.ids, total, first + place // size))
        elif len(going) < width:
            going.append(Row(row.request, (*row.ids, one), total, first + place // size))
    return ended, going


def top(values: Floats, k: int) -> list[int]:
    """Places of the k highest values; of equal ones the first comes first."""
    import numpy as np

    k = min(k, len(values))
    # Of maxima of groups the k-th highest is no higher than the k-th highest value, and found much sooner.
    each = len(values) // GROUPED
    maxima = values[: each * GROUPED].reshape(GROUPED, each).max(0) if each >= k else values
    places = np.flatnonzero(values >= np.partition(maxima, -k)[-k])
    found: list[int] = places[np.argsort(-values[places], kind="stable")][:k].tolist()
    return found


def worthwhile(going: Sequence[Row], found: Sequence[Found], beam: Beam) -> list[Row]:
    """The prefixes of one request, likeliest first, that are worth another step."""
    kept = [row for row in going if row.log_prob >= going[0].log_prob - beam.behind and can_win(row, found, beam)]
    together = sum(math.exp(one.log_prob) for one in found) + sum(math.exp(row.log_prob) for row in kept)
    return [] if found and together < beam.floor else kept


def can_win(row: Row, found: Sequence[Found], beam: Beam) -> bool:
    """Whether a prefix may still become an answer: its log-probability only falls, and only length can help."""
    if found and row.log_prob < max(one.log_prob for one in found) - beam.margin:
        return False
    best = row.log_prob / beam.longest**beam.length_power
    return len(found) < beam.n_best or found[-1].score < best
