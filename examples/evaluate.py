"""Evaluate a system on a task of your own: predictions kept, scores with intervals, a line in the ledger."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from sayso.core.types import Candidate, Example, Request, Split, System, Task, Workspace
from sayso.metrics.match import Match
from sayso.runs.evaluate import evaluate
from sayso.runs.rescore import rescore
from sayso.runs.store import Results
from sayso.runs.subject import Subject
from sayso.targets import find_target


class Shout:
    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [[Candidate(f"echo {request.text.upper()}", 0.9)] for request in requests]


def load(workspace: Workspace, split: Split) -> list[Example]:
    words = ["river", "stone", "candle", "McCoy"]
    return [Example(f"toy:{word}", Request(word), (f"echo {word.swapcase()}",)) for word in words]


def metrics(workspace: Workspace) -> tuple[Match, ...]:
    return (Match("match@1", k=1, canonical=str.strip, canonical_name="stripped"),)


subject = Subject(Task("toy/shout", find_target("bash"), load, metrics), "dev", "shout")
with tempfile.TemporaryDirectory() as name:
    workspace, results = Workspace(Path(name, "data"), Path(name, "cache")), Results(Path(name, "results"))
    report = evaluate(subject, System(Shout()), workspace, results)
    stored = results.predictions("toy/shout", "shout", "dev")
    assert rescore(subject, stored, workspace, results).scores == report.scores
for score in report.scores:
    print(f"{score.name} {score.value:.2f} ({score.low:.2f} to {score.high:.2f}), n = {score.n}, {score.signature}")
