"""Rules from pairs by greedy minimum description length, shortest sources first (after Shaw et al. 2021, NQG).

Pairs that the rules so far derive need nothing. From the others, candidate rules are made by taking out what is
understood already; the one that shortens the description of the pairs most is added, until all are derived.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.induction.chart import Cells, implied, recognise, rules_used
from sayso.induction.factor import factor
from sayso.induction.frames import cost, frames_of
from sayso.induction.phrases import Pair, first_phrases
from sayso.induction.rules import Book, Rule


@dataclass(frozen=True)
class Settings:
    """What bounds the search, in counts, so that the same pairs always give the same grammar."""

    longest_phrase: int = 3
    """Words of a first phrase and of what it means; pairs as short as this may be rules themselves."""
    certain: float = 0.98
    """How often a first phrase must go together with its meaning."""
    phrase_pairs: int = 3_000
    """The shortest pairs, from which first phrases are taken."""
    longest_source: int = 24
    """Longer requests are neither learned from nor answered."""
    per_length: int = 500
    """Pairs of one source length that are looked at; more of them would say much the same."""
    batch: int = 200
    """Pairs of one length that are explained together."""
    rounds: int = 60
    """Batches at most."""
    frames_per_pair: int = 1_000
    depth: int = 2
    """How many known rules may be peeled off a pair before what is left over is made a rule."""
    fewest: int = 2
    """Pairs that a rule must explain."""
    weighed: int = 2_000
    """Pairs from which it is learned how rules nest."""
    weighings: int = 4
    precision: float = 0.98
    """How many of the answers to held-out pairs must be right; otherwise the grammar never answers."""
    fewest_answers: int = 5


def induce(pairs: Sequence[Pair], settings: Settings) -> list[Rule]:
    """Rules that derive the pairs, as far as rules for several pairs can; very short pairs are rules themselves."""
    pairs = shortest_first(pairs, settings)
    rules = first_phrases(pairs[: settings.phrase_pairs], settings.longest_phrase, settings.certain, settings.fewest)
    hard, rules = sweep(pairs, rules, settings)
    if hard:  # what could not be explained at first may be a word and a rule that came later
        hard, rules = sweep(pairs, rules, settings)
    rules += [Rule(*pairs[at]) for at in sorted(hard) if len(pairs[at][0]) <= settings.longest_phrase]
    return prune(factor(rules), [pair for at, pair in enumerate(pairs) if at not in hard])


def shortest_first(pairs: Sequence[Pair], settings: Settings) -> list[Pair]:
    by_length: defaultdict[int, list[Pair]] = defaultdict(list)
    for pair in pairs:
        if len(by_length[len(pair[0])]) < settings.per_length:
            by_length[len(pair[0])].append(pair)
    kept = (by_length[size] for size in range(1, settings.longest_source + 1))
    return [pair for some in kept for pair in sorted(some, key=lambda pair: len(pair[1]))]


def sweep(pairs: Sequence[Pair], rules: list[Rule], settings: Settings) -> tuple[set[int], list[Rule]]:
    """Go through the pairs once; the numbers of those that stay without a derivation, and the rules with new ones."""
    hard: set[int] = set()
    looked_at = 0
    for _ in range(settings.rounds):
        batch, looked_at = underived(pairs, looked_at, Book(rules), hard, settings.batch)
        if not batch:
            break
        found, left = explain([pairs[at] for at in batch], rules, settings)
        rules = rules + found
        hard.update(batch[at] for at in left)
    return hard, rules


def underived(pairs: Sequence[Pair], start: int, book: Book, hard: set[int], limit: int) -> tuple[list[int], int]:
    """The next pairs of one source length that are not derived, and the place from where to go on looking."""
    found: list[int] = []
    for at in range(start, len(pairs)):
        source, target = pairs[at]
        if len(found) == limit or (found and len(source) > len(pairs[found[0]][0])):
            break
        if at not in hard and target not in recognise(book, source, target).get((0, len(source)), {}):
            found.append(at)
    return found, found[0] if found else len(pairs)


def explain(batch: Sequence[Pair], rules: Sequence[Rule], settings: Settings) -> tuple[list[Rule], list[int]]:
    """New rules for a batch, and the numbers of the pairs that are still not derived."""
    new: list[Rule] = []
    todo = list(range(len(batch)))
    while True:
        book = Book([*rules, *new])
        support: defaultdict[Rule, list[int]] = defaultdict(list)
        left = []
        for at in todo:
            source, target = batch[at]
            cells = recognise(book, source, target)
            if target in cells.get((0, len(source)), {}):
                continue
            left.append(at)
            for rule in dict.fromkeys(candidates(book, source, target, cells, settings, settings.depth)):
                support[rule].append(at)
        todo = left
        best = max(
            (
                (gain(rule, [batch[at] for at in held]), -cost(rule.source, rule.target), rule)
                for rule, held in support.items()
                if len(held) >= settings.fewest
            ),
            key=lambda found: found[:2],
            default=None,
        )
        if best is None or best[0] <= 0:
            return new, todo
        new.append(best[2])


def gain(rule: Rule, pairs: Sequence[Pair]) -> int:
    return sum(cost(*pair) for pair in pairs) - cost(rule.source, rule.target)


def candidates(book: Book, source: str, target: str, cells: Cells, settings: Settings, depth: int) -> Iterator[Rule]:
    """Rules that would make the pair derived: for all of it, or for a part that known rules leave over."""
    yield from frames_of(source, target, cells, settings.frames_per_pair)
    if depth:
        for part, value in dict.fromkeys(implied(book, source, target, cells)):
            yield Rule(part, value)
            yield from candidates(book, part, value, recognise(book, part, value), settings, depth - 1)


def prune(rules: Sequence[Rule], pairs: Sequence[Pair]) -> list[Rule]:
    """Drop rules without which every pair is still derived, the longest first."""
    kept = list(dict.fromkeys(rules))
    using: dict[int, frozenset[Rule]] = {}
    book = Book(kept)
    for at, pair in enumerate(pairs):
        if (used := derivation(book, pair)) is not None:
            using[at] = used
    for rule in sorted(kept, key=lambda rule: -cost(rule.source, rule.target)):
        book = Book([other for other in kept if other != rule])
        changed: dict[int, frozenset[Rule]] = {}
        for at, used in using.items():
            if rule in used:
                other = derivation(book, pairs[at])
                if other is None:
                    break
                changed[at] = other
        else:
            kept.remove(rule)
            using.update(changed)
    return kept


def derivation(book: Book, pair: Pair) -> frozenset[Rule] | None:
    source, target = pair
    used = rules_used(recognise(book, source, target), (0, len(source)), target)
    return None if used is None else frozenset(book.rules[number] for number in used)
