"""What is left out is not heard and does not count; what is left is weighed as it ships."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sayso.answer.rerank import Combined
from sayso.answer.weighing import Weighing
from sayso.core.types import Workspace
from sayso.experiments.bash_ablation import PARTS, ablation, without
from sayso.targets.bash.systems.combined import best_system
from sayso.targets.bash.tasks import BASH

pytest.importorskip("onnxruntime")


def test_columns_left_out_count_nothing() -> None:
    weighing = Weighing(("a", "b"), (0.0, 0.0), (1.0, 1.0), (2.0, 3.0))
    assert without(weighing, ("b",)).score([1.0, 1.0]) == 2.0
    assert without(weighing, ()).score([1.0, 1.0]) == 5.0


def test_a_source_left_out_takes_its_right_answers_along(tmp_path: Path) -> None:
    said = {"quick": [], "steps": [], "recalled": [["du -sh .", 0.4, []]], "model": [["du -hs", 0.9, []]]}
    rows = [
        {"verdicts": {"du -hs": True, "du -sh .": False}, "unscored": ""},
        {"verdicts": {"du -hs": False, "du -sh .": True}, "unscored": ""},
        {"verdicts": {}, "unscored": "needs a network"},
    ]
    lines = [
        {"id": f"r{at}", "request": "how big is all this", "described": 0.1, **said, "told": {}, **row}
        for at, row in enumerate(rows)
    ]
    (tmp_path / "steps.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    system = best_system(BASH, Workspace(tmp_path, tmp_path)).translator
    assert isinstance(system, Combined)
    found = {str(row["part"]): row["steps"] for row in ablation(system, tmp_path)}
    assert list(found) == [part.name for part in PARTS]
    assert found["all"] == [1, 2, 2, 2]
    assert found["without the trunk"] == [1, 1] == found["without what is recalled"]
    assert found["without recipes"] == [1, 2]
