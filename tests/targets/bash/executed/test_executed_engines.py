"""`executed@k` is the same number on every engine, and what one system's scoring ran is not run again for another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sayso import scale
from sayso.core.types import Candidate, Example, Layer, Limits, Outcome, Request, Sandbox, Unscored, Workspace
from sayso.runs.predictions import Prediction
from sayso.runs.scoring import Measured, measure
from sayso.targets.bash.metrics import executed

EXAMPLES = [
    Example("x:1", Request("find all .c files"), ("find . -name '*.c'",)),
    Example("x:2", Request("count the lines of pears.txt"), ("wc -l pears.txt",)),
    Example("x:3", Request("remove plum.txt"), ("rm plum.txt",)),
    Example("x:4", Request("show the jobs"), ("jobs",)),
]
ANSWERS = [
    ["find . -name *.c -type f", "ls *.c"],
    ["cat pears.txt", "cat pears.txt | wc -l", "wc -l < pears.txt"],
    ["unlink plum.txt"],
    ["jobs -l"],
]
PREDICTIONS = [
    Prediction(example.id, tuple(Candidate(text, 0.0) for text in texts))
    for example, texts in zip(EXAMPLES, ANSWERS, strict=True)
]


class Counting:
    """A sandbox that counts its runs."""

    def __init__(self, inner: Sandbox) -> None:
        self.inner, self.root, self.runs = inner, getattr(inner, "root", None), 0

    def run(self, script: str, files: Any, limits: Limits, layers: Any = (), **more: Any) -> Outcome:
        self.runs += 1
        return self.inner.run(script, files, limits, layers, **more)

    def layer(self, script: str, files: Any, limits: Limits, layers: Any = (), **more: Any) -> Layer:
        return self.inner.layer(script, files, limits, layers, **more)


def scored(sandbox: Sandbox, cache: Path, engine: scale.Engine | None = None) -> Measured:
    return measure(executed(Workspace(cache, cache, sandbox)), EXAMPLES, PREDICTIONS, engine)


@pytest.mark.sandbox
def test_what_was_run_for_one_system_is_not_run_for_the_next(sandbox: Sandbox, tmp_path: Path) -> None:
    counting = Counting(sandbox)
    first = scored(counting, tmp_path)
    assert first.statistics == ((1, 0, 1, Unscored("needs processes")), (1, 0, 1, Unscored("needs processes")))
    before = counting.runs
    assert before and scored(counting, tmp_path).statistics == first.statistics
    assert counting.runs == before


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.ray
@pytest.mark.filterwarnings("ignore")
def test_ray_and_processes_give_what_the_serial_engine_gives(sandbox: Sandbox, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", exc_type=ImportError)
    expected = scored(sandbox, tmp_path / "serial").statistics
    try:
        for name in ("processes", "ray"):
            engine = scale.open_engine(name, workers=2)
            assert scored(sandbox, tmp_path / name, engine).statistics == expected, name
    finally:
        ray.shutdown()
