"""B(D) and R(D) (§6): how many dependents build, and how much of what null loses a prediction brings back.

Three losses: a build fails or not; the share of its steps that are not done; a failure or what the label costs beyond
the maintainers' (§6.1). Steps are counted against those of the build under the maintainers' scripts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sayso.targets.build.builds.built import Built
from sayso.targets.build.evaluation.labels import Label
from sayso.targets.build.evaluation.worlds import Ran
from sayso.targets.build.language import words

Loss = Literal["whole", "steps", "parsimony"]
COST = 0.1
"""What a label of any length and any hunger loses at most, beside a failure, which loses 1."""
SLACK = 1.5
"""CPU seconds of one build differ with the load of a machine: only more than this ratio counts."""


@dataclass(frozen=True)
class Sums:
    """B under the maintainers' labels, under null ones and under the predicted ones, for one loss."""

    gold: float
    null: float
    predicted: float

    @property
    def scale(self) -> float:
        return self.gold - self.null

    @property
    def printed(self) -> float:
        """R(D) as printed; of no use where `scale` is 0."""
        return self.predicted / self.scale

    @property
    def corrected(self) -> float:
        """R(D) with B(null) taken away above as it is below: null scores 0 and the maintainers' scripts 1."""
        return (self.predicted - self.null) / self.scale


@dataclass(frozen=True)
class Cell:
    """One D of a partition, measured: sums by loss, and for its packages what the scripts themselves did."""

    names: tuple[str, ...]
    sums: Mapping[Loss, Sums]
    built: Mapping[str, bool]
    """Whether the script ran to its end and installed something."""
    broke: tuple[str, ...] = ()
    """Packages of V that build under the maintainers' scripts and not with these."""


def failed(built: Built) -> bool:
    return not built.succeeded


def is_built(built: Built | None) -> bool:
    """Whether a script ran to its end and installed something."""
    return built is not None and not failed(built) and bool(built.installed)


def steps_lost(built: Built, gold: Built) -> float:
    """The share of the steps of a good build that this one has not done."""
    if not failed(built):
        return 0.0
    done = max(0, built.steps - max(1, built.failed_steps))
    return 1.0 - min(done, gold.steps) / gold.steps if gold.steps else 1.0


def cost(labels: Mapping[str, Label], gold: Mapping[str, Label], ran: Ran, ran_gold: Ran) -> float:
    """0 where no label is longer or hungrier than the maintainers', towards 1 as they grow; the mean over D."""
    costs = []
    for name, label in labels.items():
        long = over(len(words(label.script)), len(words(gold[name].script)), 1.0)
        hungry = (
            over(ran.tests[name].cpu_seconds, ran_gold.tests[name].cpu_seconds, SLACK) if name in ran.tests else 0.0
        )
        costs.append((long + hungry) / 2)
    return sum(costs) / len(costs) if costs else 0.0


def over(found: float, wanted: float, slack: float) -> float:
    """20, 10, 1 -> .5; 10, 10, 1 -> 0"""
    return 1.0 - min(1.0, slack * wanted / found) if found > 0 else 0.0


def sums_of(
    kept: Sequence[str], gold: Ran, null: Ran, predicted: Ran, spent: float
) -> tuple[dict[Loss, Sums], tuple[str, ...]]:
    """B over V, which is what builds under the maintainers' scripts; V beyond reach of D builds as it does there."""
    affected = [name for name in kept if name in predicted.validation]

    def total(ran: Ran, loss: Loss, extra: float) -> float:
        lost = 0.0
        for name in affected:
            built = ran.validation[name]
            if loss == "steps":
                lost += steps_lost(built, gold.validation[name])
            else:
                lost += min(1.0, failed(built) + (COST * extra if loss == "parsimony" else 0.0))
        return len(kept) - lost

    losses: tuple[Loss, ...] = ("whole", "steps", "parsimony")
    sums = {loss: Sums(float(len(kept)), total(null, loss, 0.0), total(predicted, loss, spent)) for loss in losses}
    return sums, tuple(name for name in affected if failed(predicted.validation[name]))
