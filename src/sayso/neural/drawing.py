"""Several answers to one prompt in one pass: the likeliest id every time, and some whose ids are drawn.

Rows that have said the same so far are one row, and a row that has ended costs nothing, so that more answers cost less
than their number. Drawn numbers follow from the prompt alone: the same question has the same answers.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sayso.core.errors import UserError
from sayso.english.vocabulary import BOS, EOS, PAD
from sayso.neural.beam import Found, top
from sayso.neural.runtime import Kept, Trunk

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO = float("-inf")
TURN = 24
"""Ids that stand in an answer for the third time when it goes round in circles."""
LOOKED_AT = 40
"""Ids that one is drawn from."""


@dataclass(frozen=True)
class Draws:
    """How answers are drawn: each id from the likeliest that together have `share`, sharpened by `temperature`."""

    answers: int = 5
    longest: int = 192
    temperature: float = 0.7
    share: float = 0.95

    def __post_init__(self) -> None:
        if self.answers < 1 or self.longest < 1 or not 0 < self.share <= 1 or self.temperature <= 0:
            raise UserError(f"{self} cannot be drawn", "correct that setting")


@dataclass
class Saying:
    """One answer so far."""

    ids: tuple[int, ...] = ()
    log_prob: float = 0.0
    is_over: bool = False
    is_lost: bool = False
    """It goes round in circles."""


def draw(
    trunk: Trunk, prompt: Sequence[int], draws: Draws, kept: Kept | None = None, most: int = 0
) -> tuple[list[Found], list[bool], Kept]:
    """The answers, the likeliest ids' first, whether each came to its end, and what was read, for the next prompt.

    Room is made for prompts of `most` ids, so that the next one need not move what is kept.
    """
    import numpy as np

    log_probs, state, kept = trunk.go_on(prompt, kept, draws.answers, max(most - len(prompt), 0) + draws.longest)
    chance = np.random.default_rng(zlib.crc32(np.asarray(prompt, np.int64).tobytes()))
    said = [Saying() for _ in range(draws.answers)]
    rows: dict[tuple[int, ...], int] = {(): 0}
    for _ in range(draws.longest):
        log_probs[:, PAD] = log_probs[:, BOS] = NO
        numbers = chance.random(draws.answers)  # one for each answer, whether it has ended or not
        parents: dict[tuple[int, ...], int] = {}
        for number, one in enumerate(said):
            if one.is_over or one.is_lost:
                continue
            row = rows[one.ids]
            chosen = likeliest(log_probs[row]) if number == 0 else drawn(log_probs[row], numbers[number], draws)
            one.log_prob += float(log_probs[row, chosen])
            if chosen == EOS:
                one.is_over = True
            else:
                one.ids = (*one.ids, chosen)
                one.is_lost = goes_round(one.ids)
                if not one.is_lost:
                    parents.setdefault(one.ids, row)
        if not parents:
            break
        rows = {ids: place for place, ids in enumerate(parents)}
        last = np.array([ids[-1] for ids in rows], np.int64)
        log_probs, state = trunk.step(state, last, np.array([*parents.values()], np.int64))
    return [Found(one.ids, one.log_prob, one.log_prob) for one in said], [one.is_over for one in said], kept


def goes_round(ids: Sequence[int]) -> bool:
    """Whether the last ids stand there for the third time; looked at now and then, since it costs something."""
    if len(ids) % 8 or len(ids) < TURN + 2:
        return False
    tail = ids[-TURN:]
    return sum(ids[place : place + TURN] == tail for place in range(len(ids) - TURN)) >= 2


def whole_lines(text: str) -> str:
    """What an answer that did not come to its end has said for sure: less the line that it broke off in."""
    kept, broken, _ = text.rpartition("\n")
    return kept if broken and kept.strip() else text


def likeliest(log_probs: NDArray[Any]) -> int:
    return int(log_probs.argmax())


def drawn(log_probs: NDArray[Any], number: float, draws: Draws) -> int:
    """One of the likeliest ids, by a number from 0 to 1."""
    import numpy as np

    places = top(log_probs, LOOKED_AT)
    sharp = log_probs[places].astype(np.float64) / draws.temperature
    odds = np.exp(sharp - sharp.max())
    # What the others have is little and not looked for: shares are of these.
    odds /= odds.sum()
    before = np.cumsum(odds) - odds
    odds[before >= draws.share] = 0
    at = np.searchsorted(np.cumsum(odds) / odds.sum(), number, "right")
    return places[min(int(at), len(places) - 1)]
