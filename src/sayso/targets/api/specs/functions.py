"""Functions as others describe them for language models, as an API: each is an operation with a JSON body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sayso.targets.api.specs.documents import Documents
from sayso.targets.api.specs.model import Api
from sayso.targets.api.specs.openapi import read_openapi

KINDS = {
    **{"dict": "object", "float": "number", "int": "integer", "tuple": "array", "list": "array"},
    **{"bool": "boolean", "str": "string", "any": "string", "String": "string", "Array": "array"},
}


def api_of(functions: Sequence[Mapping[str, Any]]) -> Api:
    """Functions with `name`, `description` and `parameters` (JSON Schema with Python's names of types)."""
    paths: dict[str, Any] = {}
    for at, one in enumerate(functions):
        schema = in_schema(one.get("parameters", {}))
        body = {"required": True, "content": {"application/json": {"schema": schema}}}
        operation = {"operationId": one["name"], "description": one.get("description", ""), "requestBody": body}
        paths[f"/{at}"] = {"post": operation}
    here = Path("functions.json").resolve()
    documents = Documents(here, {here: {"openapi": "3.1.0", "info": {"title": "functions"}, "paths": paths}})
    api = read_openapi(documents)
    return replace(api, operations=tuple(replace(one, path="/") for one in api.operations))


def in_schema(node: Any) -> Any:
    if isinstance(node, list):
        return [in_schema(one) for one in node]
    if not isinstance(node, dict):
        return node
    found = {key: in_schema(value) for key, value in node.items()}
    if isinstance(found.get("type"), str):
        found["type"] = KINDS.get(found["type"], found["type"])
    return found
