"""Which constant of a request fills which slot of a template: a logistic classifier over pairs (NL2Bash §6, Tellina).

Learned from train pairs in which an argument is a constant of the request, rewritten or not. Features are the kind of
the constant, the type, flag and utility of the slot, the words around the constant, and whether their order agrees.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sayso.core.types import Example
from sayso.english.constants import kind_of
from sayso.english.stems import STOP_WORDS, stem
from sayso.english.tokens import tokenise
from sayso.learners.linear import fit_sparse
from sayso.targets.bash.forms.skeleton import Argument, Habit, skeleton
from sayso.targets.bash.tellina.reformat import REWRITINGS, plain_value, rewritten

EPOCHS, RATE, FADING = 2, 0.2, 1e-5
# The least log-odds with which a constant fills a slot, and a word that is none by its looks; chosen on dev.
BARELY, SURELY = -3.0, 0.0
LONGEST = 60
# How often a rewriting must be counted somewhere before it is usual there.
SEEN = 2
COMMON = 8
# An argument is a habit when it was there so often, and so seldom asked for.
OFTEN, UNASKED = 3, 0.7


@dataclass(frozen=True)
class Constant:
    """A token of the request that may be an argument; `kind` "word" looks like English."""

    value: str
    kind: str
    before: str
    after: str
    place: int
    phrase: str = ""
    """The two words before it: "ends with" asks for another pattern than "named"."""


def constants(text: str) -> list[Constant]:
    """In order of appearance; words only where they are not stop words."""
    tokens = tokenise(text)
    stems = ["", *(stem(token.text.lower()) if token.kind == "word" else f"<{token.kind}>" for token in tokens), ""]
    found: list[Constant] = []
    for at, token in enumerate(tokens[:LONGEST]):
        if token.kind == "mark" or not token.value or (token.kind == "word" and token.text.lower() in STOP_WORDS):
            continue
        kind = token.kind
        if kind == "string":
            kind = kind_of(token.value) or "string"
        phrase = " ".join(stems[max(0, at - 1) : at + 1])
        found.append(Constant(token.value, kind, stems[at], stems[at + 2], len(found), phrase))
    return found


@dataclass(frozen=True)
class Alignment:
    """The classifier, how often each rewriting was used where, and what fills a slot that no constant fits."""

    weights: Mapping[str, float]
    rewritings: Mapping[str, tuple[str, ...]]
    defaults: Mapping[str, str]
    plain_words: frozenset[str] = frozenset()
    """Stems of words that are common in requests and next to never arguments."""

    def fill(self, said: Sequence[Constant], slots: Sequence[Argument]) -> tuple[list[str], float]:
        """A value for every slot, and how well it went: log-probabilities, less one for each that is left over."""
        said = without_plain(said, self.plain_words)
        scored = sorted(
            (
                (-self.logit(constant, at, slot, said, slots), at, constant.place)
                for at, slot in enumerate(slots)
                for constant in said
            ),
        )
        chosen: dict[int, int] = {}
        certainty: dict[int, float] = {}
        for negative, at, place in scored:
            least = SURELY if said[place].kind == "word" else BARELY
            if at not in chosen and place not in chosen.values() and -negative > least:
                chosen[at] = place
                certainty[at] = -math.log1p(math.exp(min(30.0, negative)))
        values = [
            self.value(said[chosen[at]], slot) if at in chosen else self.default(slot) for at, slot in enumerate(slots)
        ]
        unused = sum(one.kind != "word" for one in said) - sum(said[place].kind != "word" for place in chosen.values())
        empty = sum(at not in chosen for at in range(len(slots)))
        return values, sum(certainty.values()) - 1.0 * unused - 1.0 * empty

    def logit(
        self, constant: Constant, at: int, slot: Argument, said: Sequence[Constant], slots: Sequence[Argument]
    ) -> float:
        return sum(self.weights.get(feature, 0.0) for feature in features(constant, at, slot, said, slots))

    def value(self, constant: Constant, slot: Argument) -> str:
        """The constant in the first usual rewriting that applies."""
        for key in (f"{constant.kind}|{slot.type}|{constant.phrase}", *keys(constant.kind, slot)):
            for name in self.rewritings.get(key, ()):
                if text := rewritten(name, constant.value):
                    return text
        return constant.value

    def default(self, slot: Argument) -> str:
        for key in keys("", slot):
            if key in self.defaults:
                return self.defaults[key]
        return slot.type


def keys(kind: str, slot: Argument) -> Iterator[str]:
    """From the most special to the most general."""
    yield f"{kind}|{slot.type}|{slot.owner}|{slot.flag}"
    yield f"{kind}|{slot.type}|{slot.flag}"
    yield f"{kind}|{slot.type}"


def features(
    constant: Constant, at: int, slot: Argument, said: Sequence[Constant], slots: Sequence[Argument]
) -> Iterator[str]:
    kind, where = constant.kind, f"{slot.owner}{slot.flag}"
    yield "bias"
    yield f"kind={kind}"
    yield f"type={slot.type}|kind={kind}"
    yield f"where={where}|kind={kind}"
    yield f"type={slot.type}|before={constant.before}"
    yield f"type={slot.type}|after={constant.after}"
    yield f"where={where}|before={constant.before}"
    if kind == "word":
        yield f"word={stem(constant.value.lower())}"
        yield f"after={constant.after}|before={constant.before}"
    rank = sum(one.kind != "word" for one in said[: constant.place])
    same = sum(one.type == slot.type for one in slots[:at])
    yield f"order={max(-3, min(3, rank - at))}"
    yield f"order of type={max(-3, min(3, rank - same))}|type={slot.type}"
    yield f"last={at == len(slots) - 1}|{constant.place == len(said) - 1}"


@lru_cache(maxsize=4096)
def forms(value: str) -> Mapping[str, str]:
    """Every text that a rewriting makes of a value, with the plainest rewriting that does."""
    found = {rewritten(name, value): name for name in reversed(list(REWRITINGS))}
    found.pop("", None)
    return found


def learn(examples: Iterable[Example], habits: Collection[Habit] = (), seed: int = 0) -> Alignment:
    """The alignment of all references of all examples."""
    examples = list(examples)
    plain_words = plain_words_of(examples, habits)
    rows: list[tuple[list[str], bool]] = []
    used: defaultdict[str, Counter[str]] = defaultdict(Counter)
    left: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for example in examples:
        said = without_plain(constants(example.request.text), plain_words)
        for reference in example.references:
            slots = skeleton(reference, habits).arguments
            aligned = align(said, slots)
            for at, slot in enumerate(slots):
                if at in aligned:
                    place, name = aligned[at]
                    used_by(used, said[place].kind, slot, name)
                    used[f"{said[place].kind}|{slot.type}|{said[place].phrase}"][name] += 1
                else:
                    used_by(left, "", slot, plain_value(slot.text))
                for constant in said:
                    right = at in aligned and aligned[at][0] == constant.place
                    rows.append((list(features(constant, at, slot, said, slots)), right))
    order = {
        key: tuple(name for name, _ in counts.most_common()) for key, counts in used.items() if counts.total() >= SEEN
    }
    defaults = {key: counts.most_common(1)[0][0] for key, counts in left.items()}
    return Alignment(fit_sparse(rows, EPOCHS, RATE, FADING, seed), order, defaults, plain_words)


def without_plain(said: Sequence[Constant], plain_words: Collection[str]) -> list[Constant]:
    kept = [one for one in said if one.kind != "word" or stem(one.value.lower()) not in plain_words]
    return [replace(one, place=place) for place, one in enumerate(kept)]


def plain_words_of(examples: Iterable[Example], habits: Collection[Habit]) -> frozenset[str]:
    """Words that were there `COMMON` times or more and were an argument in fewer than one of fifty."""
    seen: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for example in examples:
        said = constants(example.request.text)
        seen.update({stem(one.value.lower()) for one in said if one.kind == "word"})
        for reference in example.references:
            aligned = align(said, skeleton(reference, habits).arguments)
            used.update(stem(said[place].value.lower()) for place, _ in aligned.values() if said[place].kind == "word")
    return frozenset(word for word, n in seen.items() if n >= COMMON and used[word] * 50 < n)


def habits_of(examples: Iterable[Example]) -> frozenset[Habit]:
    """Arguments that no constant of their requests accounts for: `find .`, `-maxdepth 1`, `cut -d ' '`."""
    seen: Counter[Habit] = Counter()
    unasked: Counter[Habit] = Counter()
    for example in examples:
        said = constants(example.request.text)
        for reference in example.references:
            slots = skeleton(reference).arguments
            aligned = align(said, slots)
            for at, slot in enumerate(slots):
                habit = (slot.owner, slot.flag, slot.text)
                seen[habit] += 1
                unasked[habit] += at not in aligned
    return frozenset(habit for habit, n in unasked.items() if n >= OFTEN and n >= UNASKED * seen[habit])


def align(said: Sequence[Constant], slots: Sequence[Argument]) -> dict[int, tuple[int, str]]:
    """Slot -> (constant, rewriting) as the reference shows it: the plainest rewriting first, constants before words."""
    order = list(REWRITINGS)
    found = [
        (constant.kind == "word", order.index(name), abs(constant.place - at), at, constant.place)
        for at, slot in enumerate(slots)
        for constant in said
        if (name := forms(constant.value).get(plain_value(slot.text)))
    ]
    aligned: dict[int, tuple[int, str]] = {}
    for _, rank, _, at, place in sorted(found):
        if at not in aligned and all(place != other for other, _ in aligned.values()):
            aligned[at] = (place, order[rank])
    return aligned


def used_by(counts: defaultdict[str, Counter[str]], kind: str, slot: Argument, what: str) -> None:
    for key in keys(kind, slot):
        counts[key][what] += 1
