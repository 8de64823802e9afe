"""More requests from those of train: two joined into one, and values put in for each other.

Length failure is mostly never having seen many clauses at once (Okapi §6), so the network is shown requests that hold
the clauses of two or three. What leads in to the second (`what are the`) is cut where nothing of its meaning is lost.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from random import Random

from sayso.targets.api.syntax.schema import schema
from sayso.targets.api.systems.align import Row
from sayso.targets.api.systems.layout import BY, SAME, Layout, pool_of
from sayso.targets.api.systems.phrases import Phrases, spans

LINKS: tuple[tuple[str, ...], ...] = (
    (",",), ("and",), ("that", "are"), ("which", "are"), ("and", "also"), ("that", "were"), (), (), ("with",),
)  # fmt: skip
SURE, LIFT, OFTEN = 0.6, 2.0, 3
LONGEST = 70
NEAR, SHARED = 5, 0.4
"""Two times at most so many words apart are said as one in this share of requests."""
STOPS = ".?!"


@dataclass(frozen=True)
class Cues:
    """Words that tell a clause: where the lead-in of a request ends."""

    words: frozenset[str]
    noun: str
    """How the word for what is asked begins (email): nothing behind it is lead-in."""

    def lead(self, row: Row) -> int:
        """How many words may be cut off in front."""
        for at, (word, tag) in enumerate(zip(row.words, row.tags, strict=True)):
            if tag or word.lower() in self.words:
                return at
            if word.lower().startswith(self.noun):
                return at + 1
        return 0


def find_cues(domain: str, rows: Sequence[Row]) -> Cues:
    """A word is a cue when some label is much likelier in the requests that hold it."""
    with_word: Counter[str] = Counter()
    with_label: Counter[tuple[int, int]] = Counter()
    both: dict[str, Counter[tuple[int, int]]] = defaultdict(Counter)
    for row in rows:
        labels = {(-1, tag) for tag in row.tags if tag % 2} | {one for one in enumerate(row.choices) if one[1]}
        with_label.update(labels)
        for word in {word.lower() for word, tag in zip(row.words, row.tags, strict=True) if not tag}:
            with_word[word] += 1
            both[word].update(labels)
    cues = set()
    for word, n in with_word.items():
        if n < OFTEN:
            continue
        for label, together in both[word].items():
            share, usual = together / n, with_label[label] / len(rows)
            if share >= SURE and share >= LIFT * usual:
                cues.add(word)
                break
    return Cues(frozenset(cues), schema(domain).gloss.rstrip("s"))


def join(one: Row, other: Row, cues: Cues, random: Random) -> Row | None:
    """Both in one request; None where they contradict each other."""
    if any(a and b and a != b for a, b in zip(one.choices, other.choices, strict=True)):
        return None
    if {tag for tag in one.tags if tag} & {tag for tag in other.tags if tag}:
        return None
    cut = cues.lead(other)
    if random.random() < 0.3:
        cut = random.randint(0, cut)
    end = len(one.words) - (1 if one.words and one.words[-1] in STOPS and not one.tags[-1] else 0)
    link = random.choice(LINKS)
    words = (*one.words[:end], *link, *other.words[cut:])
    if len(words) > LONGEST:
        return None
    tags = (*one.tags[:end], *([0] * len(link)), *other.tags[cut:])
    choices = tuple(max(pair) for pair in zip(one.choices, other.choices, strict=True))
    return Row(words, tags, choices, True)


def swap(row: Row, phrases: Phrases, random: Random, share: float) -> Row:
    """Some values replaced by others of the same slot."""
    words: list[str] = []
    tags: list[int] = []
    done = 0
    for slot, start, end in spans(row.tags):
        words += row.words[done:start]
        tags += row.tags[done:start]
        inside = (
            phrases.pick(slot, random)
            if slot not in phrases.known and random.random() < share
            else row.words[start:end]
        )
        words += inside
        tags += [2 * slot + 1, *([2 * slot + 2] * (len(inside) - 1))]
        done = end
    return Row((*words, *row.words[done:]), (*tags, *row.tags[done:]), row.choices, row.whole)


def share(layout: Layout, row: Row, random: Random) -> Row:
    """`created on Monday and changed today` -> `created and changed today`, the first having the second's value."""
    found = spans(row.tags)
    names = [slot for slot, _ in layout.chosen]
    for (one, start, end), (other, after, _) in pairwise(found):
        slot = SAME + layout.copied[one]
        alike = slot in names and pool_of(layout.copied[other]) == pool_of(layout.copied[one])
        if not alike or after - end > NEAR or random.random() >= SHARED:
            continue
        if start and row.words[start - 1].lower() in ("on", "in"):
            start -= 1
        choices = tuple(choice or int(name == slot) for name, choice in zip(names, row.choices, strict=True))
        return Row(row.words[:start] + row.words[end:], row.tags[:start] + row.tags[end:], choices, row.whole)
    return row


def keeps(layout: Layout, row: Row) -> bool:
    """Whether a request asks for nothing that calls of train never do."""
    said = {slot: values[pick - 1] for (slot, values), pick in zip(layout.chosen, row.choices, strict=True) if pick}
    slots = (*said, *(layout.copied[slot] for slot, _, _ in spans(row.tags)))
    return layout.habits.allows([slot.split()[1] for slot in slots if slot.startswith("FILTER ")], said.get(BY, ""))


def weights(rows: Sequence[Row]) -> list[float]:
    """How often each is joined to another: more often what says a thing that few say."""
    labels = [{(-1, tag) for tag in row.tags if tag % 2} | {*enumerate(row.choices)} for row in rows]
    seen = Counter(label for each in labels for label in each)
    return [min((seen[label] for label in each if label[1]), default=len(rows)) ** -0.5 for each in labels]


def more_rows(layout: Layout, rows: Sequence[Row], cues: Cues, n: int, random: Random) -> list[Row]:
    """n joined requests; every third holds three."""
    found: list[Row] = []
    tries = 0
    bounds = list(accumulate(weights(rows)))
    while len(found) < n and tries < 50 * n:
        tries += 1
        one, other, third = random.choices(rows, cum_weights=bounds, k=3)
        row = join(one, other, cues, random)
        if row and random.random() < 1 / 3:
            row = join(row, third, cues, random) or row
        if row and keeps(layout, row):
            found.append(row)
    return found
