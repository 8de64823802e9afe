"""A grammar from pairs of texts: rules, weights, and a gate set on pairs that were held out for it."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from sayso.induction.grammar import Grammar
from sayso.induction.induce import Settings, induce
from sayso.induction.rules import Book, Coder
from sayso.induction.weights import learn_weights

GATES = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
Pairs = Sequence[tuple[str, str]]


def learn(pairs: Pairs, settings: Settings | None = None, seed: int = 0) -> Grammar:
    """The grammar of all the pairs; how sure an answer must be is found with a grammar of nine tenths of them.

    The seed shuffles the pairs, which decides between rules that are equally good.
    """
    settings = settings or Settings()
    shuffled = list(dict.fromkeys(pairs))
    random.Random(seed).shuffle(shuffled)
    return fit(shuffled, settings, gate(shuffled, settings))


def gate(pairs: Pairs, settings: Settings) -> float:
    """The lowest confidence at which answers to random pairs and to the longest pairs, both held out, are right."""
    tenth = len(pairs) // 20
    by_length = sorted(pairs, key=lambda pair: len(pair[1].split()))
    longest = by_length[len(pairs) - tenth :]
    rest = by_length[: len(pairs) - tenth]
    random.Random(len(pairs)).shuffle(rest)
    held = [rest[:tenth], longest]
    grammar = fit(rest[tenth:], settings, 0.0)
    answers = [[found for pair in part if (found := judged(grammar, *pair))] for part in held]
    return next((level for level in GATES if all(precise(part, level, settings) for part in answers)), math.inf)


def judged(grammar: Grammar, source: str, target: str) -> tuple[float, bool] | None:
    best = grammar.derive(source)
    return (best[0].score, best[0].text == target) if best else None


def precise(answers: Sequence[tuple[float, bool]], level: float, settings: Settings) -> bool:
    right = [is_right for score, is_right in answers if score >= level]
    return len(right) >= settings.fewest_answers and sum(right) >= settings.precision * len(right)


def fit(pairs: Pairs, settings: Settings, sure: float) -> Grammar:
    coder = Coder()
    coded = [(coder.learn(source), coder.learn(target)) for source, target in pairs]
    rules = induce(coded, settings)
    weights = learn_weights(Book(rules), coded[: settings.weighed], settings.weighings)
    spoken = [(coder.spell(rule.source), coder.spell(rule.target)) for rule in rules]
    return Grammar(spoken, weights, sure, settings.longest_source)
