"""Which values of a request a slot could take, each with the features that speak for it. Weights are learnt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sayso.english.stems import stem
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.said.span import CLOSERS, Span, capital
from sayso.targets.api.specs.said.spans import Said
from sayso.targets.api.specs.slots.values import readings
from sayso.targets.api.specs.slots.views import View, own_words, views_of
from sayso.targets.api.specs.words import cues, name_words, negations, stop_words

if TYPE_CHECKING:
    from sayso.targets.api.specs.slots.likeness import Array

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
)
PLACE = {name: at for at, name in enumerate(FEATURES)}
NEAR = 4
LIKE_CHOICE = 0.5
MOST_MEANT = 40
"""Choices of a slot that are tried though no word says them."""
NEARBY = 0.4
"""Words less alike than this have nothing to do with each other."""
VERBISH = re.compile(r"(?:ing|ed|ly)$")
ARTICLES = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "is",
        "are",
        "was",
        "be",
        "to",
        "as",
        "equal",
        "equals",
        "=",
        ":",
        "with",
        "and",
        "its",
        "their",
        "my",
        "our",
        "$",
        "€",
        "£",
        "(",
    ]
)


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


@dataclass(frozen=True)
class Looked:
    """A request looked at for one operation: stems of its tokens, and which of them name slots."""

    said: Said
    stems: tuple[str, ...]
    views: tuple[View, ...]
    own: frozenset[str]
    namers: tuple[frozenset[int], ...]
    """For each token, the slots that it is in the name of."""
    names: tuple[bool, ...]
    """For each token, whether it is a word of any slot's name: the `ID` of "user ID 7"."""
    fits: Array
    """(span, slot): how well the words of a span are what the slot takes."""
    near: Array
    """(token, slot): how near a word is to the slot's name."""
    best: tuple[float, ...]
    """For each slot, how well the span fits that fits it best."""
    has_quoted: bool


def look(said: Said, operation: Operation) -> Looked:
    views = views_of(operation)
    stems = tuple(stem(token.low.removesuffix("'s")) for token in said.tokens)
    namers = tuple(frozenset(view.at for view in views if one in view.name) for one in stems)
    every = {stem(word) for view in views for word in view.words}
    names = tuple(one in every and not said.tokens[at].text.isdigit() for at, one in enumerate(stems))
    fits, near = compared(said, views)
    best = tuple(float(one) for one in fits.max(0)) if len(said.spans) else (0.0,) * len(views)
    quoted = any(span.kind == "quoted" for span in said.spans)
    return Looked(said, stems, views, own_words(operation), namers, names, fits, near, best, quoted)


def compared(said: Said, views: Sequence[View]) -> tuple[Array, Array]:
    import numpy as np

    if not views:
        return np.zeros((len(said.spans), 0), np.float32), np.zeros((len(said.tokens), 0), np.float32)
    fits = said.kinds @ np.stack([view.takes for view in views]).T
    words = np.concatenate([view.name_vectors for view in views])
    starts = np.cumsum([0, *(len(view.name_vectors) for view in views[:-1])])
    return fits, np.maximum.reduceat(said.vectors @ words.T, starts, axis=1)


def options_of(said: Said, operation: Operation) -> list[Option]:
    looked = look(said, operation)
    found: list[Option] = []
    doubled = doubles(operation)
    for view in looked.views:
        if view.slot.path not in doubled:
            options = list(slot_options(looked, view))
            found += [*options, *unsaid_choices(view, options)]
    return found


def unsaid_choices(view: View, options: Sequence[Option]) -> Iterator[Option]:
    """Choices and truths that no word of the request stands for: it may still mean them."""
    if view.slot.kind != "boolean" and not 0 < len(view.slot.enum) <= MOST_MEANT:
        return
    said = [one.value[0] if view.slot.many else one.value for one in options]
    for value in (True, False) if view.slot.kind == "boolean" else view.slot.enum:
        if not any(one is value or one == value for one in said):
            share = f"many:{view.slot.path}" if view.slot.many else ""
            yield made(view, [value] if view.slot.many else value, (), share, {"meant": 1.0})


@lru_cache(maxsize=512)
def doubles(operation: Operation) -> dict[str, str]:
    """Fields of the body that are a parameter too -> that parameter: both have one value."""
    outside = {slot.name: slot.path for slot in operation.slots if slot.where != "body"}
    return {
        slot.path: outside[slot.name]
        for slot in operation.slots
        if slot.where == "body" and slot.path == f"body.{slot.name}" and slot.name in outside
    }


