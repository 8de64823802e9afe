"""From the words that were copied to the value that is meant: spelling, joined words and case, learnt from train.

A pool is what may fill alike slots: all times of a domain are one, and each other property has its own. Where train has
nearly every value of a pool, words that are no value of it are a slip of one; where it has few, they are a new value.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from difflib import SequenceMatcher

from sayso.targets.api.request.words import read_number, split_words
from sayso.targets.api.syntax.calls import Call
from sayso.targets.api.systems.align import find_value, squash
from sayso.targets.api.systems.layout import SEARCH, TIMES, TOP, Layout, pool_of, say

ALIKE = 0.75
NEARLY_ALL, LISTED = 0.8, 0.5
"""A pool is complete when so many of its values, by calls, occur in more than one call; a list, when half do."""
ENDING = ".com"
PLURAL = re.compile("[b-z]s")
"""What is left of RFPs when it is cut before its last capital: rf ps"""
MOSTLY, FEWEST, OFTEN, USUAL = 0.6, 4, 5, 20
QUOTES = "\"'“”‘’"
LONG, NEAR = 7, 0.8
POSSESSIVE = ("'s", "’s")


@dataclass(frozen=True)
class Values:
    known: Mapping[str, Mapping[str, str]]
    """pool -> letters of a value -> the value as it is usually written; of an open pool what several calls have"""
    heard: Mapping[str, Mapping[str, str]]
    """pool -> words as they were typed -> the value that train has for them"""
    complete: Mapping[str, float]
    """pool -> the share of calls whose value another call has too"""
    cases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """pool -> a word in small letters -> how train writes it most (conf -> Conf); "" is how a new word begins"""
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """pool -> words of a value that train writes in one, as they are typed: `avocado it` -> AvocadoIT"""
    joined: tuple[str, ...] = ()
    """pools whose values are written in one where a piece of them is no word: `td bank` is TDBank"""

    alone: tuple[str, ...] = ()
    """Words that are a time by themselves, often, and that train has in no value of another kind: today"""

    around: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """pool -> "before" and "after" -> words that stand there often, and never begin or end a value: `of`"""

    def cut(self, slot: str, words: Sequence[str], start: int, end: int) -> tuple[int, int]:
        """A span without what stands around values at its ends."""
        around = self.around.get(pool_of(slot), {})
        while end - start > 1 and words[start].casefold() in around.get("before", ()):
            start += 1
        after = around.get("after", ())
        while end - start > 1 and (words[end - 1].casefold() in after or is_slip(words[end - 1].casefold(), after)):
            end -= 1
        return start, end

    def meant(self, slot: str, text: str) -> str:
        """The value; "" where these words cannot be one (TOP many)."""
        text = without_quotes(" ".join(text.split()))
        if slot == TOP:
            number = read_number(text)
            return "" if number is None else str(number)
        pool = pool_of(slot)
        known, heard = self.known.get(pool, {}), self.heard.get(pool, {})
        folded = text.casefold()
        if folded in heard:
            return heard[folded]
        full = self.complete.get(pool, 0.0) >= NEARLY_ALL
        letters = squash(text)
        # In an open pool `pop gen` and popgen may be two values.
        if letters in known and (full or known[letters].casefold() == folded):
            return known[letters]
        if text.endswith(POSSESSIVE) and squash(text[:-2]) in known:
            return known[squash(text[:-2])]
        if full and (near := slip_of(letters, known)):
            return near
        if whole := put_together(text, self.parts.get(pool, {})):
            return whole
        if pool in self.joined and in_pieces(text):
            return "".join(piece[:1].upper() + piece[1:] for piece in text.split())
        return self.cased(pool, text)

    def at_home(self, slot: str, value: str, slots: Iterable[str]) -> str:
        """The slot that the value is of: another, where this has a list of values without it and only that one has it
        (`the Holidays category`, though Holidays is a calendar)."""
        pool = pool_of(slot)
        if slot in (SEARCH, TOP) or self.complete.get(pool, 0.0) < LISTED or squash(value) in self.known.get(pool, {}):
            return slot
        others = [
            other
            for other in slots
            if self.complete.get(pool_of(other), 0.0) >= NEARLY_ALL
            and squash(value) in self.known.get(pool_of(other), {})
        ]
        return others[0] if len(others) == 1 else slot

    def cased(self, pool: str, text: str) -> str:
        """Words typed in small letters as train writes them; names begin with capitals where the pool's do."""
        cases = self.cases.get(pool, {})
        if not text.islower() or not cases:
            return text
        capital = bool(cases.get("")) and cases[""].isupper()
        return " ".join(cases.get(word) or (word[:1].upper() + word[1:] if capital else word) for word in text.split())

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def without_quotes(text: str) -> str:
    """Calls have values without the quotes that people put around them."""
    return text[1:-1].strip() if len(text) > 2 and text[0] in QUOTES and text[-1] in QUOTES else text


