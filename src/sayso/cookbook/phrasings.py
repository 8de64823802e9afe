"""A request and the known ways to ask, in the form in which they are compared: stems, slots, and words beside slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sayso.cookbook.entry import Recipe, pieces
from sayso.cookbook.fitting import ACRONYMS, fit
from sayso.cookbook.retrieval import Key
from sayso.english.lexicon import Lexicon, Term
from sayso.english.singular import asks_for_one

ARTICLES = frozenset(("the", "a", "an", "my", "this", "that", "everi", "each", "all", "any", "some", "its", "their"))
THROUGH = ARTICLES | {"file", "directori", "name", "word", "string", "text"}
"""Words that may stand between a slot's neighbour and its value: "in the folder X" is "in X"."""


@dataclass(frozen=True)
class Beside:
    """The stems around a term: right before it; the last two of the four before that are not THROUGH; right after."""

    close: str
    previous: str
    further: str
    following: str


@dataclass(frozen=True)
class Terms:
    """A request as it is compared: its terms, and the keys that they are looked up by."""

    text: str
    terms: Sequence[Term]
    keys: Sequence[Key]
    _fitting: dict[str, list[tuple[int, float, str]]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def stems(self) -> list[str]:
        return [term.stem for term in self.terms]

    @cached_property
    def beside(self) -> list[Beside]:
        return [self._beside(number) for number in range(len(self.stems))]

    def _beside(self, number: int) -> Beside:
        near = [stem for stem in self.stems[max(0, number - 4) : number] if stem not in THROUGH]
        close = self.stems[number - 1] if number else ""
        previous, further = near[-1] if near else "", near[-2] if len(near) > 1 else ""
        return Beside(close, previous, further, self.stem_after(number))

    def fitting(self, kind: str, lexicon: Lexicon) -> list[tuple[int, float, str]]:
        """Which terms fit a type of slot, how well, and with what value; recipes have few types, and many slots."""
        if kind not in self._fitting:
            fits = (
                (number, fit(kind, term, self.stem_after(number), lexicon, self.word_before(number)))
                for number, term in enumerate(self.terms)
            )
            self._fitting[kind] = [(number, *found) for number, found in fits if found is not None]
        return self._fitting[kind]

    @cached_property
    def shouts(self) -> bool:
        return self.text.isupper()

    @cached_property
    def one(self) -> bool:
        return asks_for_one(self.text)

    def stem_after(self, number: int) -> str:
        return self.stems[number + 1] if number + 1 < len(self.stems) else ""

    def word_before(self, number: int) -> str:
        return self.terms[number - 1].text.lower() if number else ""

    def in_capitals(self, number: int) -> bool:
        """A word in capitals that is no usual abbreviation: ERROR, START."""
        text = self.terms[number].text
        return len(text) > 1 and text.isalpha() and text.isupper() and text not in ACRONYMS and not self.shouts


@dataclass(frozen=True)
class Context:
    """Words right before a slot, one further before, and right after it, with how much each tells (0 to 1)."""

    before: Mapping[str, float]
    far: Mapping[str, float]
    after: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Phrasing:
    """One way to ask: stems and slots in order (a slot is its name in braces), and the number of its recipe.

    There are tens of thousands and a request looks at some dozens, so none keeps more than it must.
    """

    recipe: int
    text: str
    items: tuple[str, ...]

    @property
    def slots(self) -> tuple[str, ...]:
        return tuple(item[1:-1] for item in self.items if item[0] == "{")

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(item for item in self.items if item[0] != "{")


def read_items(say: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The stems and slots of a phrasing: "find {ext} files" -> find {ext} file"""
    items: list[str] = []
    for piece, is_slot in pieces(say):
        items += ["{" + piece + "}"] if is_slot else lexicon.words(piece)
    return tuple(items)


def contexts_of(recipe: Recipe, phrasings: Sequence[Phrasing]) -> dict[str, Context]:
    """A word before two slots of one type ("than") tells half as much as a word before one of them ("larger")."""
    sides: list[dict[str, set[str]]] = [{name: set() for name in recipe.slots} for _ in range(3)]
    for phrasing in phrasings:
        items = phrasing.items
        for at, item in enumerate(items):
            for side, place in zip(sides, (at - 1, at - 2, at + 1), strict=True):
                if item[0] == "{" and 0 <= place < len(items) and items[place][0] != "{":
                    side[item[1:-1]].add(items[place])

    def telling(side: Mapping[str, set[str]], name: str) -> dict[str, float]:
        rivals = [side[other] for other, slot in recipe.slots.items() if slot.type == recipe.slots[name].type]
        return {word: 1.0 / sum(word in rival for rival in rivals) for word in side[name] - ARTICLES}

    return {name: Context(*(telling(side, name) for side in sides)) for name in recipe.slots}
