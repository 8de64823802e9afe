"""The 100 dev requests that people judged for seven systems: NL2Bash's table 8 and figure 2, read from the release.

The file has no column for the system; its rows come in blocks of three, in an order that repeats for every request and
gives the 28 numbers of table 8 within .02 (docs/papers/nl2bash.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sayso.core.errors import BadFile
from sayso.metrics.judged import Verdict, Which, read_verdicts
from sayso.targets.bash.corpus import nl2bash as corpus

ORDER = (
    "seq2seq-token",
    "tellina",
    "copynet-token",
    "seq2seq-subtoken",
    "st-copynet",
    "seq2seq-char",
    "copynet-char",
)
RANKS = 3

Sample = Mapping[str, Mapping[str, Sequence[Verdict]]]
"""System -> request -> the verdicts on its three answers, best first."""


def read_sample(data: Path) -> Sample:
    """The published answers with their verdicts, under the names of our own systems."""
    path = corpus.folder(data) / "manual_judgements" / "manual.evaluations.dev.samples.csv"
    rows: dict[str, list[Verdict]] = {}
    for verdict in read_verdicts(path):
        rows.setdefault(verdict.description, []).append(verdict)
    found: dict[str, dict[str, list[Verdict]]] = {system: {} for system in ORDER}
    for request, verdicts in rows.items():
        if len(verdicts) != RANKS * len(ORDER):
            raise BadFile(f'{path} has {len(verdicts)} rows for "{request}", not {RANKS * len(ORDER)}', corpus.HINT)
        for at, system in enumerate(ORDER):
            found[system][request] = verdicts[at * RANKS : (at + 1) * RANKS]
    return found


def is_right(verdicts: Sequence[Verdict], which: Which, k: int) -> bool:
    return any(verdict.correct(which) is True for verdict in verdicts[:k])


def accuracy(answers: Mapping[str, Sequence[Verdict]], which: Which, k: int) -> float:
    """Acc_F^k ("command") or Acc_T^k ("template") over the sample (§4)."""
    return sum(is_right(verdicts, which, k) for verdicts in answers.values()) / len(answers)


def overlap(right: Mapping[str, bool], other: Mapping[str, bool]) -> tuple[float, float, float]:
    """Figure 2: the shares of requests that both get wrong, that only the first does, that only the second does."""
    n = len(right)
    both = sum(not right[request] and not other[request] for request in right)
    first = sum(not right[request] and other[request] for request in right)
    second = sum(right[request] and not other[request] for request in right)
    return both / n, first / n, second / n
