"""What the trunk counts: drawn a part of the way, and when to say nothing weighed with what was known before as one."""

from __future__ import annotations

import json
from pathlib import Path

from sayso.experiments import api_heard
from sayso.targets.api.specs.functions import api_of
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.prompts.hearing import Heard, Hearing


def test_weights_of_values_go_a_part_of_the_way() -> None:
    found = api_heard.drawn({"heard": 1.0, "unheard": 0.0, "alone": -1.0, "unsaid": 0.0})
    assert found == {"heard": 0.2, "unheard": 0.4, "alone": -1.0, "unsaid": -0.8}


def test_what_the_trunk_denies_is_refused_though_all_else_speaks_for_it() -> None:
    before = {"bias": 0.0, "meaning": 2.0}
    rows = [
        (
            f"group {at}",
            {"bias": 1.0, "meaning": 1.0 + at % 3, "asked": 3.0 * sign, "lead": 1.0, "agrees": 1.0},
            sign > 0,
        )
        for at in range(20)
        for sign in (1, -1)
    ]
    weights = api_heard.fit_sure(rows, before)
    assert set(weights) == {*before, "asked", "lead", "agrees"} and weights["asked"] > 0
    for _, told, right in rows:
        assert (api_heard.summed(weights, told) > 0) == right
    alone = api_heard.in_folds(rows, before, ())
    beside = api_heard.in_folds(rows, before, ("asked",))
    assert beside["answered"] == beside["refused"] == 1.0 > alone["answered"]


def test_what_the_trunk_said_is_asked_for_once(tmp_path: Path) -> None:
    asked = []

    def hears(text: str, one: Operation) -> Hearing:
        asked.append(text)
        return Hearing(0.25, lambda: Heard((({"body.kind": "raft"}, 0.5),), 0.25))

    path = tmp_path / "kept.jsonl"
    first = api_heard.Kept(path, hears)
    again = api_heard.Kept(path, hears)
    boat = api_of([{"name": "hire", "description": "Hire a boat", "parameters": {"type": "dict"}}]).operations[0]
    assert first("a raft", boat).heard() == first("a raft", boat).heard()
    assert api_heard.Kept(path, hears)("a raft", boat).heard() == first("a raft", boat).heard()
    assert asked == ["a raft"] and len(path.read_text().splitlines()) == 1
    again("a canoe", boat)
    assert asked == ["a raft", "a canoe"]
    assert all(len(json.loads(line)) == 2 for line in path.read_text().splitlines())
