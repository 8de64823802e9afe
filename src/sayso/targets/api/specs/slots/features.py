"""What speaks for a value in a slot, by name, and a value with what speaks for it. Weights are learnt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sayso.targets.api.specs.slots.views import View

if TYPE_CHECKING:
    pass


FEATURES = (
    *(
        "bias",
        "required",
        "name-before",
        "name-after",
        "told-near",
        "cue",
    ),
    *(
        "pattern",
        "format",
        "enum",
        "gloss",
        "said-flag",
        "told-flag",
    ),
    *(
        "number",
        "quoted",
        "name",
        "id",
        "words",
        "tail",
    ),
    *(
        "like-example",
        "bound",
        "against-bound",
        "unit",
        "new-words",
        "ends-well",
    ),
    *(
        "starts-well",
        "length",
        "id-for-id",
        "wrong-kind",
        "named-for-named",
        "has-default",
    ),
    *(
        "other-name",
        "negated",
        "around",
        "long-for-long",
        "own-word",
        "list",
    ),
    *(
        "place",
        "verbatim-name",
        "names-other",
        "inner-stop",
        "capital",
        "bare",
    ),
    *(
        "bare-optional",
        "counts",
        "counts-other",
        "verbish",
        "extended",
    ),
    "deep",
    *("kind-fit", "kind-lead", "kind-unknown", "near-before", "near-after", "near-unit", "near-choice", "near-flag"),
    *("order-alike", "order-unlike", "duration", "expression", "part"),
    *("kind-high", "kind-low", "kind-best", "plain-for-id", "plain-for-path", "id-for-path", "ordinal", "modifies"),
    *("after-small", "opens", "numbered", "other-quoted", "counted-thing"),
    *("context", "meant", "coming", "coming-unhinted", "past-for-coming", "as-said", "hundredth"),
    *("heard", "unheard", "alone", "unsaid"),
)
PLACE = {name: at for at, name in enumerate(FEATURES)}


@dataclass(frozen=True)
class Option:
    slot: int
    value: Any
    cover: frozenset[int]
    """Tokens that it uses up."""
    share: str
    """Two options over the same tokens may stand together where this differs and is not "": low and high of a date."""
    features: tuple[tuple[int, float], ...]
    first: int
    """The first of these tokens; -1 where it has none."""

    def dot(self, weights: Sequence[float]) -> float:
        return sum(weights[at] * value for at, value in self.features)


def made(view: View, value: Any, cover: Sequence[int] | range, share: str, features: dict[str, float]) -> Option:
    features["bias"] = 1.0
    if view.slot.is_needed:
        features["required"] = 1.0
    if view.slot.default is not None:
        features["has-default"] = 1.0
    if depth := view.slot.path.count(".") - 1:
        features["deep"] = float(max(0, depth))
    rows = tuple((PLACE[name], value) for name, value in features.items() if value)
    return Option(view.at, value, frozenset(cover), share, rows, min(cover, default=-1))
