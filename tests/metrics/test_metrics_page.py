"""The page on metrics shows the example that runs, the classes that exist and the signatures that they write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sayso.core.types import Metric
from sayso.metrics.bleu import CorpusBleu, SentenceBleu
from sayso.metrics.judged import Judged, Verdict, pool
from sayso.metrics.match import Match
from sayso.metrics.overlap import Micro, Overlap

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/concepts/metrics.md").read_text(encoding="utf-8")


def test_the_page_is_short() -> None:
    assert len(PAGE.splitlines()) <= 120


def test_the_code_on_the_page_is_the_example() -> None:
    block = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    assert block.group(1) in (ROOT / "examples/add_a_metric.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "metric",
    [
        Match("m", 1, str.strip, "NAME"),
        CorpusBleu("m", str.strip, "NAME"),
        SentenceBleu("m", 3),
        Micro("m", "f1", Overlap(str.split, "NAME", "set")),
        Judged("m", 3, pool([Verdict("a", "b", True, True)], str.strip, str.strip, "NAME"), "command"),
    ],
    ids=lambda metric: type(metric).__name__,
)
def test_the_signatures_on_the_page_are_real(metric: Metric[object]) -> None:
    form = re.sub(r"sacrebleu:[^|]+", "sacrebleu:VERSION", metric.signature)
    form = re.sub(r"verdicts:\d+@\w+", "verdicts:ROWS@DIGEST", form)
    assert form in PAGE.replace("\\|", "|")
    assert type(metric).__name__ in PAGE
