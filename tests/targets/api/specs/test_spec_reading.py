"""Descriptions in every format that is known, and what a hostile or broken one comes to: one line each."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from tests.targets.api.specs.shop import SHOP, api_at, written

from sayso.core.errors import BadFile
from sayso.targets.api.specs.documents import Documents
from sayso.targets.api.specs.store import open_spec, read_api


def test_openapi_3_as_json_and_yaml_say_the_same(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    from_json = api_at(written(tmp_path))
    from_yaml = api_at(written(tmp_path, yaml.safe_dump(SHOP, sort_keys=False), "shop.yaml"))
    assert from_json == from_yaml
    assert [one.id for one in from_json.operations] == ["listItems", "addItem", "deleteItem"]
    slots = {slot.path: slot for slot in from_json.operations[1].slots}
    assert slots["body.title"].required and not slots["body.price"].required
    assert slots["body.maker.name"].required and slots["body.maker.name"].under == "body.maker"


def test_swagger_2_with_body_form_and_lists(tmp_path: Path) -> None:
    body = {"in": "body", "name": "item", "schema": {"type": "object", "properties": {"title": {"type": "string"}}}}
    tags = {"in": "query", "name": "tags", "type": "array", "items": {"type": "string"}, "collectionFormat": "pipes"}
    form = {"in": "formData", "name": "note", "type": "string", "required": True}
    paths = {"/a": {"post": {"parameters": [body, tags]}}, "/b/{id}": {"post": {"parameters": [form]}}}
    api = api_at(written(tmp_path, {"swagger": "2.0", "host": "h.example", "basePath": "/v2", "paths": paths}))
    assert api.servers == ("https://h.example/v2",)
    first, second = api.operations
    assert {slot.path for slot in first.slots} == {"body.title", "tags"}
    assert next(slot for slot in first.slots if slot.name == "tags").separator == "|"
    assert second.id == "post_b_by_id" and {slot.path for slot in second.slots} == {"body.note", "id"}


def test_words_of_yaml_1_1_stay_words(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    parameter = "{name: to, in: query, schema: {enum: [no, on, 2024-05-03]}}"
    text = f"openapi: 3.1.0\npaths:\n  /x:\n    get:\n      parameters:\n      - {parameter}\n"
    assert api_at(written(tmp_path, text, "x.yaml")).operations[0].slots[0].enum == ("no", "on", "2024-05-03")


def test_refs_to_files_beside_and_none_outside(tmp_path: Path) -> None:
    folder = tmp_path / "spec"
    folder.mkdir()
    written(tmp_path, {"secret": {"type": "string"}}, "outside.json")
    written(folder, {"Size": {"type": "integer", "maximum": 9}}, "parts.json")
    parameters = [
        {"name": "a", "in": "query", "schema": {"$ref": "parts.json#/Size"}},
        {"name": "b", "in": "query", "schema": {"$ref": "../outside.json#/secret"}},
        {"name": "c", "in": "query", "schema": {"$ref": "https://evil.example/x.json"}},
        {"name": "d", "in": "query", "schema": {"$ref": "/etc/passwd"}},
        {"name": "e", "in": "query", "schema": {"$ref": "#/nowhere"}},
    ]
    (folder / "link.json").symlink_to(tmp_path / "outside.json")
    parameters.append({"name": "f", "in": "query", "schema": {"$ref": "link.json#/secret"}})
    api = api_at(written(folder, {"openapi": "3.1.0", "paths": {"/x": {"get": {"parameters": parameters}}}}))
    assert [slot.kind for slot in api.operations[0].slots][:1] == ["integer"]
    assert len(api.warnings) == 5
    assert sum("leaves the folder" in one for one in api.warnings) == 2


def test_a_circle_of_refs_ends(tmp_path: Path) -> None:
    schemas = {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}
    node = {"openapi": "3.0.0", "paths": {"/x": {"post": {"requestBody": body}}}, "components": {"schemas": schemas}}
    api = api_at(written(tmp_path, node))
    assert api.warnings == ("a $ref leads in a circle and is left out",)
    inside = api_at(written(tmp_path)).operations[1]  # an item's maker's best item
    assert "body.maker.best.maker.name" not in {slot.path for slot in inside.slots}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"),
        ('{"openapi": "3.0.0"', "is not JSON"),
        ("{}", "is no description of an API"),
        ("[1, 2]", "is no description of an API"),
        ('{"a": ' * 30_000, "nested too deeply"),
        ("<edmx/>", "names no entity set"),
        ("<a", "is not XML"),
        ("a word", "is no description of an API"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "declares a document type"),
    ],
)
def test_what_is_no_description_is_said_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadFile, match=says) as error:
        read_api(written(tmp_path, text))
    assert "\n" not in error.value.message and error.value.hint


def test_broken_parts_are_left_out_and_the_rest_is_read(tmp_path: Path) -> None:
    paths: dict[str, Any] = {
        "/good": {"get": {"parameters": [{"name": "n", "in": "query", "type": "integer"}, 7, {"in": "query"}]}},
        "/bad": 3,
        "/worse": {"get": "x", "post": {"parameters": "no", "requestBody": [], "tags": [None]}},
    }
    api = api_at(written(tmp_path, {"openapi": "3.0.0", "info": 5, "servers": "x", "paths": paths}))
    assert [one.path for one in api.operations] == ["/good", "/worse"]


def test_aliases_that_multiply_end_in_a_second(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    lines = ["openapi: 3.0.0", "a0: &a0 {type: string}"]
    for at in range(1, 30):
        inner = ", ".join(f"p{i}: *a{at - 1}" for i in range(9))
        lines.append(f"a{at}: &a{at} {{type: object, properties: {{{inner}}}}}")
    lines += ["paths:", "  /x:", "    post:", "      requestBody: {content: {application/json: {schema: *a29}}}"]
    start = time.process_time()
    api = api_at(written(tmp_path, "\n".join(lines), "bomb.yaml"))
    assert len(api.operations[0].slots) <= 60
    assert time.process_time() - start < 3


def test_odata_metadata_becomes_lists_records_and_writes(tmp_path: Path) -> None:
    text = """<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
    <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
    <EntityType Name="Boat"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32"/>
    <Property Name="Launched" Type="Edm.Date"/></EntityType>
    <EntityContainer Name="Harbour"><EntitySet Name="Boats" EntityType="S.Boat"/></EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>"""
    api, _ = read_api(written(tmp_path, text, "metadata.xml"))
    assert api.title == "Harbour"
    assert {one.id for one in api.operations} == {"listBoats", "createBoat", "getBoat", "updateBoat", "deleteBoat"}
    assert api.find("getBoat") is not None and api.find("getBoat").slots[0].kind == "integer"  # type: ignore[union-attr]


def test_what_is_kept_is_read_again_and_made_anew_when_a_file_changes(tmp_path: Path) -> None:
    spec = {
        **SHOP,
        "components": {
            **SHOP["components"],
            "schemas": {**SHOP["components"]["schemas"], "Item": {"$ref": "item.json"}},
        },
    }
    written(tmp_path, {"type": "object", "properties": {"weight": {"type": "integer"}}}, "item.json")
    path, cache = written(tmp_path, spec), tmp_path / "cache"
    made = open_spec(path, cache)
    again = open_spec(path, cache)
    assert list(again.api.operations) == list(made.api.operations)
    assert again.weights == made.weights and again.index.vocabulary == made.index.vocabulary
    assert [one.text for one in again.read("add an item")] == [one.text for one in made.read("add an item")]
    written(tmp_path, {"type": "object", "properties": {"height": {"type": "integer"}}}, "item.json")
    assert "body.height" in {slot.path for slot in open_spec(path, cache).operation("addItem").slots}
    for file in (cache / "specs").rglob("meta.json"):
        file.write_text("{")
    assert open_spec(path, cache).places == made.places


def test_files_of_a_description_are_read_once(tmp_path: Path) -> None:
    documents = Documents(written(tmp_path))
    assert documents.root() is documents.root()
    assert json.loads(json.dumps(documents.digests)).keys() == {"shop.json"}
