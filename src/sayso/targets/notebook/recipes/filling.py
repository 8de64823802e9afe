"""Slots filled with what this notebook has: columns and tables by what the request says of them, by their kinds and by
the words beside them; numbers, texts and deeds as the request says them. Several ways, each with what speaks for it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sayso.targets.notebook.recipes.index import Asked
from sayso.targets.notebook.recipes.known import LABEL
from sayso.targets.notebook.recipes.order import as_usual
from sayso.targets.notebook.recipes.reading import Mention
from sayso.targets.notebook.recipes.template import Item, Slot, Template, names_needed

WAYS = 4
"""Fillings of one template that are kept."""
CHOICES = 5
"""Values of one slot that are tried."""
MOST_TABLES = 3
MOST_WORDS = 3
"""Words of a text without quotes."""
UNTYPED = 0.4
"""What a column whose kind nobody tells is worth beside one of the right kind."""


@dataclass(frozen=True)
class Value:
    """What goes into a slot. `first` to `last` are the tokens that say it, -1 where none does."""

    text: str
    worth: float
    first: int = -1
    last: int = -1
    fits: float = 1.0
    beside: float = 0.0
    sure: float = 0.0


@dataclass(frozen=True)
class Filled:
    text: str
    template: Template
    phrasing: tuple[Item, ...]
    near: float
    values: Mapping[int, Value] = field(repr=False)
    guesses: int = 0
    """Values among which nothing chose."""

    @property
    def said(self) -> list[int]:
        return [item for item in self.phrasing if isinstance(item, int)]


def fillings(template: Template, phrasing: tuple[Item, ...], near: float, asked: Asked) -> list[Filled]:
    """The best ways to fill a template, best first; none where a slot has no value at all."""
    found: list[tuple[float, dict[int, Value], int]] = []
    for tables in table_choices(template, phrasing, asked):
        held = asked.known.tables
        options: dict[int, list[Value]] = {}
        guesses = 0
        for number in sorted(template.used | set(tables)):
            slot = template.slots[number]
            if number in tables:
                continue
            if slot.type == "column":
                name = tables[slot.table].text if slot.table in tables else ""
                some = columns_for(number, slot, phrasing, asked, held.get(name, {}))
            else:
                some = others_for(number, slot, phrasing, asked)
            options[number] = some[:CHOICES]
            guesses += number not in phrasing and slot.type in ("column", "name") and len(some) > 1
        if all(options.values()):
            found += [(worth, {**tables, **values}, guesses) for worth, values in ways(options)]
    found.sort(key=lambda one: -one[0])
    made: dict[str, Filled] = {}
    for _, values, guesses in found:
        text = text_of(template, values, asked)
        if text and len(made) < WAYS:
            made.setdefault(text, Filled(text, template, phrasing, near, values, guesses))
    return list(made.values())


def text_of(template: Template, values: Mapping[int, Value], asked: Asked) -> str:
    text = as_usual(template.filled([values[at].text if at in values else "" for at in range(len(template.slots))]))
    there = {*asked.known.names, *asked.known.tables}
    lines = names_needed(template.imports.items(), there)
    return "\n".join([*lines, text]) if lines else text


def ways(options: Mapping[int, Sequence[Value]]) -> Iterator[tuple[float, dict[int, Value]]]:
    """The best assignments, no value and no word twice."""
    beam: list[tuple[float, dict[int, Value]]] = [(0.0, {})]
    for number, values in options.items():
        grown = []
        for worth, chosen in beam:
            free = (one for one in values if not any(clash(one, other) for other in chosen.values()))
            grown += [(worth + one.worth, {**chosen, number: one}) for one in free]
        grown.sort(key=lambda one: -one[0])
        beam = grown[: WAYS * 4]
    yield from beam[:WAYS]


def clash(one: Value, other: Value) -> bool:
    if one.first >= 0 and other.first >= 0 and one.first <= other.last and other.first <= one.last:
        return True
    return one.fits >= 0 and one.text == other.text and one.sure >= 0 and other.sure >= 0 and one.text.isidentifier()


def table_choices(template: Template, phrasing: Sequence[Item], asked: Asked) -> Iterator[dict[int, Value]]:
    """A table for each slot of one: those whose names or columns are spoken of, then the latest."""
    numbers = [at for at, slot in enumerate(template.slots) if slot.type == "table"]
    if not numbers:
        yield {}
        return
    tables = list(asked.known.tables)
    worth = {}
    for place, name in enumerate(tables):
        columns = {
            one.name: one.sure for one in asked.found if one.kind == "column" and one.name in asked.known.tables[name]
        }
        said = [one for one in asked.found if one.kind == "table" and one.name == name]
        worth[name] = (sum(columns.values()) + 2 * bool(said) + 0.1 * place / len(tables), said)
    best = sorted(tables, key=lambda name: -worth[name][0])[:MOST_TABLES]
    if len(best) < len(numbers):
        return
    choices = sorted(itertools.permutations(best, len(numbers)), key=lambda some: -sum(worth[name][0] for name in some))
    for some in choices[: MOST_TABLES if len(numbers) == 1 else 2]:
        yield {number: table_value(name, worth[name][1]) for number, name in zip(numbers, some, strict=True)}


def table_value(name: str, said: Sequence[Mention]) -> Value:
    if not said:
        return Value(name, 0.0, sure=-1.0)
    return Value(name, 1.0, said[0].first, said[0].last, sure=said[0].sure)


def columns_for(
    number: int, slot: Slot, phrasing: Sequence[Item], asked: Asked, held: Mapping[str, str]
) -> list[Value]:
    """Columns of the table for a slot: those spoken of, where the phrasing speaks of it too; else any of its kind."""
    is_said = number in phrasing
    found = []
    for column, kind in held.items():
        fits = fit(kind, slot.kind)
        if fits < 0 and "date" in (kind, slot.kind):
            continue  # what is done to dates is done to nothing else
        said = [one for one in asked.found if one.kind == "column" and one.name == column]
        for one in said:
            near = beside(number, phrasing, asked, one.first, one.last)
            bonus = 1.0 if is_said else 0.2
            found.append(Value(column, one.sure * (1 + bonus) + fits + near, one.first, one.last, fits, near, one.sure))
        if not said:
            found.append(Value(column, fits - (0.8 if is_said else 0.0), fits=fits, sure=0.0))
    return sorted(found, key=lambda one: -one.worth)


def fit(kind: str, wanted: str) -> float:
    if not kind or not wanted or {kind, wanted} == {LABEL, "text"}:
        return UNTYPED
    return 1.0 if kind == wanted else -1.0


def beside(number: int, phrasing: Sequence[Item], asked: Asked, first: int, last: int) -> float:
    """How alike the words beside a slot and beside tokens are: 0 to 1."""
    if number not in phrasing:
        return 0.0
    at = list(phrasing).index(number)
    left = [str(item) for item in phrasing[max(0, at - 2) : at] if isinstance(item, str)]
    right = [str(item) for item in phrasing[at + 1 : at + 2] if isinstance(item, str)]
    own_left = [token.stem for token in asked.tokens[max(0, first - 2) : first]]
    own_right = [token.stem for token in asked.tokens[last + 1 : last + 2]]
    score = 0.35 * bool(left and own_left and left[-1] == own_left[-1])
    score += 0.25 * bool(set(left) & set(own_left))
    score += 0.25 * bool(right and own_right and right == own_right)
    score += 0.15 * (at == 0 and first == 0) + 0.15 * (at == len(phrasing) - 1 and last == len(asked.tokens) - 1)
    return score


def others_for(number: int, slot: Slot, phrasing: Sequence[Item], asked: Asked) -> list[Value]:
    if slot.type == "deed":
        return deeds_for(slot, asked)
    if slot.type == "own":
        return [Value(fresh(slot.default, asked), 0.0, sure=-1.0)]
    if slot.type == "name":
        return names_for(number, slot, phrasing, asked)
    kinds = {"text": ("text", "file"), "new": ("text",)}.get(slot.type, (slot.type,))
    found = []
    for at, token in enumerate(asked.tokens):
        if token.kind in kinds:
            near = beside(number, phrasing, asked, at, at)
            found.append(Value(token.value, 2.0 + near, at, at, beside=near, sure=1.0))
    if slot.type in ("text", "new"):
        found += words_for(number, slot, phrasing, asked)
    return sorted(found, key=lambda one: -one.worth)


def fresh(name: str, asked: Asked) -> str:
    """A name that the cell gives, another one where something lives under it."""
    there = {*asked.known.names, *asked.known.tables}
    others = (f"{name}_{n}" for n in itertools.count(2))
    return next(one for one in itertools.chain([name], others) if one not in there)


def deeds_for(slot: Slot, asked: Asked) -> list[Value]:
    """What the words of the request call for, and what the template does."""
    called = asked.deeds.get(slot.kind, {})
    top = max(called.values(), default=0.0)
    found = [Value(slot.default, 0.5 * called.get(slot.default, 0.0), sure=-1.0, fits=agreement(slot.default, called))]
    for deed, much in called.items():
        if deed != slot.default and much == top:
            found.append(Value(deed, 0.5 * much - 0.3, sure=-1.0, fits=agreement(deed, called)))
    return sorted(found, key=lambda one: -one.worth)


def agreement(deed: str, called: Mapping[str, float]) -> float:
    """Between -1, where the request calls for another deed, and 1."""
    if not called:
        return 0.0
    top = max(called.values())
    return 1.0 if called.get(deed, 0.0) >= top else -1.0


def names_for(number: int, slot: Slot, phrasing: Sequence[Item], asked: Asked) -> list[Value]:
    """Other names that live: of the same type, those spoken of and the latest first."""
    found = []
    names = [name for name, kind in asked.known.names.items() if kind != "module"]
    for place, name in enumerate(names):
        kind = asked.known.names[name]
        fits = 1.0 if kind == slot.kind else UNTYPED if kind == "?" else -1.0
        if fits < 0:
            continue
        said = [one for one in asked.found if one.kind == "name" and one.name == name]
        if said:
            near = beside(number, phrasing, asked, said[0].first, said[0].last)
            found.append(Value(name, 2.0 + fits + near, said[0].first, said[0].last, fits, near, 1.0))
        else:
            found.append(Value(name, fits + 0.3 * (place + 1) / len(names), fits=fits))
    return sorted(found, key=lambda one: -one.worth)


def words_for(number: int, slot: Slot, phrasing: Sequence[Item], asked: Asked) -> Iterator[Value]:
    """Words without quotes that may be a value: what stands where the phrasing has it, capitals, words nobody knows."""
    for first in range(len(asked.tokens)):
        for last in range(first, min(first + MOST_WORDS, len(asked.tokens))):
            tokens = asked.tokens[first : last + 1]
            if any(token.kind != "word" or asked.strong.get(first + at) for at, token in enumerate(tokens)):
                break
            near = beside(number, phrasing, asked, first, last)
            capitals = sum(token.text[:1].isupper() for token in tokens) / len(tokens)
            if not near and not capitals:
                continue
            worth = near + 0.6 * (capitals if first else capitals / 3) - 0.25 * (last - first)
            text = " ".join(token.text for token in tokens)
            text = text.replace(" ", "_").lower() if slot.type == "new" else text
            yield Value(text, worth, first, last, beside=near, sure=0.5)


def inversions(filled: Filled) -> int:
    """Said slots that the request says in another order."""
    places = [filled.values[number].first for number in filled.said if number in filled.values]
    places = [at for at in places if at >= 0]
    return sum(one > other for one, other in itertools.pairwise(places))
