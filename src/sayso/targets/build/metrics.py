"""What `build/script` is scored by: README-EVAL corrected, printed, by steps and with parsimony (§6), and text (§5).

Scores for which packages are built are there only where a sandbox is. They share one bench, which builds once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from sayso.core.types import Candidate, Example, Metric, Score, Unscored, Workspace
from sayso.metrics.average import NO_REFERENCE, Pooling, mean_score
from sayso.metrics.match import Match
from sayso.metrics.overlap import Macro, Overlap
from sayso.targets.build.evaluation.bench import Bench
from sayso.targets.build.evaluation.labels import read_label
from sayso.targets.build.evaluation.partition import SINGLETONS, Partition
from sayso.targets.build.evaluation.score import COST, SLACK, Cell, Loss
from sayso.targets.build.evaluation.sets import read_set, set_folder
from sayso.targets.build.evaluation.workshop import open_workshop
from sayso.targets.build.language import normalise, words

NOTHING_TO_BREAK = Unscored("no dependent fails without it")


def script_metrics(workspace: Workspace, partition: Partition = SINGLETONS) -> tuple[Metric[Any], ...]:
    """The headline first; text alone where no sandbox works."""
    text: tuple[Metric[Any], ...] = (
        Match("text_exact", 1, canonical_script, "build"),
        Macro("text_f1", "f1", Overlap(script_words, "build-words", "bag")),
        LengthRatio(),
    )
    if workspace.sandbox is None:
        return text
    found = read_set(set_folder(workspace.data))
    bench = Bench(found, open_workshop(found, workspace), partition)
    return (
        ReadmeEval("readme_eval", bench, "whole", "corrected"),
        ReadmeEval("readme_eval_printed", bench, "whole", "printed"),
        ReadmeEval("readme_eval_steps", bench, "steps", "corrected"),
        ReadmeEval("readme_eval_parsimony", bench, "parsimony", "corrected"),
        BuiltShare(bench),
        *text,
    )


@dataclass(frozen=True)
class ReadmeEval:
    """R: the mean of R(D) over a partition of T (§6). A D without which nothing fails has no R(D), and is counted."""

    name: str
    bench: Bench
    loss: Loss
    form: str
    """corrected, or printed"""

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        costs = f"|cost:{COST}·(length+cpu>{SLACK})/2" if self.loss == "parsimony" else ""
        return f"readme_eval|{self.form}|loss:{self.loss}{costs}|{self.bench.signature}|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> float | Unscored:
        cell = self.bench.result(example, candidates)
        if isinstance(cell, Unscored):
            return cell
        sums = cell.sums[self.loss]
        # Whether there is anything to win is asked of whole builds for every loss: all are over the same D.
        if not cell.sums["whole"].scale or not sums.scale:
            return NOTHING_TO_BREAK
        return sums.printed if self.form == "printed" else sums.corrected

    def reduce(self, stats: Sequence[float | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


@dataclass(frozen=True)
class BuiltShare:
    """The share of T whose script ran to its end and installed something, whatever that is good for."""

    bench: Bench

    pooling: ClassVar[Pooling] = "mean"
    name: ClassVar[str] = "built"

    @property
    def signature(self) -> str:
        return f"built|{self.bench.signature}|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> float | Unscored:
        cell = self.bench.result(example, candidates)
        return cell if isinstance(cell, Unscored) else share(cell)

    def reduce(self, stats: Sequence[float | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


def share(cell: Cell) -> float:
    return sum(cell.built.values()) / len(cell.built)


@dataclass(frozen=True)
class LengthRatio:
    """Words of the script over words of the maintainers'; 1 is as long, below is shorter."""

    pooling: ClassVar[Pooling] = "mean"
    name: ClassVar[str] = "length_ratio"
    signature: ClassVar[str] = "length_ratio|words|comments:no|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> float | Unscored:
        wanted = len(script_words(example.references[0])) if example.references else 0
        if not wanted:
            return NO_REFERENCE
        return len(script_words(candidates[0].text)) / wanted if candidates else 0.0

    def reduce(self, stats: Sequence[float | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


def script_words(text: str) -> list[str]:
    """The words of the script of a label; the null label has none."""
    return words(read_label(text).script)


def canonical_script(text: str) -> str:
    """The script of a label in Bash's canonical form; the null label is its own."""
    script = read_label(text).script
    return normalise(script) if script else ""


def partitioned(partition: Partition) -> Callable[[Workspace], tuple[Metric[Any], ...]]:
    return partial(script_metrics, partition=partition)
