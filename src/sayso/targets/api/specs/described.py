"""The description that a request brings with it in a piece of context, and a system that answers with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from sayso.core.errors import BadRequest
from sayso.core.types import Candidate, Remarks, Request, System, Workspace
from sayso.neural.bundle import read_manifest
from sayso.targets.api.specs.documents import Documents
from sayso.targets.api.specs.functions import api_of
from sayso.targets.api.specs.model import Api
from sayso.targets.api.specs.openapi import read_openapi
from sayso.targets.api.specs.prompts.shipped import trunk_signature
from sayso.targets.api.specs.reader import Reader, reader_of
from sayso.targets.api.specs.slots.likeness import BUNDLE as WORDS
from sayso.targets.api.specs.slots.meaning import ENCODER, READER
from sayso.targets.api.specs.store import open_spec
from sayso.targets.api.specs.system import system_of

KEPT = 32
SPECS = ("tickets", "films")
DATA = Path(str(files("sayso.targets.api") / "data"))


def brought(request: Request) -> tuple[str, str]:
    """The kind of a request's description, and what stands in it."""
    for piece in request.context:
        if piece.name in ("functions", "openapi", "spec"):
            return piece.name, piece.text
    raise BadRequest("this request brings no description of an API")


def is_brought(request: Request) -> bool:
    return any(piece.name in ("functions", "openapi", "spec") for piece in request.context)


@lru_cache(maxsize=KEPT)
def api_brought(kind: str, text: str) -> Api:
    if kind == "functions":
        return api_of(json.loads(text))
    if kind == "openapi":
        here = Path("openapi.json").resolve()
        return read_openapi(Documents(here, {here: json.loads(text)}))
    return read_openapi(Documents(own_spec(text)))


def own_spec(name: str) -> Path:
    if name not in SPECS:
        raise BadRequest(f"there is no spec of ours called {name[:40]!r}")
    return Path(str(files("sayso.targets.api") / "data" / "own" / f"{name}.yaml"))


def api_of_request(request: Request) -> Api:
    return api_brought(*brought(request))


@dataclass(frozen=True)
class Described:
    """Translator for requests that bring their description."""

    cache: Path

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        """A request that brings no description has no call."""
        return [self.calls(one, k) if is_brought(one) else [] for one in requests]

    def calls(self, request: Request, k: int) -> list[Candidate]:
        return self.system(request).translator.translate([request], k)[0]

    def system(self, request: Request) -> System:
        return system_for(*brought(request), self.cache)

    def remarks(self, request: Request, k: int) -> Remarks:
        if not is_brought(request):
            return Remarks("this request brings no description of an API")
        return self.system(request).remarks(request, k)


@lru_cache(maxsize=KEPT)
def system_for(kind: str, text: str, cache: Path) -> System:
    return system_of(reader_for(kind, text, cache))


def reader_for(kind: str, text: str, cache: Path) -> Reader:
    """One of ours is learnt and kept, as a user's is; what comes with a single request is asked as it stands."""
    return open_spec(own_spec(text), cache) if kind == "spec" else reader_of(api_brought(kind, text))


def open_described(workspace: Workspace) -> System:
    made = Described(workspace.cache)
    return System(made, remarks=made.remarks, bundle=signature())


def signature() -> str:
    """Everything that changes what is answered: bundles that read a request, and tables of weights and words."""
    bundles = [str(read_manifest(folder)["signature"]) for folder in (READER, ENCODER, WORDS)]
    found = hashlib.sha256("".join([*bundles, trunk_signature()]).encode())
    for path in sorted(DATA.glob("spec_*.*")):
        found.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()
