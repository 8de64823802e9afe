"""What a slot says of itself, in stems: its name, its description, what people call its values, what it bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from sayso.english.stems import stem
from sayso.targets.api.specs.calls import RISKY
from sayso.targets.api.specs.model import Operation, Slot
from sayso.targets.api.specs.slots.likeness import lexicon
from sayso.targets.api.specs.words import bounds, data, name_words, said_alike, stems_of, stop_words, units

if TYPE_CHECKING:
    from sayso.targets.api.specs.slots.likeness import Array

TICKED = re.compile(r"`([^`]{1,40})`|['‘\"]([^'’\"]{1,40})['’\"]")
CLAUSE = re.compile(r"[;.](?:\s|$)|,(?![^(]*\))|:\s")
MOST_PHRASES = 400
FORMATS = {
    **{"YYYY-MM-DD": "%Y-%m-%d", "MM/DD/YYYY": "%m/%d/%Y", "DD/MM/YYYY": "%d/%m/%Y", "DD-MM-YYYY": "%d-%m-%Y"},
    **{"MM-DD-YYYY": "%m-%d-%Y", "YYYY/MM/DD": "%Y/%m/%d", "DD.MM.YYYY": "%d.%m.%Y", "YYYYMMDD": "%Y%m%d"},
}


@cache
def listed(name: str) -> frozenset[str]:
    return frozenset(data()["names"][name].split())


@dataclass(frozen=True)
class View:
    slot: Slot
    at: int

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Of the name, with those of the objects that it stands in."""
        own = name_words(self.slot.name)
        return own

    @cached_property
    def name(self) -> frozenset[str]:
        """Stems of the name; of one that says nothing by itself (`id`), all of it."""
        telling = [word for word in self.words if word not in listed("empty")]
        return frozenset(map(stem, telling or self.words))

    @cached_property
    def around(self) -> frozenset[str]:
        """Stems of the objects that it stands in: customer, of body.customer.name."""
        parts = self.slot.path.removesuffix(self.slot.name).replace("body", "").replace("[]", "")
        return frozenset(stems_of(parts))

    @cached_property
    def told(self) -> frozenset[str]:
        return frozenset(stems_of(self.slot.text)) - self.name

    @cached_property
    def alike(self) -> frozenset[str]:
        """What may be said for the name."""
        return frozenset(other for one in self.name for other in said_alike(one)) - self.name

    @cached_property
    def takes(self) -> Array:
        """What kind of thing it is."""
        return lexicon().as_slot([word for word in self.words if word not in stop_words()], self.slot.text)

    @cached_property
    def name_vectors(self) -> Array:
        """(word of the name, width)"""
        telling = [word for word in self.words if word not in listed("empty")]
        return lexicon().each(telling or self.words or ("",))

    @cached_property
    def choice_vectors(self) -> Array:
        """(choice, width)"""
        import numpy as np

        return np.array([lexicon().mean(name_words(str(one))) for one in self.slot.enum])

    @cached_property
    def is_worded(self) -> bool:
        """Whether it takes free text."""
        return self.slot.kind == "string" and not (self.slot.enum or self.is_date or self.slot.format)

    @cached_property
    def denied(self) -> frozenset[str]:
        """Of unseen, see: said with a "not", it is true."""
        return frozenset(stem(word[2:]) for word in self.words if word.startswith("un") and len(word) > 4)

    @cached_property
    def codes(self) -> str:
        """The table of codes that the value is one of: languages, countries or currencies."""
        text, name = self.slot.text.casefold(), set(self.words)
        if self.slot.kind != "string" or self.slot.enum:
            return ""
        if "639" in text or ("language" in name and re.search(r"\bcodes?\b|\{2\}", text + self.slot.pattern)):
            return "languages"
        if "3166" in text or ("country" in name and re.search(r"\bcodes?\b|\{2\}", text + self.slot.pattern)):
            return "countries"
        return (
            "currencies"
            if "4217" in text or ("currency" in name and re.search(r"\bcodes?\b|[A-Z]{3}\b", self.slot.text))
            else ""
        )

    @cached_property
    def side(self) -> str:
        low, high = bounds()
        words = self.words
        if any(word in high for word in words):
            return "high"
        if any(word in low for word in words):
            return "low"
        return ""

    @cached_property
    def includes(self) -> bool:
        """An upper bound that is itself still meant."""
        return "before" not in self.words and "exclusive" not in self.slot.text

    @cached_property
    def unit(self) -> str:
        for word in (*self.words, *re.findall(r"[a-z]+", self.slot.text.casefold())):
            if word.rstrip("s") in units():
                return str(word.rstrip("s"))
        return ""

    @cached_property
    def is_date(self) -> bool:
        if self.slot.format in ("date", "date-time"):
            return True
        if self.slot.kind != "string" or self.slot.enum:
            return False
        return "date" in self.words or bool(re.search(r"YYYY|\bISO.?8601", self.slot.text))

    @cached_property
    def is_moment(self) -> bool:
        """A day and a time of day."""
        return self.slot.format == "date-time" or ("time" in self.words and not self.date_shape)

    @cached_property
    def date_shape(self) -> str:
        return next((shape for said, shape in FORMATS.items() if said.casefold() in self.slot.text.casefold()), "")

    @cached_property
    def is_id(self) -> bool:
        return bool(set(self.words[-1:]) & listed("ids"))

    @cached_property
    def is_long(self) -> bool:
        return bool(set(self.words) & listed("long"))

    @cached_property
    def is_named(self) -> bool:
        return bool(set(self.words) & listed("people")) or bool(set(self.around) & set(map(stem, listed("people"))))

    @cached_property
    def negative(self) -> bool:
        return bool(set(self.words) & listed("negative"))

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """Only one that says something: not `.*`."""
        text = self.slot.pattern
        if not text or RISKY.search(text) or len(text) < 4:
            return None
        try:
            found = re.compile(text)
        except (re.error, RecursionError, OverflowError):
            return None
        return None if found.search("a b, C") else found

    @cached_property
    def is_telling(self) -> bool:
        """Whether the form alone tells such a value from a word of a sentence."""
        return self.pattern is not None and not any(
            self.pattern.fullmatch(word) for word in ("table", "Table", "urgent")
        )

    @cached_property
    def phrases(self) -> dict[tuple[str, ...], tuple[Any, float]]:
        """Stems that people say -> the value that they mean and how plainly; of an enum, or of values in back ticks."""
        found: dict[tuple[str, ...], tuple[Any, float]] = {}
        values = list(self.slot.enum)
        if not values and self.slot.kind == "string" and not self.is_date:
            values = [
                one for one in ticked(self.slot.text) if re.fullmatch(r"[\w/ -]{2,24}", one) and one not in self.words
            ]
        doubtful: set[tuple[str, ...]] = set()
        for value, stems, plain in sorted(self._said(values), key=lambda one: -one[2]):
            if not stems or len(found) > MOST_PHRASES:
                continue
            before = found.get(stems)
            if before is None:
                found[stems] = (value, plain)
            elif before[0] != value and before[1] <= plain:
                doubtful.add(stems)
        return {stems: one for stems, one in found.items() if stems not in doubtful}

    def _said(self, values: list[Any]) -> Iterator[tuple[Any, tuple[str, ...], float]]:
        for value in values:
            if isinstance(value, bool) or (isinstance(value, int | float) and not isinstance(value, bool)):
                continue
            words = list(name_words(str(value))) or [str(value).casefold()]
            yield value, tuple(map(stem, words)), 1.0
            if len(words) > 1:
                yield value, (stem("".join(words)),), 0.95
            for word in data()["values"].get(str(value).casefold(), "").split():
                yield value, (stem(word),), 0.75
            if len(words) == 1:
                for other in said_alike(stem(words[0])):
                    yield value, (other,), 0.55
        for line in data()["codes"].get(self.codes, "").split(";") if self.codes else ():
            code, _, names = line.strip().partition(" ")
            for phrase in names.split(","):
                yield code, tuple(stem(word) for word in phrase.casefold().split()), 0.95
        for value, text in glosses_of(self.slot.text, values):
            for at, word in enumerate(text):
                if word not in stop_words() and len(word) > 2 and "not" not in text[max(0, at - 1) : at]:
                    yield value, (stem(word),), 0.7


