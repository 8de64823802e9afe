"""What `bash/command` is scored by: match, BLEU, verdicts, TM (NL2Bash appendix C) and the score of NLC2CMD.

Executed equivalence is scored only where the workspace has a sandbox; docs/concepts/executed.md says how.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from sayso.core.types import Candidate, Example, Metric, Score, Unscored, Workspace
from sayso.metrics.average import NO_REFERENCE, Pooling, mean_score
from sayso.metrics.bleu import SentenceBleu
from sayso.metrics.executed import Executed
from sayso.metrics.judged import Judged, Pooled, Which, pool, read_verdicts
from sayso.metrics.match import Match
from sayso.targets.bash import language
from sayso.targets.bash.corpus import nl2bash as corpus
from sayso.targets.bash.forms.likeness import command_score
from sayso.targets.bash.forms.structure import CLOSED, structure, utilities_with_flags

READERS = Path(__file__).parent / "data" / "machine_verdicts.dev.csv"
MACHINE: tuple[tuple[str, Which], ...] = (("full", "command"), ("template", "template"))
VERDICT_FILES = (
    "manual.evaluations.author",
    "manual.evaluations.dev.samples.csv",
    "manual.evaluations.test.stc.csv",
    "manual.evaluations.test.tellina.csv",
)


def metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """The headline first; those from verdicts only where the verdict files are, executed ones where a sandbox is."""
    verdicts = pooled_verdicts(workspace)
    return (
        *(Match(f"match_full@{k}", k, language.normalise, "bash") for k in (1, 3)),
        *(Match(f"match_template@{k}", k, language.template, "bash-template") for k in (1, 3)),
        *(Judged(f"judged_full@{k}", k, verdicts, "command") for k in (1, 3) if verdicts),
        *(Judged(f"judged_template@{k}", k, verdicts, "template") for k in (1, 3) if verdicts),
        *(Judged(f"judged_by_machine_{name}@1", 1, readers_verdicts(), which) for name, which in MACHINE),
        *(SentenceBleu(f"bleu_char@{k}", k) for k in (1, 3)),
        *(TemplateOverlap(f"tm@{k}", k) for k in (1, 3)),
        Nlc2cmd("nlc2cmd@5", 5),
        *executed(workspace),
    )


def executed(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """The scores for which commands run; none without a sandbox."""
    if workspace.sandbox is None:
        return ()
    # Fixtures bring archives and their modules with them, which an answer in a terminal has no use for.
    from sayso.targets.bash.executed.judge import Judge, judge_name

    judge = Judge(workspace.sandbox, workspace.cache)
    return tuple(Executed(f"executed@{k}", k, judge, judge_name()) for k in (1, 3))


def pooled_verdicts(workspace: Workspace) -> Pooled | None:
    """The verdicts of the release, under the group's key and the judged text; None where a file is missing."""
    paths = [corpus.folder(workspace.data) / "manual_judgements" / name for name in VERDICT_FILES]
    if not all(path.is_file() for path in paths):
        return None
    verdicts = [verdict for path in paths for verdict in read_verdicts(path)]
    return pool(verdicts, corpus.request_key, words_only, "group,words")


@lru_cache
def readers_verdicts() -> Pooled:
    """What machine readers said of first answers on dev, in the release's columns but for the texts of the corpus.

    Two judged all rows blind, a third those on which they differ. What people said is never mixed with it.
    """
    rows = pool(read_verdicts(READERS), str, str, "group,digest,machine-readers")
    return replace(rows, request_key=readers_request_key, prediction_key=readers_prediction_key)


def readers_request_key(text: str) -> str:
    return corpus.group_id(corpus.request_key(text))


def readers_prediction_key(command: str) -> str:
    return hashlib.sha256(words_only(command).encode(errors="surrogateescape")).hexdigest()[:12]


def words_only(command: str) -> str:
    """A judged command is known by its text; only the width of its blanks is left out."""
    return " ".join(command.split())


@dataclass(frozen=True)
class TemplateOverlap:
    """TM (NL2Bash appendix C): how far a candidate and a reference have the same set of utilities and flags, 0 to 1.

    Twice what both have over the sum of what each has; the best of the first k candidates and of all references. The
    paper leaves the formula open and counts reserved tokens too; docs/papers/nl2bash.md has the readings that were
    tried and why this one was taken.
    """

    name: str
    k: int

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return f"tm|k:{self.k}|tokens:utilities,flags|set|overlap:dice|references:best|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> float | Unscored:
        if not example.references:
            return NO_REFERENCE
        references = [closed_tokens(reference) for reference in example.references]
        found = [closed_tokens(candidate.text) for candidate in candidates[: self.k]]
        return max((dice(tokens, wanted) for tokens in found for wanted in references), default=0.0)

    def reduce(self, stats: Sequence[float | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


def closed_tokens(command: str) -> frozenset[str]:
    """'find . -name x | wc -l' -> {find, -name, wc, -l}"""
    return frozenset(part.text for part in structure(command) if part.kind in CLOSED)


def dice(one: frozenset[str], other: frozenset[str]) -> float:
    """({ls, -l}, {ls, -a}) -> 2 · 1 / (2 + 2)"""
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0


def certain(candidate: Candidate) -> float:
    """The confidence of a system that is always sure."""
    return 1.0


def stated(candidate: Candidate) -> float:
    """The candidate's own score, for systems whose scores are probabilities."""
    return min(1.0, max(0.0, candidate.score))


@dataclass(frozen=True)
class Nlc2cmd:
    """The accuracy score of the NLC2CMD competition: utilities and flags in order, arguments ignored, −1 to 1.

    A candidate scores confidence × mean over its utilities, aligned by position with the reference's and padded: (1 +
    S_F) / 2 where the utility is right, −1 where it is wrong; the best reference counts. Of the first k candidates the
    best counts when it is positive, else their mean. No candidate at all scores 0, as no confidence would.
    """

    name: str
    k: int
    confidence: Callable[[Candidate], float] = certain
    confidence_name: str = "1"

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return f"nlc2cmd|k:{self.k}|confidence:{self.confidence_name}|flags:set|references:best|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> float | Unscored:
        if not example.references:
            return NO_REFERENCE
        references = [utilities_with_flags(reference) for reference in example.references]
        scores = []
        for candidate in candidates[: self.k]:
            found = utilities_with_flags(candidate.text)
            scores.append(self.confidence(candidate) * max(command_score(found, wanted) for wanted in references))
        if not scores:
            return 0.0
        best = max(scores)
        return best if best > 0 else sum(scores) / len(scores)

    def reduce(self, stats: Sequence[float | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)
