"""The words of values, and new ones made of them: what stands in for a value must be told by what stands round it.

Values of train are few and mostly plain; those of a request that is new have words in them that mean a clause elsewhere
(`first person shooter`, `sales and marketing`), a number, or two parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from sayso.targets.api.systems.align import Row
from sayso.targets.api.systems.layout import TOP, Layout, pool_of

Phrase = tuple[str, ...]
OFTEN, REGULAR = 5, 0.9
LONGEST = 7
KINDS = ("own", "other", "two", "stray", "number")
SHARES = (0.55, 0.1, 0.17, 0.13, 0.05)
"""How often a value is one of the slot's own, one of another open slot, two in one, one with a word of the request's
frame in it, or one with a number."""


@dataclass(frozen=True)
class Phrases:
    of_slot: tuple[tuple[Phrase, ...], ...]
    """The words of every value, by slot."""
    free: frozenset[int] = frozenset()
    """Slots whose values have no one form, and of which train has but a few: they may be anything."""
    links: tuple[str, ...] = ()
    """What stands inside of values, and elsewhere too: and, of, &."""
    known: frozenset[int] = frozenset()
    """Slots whose values are all known: there `from now` is not `from Sunday`, so that none stands in for another."""
    strays: tuple[str, ...] = ()
    """Words of requests that do not stand right before a value."""

    def pick(self, slot: int, random: Random) -> Phrase:
        """One for the slot; a new one now and then where the slot is free."""
        own = random.choice(self.of_slot[slot])
        if slot not in self.free:
            return own
        kind = random.choices(KINDS, SHARES)[0]
        if kind == "other":
            return random.choice(self.of_slot[random.choice(sorted(self.free))])
        if kind == "two":
            link = (random.choice(self.links),) if self.links and random.random() < 0.7 else ()
            both = (*own, *link, *random.choice(self.of_slot[slot]))
            return both if len(both) <= LONGEST else own
        if kind == "stray" and self.strays:
            at = random.randrange(len(own))
            return (*own[:at], random.choice(self.strays), *own[at:])
        if kind == "number":
            return (*own, str(random.randrange(10 ** random.randint(1, 4))))
        return own


def find_phrases(layout: Layout, rows: Sequence[Row], complete: Collection[str] = ()) -> Phrases:
    """Complete are the pools of which train has nearly every value."""
    found: list[set[Phrase]] = [set() for _ in layout.copied]
    outside: Counter[str] = Counter()
    before: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for row in rows:
        for slot, start, end in spans(row.tags):
            found[slot].add(row.words[start:end])
            inside.update(word.lower() for word in row.words[start + 1 : end - 1])
            before.update(word.lower() for word in row.words[max(start - 1, 0) : start])
        outside.update(word.lower() for word, tag in zip(row.words, row.tags, strict=True) if not tag)
    free = frozenset(
        slot
        for slot, name in enumerate(layout.copied)
        if name != TOP and pool_of(name) not in complete and found[slot] and not is_regular(found[slot])
    )
    known = frozenset(slot for slot, name in enumerate(layout.copied) if pool_of(name) in complete)
    links = sorted(word for word in inside if outside[word] >= OFTEN or not word.isalnum())
    told = {word.lower() for slot in known for phrase in found[slot] for word in phrase}
    strays = sorted(
        word for word, n in outside.items() if n >= OFTEN and word.isalpha() and before[word] < 2 and word not in told
    )
    return Phrases(tuple(tuple(sorted(one)) for one in found), free, tuple(links), known, tuple(strays))


def is_regular(phrases: Collection[Phrase]) -> bool:
    """Whether nearly all have the same number of words, as names have."""
    _, most = Counter(len(one) for one in phrases).most_common(1)[0]
    return most >= REGULAR * len(phrases)


def spans(tags: Sequence[int]) -> list[tuple[int, int, int]]:
    """(slot, start, end) of every run that begins with a first word."""
    found = []
    at = 0
    while at < len(tags):
        if tags[at] % 2:
            end = at + 1
            while end < len(tags) and tags[end] == tags[at] + 1:
                end += 1
            found.append((tags[at] // 2, at, end))
            at = end
        else:
            at += 1
    return found
