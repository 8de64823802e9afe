"""Whether a description keeps to its standard: said, never a reason to refuse it. Needs `openapi-spec-validator`."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from sayso.targets.api.specs.documents import Documents

MOST = 5
REACHED = ("<all_urls>", "http", "https", "file", "ftp", "")
"""Kinds of address that the validator has readers for."""
LARGEST = 3 << 20
"""Bytes beyond which checking would take minutes."""


def refused(uri: str) -> NoReturn:
    """The validator would fetch what a `$ref` names, from the network or any folder."""
    raise ValueError("a $ref leads elsewhere")


def leads_elsewhere(root: Any) -> bool:
    """Whether any `$ref` names another file or address."""
    waiting, seen = [root], set[int]()
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict | list) or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, dict) and not str(node.get("$ref", "#")).startswith("#"):
            return True
        waiting += node.values() if isinstance(node, dict) else node
    return False


def problems(path: Path) -> list[str]:
    documents = Documents(path)
    root = documents.root()
    if not isinstance(root, dict):
        return []
    if path.stat().st_size > LARGEST:
        return [f"it has more than {LARGEST:,} bytes and was read, but not held against the standard"]
    try:
        from openapi_spec_validator import OpenAPIV2SpecValidator, OpenAPIV30SpecValidator, OpenAPIV31SpecValidator
    except ImportError:
        return ["it was not held against the standard: pip install 'sayso[api]'"]
    if leads_elsewhere(root):
        return ["it has parts in other files, and was not held against the standard"]
    version = str(root.get("openapi") or root.get("swagger"))
    kind = (
        OpenAPIV2SpecValidator
        if version.startswith("2")
        else OpenAPIV31SpecValidator
        if version.startswith("3.1")
        else OpenAPIV30SpecValidator
    )
    closed: Any = type("Closed", (kind,), {"resolver_handlers": dict.fromkeys(REACHED, refused)})
    try:
        found = list(islice(closed(root, base_uri="").iter_errors(), MOST))
    except RecursionError:
        return ["it could not be held against the standard: a $ref leads in a circle"]
    except Exception as error:  # a validator that stumbles over a description says nothing of its calls
        return [f"it could not be held against the standard: {type(error).__name__}"]
    return [" ".join(f"{'/'.join(map(str, one.path))}: {one.message}".split())[:200] for one in found]
