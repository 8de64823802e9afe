"""Descriptions of a stranger's: they name other files, hold themselves, and write names that a shell would obey."""

from __future__ import annotations

import json
import shlex
import socket
from pathlib import Path
from typing import Any

import pytest

from sayso.core.errors import BadFile, RunFailed
from sayso.targets.api.specs.calls import Call, fits_pattern
from sayso.targets.api.specs.sending import origin
from sayso.targets.api.specs.shapes import as_curl, as_httpie, http_of, httpie_item
from sayso.targets.api.specs.store import read_api
from sayso.targets.api.specs.validating import problems


def described(folder: Path, schema: Any, **more: Any) -> Path:
    answer = {"200": {"description": "fine", "content": {"application/json": {"schema": schema}}}}
    make = {
        "operationId": "make",
        "requestBody": {"content": {"application/json": {"schema": schema}}},
        "responses": answer,
    }
    root = {
        "openapi": "3.0.0",
        "info": {"title": "Tickets", "version": "1"},
        "servers": [{"url": "https://tickets.example"}],
        "paths": {"/make": {"post": make}},
        **more,
    }
    path = folder / "api.json"
    path.write_text(json.dumps(root), encoding="utf-8")
    return path


def test_the_check_of_a_description_reads_nothing_elsewhere(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("a: hidden word", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        for address in (secret.as_uri(), f"http://127.0.0.1:{listener.getsockname()[1]}/x"):
            found = problems(described(tmp_path, {"$ref": address}))
            assert found
            assert "hidden word" not in " ".join(found)
        with pytest.raises(TimeoutError):
            listener.accept()


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"$ref": "#/components/schemas/Self"}},
        {"allOf": [{"$ref": "#/components/schemas/Self"}] * 10, "properties": {"name": {"type": "string"}}},
    ],
)
def test_a_schema_that_holds_itself_is_read(tmp_path: Path, schema: dict[str, Any]) -> None:
    path = described(tmp_path, {"$ref": "#/components/schemas/Self"}, components={"schemas": {"Self": schema}})
    api, _ = read_api(path)
    assert [slot.name for slot in api.operations[0].slots] == (["name"] if "allOf" in schema else ["body"])


def test_an_example_of_anchors_upon_anchors_is_left_out(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    rows = ["x0: &b0 [a, a, a, a, a, a, a, a]"]
    rows += [f"x{at}: &b{at} [{', '.join([f'*b{at - 1}'] * 8)}]" for at in range(1, 12)]
    path = tmp_path / "api.yaml"
    taken = "{name: q, in: query, schema: {type: string}, example: *b11}"
    path.write_text(
        "\n".join(["openapi: 3.0.0", *rows, f"paths: {{/a: {{get: {{operationId: list, parameters: [{taken}]}}}}}}"]),
        encoding="utf-8",
    )
    api, _ = read_api(path)
    assert [(slot.name, slot.example) for slot in api.operations[0].slots] == [("q", None)]


@pytest.mark.parametrize("name", ['X";touch made;"', "X$(touch made)", "X`touch made`", "X'y", "X-Key"])
def test_the_name_of_a_key_is_one_word_of_the_shell(tmp_path: Path, name: str) -> None:
    schemes = {"key": {"type": "apiKey", "in": "header", "name": name}}
    path = described(tmp_path, {"type": "object"}, components={"securitySchemes": schemes}, security=[{"key": []}])
    api, _ = read_api(path)
    http = http_of(api, api.operations[0], Call("make", {}))
    for text, mark in ((as_curl(http), ": "), (as_httpie(http), ":")):
        assert f"{name}{mark}$TICKETS_KEY" in shlex.split(text)
        before, _, _ = text.partition('$TICKETS_KEY"')
        quoted = before.rpartition('"')[2]
        assert not set(quoted) & set("$`\\")


@pytest.mark.parametrize("pattern", [r"^(?:.|.|.|.)*\n$", r"^((a+))+$", r"^(a|a)+$", r".*.*.*.*.*.*=$"])
def test_a_pattern_that_may_take_for_ever_is_not_tried(pattern: str) -> None:
    assert fits_pattern(pattern, "a" * 199)
    assert not fits_pattern(r"^[A-Z]+-\d+$", "a" * 199)


def test_an_address_that_is_none_is_told() -> None:
    with pytest.raises(RunFailed, match="no address"):
        origin("https://tickets.example:port/")


@pytest.mark.parametrize("text", ["{a: " * 50_000, "- " * 50_000, "a: " + "[" * 300 + "]" * 300])
def test_yaml_that_nests_without_end_is_refused(tmp_path: Path, text: str) -> None:
    pytest.importorskip("yaml")
    path = tmp_path / "api.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match="nested too deeply"):
        read_api(path)


def test_no_header_is_a_file_to_httpie() -> None:
    assert httpie_item("X-Mode", "=@/etc/hostname") == r"X-Mode:\=\@/etc/hostname"
    assert httpie_item("a@b", "c=d") == r"a\@b:c=d"
