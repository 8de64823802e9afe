"""Outcomes that a set records beside those that are built here: listed where they differ, and no part of a score."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from tests.targets.build.pretend import PretendBuilder, made

from sayso.targets.build.evaluation.recorded import compare, disagreements


def test_what_differs_is_listed_by_world(tmp_path: Path) -> None:
    found = replace(made({"a": (), "b": ()}, {"v": ("a",), "w": ("a", "b")}), folder=tmp_path)
    right, wrong = {"rc": 0}, {"rc": 2}
    rows = [
        {"name": "v", "results": {"gold": right, "null": {"a": right}, "sniff": {"a": right}}},
        {"name": "w", "results": {"gold": right, "null": {"a": wrong}, "sniff": {"a": wrong, "b": wrong}}},
    ]
    (tmp_path / "eval.json").write_text(json.dumps({"V": rows}))
    scripts = {"sniff": {"a": "install a", "b": "install z"}}
    edges = list(compare(found, scripts, PretendBuilder().build_all))
    different = {(edge.world, edge.validation, edge.test, edge.here) for edge in edges if edge.recorded != edge.here}
    assert different == {("null", "v", "a", False), ("sniff", "w", "a", True)}
    # What is not recorded (w without b) cannot differ.
    assert disagreements(edges) == {"gold": (0, 2), "null": (1, 2), "sniff": (1, 3)}
