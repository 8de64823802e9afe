"""How near words are to each other, and how well a value fits what a slot is called: small vectors of common words.

`api-words` holds a row for each of 24,000 words and two matrices, learnt by `experiments/api_words.py` from what
WordNet says is a kind of what and from the examples in public descriptions. A word without a row says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadBundle
from sayso.neural.arrays import read_npz, shaped
from sayso.neural.bundle import load_bundle, reading
from sayso.targets.api.specs.words import stop_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

BUNDLE = Path(__file__).parents[4] / "bundles" / "api-words"
KIND, WORDS, WEIGHTS = "words", "words.txt", "weights.npz"
MOST_TOLD = 8
"""Words of a slot's description that say what it is."""


@dataclass(frozen=True)
class Lexicon:
    rows: dict[str, int]
    vectors: Array
    """(word, width), of length 1"""
    slot: Array
    """(width, kinds): a slot's words to what it takes"""
    value: Array
    """(width, kinds): a value's words to what it is"""

    def place(self, word: str) -> int:
        """The row of a word or of its singular; -1 where it has none."""
        for form in (word, word.removesuffix("'s"), word.removesuffix("es"), word.removesuffix("s")):
            if form in self.rows:
                return self.rows[form]
        return -1

    def mean(self, words: Iterable[str]) -> Array:
        """Of length 1, or zeros."""
        import numpy as np

        places = [at for at in map(self.place, words) if at >= 0]
        if not places:
            return np.zeros(self.vectors.shape[1], np.float32)
        return unit(self.vectors[places].sum(0))

    def each(self, words: Sequence[str]) -> Array:
        """A row for each word, zeros where it has none."""
        import numpy as np

        found = np.zeros((len(words), self.vectors.shape[1]), np.float32)
        for row, word in enumerate(words):
            if (at := self.place(word)) >= 0:
                found[row] = self.vectors[at]
        return found

    def as_slot(self, words: Sequence[str], told: str) -> Array:
        """What a slot takes, by its name and the first words of its description."""
        return unit(self.mean([*words, *words, *telling(told)[:MOST_TOLD]]) @ self.slot)


def unit(vector: Array) -> Array:
    import numpy as np

    length = float(np.sqrt((vector * vector).sum()))
    return vector / np.float32(length) if length else vector


def telling(text: str) -> list[str]:
    """Words in lower case that say something."""
    return [word for word in re.findall(r"[a-z]+(?:'s)?", text.casefold()) if word not in stop_words()]


def as_values(lexicon: Lexicon, texts: Sequence[Sequence[str]]) -> Array:
    """(value, kinds) of values in words, each of length 1 or zeros."""
    import numpy as np

    if not texts:
        return np.zeros((0, lexicon.value.shape[1]), np.float32)
    found = np.array([lexicon.mean(words) for words in texts]) @ lexicon.value
    length = np.sqrt((found * found).sum(1, keepdims=True))
    whole: Any = np.divide(found, length, out=np.zeros_like(found), where=length > 0)
    kinds: Array = whole
    return kinds


@cache
def lexicon() -> Lexicon:
    """What ships, read once."""
    import numpy as np

    bundle = load_bundle(BUNDLE)
    with reading(bundle, "word vectors"):
        if bundle.kind != KIND:
            raise BadBundle(f"{bundle.place(WORDS)} belongs to a bundle of kind {bundle.kind}")
        words = bundle.read(WORDS).decode("utf-8").split("\n")
        stored = read_npz(bundle.read(WEIGHTS), bundle.place(WEIGHTS))
        whole = shaped(stored.get("vectors"), bundle.place(WEIGHTS), len(words), stored["slot"].shape[0])
    vectors = whole.astype(np.float32)
    vectors /= np.sqrt((vectors * vectors).sum(1, keepdims=True))
    rows = {word: at for at, word in enumerate(words)}
    return Lexicon(rows, vectors, stored["slot"].astype(np.float32), stored["value"].astype(np.float32))
