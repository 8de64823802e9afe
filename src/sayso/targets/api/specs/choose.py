"""Which operation a request asks for: tf-idf over what is written of each, the deed asked for, what can be filled.

The index is a handful of arrays, so that a description with ten thousand operations answers as quickly as one with ten.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from sayso.english.stems import stem
from sayso.targets.api.specs.deeds import deed_of
from sayso.targets.api.specs.fill import Filled
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.said.spans import Said
from sayso.targets.api.specs.slots.likeness import lexicon, telling
from sayso.targets.api.specs.slots.meaning import nearness, remember, request_vector, vectors_of, written_of
from sayso.targets.api.specs.words import data, deed_words, meanings, name_words, said_alike, stems_of, stop_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sayso.targets.api.specs.slots.likeness import Array

FIELDS = ("all", "name", "summary", "tags")
LATER = ("fill", "missing", "unused", "asked-for", "name-said", "slots-said", "taken", "meaning", "asks")
"""What is known of an operation once it is filled."""
CHOICE = (*FIELDS, "covered", "named", "deed", "against-deed", "plural", *LATER)
MOST_SPELLED = 4000
"""Words of a description among which one is looked for that was misspelt."""
ALIKE = 0.55
"""What a word that says the same counts."""


def fields_of(operation: Operation) -> dict[str, list[str]]:
    """Stems of an operation by where they stand."""
    path = re.sub(r"\{[^{}]*\}", " ", operation.path)
    names = [one for word in name_words(operation.id) if word not in stop_words() for one in (stem(word),)] + list(
        stems_of(path)
    )
    summary = list(stems_of(operation.summary or operation.text[:160]))
    tags = [one for tag in operation.tags for one in stems_of(tag)]
    slots = [
        one
        for slot in operation.slots
        for one in (
            *map(stem, name_words(slot.name)),
            *stems_of(slot.text[:200]),
            *(w for e in slot.enum[:40] for w in stems_of(str(e))),
        )
    ]
    returns = list(dict.fromkeys(stems_of(operation.returns)))
    every = names * 3 + summary * 3 + tags + list(stems_of(operation.text)) + slots + returns
    return {"all": every, "name": names, "summary": summary, "tags": tags}


@dataclass
class Index:
    """Sparse rows by field: starts, columns, values, each row of length 1."""

    vocabulary: dict[str, int]
    idf: NDArray[np.float64]
    starts: dict[str, NDArray[np.int64]]
    columns: dict[str, NDArray[np.int32]]
    values: dict[str, NDArray[np.float32]]
    deeds: list[str]
    meanings: Array | None = None
    """(operation, width) of the sentence encoder; None where they are made when an operation is tried."""

    _deeds: dict[str, NDArray[np.bool_]] = field(default_factory=dict)

    def of_deed(self, kind: str) -> NDArray[np.bool_]:
        import numpy as np

        if kind not in self._deeds:
            self._deeds[kind] = np.array([one == kind for one in self.deeds], bool)
        return self._deeds[kind]

    def nearest(self, word: str) -> str:
        """A word of the description that a slip of the pen made this one of; "" where none is near enough."""
        if len(word) < 5 or word in meanings() or len(self.vocabulary) > MOST_SPELLED:
            return ""
        from difflib import get_close_matches

        near = get_close_matches(word, (one for one in self.vocabulary if one[0] == word[0]), n=1, cutoff=0.83)
        return near[0] if near else ""

    @property
    def size(self) -> int:
        return len(self.deeds)

    def cosines(self, query: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        import numpy as np

        products = self.values[name] * query[self.columns[name]]
        sums = np.concatenate(([0.0], np.cumsum(products)))
        found: NDArray[np.float64] = sums[self.starts[name][1:]] - sums[self.starts[name][:-1]]
        return found


def built(operations: Sequence[Operation]) -> Index:
    import numpy as np

    rows = [fields_of(one) for one in operations]
    vocabulary: dict[str, int] = {}
    seen: Counter[int] = Counter()
    for row in rows:
        for one in set(row["all"]):
            at = vocabulary.setdefault(one, len(vocabulary))
            seen[at] += 1
    n = len(rows)
    idf = (
        np.array([math.log((1 + n) / (1 + seen[at])) + 0.3 for at in range(len(vocabulary))])
        if vocabulary
        else np.zeros(0)
    )
    starts, columns, values = {}, {}, {}
    for name in FIELDS:
        begin, cols, vals = [0], [], []
        for row in rows:
            counts = Counter(vocabulary[one] for one in row[name])
            weights = {at: (1 + math.log(much)) * idf[at] for at, much in counts.items()}
            length = math.sqrt(sum(value * value for value in weights.values())) or 1.0
            cols += list(weights)
            vals += [value / length for value in weights.values()]
            begin.append(len(cols))
        starts[name], columns[name] = np.array(begin, np.int64), np.array(cols, np.int32)
        values[name] = np.array(vals, np.float32)
    deeds = [deed_of(one) for one in operations]
    return Index(vocabulary, idf, starts, columns, values, deeds, vectors_of(operations))


def asked_deeds(said: Said) -> dict[str, float]:
    """Which deeds a request asks for: its first words most, as they stand (`filed` asks nobody to file)."""
    found: dict[str, float] = {}
    words = [token.low for token in said.tokens if token.kind != "mark"]
    opening = 0
    while opening < len(words) and words[opening] in OPENERS:
        opening += 1
    for at, word in enumerate(words):
        weight = 1.0 if at <= opening else 0.4
        for kind, verbs in deed_words().items():
            if word in verbs and (kind != "read" or at <= opening):
                found[kind] = max(found.get(kind, 0.0), weight)
    if words and not words[0].isalpha() and STATED & set(words[1:6]):
        found["update"] = max(found.get("update", 0.0), 0.7)
    elif not any(weight == 1.0 for weight in found.values()):
        found["read"] = max(found.get("read", 0.0), 0.7)
    return found


STATED = frozenset(data()["spans"]["stated"].split())
OPENERS = frozenset(data()["spans"]["openers"].split())


def query_of(index: Index, said: Said) -> tuple[NDArray[np.float64], float]:
    """The request as a row of length 1, and the share of its words that the description knows."""
    import numpy as np

    query = np.zeros(len(index.vocabulary))
    stems = [one for token in said.tokens if token.kind == "word" for one in stems_of(token.text)]
    known = total = 0.0
    top = float(index.idf.max()) if len(index.idf) else 1.0
    for one in stems:
        at = index.vocabulary.get(one)
        if at is None and (meant := index.nearest(one)):
            one, at = meant, index.vocabulary[meant]
        best = 1.0 if at is not None else 0.0
        if at is not None:
            query[at] = max(query[at], index.idf[at])
        for other in said_alike(one):
            there = index.vocabulary.get(other)
            if there is not None and other != one:
                query[there] = max(query[there], ALIKE * index.idf[there])
                best = max(best, ALIKE)
        weight = index.idf[at] if at is not None else top
        total += weight
        known += best * weight
    length = float(np.sqrt(query @ query)) or 1.0
    return query / length, known / total if total else 0.0


def features_of(index: Index, said: Said) -> tuple[NDArray[np.float64], float]:
    """(operation, feature) without what filling says, and how much of the request is known at all."""
    import numpy as np

    query, known = query_of(index, said)
    rows = np.zeros((index.size, len(CHOICE)))
    for at, name in enumerate(FIELDS):
        rows[:, at] = index.cosines(query, name)
    present = (query > 0).astype(float)
    mass = query * query
    for at, (name, what) in enumerate((("all", "covered"), ("name", "named")), len(FIELDS)):
        if what == "covered":
            hit = mass[index.columns[name]]
            sums = np.concatenate(([0.0], np.cumsum(hit)))
            rows[:, at] = sums[index.starts[name][1:]] - sums[index.starts[name][:-1]]
        else:
            weight = index.values[name].astype(float) ** 2
            sums = np.concatenate(([0.0], np.cumsum(weight * present[index.columns[name]])))
            rows[:, at] = sums[index.starts[name][1:]] - sums[index.starts[name][:-1]]
    asked = asked_deeds(said)
    strongest = max(asked.values(), default=0.0)
    for kind in ("read", "create", "update", "delete"):
        there = index.of_deed(kind)
        rows[there, CHOICE.index("deed")] = asked.get(kind, 0.0)
        if strongest and not asked.get(kind):
            rows[there, CHOICE.index("against-deed")] = strongest
    return rows, known


@lru_cache(maxsize=512)
def word_rows(operation: Operation) -> tuple[Array, Array, Array]:
    """Vectors of the words of its name, of what is written of it, and of the names of its slots."""
    path = re.sub(r"\{[^{}]*\}", " ", operation.path)
    stop = stop_words()
    name = [word for word in (*name_words(operation.id), *name_words(path)) if word not in stop]
    told = telling(f"{operation.summary} {operation.text[:200]} {' '.join(operation.tags)}")
    slots = [word for slot in operation.slots for word in name_words(slot.name) if word not in stop]
    found = [lexicon().each(sorted(set(words)) or [""]) for words in (name, [*name, *told], slots)]
    return found[0], found[1], found[2]


def nearness_of(index: Index, said: Said) -> NDArray[np.float64]:
    """The cosine of the request and each operation, zeros where they are made when an operation is tried."""
    import numpy as np

    asked = request_vector(said.text) if index.meanings is not None else None
    found: NDArray[np.float64] = np.zeros(index.size)
    if asked is not None and index.meanings is not None:
        found += index.meanings @ asked
    return found


def know_again(index: Index, operations: Sequence[Operation], order: Sequence[int]) -> None:
    """What is written of operations that are tried was read when the index was made."""
    if index.meanings is not None:
        remember([written_of(operations[at]) for at in order], [index.meanings[at] for at in order])


def meant(index: Index, said: Said, operation: Operation, at: int) -> float:
    """The cosine of the request and the operation at a place of the index."""
    if index.meanings is None:
        return nearness(said.text, operation)
    asked = request_vector(said.text)
    return 0.0 if asked is None else float(index.meanings[at] @ asked)


def after_filling(said: Said, operation: Operation, filled: Filled, meaning: float) -> dict[str, float]:
    """How near the words that no slot took are to the operation's, and its name's words to those of the request."""
    used = {at for one in filled.chosen for at in one.cover}
    rows = said.vectors
    left = [at for at in range(len(rows)) if at not in used and rows[at].any()]
    every = [at for at in range(len(rows)) if rows[at].any()]
    name, told, slots = word_rows(operation)
    taken = len([at for at in used if said.tokens[at].low not in stop_words()])
    whole = len([token for token in said.tokens if token.kind != "mark" and token.low not in stop_words()])
    return {
        "fill": filled.score,
        "missing": float(len(filled.missing)),
        "unused": float(len(filled.unused)),
        "asked-for": float((rows[left] @ told.T).max(1).mean()) if left else 0.3,
        "name-said": float((name @ rows[every].T).max(1).mean()) if every else 0.0,
        "slots-said": float((rows[left] @ slots.T).max(1).mean()) if left else 0.3,
        "taken": taken / max(1, whole),
        "meaning": meaning,
        "asks": filled.asks,
    }


def first_scores(rows: NDArray[np.float64], weights: Mapping[str, float]) -> NDArray[np.float64]:
    import numpy as np

    found: NDArray[np.float64] = rows @ np.array([weights.get(name, 0.0) for name in CHOICE])
    return found
