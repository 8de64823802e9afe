"""Requests to calls by the network that reads people's own wording: the likeliest readings, and how likely each is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import numpy as np

from sayso.targets.api.request.words import Word, read_number, split_words, whole_words
from sayso.targets.api.specs.slots.meaning import reads_texts
from sayso.targets.api.syntax.calls import OPERATORS, Call, canonical_call, reads_back
from sayso.targets.api.systems.decode import NEVER, Chain, add_up, log_softmax
from sayso.targets.api.systems.network import Array
from sayso.targets.api.systems.parse import mean
from sayso.targets.api.systems.phrases import spans as tagged
from sayso.targets.api.systems.wording import slots
from sayso.targets.api.systems.wording.marks import is_told
from sayso.targets.api.systems.wording.network import WordingNetwork, see
from sayso.targets.api.systems.wording.plain import plain, singulars
from sayso.targets.api.systems.wording.sizes import read_size

LONGEST = 60
"""Words of a request that are read."""
DOUBTS, CLOSEST = 3, 8
"""Words whose tag is doubted, and other choices that are tried."""
RESOURCES, UNLIKELY = 3, -6.0
"""So many things asked for are tried, none less likely than this beside the best."""
UNTOLD = "time"
ADDRESSES = re.compile(r"\s*([@.])\s*")
NEARBY = sorted(
    ((a, b) for a in (0, 1, -1, 2, -2) for b in (0, -1, 1, -2, 2)), key=lambda one: abs(one[0]) + abs(one[1])
)
MANY = frozenset({"event.attendees", "message.to", "message.categories", "event.categories", "file.fileType"})
"""A thing may have several of these."""
APART = frozenset("\"'“”‘’()[]<>,;:!?")
"""What stands beside a value, though it is typed in one with it."""


@dataclass(frozen=True)
class Told:
    call: Call | None
    nothing: str
    """Why there is no call: deed, off, beyond, or a time that no clock can tell; "" where there is one."""
    score: float
    """log-probability under the networks"""
    unread: int = 0
    """Words that are capitalised or figures and stand in no value."""
    words: str = ""
    """The time that no clock can tell."""


@dataclass(frozen=True)
class Wording:
    networks: tuple[WordingNetwork, ...]

    def readings(self, text: str, k: int = 5) -> list[Told]:
        """Up to k readings, likeliest first; none where there is no encoder."""
        words = split_words(text)[:LONGEST]
        if not words or not reads_texts():
            return []
        seen = see(tuple(word.text for word in words))
        said = [one.tell(seen) for one in self.networks]
        tags, operators, flat = (mean([one[at] for one in said]) for at in range(3))
        starts, moves = (mean([one.weights[name] for one in self.networks]) for name in ("starts", "moves"))
        parts = dict(_parts(flat))
        found: dict[str, Told] = {}
        everything = log_softmax(operators)
        for resource, much in _resources(parts[slots.RESOURCE]):
            if resource in slots.NOTHING:
                found[resource] = Told(None, resource, much)
                continue
            chain = Chain(_masked(tags, resource)[None], starts, moves, np.array([len(words)]))
            for one in _readings_of(text, words, resource, chain, everything, parts, much):
                name = str(canonical_call(one.call)) if one.call else one.nothing
                found[name] = added(found.get(name), one)
        likeliest = sorted(found.values(), key=lambda one: -one.score)
        return list(islice((one for one in likeliest if one.call is None or reads_back(one.call)), k))


def added(before: Told | None, one: Told) -> Told:
    """The same reading by two ways is as likely as both."""
    if before is None:
        return one
    first = max(before, one, key=lambda each: each.score)
    return replace(first, score=min(0.0, float(np.logaddexp(before.score, one.score))))


def _parts(flat: Array) -> Iterator[tuple[str, Array]]:
    """Log-probabilities of each slot's choices, absence first; what is asked for and a way have none."""
    at = 0
    for slot, values in slots.choices():
        absent = NEVER if slot in (slots.RESOURCE, slots.WAY) else 0.0
        yield slot, log_softmax(np.concatenate([[absent], flat[at : at + len(values)]]))
        at += len(values)


