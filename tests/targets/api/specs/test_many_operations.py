"""Descriptions with hundreds of operations: what is written of each decides, and no more is read than must be."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.prompts.hearing import Heard, Hearing
from sayso.targets.api.specs.reader import FEW, MANY, Reader, share_of_many, shipped_weights, weights_for
from sayso.targets.api.specs.slots.meaning import encoder
from sayso.targets.api.specs.store import open_spec, read_api, texts_kept

THINGS = ("user", "team", "device", "printer", "notebook", "calendar", "contact", "invoice", "domain", "certificate")
PLACES = ("audit", "billing", "education", "reports", "security", "search")
COLUMNS = tuple(f"{thing}{part}" for thing in THINGS for part in ("Name", "Type", "State", "Owner", "CreatedDateTime"))


def large(folder: Path) -> Path:
    """Ten things with all that is done to them, in six places as well, each list with fifty columns to choose from."""
    select = {
        "name": "$select", "in": "query", "style": "form", "explode": False,
        "schema": {"type": "array", "items": {"type": "string", "enum": list(COLUMNS)}},
    }  # fmt: skip
    paths: dict[str, Any] = {}
    for thing in THINGS:
        for place in ("", *PLACES):
            base, name = f"/{place}/{thing}s".replace("//", "/"), f"{place}.{thing}".strip(".")
            own = {"name": f"{thing}-id", "in": "path", "required": True, "schema": {"type": "string"}}
            where = f" in {place}" if place else ""
            paths[base] = {
                "get": {"operationId": f"{name}s.List", "summary": f"List {thing}s{where}", "parameters": [select]},
                "post": {"operationId": f"{name}s.Create", "summary": f"Create a {thing}{where}"},
            }
            paths[f"{base}/{{{thing}-id}}"] = {
                "get": {"operationId": f"{name}s.Get", "summary": f"Get a {thing}{where}", "parameters": [own]},
                "delete": {
                    "operationId": f"{name}s.Delete",
                    "summary": f"Delete a {thing}{where}",
                    "parameters": [own],
                },
            }
    path = folder / "large.json"
    path.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "Large"}, "paths": paths}), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    if encoder() is None:
        pytest.skip("no runtime for the encoder")
    folder = tmp_path_factory.mktemp("large")
    return replace(open_spec(large(folder), folder / "cache"), hears=None)


def test_a_list_with_many_columns_is_found_among_hundreds(opened: Reader) -> None:
    """`list all users` gave another, shorter operation: what could be chosen of a list counted as words about it."""
    assert opened.index.size == 280
    for request, expected in (
        ("list all users", "users.List"),
        ("show me the printers", "printers.List"),
        ("delete the domain contoso", "domains.Delete"),
        ("get team 19ab", "teams.Get"),
    ):
        assert opened.read(request)[0].operation.id == expected, request


def test_every_operation_of_a_large_description_has_its_meaning(opened: Reader) -> None:
    assert opened.index.meanings is not None and len(opened.index.meanings) == opened.index.size


def test_of_a_large_description_the_trunk_reads_one_operation(opened: Reader) -> None:
    asked = []

    def hears(text: str, operation: Operation) -> Hearing:
        asked.append(operation.id)
        return Hearing(0.9, lambda: Heard((), 0.9))

    weights = {**opened.weights, "heard": {**opened.weights["heard"], "asked": 0.0}}
    replace(opened, hears=hears, weights=weights).read("list all users")
    assert asked == ["users.List"]


def test_small_descriptions_are_weighed_as_ever_and_large_ones_go_all_the_way() -> None:
    assert share_of_many(1) == share_of_many(FEW) == 0.0 and share_of_many(MANY) == share_of_many(20_000) == 1.0
    assert weights_for(FEW) is shipped_weights()
    found, before = weights_for(MANY), shipped_weights()
    if "choice-many" not in before:
        pytest.skip("no runtime for the encoder")
    assert found["choice"] == pytest.approx(before["choice-many"]) and found["heard"]["asked"] == 0.0
    between = weights_for(95)["choice"]["meaning"]
    assert before["choice"]["meaning"] < between < before["choice-many"]["meaning"]


def test_the_commonest_texts_of_slots_are_read_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A description with more texts than are kept had none of them kept, and every answer read them anew."""
    operations = read_api(large(tmp_path))[0].operations
    monkeypatch.setattr("sayso.targets.api.specs.store.MOST_TEXTS", 10)
    kept = texts_kept(operations)
    assert len(kept) == 10 and any(one.startswith("select") for one in kept)
