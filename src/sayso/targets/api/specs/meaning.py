"""How near a request is to what is written of an operation, by the sentence encoder that ships with Bash.

Where there is no runtime for it every operation is as near as any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.neural.bundle import MANIFEST
from sayso.neural.meaning import Encoder, open_encoder
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.words import name_words

if TYPE_CHECKING:
    from sayso.targets.api.specs.likeness import Array

BUNDLE = Path(__file__).parents[3] / "bundles" / "bash-meaning"
MOST_KEPT = 2000
"""Operations whose vectors are made beforehand; of a larger description those that are tried."""
LONGEST = 160
"""Characters of a summary that are read."""


@cache
def encoder() -> Encoder | None:
    if not (BUNDLE / MANIFEST).is_file() or find_spec("onnxruntime") is None:
        return None
    return open_encoder(BUNDLE)()


def written_of(operation: Operation) -> str:
    """listTickets -> "list tickets. Tickets that match" """
    told = operation.summary or operation.text.partition(". ")[0]
    return f"{' '.join(name_words(operation.id))}. {told[:LONGEST]}"


def vectors_of(operations: Sequence[Operation]) -> Array | None:
    """(operation, width), of length 1; None for too many of them, or without an encoder."""
    reads = encoder()
    if reads is None or not operations or len(operations) > MOST_KEPT:
        return None
    return reads.embed([written_of(one) for one in operations])


@lru_cache(maxsize=64)
def request_vector(text: str) -> Array | None:
    reads = encoder()
    return None if reads is None else reads.embed([text])[0]


@lru_cache(maxsize=4096)
def text_vector(text: str) -> Array | None:
    reads = encoder()
    return None if reads is None else reads.embed([text])[0]


def nearness(text: str, operation: Operation) -> float:
    """The cosine of a request and an operation whose vector was not made beforehand."""
    asked, told = request_vector(text), text_vector(written_of(operation))
    return 0.0 if asked is None or told is None else float(asked @ told)