def is_slip(word: str, words: Iterable[str]) -> bool:
    """Whether a long word is one of these but for a letter or two: `cateogry`."""
    return len(word) >= LONG and any(
        len(one) >= LONG and SequenceMatcher(None, word, one).ratio() >= NEAR for one in words
    )


def cut_words(typed: str, value: str) -> dict[str, str]:
    """("japan avocado it", "Japan AvocadoIT") -> {"avocado it": "AvocadoIT"}"""
    found, left = {}, typed.split()
    for word in value.split():
        taken: list[str] = []
        while left and len(squash("".join(taken))) < len(squash(word)):
            taken.append(left.pop(0))
        if squash("".join(taken)) == squash(word) and len(taken) > 1:
            found[" ".join(taken)] = word
    return found


def put_together(text: str, parts: Mapping[str, str]) -> str:
    """The text with the words that it cuts written in one; "" where it cuts none."""
    words, out, at = text.split(), [], 0
    while at < len(words):
        size = next((n for n in (4, 3, 2) if " ".join(words[at : at + n]).casefold() in parts), 1)
        piece = " ".join(words[at : at + size])
        out.append(parts.get(piece.casefold(), piece) if size > 1 else piece)
        at += size
    return " ".join(out) if len(out) < len(words) else ""


def in_pieces(text: str) -> bool:
    """Whether a word was cut at its capitals (AnyDay.com, RFPs, eWork): two pieces, of which one is no word by itself.

    Other abbreviations stand by themselves as often as not: HP Reps beside TDWaterhouse.
    """
    pieces = text.casefold().split()
    if len(pieces) != 2 or not all(piece[0].isalpha() for piece in pieces):
        return False
    return pieces[1].endswith(ENDING) or len(pieces[0]) == 1 or bool(PLURAL.fullmatch(pieces[1]))


def slip_of(letters: str, known: Mapping[str, str]) -> str:
    """The one value that begins so, or the one most alike; "" where none is."""
    begun = [value for one, value in known.items() if letters and one.startswith(letters)]
    if len(begun) == 1:
        return begun[0]
    best, found = ALIKE, ""
    for one, value in known.items():
        if _most_alike(letters, one) <= best:
            continue
        likeness = SequenceMatcher(None, letters, one).ratio()
        if likeness > best:
            best, found = likeness, value
    return found


def _most_alike(one: str, other: str) -> float:
    """What SequenceMatcher's ratio cannot be above: it is dear, and most values have too few letters in common."""
    if 2 * min(len(one), len(other)) <= ALIKE * (len(one) + len(other)):
        return 0.0
    return 2 * sum(min(one.count(letter), other.count(letter)) for letter in set(other)) / (len(one) + len(other))


