"""Known phrasings and the nearest of them to a request: the cookbook's index, with the kinds of what is spoken of as
words beside the words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sayso.cookbook.retrieval import Index, Key
from sayso.english.lexicon import Lexicon, Term
from sayso.targets.notebook.recipes.known import Known
from sayso.targets.notebook.recipes.learnt import Learnt
from sayso.targets.notebook.recipes.reading import EXACT, STRONG, Mention, Token, covered, mentions, tokens_of
from sayso.targets.notebook.recipes.template import Item, Template

STOP = frozenset(("the", "a", "an", "please", "me", "i", "can", "you"))
LIGHT = frozenset(("of", "in", "to", "is", "it", "and", "for", "with", "on", "are", "that", "this"))
DATE = "date"
BY_KIND = 0.7
"""How sure a mention is that only the kind of a column makes: its word still counts as a word."""
OFTEN = 3
"""Settings in which a form stands that is always tried."""


@dataclass(frozen=True)
class Asked:
    """A request as it is compared: its tokens, what they may speak of, the deeds that its words call for."""

    tokens: Sequence[Token]
    known: Known
    found: Sequence[Mention]
    deeds: Mapping[str, Mapping[str, float]]

    @cached_property
    def strong(self) -> dict[int, Mention]:
        """Token -> the surest mention of a column, table or name that it belongs to."""
        best: dict[int, Mention] = {}
        for one in sorted(self.found, key=lambda one: (-one.sure, one.first - one.last, one.kind == "name")):
            if one.sure >= STRONG and not any(at in best for at in range(one.first, one.last + 1)):
                best |= dict.fromkeys(range(one.first, one.last + 1), one)
        return best

    @cached_property
    def stems(self) -> list[str]:
        """Words that speak of nothing in the notebook."""
        return [token.stem for at, token in enumerate(self.tokens) if token.kind == "word" and at not in self.strong]

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        return {column: kind for held in self.known.tables.values() for column, kind in held.items()}


def read(request: str, known: Known, learnt: Learnt) -> Asked:
    tokens = tokens_of(request)[:60]
    found = not_of_tables(mentions(tokens, known))
    found = [*found, *date_mentions(tokens, found, known, learnt)]
    return Asked(tokens, known, found, learnt.called_for(token.stem for token in tokens if token.kind == "word"))


def not_of_tables(found: Sequence[Mention]) -> list[Mention]:
    """Without those of columns where the same word is a table's whole name: orders are no order_id."""
    tables = [one for one in found if one.kind == "table" and one.sure >= EXACT]
    return [
        one
        for one in found
        if one.kind != "column" or one.sure >= EXACT or not any(table.covers(one.first) for table in tables)
    ]


def date_mentions(tokens: Sequence[Token], found: Sequence[Mention], known: Known, learnt: Learnt) -> Iterator[Mention]:
    """A word for dates speaks of the one column of a table that holds any, whatever its name."""
    taken = covered(found)
    for held in known.tables.values():
        dates = [name for name, kind in held.items() if kind == DATE]
        if len(dates) == 1 and not any(one.name == dates[0] for one in found):
            for at, token in enumerate(tokens):
                if at not in taken and learnt.kinds.get(token.stem) == DATE:
                    yield Mention("column", dates[0], at, at, BY_KIND)


def slot_key(type: str, kind: str) -> str:
    return f"<{kind or 'column'}>" if type == "column" else f"<{type}>"


def marks_of(mention: Mention, asked: Asked) -> list[str]:
    """A column whose kind nobody tells may be of numbers or of text."""
    if mention.kind != "column":
        return [slot_key(mention.kind, "")]
    kind = asked.kinds.get(mention.name, "")
    return [slot_key("column", kind), *(() if kind else (slot_key("column", "number"), slot_key("column", "text")))]


@dataclass(frozen=True)
class Phrasings:
    """All phrasings of all templates, by number."""

    templates: Sequence[Template]
    learnt: Learnt

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Template and phrasing."""
        return [(at, place) for at, one in enumerate(self.templates) for place in range(len(one.phrasings))]

    @cached_property
    def index(self) -> Index:
        groups = {name: number for number, name in enumerate(dict.fromkeys(one.group for one in self.templates))}
        bags = [self.bag(self.templates[at], self.templates[at].phrasings[place]) for at, place in self.places]
        numbers = [groups[self.templates[at].group] for at, _ in self.places]
        words = {stem for bag in bags for stem in bag if stem.isalpha()}
        stems = {word: word for word in words}
        empty: Mapping[str, str] = {}
        lexicon = Lexicon(STOP, LIGHT, frozenset(), empty, {}, empty, empty, empty, empty, stems)
        return Index(bags, numbers, lexicon)

    def bag(self, one: Template, phrasing: Iterable[Item]) -> list[str]:
        items = list(phrasing)
        stems = [item for item in items if isinstance(item, str)]
        keys = [slot_key(one.slots[item].type, one.slots[item].kind) for item in items if isinstance(item, int)]
        return [*stems, *keys, *(f"<deed {family}>" for family in self.learnt.called_for(stems))]

    def keys(self, asked: Asked) -> list[Key]:
        """Words that speak of nothing in the notebook, the kinds of what the others speak of, families of deeds."""
        marks: list[str] = []
        terms: dict[str, Term] = {}
        for at, token in enumerate(asked.tokens):
            if token.kind == "word" and at in asked.strong:
                marks += marks_of(asked.strong[at], asked)
            elif token.kind == "word":
                terms.setdefault(token.stem, Term(token.text.lower(), token.stem, "word", "", 0, 0))
            else:
                marks.append(token.stem)
        marks += [f"<deed {family}>" for family in asked.deeds]
        known = [Term(mark, mark, "place", "", 0, 0) for mark in dict.fromkeys(marks) if mark in self.index.weights]
        return self.index.keys([*terms.values(), *known])

    @cached_property
    def common(self) -> dict[str, int]:
        """Form of a template -> in how many settings it stands."""
        groups: dict[str, set[str]] = {}
        for one in self.templates:
            groups.setdefault(one.form, set()).add(one.group)
        return {form: len(some) for form, some in groups.items()}

    def nearest(self, asked: Asked, limit: int) -> list[tuple[Template, tuple[Item, ...], float]]:
        """The nearest phrasings; and of each form that is often asked for, however unlike, its nearest one."""
        found = []
        seen: set[str] = set()
        for number, (at, score) in enumerate(self.index.nearest(self.keys(asked), len(self.places))):
            template, place = self.templates[self.places[at][0]], self.places[at][1]
            if number < limit or (self.common[template.form] >= OFTEN and template.form not in seen):
                found.append((template, template.phrasings[place], score))
                seen.add(template.form)
        return found
