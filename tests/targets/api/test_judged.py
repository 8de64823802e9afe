"""The wrong answers that were judged by reading: a hundred, each with both verdicts, and no text of the corpus."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files

from sayso.core.types import Workspace
from sayso.targets.api.corpus.okapi import load_okapi

VERDICTS = {"reference", "slip", "open", "parser"}


def judged() -> list[dict[str, object]]:
    content = (files("sayso.targets.api") / "data" / "judged" / "verdicts.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in content.splitlines()]


def test_every_verdict_is_one_of_four_and_nothing_is_quoted() -> None:
    rows = judged()
    assert len({row["id"] for row in rows}) == 100
    for row in rows:
        assert set(row) == {"id", "first", "second", "rule", "kind"}
        assert row["first"] in VERDICTS and row["second"] in VERDICTS and " " not in str(row["id"])
    assert Counter(row["second"] for row in rows) == {"reference": 43, "open": 29, "parser": 16, "slip": 12}


def test_the_rows_are_of_dev(workspace: Workspace) -> None:
    ids = {str(row["id"]) for row in judged()}
    tasks = {(each.split(":")[1], each.split(":")[2]) for each in ids}
    known = {one.id for split, domain in tasks for one in load_okapi(split, domain, workspace, "dev")}
    assert ids <= known