def learn_values(layout: Layout, pairs: Iterable[tuple[str, Call]]) -> Values:
    spelled: dict[str, Counter[str]] = defaultdict(Counter)
    calls: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    heard: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    raised: dict[str, list[bool]] = defaultdict(list)
    around: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for request, call in pairs:
        words = split_words(request)
        for slot, value in say(layout, call).copied.items():
            if slot == TOP:
                continue
            pool = pool_of(slot)
            spelled[pool][value] += 1
            calls[pool][value.casefold()].add(str(call))
            span = find_value(words, [0] * len(words), value)
            if span:
                typed = " ".join(request[words[span[0]].start : words[span[1] - 1].end].split())
                heard[pool][typed.casefold()][value] += 1
                note_around(around[pool], [word.text.casefold() for word in words], *span)
                if typed.islower():
                    raised[pool].append(not value.islower())
    complete = {}
    for pool, table in calls.items():
        total = sum(len(where) for where in table.values())
        complete[pool] = round(sum(len(where) for where in table.values() if len(where) > 1) / total, 3)
    known: dict[str, dict[str, str]] = {}
    for pool, seen in spelled.items():
        known[pool] = {}
        for value, _ in seen.most_common():
            if complete[pool] >= NEARLY_ALL or len(calls[pool][value.casefold()]) > 1:
                known[pool].setdefault(squash(value), value)
    maps: dict[str, dict[str, str]] = {}
    parts: dict[str, dict[str, str]] = {}
    for pool, typed_as in heard.items():
        maps[pool] = {}
        for typed, found in typed_as.items():
            value = found.most_common(1)[0][0]
            written_in_one = squash(typed) == squash(value) and value.count(" ") < typed.count(" ")
            if written_in_one and complete[pool] < NEARLY_ALL:
                parts.setdefault(pool, {}).update(cut_words(typed, value))
            if value.casefold() != typed and (complete[pool] >= NEARLY_ALL or written_in_one):
                maps[pool][typed] = value
    alone = tuple(
        word
        for word, found in sorted(heard.get(TIMES, {}).items())
        if found.total() >= USUAL
        and complete[TIMES] >= NEARLY_ALL
        and " " not in word
        and not any(word in typed.split() for pool, table in heard.items() if pool != TIMES for typed in table)
    )
    # Where people type small letters because the value has them (file names), nothing is raised.
    cases = {pool: usual_cases(seen) for pool, seen in spelled.items() if 2 * sum(raised[pool]) > len(raised[pool])}
    return Values(known, maps, complete, cases, parts, joined_pools(heard), alone, often_around(around, complete))


def note_around(seen: dict[str, Counter[str]], words: Sequence[str], start: int, end: int) -> None:
    """Counts what stands before and after a value; what begins or ends one never counts."""
    seen["before"].update(words[max(start - 1, 0) : start])
    seen["after"].update(words[end : end + 1])
    seen["first"][words[start]] += 1
    seen["last"][words[end - 1]] += 1


def often_around(
    around: Mapping[str, Mapping[str, Counter[str]]], complete: Mapping[str, float]
) -> dict[str, dict[str, list[str]]]:
    return {
        pool: {
            side: sorted(
                word for word, n in seen[side].items() if n >= OFTEN and word.isalpha() and not seen[end][word]
            )
            for side, end in (("before", "first"), ("after", "last"))
        }
        for pool, seen in around.items()
        if complete[pool] < NEARLY_ALL
    }


def usual_cases(seen: Counter[str]) -> dict[str, str]:
    """How each word that comes in several values is written, and "A" or "a" for how most of the others begin."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for value in seen:
        for word in value.split():
            forms[word.casefold()][word] += 1
    found = {word: form.most_common(1)[0][0] for word, form in forms.items() if form.total() >= FEWEST}
    rare = [next(iter(form)) for form in forms.values() if form.total() < FEWEST]
    capital = sum(word[:1].isupper() for word in rare) * 2 > len(rare)
    return {**found, "": "A" if capital else "a"}


def joined_pools(heard: Mapping[str, Mapping[str, Counter[str]]]) -> tuple[str, ...]:
    """Pools where train writes most of such pieces in one."""
    found = []
    for pool, table in heard.items():
        pieces = [values.most_common(1)[0][0] for typed, values in table.items() if in_pieces(typed)]
        if len(pieces) >= FEWEST and sum(" " not in value for value in pieces) >= MOSTLY * len(pieces):
            found.append(pool)
    return tuple(found)