def slot_options(looked: Looked, view: View) -> Iterator[Option]:
    slot = view.slot
    if slot.kind == "object":
        return
    if slot.kind == "boolean":
        yield from flag_options(looked, view)
        return
    if view.phrases:
        yield from phrase_options(looked, view)
        if slot.enum and not any(isinstance(one, int | float) for one in slot.enum):
            return
    for place, span in enumerate(looked.said.spans):
        if span.kind in ("words", "name", "id") and all(looked.names[span.first : span.last]):
            continue
        for value, share, more in readings(view, span):
            features = {**more, **beside(looked, view, span), **meant(looked, view, span, place)}
            features.update(standing(looked, view, span))
            cover = range(span.first, span.last)
            if "unit" in features and slot.kind == "string":  # the word behind the number, which stays free
                cover = range(span.last, span.last + 1) if span.last < len(looked.said.tokens) else cover
            if "pattern" in features or "format" in features or "counts" in features:
                for name in NOT_FOR_CHOICES:
                    features.pop(name, None)
            yield made(view, value, cover, share, features)


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


def negated(looked: Looked, at: int, reach: int = 3) -> bool:
    words = looked.said.tokens
    for back in range(1, reach + 1):
        if at - back < 0:
            return False
        low = words[at - back].low
        if low in negations() or low.endswith("n't"):
            return True
        if low in ("but", ";", ".", "and") or words[at - back].text in ".;":
            return False
    return False


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


def standing(looked: Looked, view: View, span: Span) -> dict[str, float]:
    """What the form of a span and the words next to it say for a slot of this form."""
    words, found = looked.said.tokens, dict[str, float]()
    if view.slot.kind == "string" and span.kind in ("words", "name"):
        if span.kind == "words" and (view.is_id or view.slot.where == "path"):
            digits = any(character.isdigit() for character in looked.said.part(span.first, span.last))
            found["plain-for-id" if view.is_id else "plain-for-path"] = float(not digits)
        behind = looked.stems[span.last] if span.last < len(words) and words[span.last].kind == "word" else ""
        if behind and (behind in looked.own or looked.namers[span.last]):
            found["modifies"] = 1.0
        before = words[span.first - 1] if span.first else None
        if before is not None and before.low in CLOSERS:
            found["after-small"] = 1.0
        if not span.first:
            found["opens"] = 1.0
        if looked.has_quoted and view.is_long:
            found["other-quoted"] = 1.0
        if span.bound == "numbered":
            found["numbered"] = 1.0
    elif span.kind == "id" and view.slot.where == "path" and not view.is_id:
        found["id-for-path"] = 1.0
    if span.counts and span.last < len(words):
        thing = max(float(looked.near[at, view.at]) for at in range(span.last, min(len(words), span.last + 3)))
        found["counted-thing"] = max(0.0, thing)
    return found


WORDED = frozenset(("words", "name", "place", "quoted", "id", "tail", "list", "expression"))


def meant(looked: Looked, view: View, span: Span, place: int) -> dict[str, float]:
    """What the vectors of words say of a span: is it of the slot's kind, and more so than of the other slots'."""
    if view.slot.kind != "string" or span.kind not in WORDED:
        unit = looked.said.tokens[span.last].low if span.unit and span.last < len(looked.said.tokens) else ""
        return {"near-unit": max(0.0, float(looked.near[span.last, view.at]))} if unit == span.unit and unit else {}
    if not looked.said.kinds[place].any() or not view.takes.any():
        return {"kind-unknown": 1.0}
    row = looked.fits[place]
    rivals = [float(row[one.at]) for one in looked.views if one.at != view.at and one.is_worded]
    fit = float(row[view.at])
    return {
        "kind-fit": fit,
        "kind-lead": max(-0.5, min(0.5, fit - max(rivals))) if rivals else 0.0,
        "kind-high": max(0.0, fit - 0.3),
        "kind-low": max(0.0, 0.1 - fit),
        "kind-best": float(fit >= looked.best[view.at] - 1e-6),
    }


