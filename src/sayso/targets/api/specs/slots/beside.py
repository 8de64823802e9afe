"""What the words of a span and those around it say for a slot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sayso.targets.api.specs.said.span import CLOSERS, Span, capital
from sayso.targets.api.specs.slots.looked import Looked
from sayso.targets.api.specs.slots.views import View
from sayso.targets.api.specs.words import cues, stop_words

if TYPE_CHECKING:
    pass


NEAR = 4
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