def ticked(text: str) -> list[str]:
    """Values that a description gives as examples."""
    found = re.findall(r"`([^`]{1,40})`|\"([^\"]{1,40})\"|(?<!\w)'([^']{1,40})'(?!\w)", text)
    return list(dict.fromkeys(one for group in found for one in group if one))


def glosses_of(text: str, values: list[Any]) -> Iterator[tuple[Any, list[str]]]:
    """`done` is finished (resolved, closed); the score counts as `music` -> each value with the words of its clause."""
    known = {str(value).casefold(): value for value in values}
    for clause in CLAUSE.split(text):
        marks = [
            (one, known[(one[1] or one[2] or "").casefold()])
            for one in TICKED.finditer(clause)
            if (one[1] or one[2] or "").casefold() in known
        ]
        if not marks:
            bare = [(word, known[word]) for word in map(str.casefold, re.findall(r"[\w-]+", clause)) if word in known]
            if len({repr(value) for _, value in bare}) == 1 and len(clause.split()) < 12:
                yield bare[0][1], [w for w in re.findall(r"[a-z'-]+", clause.casefold()) if w not in known]
            continue
        for at, (mark, value) in enumerate(marks):
            start = marks[at - 1][0].end() if at else 0
            end = marks[at + 1][0].start() if at + 1 < len(marks) else len(clause)
            behind = clause[mark.end() : end]
            before = clause[start : mark.start()] if at == 0 else ""
            yield value, re.findall(r"[a-z'-]+", f"{before} {behind}".casefold())


@lru_cache(maxsize=512)
def views_of(operation: Operation) -> tuple[View, ...]:
    return tuple(View(slot, at) for at, slot in enumerate(operation.slots))


@lru_cache(maxsize=512)
def own_words(operation: Operation) -> frozenset[str]:
    """Stems that speak of the operation rather than of a value."""
    path = re.sub(r"\{[^{}]*\}", " ", operation.path)
    texts = (operation.id, path, operation.summary, operation.text, " ".join(operation.tags))
    return frozenset(one for text in texts for one in stems_of(text))
