"""What the api tasks are scored by: order-free exact match, clause F1 and executed answers of calls; exact for SCAN.

Executed answers are scored only where `sayso[api]` is installed; docs/concepts/odata.md says how.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, ClassVar

from sayso.core.types import Candidate, Example, Metric, Score, Unscored, Workspace
from sayso.metrics.average import Pooling, score, separate
from sayso.metrics.coverage import Answered
from sayso.metrics.executed import Executed
from sayso.metrics.match import Match
from sayso.metrics.overlap import Macro, Overlap
from sayso.targets.api import language
from sayso.targets.api.execute import lacking


def okapi_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """The headline is over distinct rows, case-insensitive; `exact_raw` weighs each by how often it was released."""
    exact = Match("exact", 1, language.fold, "api-folded")
    return (
        exact,
        Match("exact_cased", 1, language.normalise, "api"),
        Raw("exact_raw", exact),
        Macro("clause_f1", "f1", Overlap(language.clauses, "api-clauses-folded", "set")),
        *executed(),
    )


def executed() -> tuple[Metric[Any], ...]:
    """The score for which calls are asked of a service; none where the service cannot be made."""
    if lacking():
        return ()
    from sayso.targets.api.executed.judge import NAME, Judge

    return (Executed("executed", 1, Judge(), NAME),)


def absent(workspace: Workspace) -> tuple[str, ...]:
    """Why a score is missing."""
    without = lacking()
    return (f"no executed score: {', '.join(without)} not installed (pip install 'sayso[api]')",) if without else ()


def free_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """Requests that were not released in rows, and how many are answered at all."""
    return (*(metric for metric in okapi_metrics(workspace) if metric.name != "exact_raw"), Answered())


def described_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """Calls of APIs that a request brings with it."""
    from sayso.targets.api.specs.scoring import Abstained, RightCall, RightOperation

    return (RightCall(), RightOperation(), Abstained())


def strangers_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """Requests with several accepted readings; the service is asked where it can be made."""
    from sayso.targets.api.executed.readings import NAME, RightReading, answers_alike
    from sayso.targets.api.specs.scoring import Abstained

    asked = () if lacking() else (Executed("executed", 1, answers_alike, NAME),)
    return (RightReading(), *asked, Abstained())


def described_own(workspace: Workspace) -> tuple[Metric[Any], ...]:
    from sayso.targets.api.specs.scoring import ServerReads

    found = described_metrics(workspace)
    return found if no_server(workspace) else (ServerReads(), *found)


def no_server(workspace: Workspace) -> tuple[str, ...]:
    """Why our own specs are not executed, or cannot be read."""
    without = [name for name in ("starlette", "yaml") if find_spec(name) is None]
    return (f"no executed score: {', '.join(without)} not installed (pip install 'sayso[api]')",) if without else ()


def scan_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    return (Match("exact", 1, words, "words"),)


def words(text: str) -> str:
    """Action sequences are equal word by word."""
    return " ".join(text.split())


@dataclass(frozen=True)
class Raw:
    """A match over rows as released: every example weighs as often as its row stands in the file; n are examples."""

    name: str
    match: Match

    pooling: ClassVar[Pooling] = "sum"

    @property
    def signature(self) -> str:
        return f"raw-rows|{self.match.signature}"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> list[int] | Unscored:
        found = self.match.measure(example, candidates)
        rows = int(example.meta.get("rows", "1"))
        return found if isinstance(found, Unscored) else [found * rows, rows]

    def reduce(self, stats: Sequence[list[int] | Unscored]) -> Score:
        scored, unscored = separate(stats)
        right, rows = (sum(column) for column in zip(*scored, strict=True)) if scored else (0, 0)
        return score(self.name, self.signature, right / rows if rows else 0.0, len(scored), unscored)
