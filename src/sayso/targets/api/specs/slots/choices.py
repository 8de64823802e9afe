"""Values that are told by words of their own: choices of an enum, what people call them, truths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sayso.english.stems import stem
from sayso.targets.api.specs.said.span import Span
from sayso.targets.api.specs.slots.beside import beside
from sayso.targets.api.specs.slots.features import Option, made
from sayso.targets.api.specs.slots.looked import Looked, negated
from sayso.targets.api.specs.slots.views import View
from sayso.targets.api.specs.words import name_words, stop_words

if TYPE_CHECKING:
    pass


LIKE_CHOICE = 0.5
MOST_MEANT = 40
"""Choices of a slot that are tried though no word says them."""


def unsaid_choices(view: View, options: Sequence[Option]) -> Iterator[Option]:
    """Choices and truths that no word of the request stands for: it may still mean them."""
    if view.slot.kind != "boolean" and not 0 < len(view.slot.enum) <= MOST_MEANT:
        return
    said = [one.value[0] if view.slot.many else one.value for one in options]
    for value in (True, False) if view.slot.kind == "boolean" else view.slot.enum:
        if not any(one is value or one == value for one in said):
            share = f"many:{view.slot.path}" if view.slot.many else ""
            yield made(view, [value] if view.slot.many else value, (), share, {"meant": 1.0})


NOT_FOR_CHOICES = (
    *(
        "new-words",
        "length",
        "ends-well",
        "starts-well",
        "own-word",
        "bare",
        "bare-optional",
        "counts",
        "counts-other",
        "verbish",
        "extended",
        "other-name",
    ),
    *("inner-stop", "capital", "verbatim-name", "names-other", "verbish"),
)
"""A value that stands in the description needs no words around it that say so."""


def phrase_options(looked: Looked, view: View) -> Iterator[Option]:
    """Values that are told by words: of an enum, by themselves or by what people call them."""
    stems = looked.stems
    longest = max(len(key) for key in view.phrases)
    taken: set[int] = set()
    for length in range(min(longest, len(stems)), 0, -1):
        for at in range(len(stems) - length + 1):
            found = view.phrases.get(stems[at : at + length])
            if found is None and length == 1:
                found = hyphened(looked, view, at)
            if found is None or any(i in taken for i in range(at, at + length)):
                continue
            value, plain = found
            if (
                length == 1
                and looked.said.tokens[at].low in stop_words()
                and plain < 0.75
                and looked.said.tokens[at].low not in ("me", "my", "i", "i'll")
            ):
                continue
            taken.update(range(at, at + length))
            span = Span(at, at + length, "words", value, "")
            features = beside(looked, view, span)
            features["enum" if plain >= 0.9 else "gloss"] = plain
            for name in NOT_FOR_CHOICES:
                features.pop(name, None)
            if stems[at] in looked.own and plain < 0.9:
                features["own-word"] = 1.0
            if plain < 0.9 and any(looked.namers[i] - {view.at} for i in range(at, at + length)):
                features["names-other"] = 1.0
            is_negated = negated(looked, at)
            if is_negated != view.negative:
                features["negated"] = 1.0
            yield made(
                view,
                [value] if view.slot.many else value,
                range(at, at + length),
                f"many:{view.slot.path}" if view.slot.many else "",
                features,
            )
    if view.slot.enum and not view.slot.many and not taken:
        yield from near_choices(looked, view)
    if not view.slot.enum and "me" in {value for value, _ in view.phrases.values()}:
        for at, token in enumerate(looked.said.tokens):
            if token.low in ("my", "i", "i'll", "myself", "i'm", "mine", "i've") and at not in taken:
                features = beside(looked, view, Span(at, at + 1, "words", "me", ""))
                features["gloss"] = 0.45 if token.low in ("i", "i've") else 0.6
                yield made(view, ["me"] if view.slot.many else "me", range(at, at + 1), "", features)
                break


def near_choices(looked: Looked, view: View) -> Iterator[Option]:
    """Choices by a word that is near to them, or that begins as they do: cycling for bike, dentist for dental."""
    words = [name_words(str(value)) for value in view.slot.enum]
    alike = looked.said.vectors @ view.choice_vectors.T
    for at, token in enumerate(looked.said.tokens):
        if token.kind != "word" or token.low in stop_words() or looked.names[at]:
            continue
        best, much = -1, 0.0
        for choice, parts in enumerate(words):
            close = max(float(alike[at, choice]), 0.8 if any(begins_alike(token.low, part) for part in parts) else 0.0)
            if close > much:
                best, much = choice, close
        if best >= 0 and much > LIKE_CHOICE:
            features = beside(looked, view, Span(at, at + 1, "words", view.slot.enum[best], ""))
            for name in NOT_FOR_CHOICES:
                features.pop(name, None)
            features["near-choice"] = much
            if looked.stems[at] in looked.own:
                features["own-word"] = 1.0
            if negated(looked, at) != view.negative:
                features["negated"] = 1.0
            yield made(view, view.slot.enum[best], range(at, at + 1), "", features)


def begins_alike(word: str, other: str) -> bool:
    """sat and saturday, dentist and dental."""
    short, long = sorted((word, other), key=len)
    return len(short) >= 3 and (long.startswith(short) or (len(short) >= 6 and long[:4] == short[:4]))


def hyphened(looked: Looked, view: View, at: int) -> tuple[Any, float] | None:
    token = looked.said.tokens[at]
    if not re.search(r"[-_]", token.text):
        return None
    key = tuple(stem(part) for part in re.split(r"[-_]", token.low))
    return view.phrases.get(key) or (view.phrases.get(key[1:]) if key[0] in ("non", "un") else None)


def flag_options(looked: Looked, view: View) -> Iterator[Option]:
    """A truth: where the request has the words of its name, or enough of its description's."""
    telling = view.name or frozenset()
    hits = [at for at, one in enumerate(looked.stems) if one in telling]
    near = [at for at, one in enumerate(looked.stems) if one in view.alike]
    told = [
        at
        for at, one in enumerate(looked.stems)
        if one in view.told and one not in looked.own and looked.said.tokens[at].low not in stop_words()
    ]
    denied = [at for at, one in enumerate(looked.stems) if one in view.denied and negated(looked, at)]
    if denied and not hits:
        yield made(view, True, denied[:1], "", {"said-flag": 1.0})
        return
    for sort, places, total in (
        ("said-flag", hits, len(telling)),
        ("said-flag", near, 2 * len(telling)),
        ("near-flag", [at for at in range(len(looked.stems)) if looked.near[at, view.at] > LIKE_CHOICE], 1),
        ("told-flag", told, 2),
    ):
        if not places:
            continue
        at = places[0]
        share = min(1.0, len({looked.stems[i] for i in places}) / max(1, total))
        value = not negated(looked, at)
        if (
            view.slot.text.casefold().startswith("false")
            and sort == "told-flag"
            and not view.slot.text.casefold().startswith("false for")
        ) or (view.slot.text.casefold().startswith("false for") and sort == "told-flag"):
            value = False
        features = {sort: share}
        if looked.stems[at] in looked.own:
            features["own-word"] = 1.0
        if sum(at in group for group in ([i for i, n in enumerate(looked.namers) if n - {view.at}],)):
            features["other-name"] = 0.5
        yield made(view, value, places[:1] if sort == "told-flag" else sorted(set(places))[:3], "", features)
        break
