"""How sure an answer is, is told by a curve that never saw the request, and what was asked is not asked again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from sayso.answer.rerank import Combined
from sayso.core.types import Workspace
from sayso.experiments import fit_confidence
from sayso.experiments.fit_confidence import First, asked, crossed, ranks, told

pytest.importorskip("numpy")
FACTS = ("unused", "known")


def firsts(n: int) -> list[First]:
    """Right where every constant is used."""
    return [
        First(f"r{at}", "steps" if at % 3 else "asked", {"unused": float(at % 2), "known": 0.5}, at % 2 == 0)
        for at in range(n)
    ]


def test_what_tells_right_from_wrong_makes_sure() -> None:
    some = firsts(60)
    sure = crossed(some, FACTS)
    assert min(much for one, much in zip(some, sure, strict=True) if one.first) > 0.6
    assert max(much for one, much in zip(some, sure, strict=True) if not one.first) < 0.4
    found = told(some, sure)
    assert found["all"]["auc"] == 1.0 and found["steps"]["n"] == 40 and found["asked"]["at"]["0.5"] == [0.5, 1.0]


def test_order_counts_ties_as_half() -> None:
    assert ranks([(0.9, True), (0.1, False)]) == 1.0
    assert ranks([(0.5, True), (0.5, False)]) == 0.5
    assert ranks([(0.1, True), (0.9, False)]) == 0.0


def test_what_was_asked_is_read_and_not_asked_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fit_confidence, "trials", lambda name, here, sandbox: iter(()))
    monkeypatch.setattr(fit_confidence, "open_sandbox", lambda cache: None)
    rows: list[dict[str, Any]] = [
        {"id": "a", "facts": {"known": 0.5}, "right": True},
        {"id": "b", "facts": {}, "right": None},
    ]
    (tmp_path / "confidence-steps.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = list(asked("steps", cast(Combined, None), Workspace(tmp_path, tmp_path), tmp_path))
    assert found == [First("a", "steps", {"known": 0.5}, True)]  # what cannot be judged is left out
