"""Which words of a request go into which slots of a phrasing: by type, then by the words that stand beside both.

Typed constants need little help; a bare word (`kill firefox`) goes into a slot only where its neighbours say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sayso.cookbook.entry import Recipe, Slot
from sayso.cookbook.fitting import FOLDERS, INTO, NO_FIELDS, is_grammar
from sayso.cookbook.phrasings import ARTICLES, Context, Phrasing, Terms
from sayso.cookbook.slot_types import TYPES
from sayso.english.lexicon import Lexicon
from sayso.english.words import listed

# What a neighbouring word is worth: the phrasing's own, or one that stands there in another phrasing of the recipe.
LEFT_OWN, LEFT_ANY, FAR_ANY, RIGHT_OWN, RIGHT_ANY = 1.5, 0.8, 0.6, 1.0, 0.5
EDGE, NAMED, IN_ORDER = 0.2, 1.2, 0.4
# What a bare word is worth before its neighbours are asked.
UNKNOWN_WORD, PROGRAM_NAME, KNOWN_WORD, STOP_WORD, WANTED_WORD = 1.0, 0.6, -0.7, -3.0, -1.5
KNOWN_FIELD, BEHIND_SLOT = 0.0, 1.0
"""Columns are called name and price, words that we know; {value} after "with {field}" needs no word beside it."""
FOLDER_NAME, LAST = 0.9, 0.5
"""What "in photos" is worth as a folder, and what stands last after the phrasing's own last word: "to archive"."""
CAPITALS = 1.6
"""A word in capitals amid others is what is looked for: "lines with ERROR"."""
ENOUGH = 1.2
"""A term below this is not put into the slot."""
LITTLE = 0.5
"""A bare word needs at least this much from its neighbours."""
CERTAIN = 2.5
"""A type that fits this well needs no neighbours, even in a slot that the phrasing does not mention."""
SPAN, NEW_WORDS, WITH_PREPOSITION = 2.4, 0.4, -0.5
"""Several words without quotes that the phrasing holds on both sides: more if none is known, less with "in" inside."""
CHOICES = 4

PEOPLED = frozenset(
    ("branch", "user", "group", "host", "service", "package", "session", "commit", "process", "program")
)
"""Types of which the word for such a thing is no value."""
NAMING = frozenset(("name",))
TEXTS = NAMING | {"word", "string", "text", "phrase", "pattern", "expression", "term"}
"""Words right before a value that say what it is; for other types the type's own nouns do."""
NAMEABLE = frozenset(("process", "program", "service", "package", "container", "image", "command", "pattern", "text"))
"""Types of which the name of a well-known program may be a value."""
PLACES = frozenset(("dir", "path", "newname"))
PREPOSITIONS = frozenset(("for", "in", "from", "to", "with", "by", "on", "at"))
TURNS = listed("filling.turns")
"""Words that no command of the user's holds: "run it ⟨but give up after 5 seconds⟩"."""


@dataclass(frozen=True)
class Choice:
    """Terms first to last as the value of a slot."""

    score: float
    first: int
    last: int
    value: str
    beside: frozenset[int] = frozenset()
    """Terms that only say what the value is: the word, a file called."""

    @cached_property
    def span(self) -> frozenset[int]:
        return frozenset(range(self.first, self.last + 1)) | self.beside


