"""A description as plain values: JSON, YAML or XML from local files, and `$ref` to places in them.

Nothing is fetched, and no file outside the folder of the first one is read. YAML is read as its version 1.2 has it, so
that `no` is a word and a date is text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sayso.core.errors import BadFile, MissingPart
from sayso.core.given import parse_json, read_plain

LARGEST = 96 << 20
LARGEST_YAML = 48 << 20
MOST_FILES = 500
MOST_HOPS = 32
"""`$ref` that lead to `$ref`."""
NESTED = 200
"""Levels of lists and mappings in YAML."""
BRACKET = re.compile(rb"[\[\]{}]")
STEEP = re.compile(rb"(?:[-?][ \t]{1,8}){100}|\n {200}")
TYPED_AS = "JSON or YAML of OpenAPI 3 or Swagger 2, or an OData metadata document"


@dataclass
class Documents:
    """The files of one description, each read once."""

    first: Path
    read: dict[Path, Any] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    """Path relative to the folder -> SHA-256 of what was read."""
    warnings: list[str] = field(default_factory=list)
    _missing: set[str] = field(default_factory=set)
    _there: dict[tuple[str, Path], tuple[Any, Path]] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return self.first.resolve().parent

    def root(self) -> Any:
        return self.load(self.first.resolve())

    def load(self, path: Path) -> Any:
        """A file as plain values; raises BadFile in one line."""
        if path not in self.read:
            if len(self.read) >= MOST_FILES:
                raise BadFile(f"{self.first} reaches more than {MOST_FILES} files", "give a description in fewer")
            raw = raw_bytes(path)
            self.digests[str(path.relative_to(self.folder))] = hashlib.sha256(raw).hexdigest()
            self.read[path] = parse(raw, path)
        return self.read[path]

    def follow(self, node: Any, base: Path) -> tuple[Any, Path]:
        """What stands at the end of a chain of `$ref`, with the keys beside each; {} and a warning where nothing is."""
        beside: dict[str, Any] = {}
        for _ in range(MOST_HOPS):
            if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
                break
            beside = {**{key: value for key, value in node.items() if key != "$ref"}, **beside}
            node, base = self.at(node["$ref"], base)
        else:
            self.warn("a $ref leads in a circle and is left out")
            node = {}
        return ({**node, **beside} if beside and isinstance(node, dict) else node), base

    def at(self, reference: str, base: Path) -> tuple[Any, Path]:
        """What a `$ref` names, looked for once."""
        if (reference, base) not in self._there:
            self._there[reference, base] = self._looked_for(reference, base)
        return self._there[reference, base]

    def _looked_for(self, reference: str, base: Path) -> tuple[Any, Path]:
        name, _, pointer = reference.partition("#")
        if name:
            if "://" in name or name.startswith(("/", "\\")):
                return self._nothing(f"$ref {reference[:80]} is not a file beside the description and is left out")
            base = (base.parent / unquote(name)).resolve()
            if not base.is_relative_to(self.folder):
                return self._nothing(f"$ref {reference[:80]} leaves the folder of the description and is left out")
        try:
            node = self.load(base)
        except (BadFile, OSError) as error:
            said = error.message if isinstance(error, BadFile) else str(error)
            return self._nothing(f"$ref {reference[:80]} cannot be read: {said}")
        for part in pointer.strip("/").split("/") if pointer.strip("/") else ():
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(node, dict) and key in node:
                node = node[key]
            elif isinstance(node, list) and key.isdecimal() and int(key) < len(node):
                node = node[int(key)]
            else:
                return self._nothing(f"$ref {reference[:80]} leads nowhere")
        return node, base

    def _nothing(self, warning: str) -> tuple[Any, Path]:
        self.warn(warning)
        return {}, self.first.resolve()

    def warn(self, text: str) -> None:
        if text not in self._missing:
            self._missing.add(text)
            self.warnings.append(text)


def raw_bytes(path: Path) -> bytes:
    try:
        return read_plain(path, LARGEST)
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}", f"give {TYPED_AS}") from error


def parse(raw: bytes, path: Path) -> Any:
    """JSON where it looks like JSON, XML as its text, else YAML."""
    start = raw[:400].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"<"):
        return raw.decode("utf-8", "replace")
    if start.startswith((b"{", b"[")):
        try:
            return parse_json(raw.decode("utf-8-sig"))
        except ValueError as error:
            if path.suffix == ".json" or len(raw) > LARGEST_YAML:
                raise BadFile(f"{path} is not JSON: {error}", f"give {TYPED_AS}") from error
    if len(raw) > LARGEST_YAML:
        raise BadFile(f"{path} has more than {LARGEST_YAML:,} bytes of YAML", "give it as JSON, which reads faster")
    return parse_yaml(raw, path)


def parse_yaml(raw: bytes, path: Path) -> Any:
    yaml, loader = yaml_loader()
    try:
        if may_be_deep(raw) and depth_of(yaml.parse(raw, Loader=loader)) > NESTED:
            raise RecursionError  # the loader itself would end the process
        return yaml.load(raw, Loader=loader)
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f":{mark.line + 1}" if mark else ""
        said = " ".join(str(getattr(error, "problem", "") or error).split())[:120]
        raise BadFile(f"{path}{place} is not YAML: {said}", f"give {TYPED_AS}") from error
    except RecursionError:
        raise BadFile(f"{path} is nested too deeply", f"give {TYPED_AS}") from None


def may_be_deep(raw: bytes) -> bool:
    """Whether brackets, dashes or indentation could stand for more levels than are read; quick, and errs to yes."""
    depth = 0
    for mark in BRACKET.finditer(raw):
        depth += 1 if mark.group() in b"[{" else -1
        if depth > NESTED:
            return True
    return STEEP.search(raw) is not None


def depth_of(events: Iterable[Any]) -> int:
    """Levels of lists and mappings, as far as is needed to know that there are too many."""
    depth = deepest = 0
    for event in events:
        kind = type(event).__name__
        depth += kind in ("SequenceStartEvent", "MappingStartEvent")
        depth -= kind in ("SequenceEndEvent", "MappingEndEvent")
        deepest = max(deepest, depth)
        if deepest > NESTED:
            break
    return deepest


@cache
def yaml_loader() -> tuple[Any, Any]:
    """PyYAML and a safe loader with the words of YAML 1.2 alone: true, false, null and numbers."""
    try:
        import yaml
    except ImportError as error:
        raise MissingPart("YAML cannot be read: PyYAML is not installed", "pip install 'sayso[api]'") from error
    fastest: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(fastest):  # type: ignore[misc]
        yaml_implicit_resolvers: Mapping[str, Any] = {}

    for tag, pattern, first in (
        ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
        ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
        ("int", r"^[-+]?[0-9]{1,18}$", "-+0123456789"),
        ("float", r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?$", "-+0123456789."),
        ("merge", r"^(?:<<)$", ["<"]),
    ):
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(first))
    Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
    return yaml, Loader