def _resources(scores: Array) -> list[tuple[str, float]]:
    names = dict(slots.choices())[slots.RESOURCE]
    order = np.argsort(-scores[1:])[:RESOURCES]
    best = float(scores[1:].max())
    return [(names[at], float(scores[at + 1])) for at in order if scores[at + 1] >= best + UNLIKELY]


def _masked(tags: Array, resource: str) -> Array:
    """Tags of another domain cannot be."""
    domain = slots.domain_of_resource(resource)
    masked = tags.copy()
    for at, name in enumerate(slots.spans()):
        mine = name == slots.TOP or (name == slots.SEARCH and domain == "email") or slots.domain_of_slot(name) == domain
        if not mine:
            masked[:, 2 * at + 1 : 2 * at + 3] = NEVER
    return masked


def _readings_of(
    text: str,
    words: Sequence[Word],
    resource: str,
    chain: Chain,
    operators: Array,
    parts: Mapping[str, Array],
    start: float,
) -> Iterator[Told]:
    paths, totals = chain.best()
    sure, everything = chain.marginals()
    roads = [(paths[0], float(totals[0])), *chain.next_best(0, paths[0], sure[0], DOUBTS)]
    domain = slots.domain_of_resource(resource)
    mine = [(slot, values) for slot, values in slots.choices()[1:] if slots.domain_of_slot(slot) in ("", domain)]
    best = {slot: int(parts[slot].argmax()) for slot, _ in mine}
    total = sum(float(parts[slot].max()) for slot, _ in mine if slot != slots.WAY)
    others = sorted(
        (
            (float(parts[slot][pick] - parts[slot][best[slot]]), slot, pick)
            for slot, values in mine
            for pick in range(len(values) + 1)
            if pick != best[slot] and parts[slot][pick] > NEVER / 2
        ),
        reverse=True,
    )[:CLOSEST]
    changes: list[tuple[float, tuple[tuple[str, int], ...]]] = [(0.0, ())]
    changes += [(loss, ((slot, pick),)) for loss, slot, pick in others]
    changes += [(a[0] + b[0], (a[1:], b[1:])) for a, b in pairwise(others[:4]) if a[1] != b[1]]
    for road, score in roads:
        found, more, untold = _values(text, words, road, operators)
        if untold:
            yield Told(None, UNTOLD, start + score - float(everything[0]) + more + total, words=untold)
            continue
        if not _agree(found, text):
            continue
        unread = unread_words(words, road)
        for loss, change in changes:
            picks = {**best, **dict(change)}
            call = _call(resource, picks, found, parts, text)
            if call is not None:
                call = singulars(plain(call), text)
                way = float(parts[slots.WAY][picks[slots.WAY]]) if picks[slots.BY] else 0.0
                yield Told(call, "", start + score - float(everything[0]) + more + total + loss + way, unread)


def _call(
    resource: str, picks: Mapping[str, int], found: Sequence[slots.Span], parts: Mapping[str, Array], text: str
) -> Call | None:
    names = dict(slots.choices())
    chosen = {slot: names[slot][pick - 1] for slot, pick in picks.items() if pick}
    top = slots.FIRST in chosen or any(one.name == slots.TOP for one in found)
    if top and slots.BY not in chosen:
        # The first of what order? Of the likeliest that there is.
        domain = slots.domain_of_resource(resource)
        able = [at for at, name in enumerate(names[slots.BY]) if slots.domain_of_slot(name) == domain]
        chosen[slots.BY] = names[slots.BY][max(able, key=lambda at: float(parts[slots.BY][at + 1]))]
    if slots.BY in chosen and slots.domain_of_slot(chosen[slots.BY]) != slots.domain_of_resource(resource):
        return None
    return slots.call_of({**chosen, slots.RESOURCE: resource}, found, text)


