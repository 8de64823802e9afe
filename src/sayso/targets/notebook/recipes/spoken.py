"""Whether a cell, whoever made it, speaks of what the request speaks of: columns, numbers, texts, deeds, words."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sayso.targets.notebook.recipes import order
from sayso.targets.notebook.recipes.index import STOP, Asked
from sayso.targets.notebook.recipes.learnt import Learnt, explained
from sayso.targets.notebook.recipes.reading import STRONG
from sayso.targets.notebook.recipes.template import CODE_WORD

SPOKEN = (
    "words_explained", "code_explained", "unused_columns", "unused_numbers", "unused_texts", "deeds", "other_deeds",
    "log_words",
)  # fmt: skip
DIGITS = 4.0
"""Words of a cell that count for one in the last column."""


def spoken_columns(text: str, asked: Asked, learnt: Learnt, known_words: Collection[str]) -> list[float]:
    """A number for each of SPOKEN."""
    words = CODE_WORD.findall(text)
    whole = order.in_full(text)
    code = {word for word in words if word not in asked.kinds and word not in asked.known.tables}
    stems = [stem for stem in asked.stems if stem not in STOP and stem in known_words]
    called = asked.deeds
    return [
        explained(stems, code, learnt.words),
        explained(sorted(one for one in code if one in learnt.words), [one.stem for one in asked.tokens], learnt.codes),
        unused_columns(text, asked),
        float(sum(token.kind == "number" and not has_number(text, token.value) for token in asked.tokens)),
        float(sum(token.kind in ("text", "file") and token.value not in text for token in asked.tokens)),
        float(sum(does(top_of(deeds), family, code, whole) for family, deeds in called.items())),
        float(sum(not any(does(deed, family, code, whole) for deed in deeds) for family, deeds in called.items())),
        len(words) / DIGITS / 10,
    ]


def does(deed: str, family: str, code: Collection[str], whole: str) -> bool:
    return order.goes(whole, deed) if family == order.FAMILY else deed in code


def top_of(deeds: Mapping[str, float]) -> str:
    return max(deeds, key=lambda one: deeds[one])


def unused_columns(text: str, asked: Asked) -> float:
    """Places of the request that speak of a column of which the cell has none."""
    there: dict[tuple[int, int], bool] = {}
    for one in asked.found:
        if one.kind == "column" and one.sure >= STRONG:
            key = (one.first, one.last)
            there[key] = there.get(key, False) or one.name in text
    return float(sum(not is_there for is_there in there.values()))


def has_number(text: str, value: str) -> bool:
    return value in text or f"{float(value) / 100:g}" in text
