"""What requests, operations, slots and choices mean, by the sentence encoder that ships with Bash.

`api-reader` holds a graph of the same encoder that also gives a vector for every piece of a word, from its middle and
its last layer. Where there is no runtime for it every text is as near as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.neural.bundle import MANIFEST, load_bundle
from sayso.neural.meaning import Encoder, load_encoder
from sayso.neural.meaning_words import words_of
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.slots.views import View, glosses_of, views_of
from sayso.targets.api.specs.words import name_words

if TYPE_CHECKING:
    from sayso.targets.api.specs.slots.likeness import Array

BUNDLES = Path(__file__).parents[4] / "bundles"
ENCODER, READER = BUNDLES / "bash-meaning", BUNDLES / "api-reader"
GRAPH = "graph.onnx"
MOST_KEPT = 15_000
"""Operations whose vectors are made beforehand, half a minute of them; of a larger description those that are tried."""
LONGEST = 160
"""Characters of a summary or a description that are read."""
MOST_CHOICES, MOST_LISTED, MOST_GLOSS = 40, 8, 14
ROOM, MARGIN = 46, 7
"""Pieces that are read at once, and how many of them are there for the others' sake."""
REMEMBERED = 40_000


@cache
def encoder() -> Encoder | None:
    if not (ENCODER / MANIFEST).is_file() or find_spec("onnxruntime") is None:
        return None
    return load_encoder(load_bundle(ENCODER), load_bundle(READER).read(GRAPH))


def written_of(operation: Operation) -> str:
    """listTickets -> "list tickets. Tickets that match" """
    told = operation.summary or operation.text.partition(". ")[0]
    return f"{' '.join(name_words(operation.id))}. {told[:LONGEST]}"


def slot_text(view: View) -> str:
    """body.customer.name -> "customer name: who pays" """
    names = view.slot.path.removeprefix("body").replace("[]", "").split(".")
    listed = f" ({', '.join(map(str, view.slot.enum[:MOST_LISTED]))})" if view.slot.enum else ""
    return f"{' '.join(word for name in names for word in name_words(name))}: {view.slot.text[:LONGEST]}{listed}"


@lru_cache(maxsize=2048)
def choice_texts(view: View) -> tuple[str, ...]:
    """Of the first choices of an enum, each with what the description says of it."""
    glosses: dict[str, list[str]] = {}
    for value, words in glosses_of(view.slot.text, list(view.slot.enum)):
        glosses.setdefault(str(value), []).extend(words)
    name = " ".join(view.words)
    return tuple(
        f"{name}: {' '.join(name_words(str(one))) or one}. {' '.join(glosses.get(str(one), [])[:MOST_GLOSS])}"
        for one in view.slot.enum[:MOST_CHOICES]
    )


def texts_of(operation: Operation) -> Iterator[str]:
    """All that is read of an operation."""
    yield written_of(operation)
    for view in views_of(operation):
        yield slot_text(view)
        yield from choice_texts(view)


KNOWN: dict[str, Array] = {}


def text_vectors(texts: Sequence[str]) -> Array | None:
    """(text, width), of length 1, each read once; None without an encoder."""
    import numpy as np

    reads = encoder()
    if reads is None:
        return None
    new = list(dict.fromkeys(one for one in texts if one not in KNOWN))
    if new:
        if len(KNOWN) + len(new) > REMEMBERED:
            KNOWN.clear()
            new = list(dict.fromkeys(texts))
        KNOWN.update(zip(new, reads.embed_described(new), strict=True))
    return np.array([KNOWN[one] for one in texts], np.float32).reshape(len(texts), reads.shape.width)


def remember(texts: Sequence[str], vectors: Sequence[Array] | Array) -> None:
    """Vectors that were made before."""
    KNOWN.update(zip(texts, vectors, strict=True))


def reads_texts() -> bool:
    return encoder() is not None


def vectors_of(operations: Sequence[Operation]) -> Array | None:
    """(operation, width), of length 1; None for too many of them, or without an encoder."""
    if not operations or len(operations) > MOST_KEPT:
        return None
    return text_vectors([written_of(one) for one in operations])


def request_vector(text: str) -> Array | None:
    found = text_vectors([text])
    return None if found is None else found[0]


def nearness(text: str, operation: Operation) -> float:
    """The cosine of a request and an operation whose vector was not made beforehand."""
    found = text_vectors([text, written_of(operation)])
    return 0.0 if found is None else float(found[0] @ found[1])


def token_vectors(reads: Encoder, words: Sequence[str]) -> Array:
    """(word, width) in the sentence that they make: the mean over the pieces of each. A long one is read in parts."""
    import numpy as np

    pieces: list[int] = []
    owners: list[int] = []
    for at, word in enumerate(words):
        mine = [piece for part in words_of(word) for piece in reads.pieces.word(part)]
        pieces += mine
        owners += [at] * len(mine)
    found = np.zeros((len(words), reads.token_width), np.float32)
    start = 0
    while start < len(pieces):
        begin = max(0, min(start - MARGIN, len(pieces) - ROOM))
        end = min(len(pieces), begin + ROOM)
        read = reads.tokens(np.array([[reads.pieces.first, *pieces[begin:end], reads.pieces.last]]))[0][1:-1]
        keep = end if end == len(pieces) else end - MARGIN
        np.add.at(found, owners[start:keep], read[start - begin : keep - begin])
        start = keep
    counts = np.bincount(owners, minlength=len(words)) if owners else np.zeros(len(words))
    return np.asarray(found / np.maximum(counts, 1)[:, None], np.float32)
