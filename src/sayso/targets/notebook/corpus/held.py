"""What dev and test hold, which nothing that trains may repeat: requests, targets, and whole notebooks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

TELLING = 40
"""Characters of a cell; a shorter one stands in many notebooks."""
MOST = 0.5
"""Share of a notebook's telling code cells that may stand in notebooks of dev and test."""


@dataclass(frozen=True)
class Held:
    """`cells` are numbers of the code cells in all notebooks of dev and test repositories."""

    requests: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()
    cells: frozenset[int] = frozenset()

    def leaks(self, request: str, target: str) -> bool:
        return plain(request) in self.requests or plain(target) in self.targets

    def has_most(self, cells: Iterable[Sequence[Any]]) -> bool:
        """Whether a notebook, as [kind, text, …] of its cells, is for the most part one of dev or test."""
        if not self.cells:
            return False
        code = (telling(text) for kind, text, *_ in cells if kind == "code")
        found = [number(text) in self.cells for text in code if text]
        return sum(found) > MOST * len(found)


def telling(text: str) -> str:
    """A cell as it is compared, "" where it says too little."""
    text = plain(text)
    return text if len(text) >= TELLING else ""


def plain(text: str) -> str:
    """As two texts are compared: case and layout do not count."""
    return " ".join(text.lower().split())


def number(text: str) -> int:
    """64 bits that stand for a text."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def held_out(pairs: Iterable[tuple[str, str]], cells: Iterable[str] = ()) -> Held:
    """What (request, target) pairs and the code cells of their notebooks hold out."""
    requests: set[str] = set()
    targets: set[str] = set()
    for request, target in pairs:
        requests.add(plain(request))
        targets.add(plain(target))
    return Held(
        frozenset(requests), frozenset(targets), frozenset(number(text) for cell in cells if (text := telling(cell)))
    )