def beside(looked: Looked, view: View, span: Span) -> dict[str, float]:
    """What the words around a span and within it say."""
    stems, words = looked.stems, looked.said.tokens
    features: dict[str, float] = {}
    name = around = told = other = near_before = near_after = 0.0
    step, at = 0, span.first - 1
    while at >= 0 and step < NEAR:
        low = words[at].low
        if words[at].text in ".;!?":
            break
        if low not in ARTICLES:
            weight = (1.0, 0.6, 0.35, 0.2)[step]
            nearness = float(looked.near[at, view.at])
            if stems[at] in view.name:
                name = max(name, weight)
            elif stems[at] in view.alike:
                name = max(name, 0.5 * weight)
            elif looked.namers[at]:
                other = max(other, weight)
            elif nearness > NEARBY:
                near_before = max(near_before, weight * nearness)
            if stems[at] in view.around:
                around = max(around, weight)
            if stems[at] in view.told and low not in stop_words():
                told += weight * 0.6
            if step == 0 and low in cues() and cues()[low] & (view.name | frozenset(view.words)):
                features["cue"] = 1.0
            step += 1
        at -= 1
    after = 0.0
    for step, at in enumerate(range(span.last, min(len(words), span.last + 2))):
        if words[at].kind == "mark":
            break
        weight = (0.9, 0.4)[step]
        if stems[at] in view.name:
            after = max(after, weight)
        elif stems[at] in view.alike:
            after = max(after, 0.4 * weight)
        elif looked.namers[at] and step == 0:
            other = max(other, 0.5)
        elif (nearness := float(looked.near[at, view.at])) > NEARBY:
            near_after = max(near_after, weight * nearness)
        if stems[at] in view.told:
            told += 0.4 * weight
    if "cue" not in features:
        low = next(
            (
                words[at].low
                for at in range(span.first - 1, max(-1, span.first - 3), -1)
                if words[at].low not in ("the", "a", "an")
            ),
            "",
        )
        if low in cues() and cues()[low] & (view.name | frozenset(view.words)):
            features["cue"] = 1.0
        elif span.unit and span.unit in cues() and cues()[span.unit] & view.name:
            features["cue"] = 0.8
    features.update(
        {
            "name-before": name,
            "name-after": after,
            "told-near": min(1.0, told),
            "around": around,
            "near-before": near_before,
            "near-after": near_after,
            "other-name": other if name < other else 0.0,
        }
    )
    if not (name or after or around or told or features.get("cue")):
        features["bare" if view.slot.is_needed else "bare-optional"] = 1.0
    if span.kind in ("words", "name", "place", "tail", "quoted", "list"):
        inside = [
            stems[at]
            for at in range(span.first, span.last)
            if words[at].low not in stop_words() and words[at].kind != "mark"
        ]
        known = sum(
            one in looked.own or one in view.name or bool(looked.namers[i])
            for i, one in zip(range(span.first, span.last), inside, strict=False)
        )
        features["new-words"] = 1.0 - known / max(1, len(inside))
        features["ends-well"] = float(
            span.last >= len(words)
            or words[span.last].kind == "mark"
            or words[span.last].low in CLOSERS
            or bool(looked.namers[span.last])
        )
        features["starts-well"] = float(
            span.first > 0
            and (
                words[span.first - 1].kind == "mark"
                or words[span.first - 1].low in stop_words() | CLOSERS
                or bool(looked.namers[span.first - 1])
            )
        )
        features["length"] = (span.last - span.first) / 7
        if span.kind == "words":
            features["inner-stop"] = float(sum(words[at].low in CLOSERS for at in range(span.first, span.last)))
            features["capital"] = sum(words[at].text[:1].isupper() for at in range(span.first, span.last)) / (
                span.last - span.first
            )
        named = frozenset(at for group in looked.namers[span.first : span.last] for at in group)
        if span.kind in ("name", "place", "quoted", "list") and span.last - span.first > 1:
            features["new-words"] = 1.0
            named = frozenset()
        if span.bound == "part":
            features["part"] = 1.0
        if span.kind in ("name", "place") and not capital(words[span.last - 1]):
            features["extended"] = 1.0
        elif span.kind in ("name", "place") and span.bound != "part":
            features["ends-well"] = 1.0
        if span.kind == "words" and VERBISH.search(words[span.first].low):
            features["verbish"] = 1.0
        if view.at in named or (span.kind == "words" and view.around & set(stems[span.first : span.last])):
            features["verbatim-name"] = 1.0
        elif named:
            features["names-other"] = 1.0
    return features
