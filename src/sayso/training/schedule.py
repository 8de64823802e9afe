"""Learning rates: how the rate of an update follows from its number."""

from __future__ import annotations

import math

from sayso.training.settings import Training


def rate_at(settings: Training, step: int, elapsed: float = 0.0) -> float:
    """The rate of update `step`, counted from 1: it rises over the warm-up, then keeps to the schedule.

    `elapsed` is the share of the run's time that is used up.
    """
    warmup = settings.warmup
    if step < warmup:
        return settings.rate * step / warmup
    if settings.schedule == "inverse-sqrt":
        return settings.rate * math.sqrt(max(warmup, 1) / step)
    if settings.schedule == "cosine":
        done = min(1.0, (step - warmup) / max(1, settings.steps - warmup))
        return settings.rate * (1 + math.cos(math.pi * done)) / 2
    if settings.schedule == "timed":
        done = min(1.0, max(elapsed, step / settings.steps if settings.steps else 0.0))
        return settings.rate * (1 + math.cos(math.pi * done)) / 2
    return settings.rate