def _agree(found: Sequence[slots.Span], text: str) -> bool:
    """Whether a thing could be all this at once: nothing is from Ann and from Bo, but for Ann or Bo."""
    before: dict[str, slots.Span] = {}
    for one in sorted(found, key=lambda one: one.start):
        last = before.get(one.name)
        if one.operator == "eq" and one.name not in MANY:
            if last is not None and not slots.is_or(last, one, text):
                return False
            before[one.name] = one
    return sum(one.name == slots.SEARCH for one in found) < 2


def _values(
    text: str, words: Sequence[Word], road: Sequence[int], operators: Array
) -> tuple[list[slots.Span], float, str]:
    """The values of a road of tags, what their operators add to its score, and a time that no clock can tell."""
    found: list[slots.Span] = []
    score = 0.0
    tops = 0
    untold = ""
    for at, start, end in tagged(road):
        name = slots.spans()[at]
        kind = slots.kinds().get(name, "text")
        if name == slots.TOP:
            number = read_number(text[words[start].start : words[end - 1].end])
            if number is None or tops:
                continue
            tops += 1
            found.append(slots.Span(name, "eq", str(number), words[start].start, words[end - 1].end))
            continue
        begin, end = whole_words(words, start, end)
        if kind == "text":
            begin, end = unbroken(words, begin, end)
        able = _able(name)
        row = operators[start]
        operator = max(able, key=lambda one: float(row[OPERATORS.index(one)]))
        score += float(row[OPERATORS.index(operator)] - add_up(row[[OPERATORS.index(one) for one in able]], 0))
        value = said(text, words, begin, end) or words[start].text
        if kind == "number":
            size = read_size(value)
            if size is None:
                continue
            value = size
        if kind == "time":
            nearest = _readable(text, words, begin, end)
            if nearest is None:
                untold = value
                continue
            begin, end = nearest
            value = said(text, words, begin, end)
        found.append(slots.Span(name, operator, value, words[begin].start, words[end - 1].end))
    return found, score, untold


def unbroken(words: Sequence[Word], begin: int, end: int) -> tuple[int, int]:
    """With all that is typed in one with it: the a& of a&b.txt, the .. of ../plan; not what only ends a sentence."""

    def touch(one: int) -> bool:
        return 0 < one < len(words) and words[one - 1].end == words[one].start

    while touch(begin) and words[begin - 1].text not in APART:
        begin -= 1
    last = end
    while touch(last) and words[last].text not in APART:
        last += 1
        if words[last - 1].text[-1].isalnum() and not words[last - 1].text.startswith(("'", "’")):
            end = last
    return begin, end


def said(text: str, words: Sequence[Word], begin: int, end: int) -> str:
    return text[words[begin].start : words[end - 1].end].rstrip(".,;:!? ").strip("\"'“”‘’ ")


def _readable(text: str, words: Sequence[Word], begin: int, end: int) -> tuple[int, int] | None:
    """The words nearest to these that a clock can tell: a word more or less at either end, or two."""
    for first, last in NEARBY:
        at, to = begin + first, end + last
        if 0 <= at < to <= len(words) and is_told(said(text, words, at, to)):
            return at, to
    return None


def _able(name: str) -> tuple[str, ...]:
    if name in (slots.SEARCH, slots.TOP):
        return ("eq",)
    one = next(each for each in slots.properties() if each.name == name)
    return (*one.operators, *one.also)


def unread_words(words: Sequence[Word], road: Sequence[int]) -> int:
    """How many words are figures or begin with a capital, and are in no value."""
    return sum(
        not tag and (word.text.isdigit() or (at > 0 and word.text[:1].isupper() and word.text not in ("I", "PDF")))
        for at, (word, tag) in enumerate(zip(words, road, strict=True))
    )
