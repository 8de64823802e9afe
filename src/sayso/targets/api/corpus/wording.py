"""Requests for mail, calendar and files in people's own wording, each with its call or why it has none.

`data/wording/lines.tsv.xz` (its card: docs/corpora/wording.md): id, who, register, request, call. They are there to
learn from; a tenth of each writer's, by digest, is held back to choose by, and nobody reads it. `data/wording/dev.tsv`
has 150 by another writer, which are there to be read and never to learn from.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sayso.targets.api.syntax.calls import Call, parse_call

HELD = 10
"""One of so many is held back."""


@dataclass(frozen=True)
class Worded:
    id: str
    who: str
    register: str
    request: str
    answer: str
    """A call, or `- deed`, `- off`, `- beyond`"""

    @property
    def call(self) -> Call | None:
        return None if self.answer.startswith("-") else parse_call(self.answer)

    @property
    def nothing(self) -> str:
        return self.answer.removeprefix("-").strip() if self.answer.startswith("-") else ""

    @property
    def is_held(self) -> bool:
        return fold_of(self.request) == 0


def fold_of(request: str, folds: int = HELD) -> int:
    return int(hashlib.sha256(request.encode()).hexdigest(), 16) % folds


def folder() -> Path:
    return Path(str(files("sayso.targets.api"))) / "data" / "wording"


def load_wording() -> Iterator[Worded]:
    """Every line that is kept."""
    text = lzma.decompress((folder() / "lines.tsv.xz").read_bytes()).decode("utf-8")
    for line in text.splitlines():
        yield Worded(*line.split("\t"))


def load_wording_dev() -> Iterator[Worded]:
    """Lines of a writer of whom nothing is learnt."""
    for at, line in enumerate((folder() / "dev.tsv").read_text(encoding="utf-8").splitlines(), 1):
        yield Worded(f"dev:{at}", *line.split("\t"))
