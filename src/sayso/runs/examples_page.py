"""Example by example as one static page: request, references, every system's candidates with what each is worth.

The page holds text of the corpus and is made on the user's own machine for the user; it is never published. It loads
nothing, and nothing in it is taken for markup: the data stand in one block of JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from sayso.core.errors import UserError
from sayso.core.progress import Progress, silent
from sayso.core.types import Candidate, Example, Metric, Split, Task, Unscored, Workspace
from sayso.runs import provenance
from sayso.runs.ledger import now
from sayso.runs.predictions import Prediction
from sayso.runs.report import chosen, predictions_of, systems_of
from sayso.runs.store import Results
from sayso.runs.subject import DEFAULTS, Subject, load_examples
from sayso.runs.tables import is_folded

SHOWN = 5
"""Candidates of an answer."""
LONGEST = 4_000
"""Characters of one text: a notebook's context may be a book."""


def page_of(
    task: Task,
    split: Split,
    workspace: Workspace,
    results: Results,
    wanted: Sequence[str] = (),
    progress: Progress = silent,
) -> tuple[str, int, int]:
    """The whole document, and how many examples and systems it shows."""
    systems = chosen(systems_of(task, split, results), wanted, task, split)
    examples = load_examples(task, split, workspace)
    metrics = single_verdicts(task.metrics(workspace))
    answers: dict[str, Sequence[Prediction | None]] = {}
    for system in systems:
        found = predictions_of(Subject(task, split, system), examples, workspace, results, DEFAULTS)
        if any(found):
            answers[system] = found
    if not answers:
        raise UserError(f"no answers to {task.name} {split} are stored", f"sayso eval {task.name} --split {split}")
    commit, dirty = provenance.commit()
    made = f"{now()[:10]} at {commit[:8] or 'no commit'}{' and changes' if dirty else ''}"
    scores = [metric.name for metric in metrics]
    case = " (case-insensitive)" if metrics and is_folded(metrics[0].signature) else ""
    by = f"by {scores[0]}{case}" if scores else "(no score of this task judges one candidate)"
    rows = []
    for at, example in enumerate(examples):
        progress("examples", at, len(examples))
        rows.append(row_of(example, {name: found[at] for name, found in answers.items()}, metrics))
    progress("examples", len(examples), len(examples))
    document = {
        "task": task.name,
        "split": split,
        "about": f"{len(rows)} examples, {len(answers)} systems, right {by} of the first candidate; made {made}. "
        "It holds text of the corpus: keep it to yourself.",
        "scores": scores or ["none"],
        "systems": list(answers),
        "examples": rows,
    }
    return fill(document), len(rows), len(answers)


def single_verdicts(metrics: Sequence[Metric[Any]]) -> list[Metric[Any]]:
    """The first score, and what people and machine readers said: what says of one candidate what it is worth, unrun."""
    quick = [
        metric
        for metric in metrics
        if getattr(metric, "k", 1) == 1
        and getattr(metric, "pooling", "any") == "mean"
        and not hasattr(metric, "bench")
        and not hasattr(metric, "compare")
        and not hasattr(metric, "measure_answer")
    ]
    judged = [metric for metric in quick[1:] if metric.name.startswith(("judged_full", "judged_by_machine_full"))]
    return [*quick[:1], *judged]


def row_of(
    example: Example, answers: Mapping[str, Prediction | None], metrics: Sequence[Metric[Any]]
) -> dict[str, object]:
    known: dict[str, dict[str, float | None]] = {}

    def verdicts(candidate: Candidate) -> dict[str, float | None]:
        """Systems often say the same: a text is measured once."""
        if candidate.text not in known:
            found = {metric.name: metric.measure(example, [candidate]) for metric in metrics}
            known[candidate.text] = {
                name: None if isinstance(stat, Unscored) else float(stat) for name, stat in found.items()
            }
        return known[candidate.text]

    said = {
        system: {
            "abstained": answer.abstained,
            "candidates": [
                {"text": one.text[:LONGEST], "verdicts": verdicts(one)} for one in answer.candidates[:SHOWN]
            ],
        }
        for system, answer in answers.items()
        if answer is not None
    }
    context = [{"kind": one.kind, "name": one.name, "text": one.text[:LONGEST]} for one in example.request.context]
    return {
        "id": example.id,
        "request": example.request.text,
        "context": context,
        "references": list(example.references),
        "answers": said,
    }


def fill(document: Mapping[str, object]) -> str:
    """The data inside a block of script: no text in it can end the block."""
    frame = files("sayso.runs").joinpath("data/examples.html").read_text("utf-8")
    text = json.dumps(document, ensure_ascii=False, allow_nan=False)
    # Halves of letters too, which no file can hold.
    text = re.sub(r"[<>&\u2028\u2029\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text)
    return frame.replace("<!-- data -->", text)
