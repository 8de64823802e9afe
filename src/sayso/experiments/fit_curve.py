"""Fit the curve that makes a confidence of what is known, on dev, and tell how well such curves hold elsewhere.

Right is what does what was asked, as far as running it tells: the check of an everyday request passes, an answer to an
NL2Bash request has the canonical form of a reference or acts as one does; a request that no command answers has no
right answer. `python -m sayso.experiments.fit_curve try DATA CACHE TRIALS.jsonl` asks and runs, `_fit_curve
TRIALS.jsonl BELOW` fits, `BELOW` being where it abstains; docs/concepts/confidence.md has the rest.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sayso.answer.calibrate import Curve, calibration_error
from sayso.answer.rerank import FACTS, Combined
from sayso.core.errors import MissingPart, SandboxFailed
from sayso.core.types import Example, Request, Sandbox, Unscored, Workspace
from sayso.learners.linear import Data, Descent, fit_logistic, platt_targets
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.sandbox import open_sandbox
from sayso.targets.bash.cookbook import recipes
from sayso.targets.bash.corpus.nl2bash import load
from sayso.targets.bash.everyday.entries import evaluate, load_everyday
from sayso.targets.bash.executed.judge import Judge
from sayso.targets.bash.systems.combined import RERANK, best_system
from sayso.targets.bash.tasks import BASH

ROUNDS, RATE, DECAY = 4000, 0.3, 1e-3
HIGHEST, FOLDS = 0.97, 10


@dataclass(frozen=True)
class Trial:
    """A first answer: what was known when it was given, and whether it was right."""

    id: str
    set: str
    facts: dict[str, float]
    right: bool

    @property
    def fold(self) -> int:
        """By a digest of the request's id."""
        return int.from_bytes(hashlib.sha256(self.id.encode()).digest()[:4]) % FOLDS


def everyday_trials(system: Combined, sandbox: Sandbox) -> Iterator[Trial]:
    for entry in load_everyday("dev"):
        ranked, facts = system.weigh(system.target.read(Request(entry.request)))
        verdict = evaluate(entry, ranked[0].draft.text, sandbox) if ranked else False
        if facts and not isinstance(verdict, Unscored):
            yield Trial(entry.id, "everyday", facts, verdict)


def described_trials(system: Combined, examples: Iterable[Example], judge: Judge) -> Iterator[Trial]:
    """Requests of NL2Bash that the executed judge scores; a canonical match is right for it without a run."""
    for example in examples:
        ranked, facts = system.weigh(system.target.read(example.request))
        try:
            verdict = judge(example, [ranked[0].draft.text]) if ranked else [False]
        except SandboxFailed:
            continue
        if facts and not isinstance(verdict, Unscored):
            yield Trial(example.id, "nl2bash", facts, verdict[0])


def elsewhere_trials(system: Combined) -> Iterator[Trial]:
    lines = (recipes.FOLDER / "_elsewhere.txt").read_text(encoding="utf-8").splitlines()
    for text in (line for line in lines if line and not line.startswith("#")):
        _, facts = system.weigh(system.target.read(Request(text)))
        if facts:
            yield Trial(f"elsewhere:{text}", "elsewhere", facts, right=False)


def fit_curve(trials: Sequence[Trial]) -> Curve:
    """Platt's logistic over the facts, its targets neither 0 nor 1, drawn a little to nought."""
    import numpy as np

    columns = np.array([[trial.facts[name] for name in FACTS] for trial in trials])
    centre, scale = columns.mean(0), columns.std(0) + 1e-6
    rows = np.column_stack([(columns - centre) / scale, np.ones(len(trials))])
    data = Data(rows, platt_targets([trial.right for trial in trials]), 1 / len(trials))
    pull = np.array([*[DECAY] * len(FACTS), 0.0])
    *weights, bias = fit_logistic(data, Descent(RATE, ROUNDS), np.zeros(len(pull)), pull)
    plain = np.array(weights) / scale
    named = {name: round(float(weight), 5) for name, weight in zip(FACTS, plain, strict=True)}
    return Curve(round(float(bias - plain @ centre), 5), named, HIGHEST)


def crossed(trials: Sequence[Trial]) -> list[tuple[Trial, float]]:
    """Every trial with the confidence that a curve gives it which was fitted on the other folds."""
    found = []
    for fold in sorted({trial.fold for trial in trials}):
        curve = fit_curve([trial for trial in trials if trial.fold != fold])
        found += [(trial, curve(trial.facts)) for trial in trials if trial.fold == fold]
    return found


def write_curve(curve: Curve, abstain_below: float, folder: Path = RERANK) -> None:
    """Put a curve into the bundle; everything else in it stays."""
    bundle = load_bundle(folder)
    fitted = {"bias": curve.bias, "weights": dict(curve.weights), "highest": curve.highest}
    write_bundle(
        folder,
        name=bundle.name,
        target=bundle.target,
        kind=bundle.kind,
        settings={**bundle.settings, "curve": fitted, "abstain_below": abstain_below},
        files={name: bundle.read(name) for name in bundle.files},
        licence=bundle.licence,
    )


def read_trials(path: Path) -> list[Trial]:
    return [Trial(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def report(trials: Sequence[Trial], abstain_below: float, folder: Path = RERANK) -> dict[str, Any]:
    """Fit on all of them and write that curve; what is told of it is what curves of the other folds give."""
    write_curve(fit_curve(trials), abstain_below, folder)
    told = crossed(trials)
    found: dict[str, Any] = {"fitted on": len(trials)}
    for name in ("all", *sorted({trial.set for trial in trials})):
        points = [(sure, trial.right) for trial, sure in told if name in ("all", trial.set)]
        answered = [right for sure, right in points if sure >= abstain_below]
        found[name] = {
            "n": len(points),
            "right": sum(right for _, right in points) / max(1, len(points)),
            "ece": calibration_error(points),
            "answered": len(answered) / max(1, len(points)),
            "right of answered": sum(answered) / max(1, len(answered)),
        }
    return found


def try_all(data: Path, cache: Path, out: Path) -> None:
    """Ask the embedded system everything that a curve is fitted on, run its first answers, and write what was seen."""
    here = Workspace(data, cache, open_sandbox(cache))
    system = best_system(BASH, here).translator
    if not isinstance(system, Combined) or here.sandbox is None:
        raise MissingPart("there is no trunk to be calibrated", "install sayso whole, with onnxruntime")
    judge = Judge(here.sandbox, cache)
    found = [
        *described_trials(system, load(here, "dev"), judge),
        *everyday_trials(system, here.sandbox),
        *elsewhere_trials(system),
    ]
    out.write_text("".join(f"{json.dumps(asdict(trial))}\n" for trial in found), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "try":
        try_all(Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        print(json.dumps(report(read_trials(Path(sys.argv[1])), float(sys.argv[2])), indent=1))
