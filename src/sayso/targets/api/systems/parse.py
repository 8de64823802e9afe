"""Requests to calls with trained networks, whose scores are averaged: the likeliest reading, and the next ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from sayso.core.types import Candidate, Request
from sayso.targets.api.request.words import Word, looks, split_words, whole_words
from sayso.targets.api.syntax.calls import Call, canonical_call, readable, reads_back
from sayso.targets.api.systems.decode import NEVER, Chain, log_softmax
from sayso.targets.api.systems.layout import BY, FIRST, TIMES, TOP, WAY, Layout, pool_of, unsay
from sayso.targets.api.systems.network import DIGITS, Array, Network, make_input
from sayso.targets.api.systems.phrases import spans
from sayso.targets.api.systems.values import Values

BATCH = 64
DOUBTS, PICKS, CHANGES = 3, 4, 7
"""Words whose tag is doubted, values of a slot that are tried, and changes to the likeliest reading that are scored."""
HARDLY = 3
"""A word that train has less often than this outside of values is most likely one."""
LONGEST = 200
"""Words of a request that are read; nobody asks for that many things at once."""


@dataclass(frozen=True)
class Reading:
    call: Call
    score: float
    """log-probability under the networks, less what unused words cost"""
    unused: int = 0
    """Words of the request that are in no value, and that train hardly ever has elsewhere: a name that was dropped."""


@dataclass(frozen=True)
class Parser:
    layout: Layout
    values: Values
    vocabulary: Mapping[str, int]
    networks: tuple[Network, ...]
    calibration: tuple[float, ...] = (1.0, 0.0)
    """Slope and intercept that turn a reading's score into the chance that it is right (logistic); where there is a
    third number, every unused word takes so much off."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """How often train says each word of the vocabulary outside of values: what tells the domains apart."""
    dropping: float = 0.0
    """What a reading loses of its score for every word that it leaves unused."""

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        found = self.readings([request.text for request in requests], k)
        return [[Candidate(str(canonical_call(one.call)), self.chance(one)) for one in each] for each in found]

    def chance(self, one: Reading) -> float:
        slope, intercept, *loss = self.calibration
        total = slope * one.score + intercept - sum(loss) * one.unused
        return round(1 / (1 + math.exp(-max(min(total, 30.0), -30.0))), DIGITS)

    def parse(self, texts: Sequence[str]) -> list[Call]:
        """The likeliest call of each request."""
        return [found[0].call for found in self.readings(texts, 1)]

    def readings(self, texts: Sequence[str], k: int = 1) -> list[list[Reading]]:
        """Up to k distinct calls a request, likeliest first."""
        requests = [split_words(text)[:LONGEST] for text in texts]
        # Requests of a like length together: padding is wasted work.
        order = sorted(range(len(texts)), key=lambda at: len(requests[at]))
        found: list[list[Reading]] = [[] for _ in texts]
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            for at, readings in zip(
                part, self._batch([texts[i] for i in part], [requests[i] for i in part], k), strict=True
            ):
                found[at] = readings
        return found

    def _batch(self, texts: Sequence[str], requests: Sequence[Sequence[Word]], k: int) -> Iterator[list[Reading]]:
        chain, choices = self._scores(requests)
        paths, totals = chain.best()
        sure, everything = chain.marginals()
        for row, (text, words) in enumerate(zip(texts, requests, strict=True)):
            parts = [part[row] for part in choices]
            roads = [(paths[row], float(totals[row])), *chain.next_best(row, paths[row], sure[row], DOUBTS)]
            yield self._best(text, words, [(road, score - float(everything[row])) for road, score in roads], parts, k)

    def _scores(self, requests: Sequence[Sequence[Word]]) -> tuple[Chain, list[Array]]:
        """Tag scores and log-probabilities of each slot's choices, absence first."""
        given = make_input([[word.text for word in words] for words in requests], self.vocabulary)
        said = [network(given) for network in self.networks]
        tags, choices = mean([one for one, _ in said]), mean([other for _, other in said])
        starts, moves = (mean([one.weights[name] for one in self.networks]) for name in ("starts", "moves"))
        for row, words in enumerate(requests):
            for place, word in enumerate(words):
                if word.text.casefold() in self.values.alone:
                    tags[row, place, self._not_times()] = NEVER
        parts, at = [], 0
        for slot, size in enumerate(self.layout.sizes):
            absent = NEVER if slot in self.layout.unasked else 0.0
            parts.append(log_softmax(np.pad(choices[:, at : at + size], ((0, 0), (1, 0)), constant_values=absent)))
            at += size
        return Chain(tags, starts, moves, given.lengths), parts

    def _not_times(self) -> list[int]:
        """The tags of slots that hold no time."""
        return [
            tag
            for at, slot in enumerate(self.layout.copied)
            if pool_of(slot) != TIMES
            for tag in (2 * at + 1, 2 * at + 2)
        ]

    def _best(
        self,
        text: str,
        words: Sequence[Word],
        roads: Sequence[tuple[Sequence[int], float]],
        parts: Sequence[Array],
        k: int,
    ) -> list[Reading]:
        """Tags and choices in their likeliest combinations; a call that two of them make has both chances."""
        best = [int(part.argmax()) for part in parts]
        sure = sum(float(part[pick]) for part, pick in zip(parts, best, strict=True))
        others = [
            (float(part[pick] - part[best[slot]]), slot, int(pick))
            for slot, part in enumerate(parts)
            for pick in np.argsort(-part)[:PICKS]
            if pick != best[slot]
        ]
        changes: list[tuple[float, tuple[tuple[int, int], ...]]] = [(0.0, ())]
        closest = sorted(others, reverse=True)[: 2 * PICKS]
        changes += [(loss, ((slot, pick),)) for loss, slot, pick in closest]
        changes += [
            (a[0] + b[0], ((a[1], a[2]), (b[1], b[2])))
            for at, a in enumerate(closest[:PICKS])
            for b in closest[at + 1 : PICKS]
            if a[1] != b[1]
        ]
        ways = next((part[1:] for part, (slot, _) in zip(parts, self.layout.chosen, strict=True) if slot == WAY), None)
        content = frozenset(at for at, word in enumerate(words) if self._is_content(word.text))
        found: dict[str, Reading] = {}
        for road, score in roads:
            copied, held = self._copied(text, words, road)
            unused = len(content.difference(*held.values()))
            for loss, change in sorted(changes, reverse=True)[: max(k + 2, CHANGES)]:
                picks = list(best)
                for slot, pick in change:
                    picks[slot] = pick
                reading = Reading(self._call(copied, picks, ways), score + sure + loss, unused)
                name = str(canonical_call(reading.call))
                if name in found:
                    total = float(np.logaddexp(found[name].score, reading.score))
                    reading = Reading(found[name].call, min(total, 0.0), min(found[name].unused, reading.unused))
                found[name] = reading
        every = [replace(one, score=one.score - self.dropping * one.unused) for one in found.values()]
        likeliest = sorted(every, key=lambda one: -one.score)
        whole = list(islice((one for one in likeliest if reads_back(one.call)), k))
        return whole or [replace(likeliest[0], call=readable(likeliest[0].call))]

    def _copied(self, text: str, words: Sequence[Word], path: Sequence[int]) -> tuple[dict[str, str], dict[str, range]]:
        """slot -> its value, and slot -> the words that it took"""
        copied: dict[str, str] = {}
        held: dict[str, range] = {}
        taken = 0
        for slot, start, end in spans(path):
            name = self.layout.copied[slot]
            if name == TOP and start < taken:
                continue  # star3 is one word
            if name != TOP:
                start, end = self.values.cut(name, [word.text for word in words], *whole_words(words, start, end))
                taken = end
            value = self.values.meant(name, text[words[start].start : words[end - 1].end])
            name = self.values.at_home(name, value, self.layout.copied)
            # Of two spans for one slot the longer counts.
            if value and len(value) > len(copied.get(name, "")):
                copied[name], held[name] = value, range(start, end)
        return copied, held

    def _call(self, values: Mapping[str, str], picks: Sequence[int], ways: Array | None) -> Call:
        copied = dict(values)
        chosen = {slot: names[pick - 1] for (slot, names), pick in zip(self.layout.chosen, picks, strict=True) if pick}
        self._keep_habits(copied, chosen, ways)
        return unsay(self.layout, copied, chosen)

    def _keep_habits(self, copied: dict[str, str], chosen: dict[str, str], ways: Array | None) -> None:
        """Adds the order that a TOP has in train, and takes the time that goes with what else is asked."""
        habits = self.layout.habits
        if habits.ordered and ways is not None and (TOP in copied or FIRST in chosen) and WAY not in chosen:
            chosen[WAY] = next(names for slot, names in self.layout.chosen if slot == WAY)[int(ways.argmax())]
        filtered = [slot.split()[1] for slot in (*copied, *chosen) if slot.startswith("FILTER ")]
        for slot in [slot for slot in copied if slot.startswith("FILTER ")]:
            kind, name, operator = slot.split()
            better = f"{kind} {habits.instead(filtered, name)} {operator}"
            if better not in copied and better in self.layout.copied:
                copied[better] = copied.pop(slot)
        filtered = [slot.split()[1] for slot in (*copied, *chosen) if slot.startswith("FILTER ")]
        if BY in chosen:
            chosen[BY] = habits.instead(filtered, chosen[BY])
        else:
            chosen.pop(WAY, None)  # nothing tells by what, so it is no order

    def _is_content(self, word: str) -> bool:
        return len(word) > 1 and word.isalpha() and self.counts.get(looks(word), 0) < HARDLY


def mean(arrays: Sequence[Array]) -> Array:
    total = arrays[0]
    for one in arrays[1:]:
        total = total + one
    return total / len(arrays)