class Filling:
    """One attempt to fill the slots of a phrasing, and with what is left those that only its recipe has."""

    def __init__(
        self, asked: Terms, phrasing: Phrasing, recipe: Recipe, contexts: Mapping[str, Context], lexicon: Lexicon
    ) -> None:
        self.asked, self.phrasing, self.recipe, self.contexts, self.lexicon = asked, phrasing, recipe, contexts, lexicon
        self.wanted = frozenset(phrasing.words)

    def fill(self) -> dict[str, Choice]:
        if not self.recipe.slots:
            return {}
        own = self.phrasing.slots
        _, best = assign([self.choices(name) for name in own], 0, frozenset(), -1)
        filled = {name: choice for name, choice in zip(own, best, strict=True) if choice is not None}
        used = frozenset[int]().union(*(choice.span for choice in filled.values()))
        others = [(name, choice) for name in self.recipe.slots if name not in own for choice in self.choices(name)]
        for name, choice in sorted(others, key=lambda other: -other[1].score):
            if name not in filled and not choice.span & used:
                filled[name] = choice
                used |= choice.span
        return {**self.single(filled), **self.announced(filled, used)}

    def announced(self, filled: Mapping[str, Choice], used: frozenset[int]) -> dict[str, Choice]:
        """The choices with the words that introduce them, which the phrasing has no use for: "the word X" is X."""
        found: dict[str, Choice] = {}
        for name, choice in filled.items():
            kind = self.recipe.slots[name].type
            announcing = TEXTS if kind in ("pattern", "text") else NAMING.union(TYPES[kind].nouns)
            at = choice.first - 1
            while at >= 0 and at not in used and self.asked.stems[at] in announcing | ARTICLES:
                at -= 1
            said = [*range(at + 1, choice.first)]
            if choice.first and self.asked.stems[choice.first - 1] in ARTICLES:  # the build folder
                said += [
                    number for number in (choice.last + 1,) if number < len(self.asked.stems) and number not in used
                ]
            stems = self.asked.stems
            beside = {at for at in said if stems[at] in announcing and self.asked.keys[at].stem not in self.wanted}
            found[name] = replace(choice, beside=frozenset(beside)) if beside else choice
        return found

    def single(self, filled: Mapping[str, Choice]) -> dict[str, Choice]:
        """ "the newest file" is one, where "the newest files" would be as many as the recipe says."""
        counts = [name for name, slot in self.recipe.slots.items() if is_count(slot) and name not in filled]
        return {name: Choice(CERTAIN, 0, -1, "1") for name in counts} if counts and self.asked.one else {}

    def choices(self, name: str) -> list[Choice]:
        """The terms that could stand in a slot, best first."""
        kind = self.recipe.slots[name].type
        at = self.phrasing.items.index("{" + name + "}") if name in self.phrasing.slots else -1
        fits = self.asked.fitting(kind, self.lexicon)
        found = [choice for one in fits if (choice := self.choice(name, kind, at, *one))]
        if at >= 0 and TYPES[kind].spans > 1:
            found += self.spans(at, TYPES[kind].spans, kind in ("command", "script"))
        return sorted(found, key=lambda choice: (-choice.score, choice.first))[:CHOICES]

    def choice(self, name: str, kind: str, at: int, number: int, prior: float, value: str) -> Choice | None:
        """A term that fits so well, with this value, if what stands beside it says that it belongs here."""
        term, key = self.asked.terms[number], self.asked.keys[number]
        if term.kind in ("place", "sign") and key.stem in self.wanted:
            return None
        if kind == "extension" and prior < 1.0 and key.known and term.text.lower() not in self.lexicon.extensions:
            return None
        if kind in PEOPLED and key.stem in TYPES[kind].nouns and term.kind == "word":  # "push my branch" names none
            return None
        named = NAMED * self.is_named(kind, number)
        beside = named + self.neighbours(name, at, number)
        is_text = kind in ("pattern", "text") and self.asked.in_capitals(number)
        is_bare = term.kind == "word" and prior < 1.0 and not is_text
        score = prior + beside + CAPITALS * is_text
        if term.kind == "word" and prior < 2.0 and not is_text:
            score += self.standing(kind, number, bool(named))
        if score < ENOUGH or (is_bare and beside < LITTLE):
            return None
        if at < 0 and prior < CERTAIN and not self.introduced(name, number):
            return None
        return Choice(score, number, number, value)

    def introduced(self, name: str, number: int) -> bool:
        """Whether the word right before a term is one that comes before this slot: "in", "under"."""
        return number > 0 and self.asked.stems[number - 1] in self.contexts[name].before

    def is_named(self, kind: str, number: int) -> bool:
        """Whether the word before or after a term says what it is: "named X", "the word X", "the X service"."""
        nouns = TYPES[kind].nouns
        before = self.asked.stems[number - 1] if number else ""
        return before == "name" or before in nouns or (before in ARTICLES and self.asked.stem_after(number) in nouns)

    def standing(self, kind: str, number: int, named: bool) -> float:
        """A word that nobody knows is likely a name; one that the phrasing itself says is not."""
        term, key = self.asked.terms[number], self.asked.keys[number]
        if self.lexicon.is_stop(term):
            may_be = kind in ("pattern", "text") or (kind in PLACES and term.text.lower() in FOLDERS)
            return 0.0 if named and may_be else STOP_WORD
        if key.stem in self.wanted:
            return WANTED_WORD
        if term.text.lower() in self.lexicon.names and kind in NAMEABLE:
            return PROGRAM_NAME
        if kind in PLACES and term.text.lower() in FOLDERS and self.asked.word_before(number) in INTO:
            return FOLDER_NAME
        if kind == "field" and term.text.lower() in self.lexicon.ordinals:
            return STOP_WORD
        if kind == "field" and key.known:
            return KNOWN_WORD if term.text.lower() in NO_FIELDS else KNOWN_FIELD
        return KNOWN_WORD if key.known else UNKNOWN_WORD if key.sure == 1.0 else 0.0

    def neighbours(self, name: str, at: int, number: int) -> float:
        """What the words beside a term say for this slot: "to X" for {to}, "X files" for {ext}."""
        stems, items, context = self.asked.stems, self.phrasing.items, self.contexts[name]
        beside = self.asked.beside[number]
        close, previous, further, following = beside.close, beside.previous, beside.further, beside.following
        score = 0.0
        if at > 0 and items[at - 1] in (close, previous):
            score += EDGE if items[at - 1] in ARTICLES else LEFT_OWN
        else:
            score += LEFT_ANY * max(context.before.get(close, 0.0), context.before.get(previous, 0.0))
        if at > 1 and items[at - 1][0] == "{" and number > 1 and items[at - 2] == stems[number - 2]:
            score += BEHIND_SLOT
        if at > 1 and items[at - 2] == further:
            score += EDGE
        else:
            score += FAR_ANY * context.far.get(further, 0.0)
        if 0 <= at < len(items) - 1 and items[at + 1] == following:
            score += RIGHT_OWN
        else:
            score += RIGHT_ANY * context.after.get(following, 0.0)
        if at == len(items) - 1 and number == len(stems) - 1:
            score += LAST if at and items[at - 1] == close and close in INTO else EDGE
        return score + EDGE * (at == number == 0)

    def spans(self, at: int, longest: int, is_command: bool) -> list[Choice]:
        """Several words without quotes that the phrasing holds on both sides: "search for ⟨out of memory⟩ in"."""
        items, stems = self.phrasing.items, self.asked.stems
        left = items[at - 1] if at else ""
        right = items[at + 1] if at + 1 < len(items) else ""
        found: list[Choice] = []
        if left[:1] == "{" or right[:1] == "{":
            return found
        for first in range(len(stems)):
            if (stems[first - 1] if first else "") != left:
                continue
            for last in range(first + 1, min(first + longest, len(stems))):
                if is_command and self.asked.terms[last].text.lower() in TURNS:
                    break
                if self.asked.stem_after(last) == right and self.is_phrase(first, last):
                    found.append(Choice(self.span_score(first, last), first, last, self.said(first, last)))
                    break
        return found

    def is_phrase(self, first: int, last: int) -> bool:
        terms = self.asked.terms
        if self.lexicon.is_stop(terms[first]) or terms[first].stem in ARTICLES:
            return False
        if is_grammar(terms[last].text.lower()) and terms[last].text.lower() != "no":  # swap foo for bar everywhere in
            return False
        return not {terms[first].kind, terms[last].kind} & {
            "string",
            "place",
        }

    def span_score(self, first: int, last: int) -> float:
        keys = self.asked.keys[first : last + 1]
        # "replace ⟨foo bar⟩ with": a name nobody knows goes together with the word behind it.
        are_two = last == first + 1 and not keys[0].known and not is_grammar(self.asked.terms[last].text.lower())
        familiar = any(key.known and key.weight for key in keys) and not are_two
        prepositions = PREPOSITIONS & set(self.asked.stems[first : last + 1])
        return SPAN + (0.0 if familiar else NEW_WORDS) + (WITH_PREPOSITION if prepositions else 0.0)

    def said(self, first: int, last: int) -> str:
        """The words as they stand in the request, without "again" and the like at the end."""
        terms = self.asked.terms
        while last > first and self.lexicon.is_stop(terms[last]):
            last -= 1
        return self.asked.text[terms[first].start : terms[last].end]


def is_count(slot: Slot) -> bool:
    """Whether a slot says how many are shown where the request does not."""
    return slot.type == "number" and slot.default in ("5", "10", "20") and slot.name in ("n", "k")


def assign(
    choices: Sequence[Sequence[Choice]], at: int, used: frozenset[int], last: int
) -> tuple[float, list[Choice | None]]:
    """The best way to give each slot terms of its own; slots filled in the order of the phrasing are preferred."""
    if at == len(choices):
        return 0.0, []
    best_score, rest = assign(choices, at + 1, used, last)
    best: list[Choice | None] = [None, *rest]
    for choice in choices[at]:
        if choice.span & used:
            continue
        rest_score, rest = assign(choices, at + 1, used | choice.span, choice.first)
        score = choice.score + rest_score + (IN_ORDER if choice.first > last else 0.0)
        if score > best_score:
            best_score, best = score, [choice, *rest]
    return best_score, best
