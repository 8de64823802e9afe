"""Rules that say the same of a part are said once: `X again Y -> Y X X` and `X Y again -> Y Y X` with `X Y -> Y X`
become `X again -> X X`. What was found in pairs of one shape only is so set free for others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sayso.induction.chart import implied, recognise
from sayso.induction.frames import cost
from sayso.induction.rules import HOLES, Book, Rule

FIXED = "\x03\x04"
"""Holes of a rule that is itself taken for a pair: words that mean themselves."""
THEMSELVES = tuple(Rule(code, code) for code in FIXED)
FIX = str.maketrans(HOLES, FIXED)


def factor(rules: Sequence[Rule]) -> list[Rule]:
    """The rules, with parts that two or more of them share as rules of their own, as long as that is shorter."""
    kept = list(dict.fromkeys(rules))
    while True:
        sharing: defaultdict[Rule, list[Rule]] = defaultdict(list)
        for rule in kept:
            if rule.arity and rule.words:
                for part in dict.fromkeys(parts_of(rule, kept)):
                    sharing[part].append(rule)
        shorter = sorted(
            ((saved, -at, part) for at, part in enumerate(sharing) if (saved := saving(part, sharing[part], kept)) > 0),
            key=lambda found: found[:2],
            reverse=True,
        )
        for _, _, part in shorter:
            rest = [rule for rule in [*kept, part] if rule not in sharing[part] or rule == part]
            if all(says(rest, rule) for rule in sharing[part]):
                kept = list(dict.fromkeys(rest))
                break
        else:
            return kept


def parts_of(rule: Rule, rules: Sequence[Rule]) -> Iterator[Rule]:
    """What the other rules leave over of this one, as rules."""
    source, target = rule.source.translate(FIX), rule.target.translate(FIX)
    book = Book([*(other for other in rules if other != rule), *THEMSELVES])
    for part, value in implied(book, source, target, recognise(book, source, target), even_bare=True):
        holes = [code for code in part if code in FIXED]
        if holes and set(part) - set(FIXED) and set(holes) == set(value) & set(FIXED):
            names = str.maketrans(dict(zip(holes, HOLES, strict=False)))
            yield Rule(part.translate(names), value.translate(names))


def saving(part: Rule, sharing: Sequence[Rule], rules: Sequence[Rule]) -> int:
    if len(sharing) < 2 or part in sharing:
        return 0
    return sum(cost(rule.source, rule.target) for rule in sharing) - (part not in rules) * cost(
        part.source, part.target
    )


def says(rules: Sequence[Rule], rule: Rule) -> bool:
    """Whether the rules derive what this one says, whatever its holes stand for."""
    source, target = rule.source.translate(FIX), rule.target.translate(FIX)
    return target in recognise(Book([*rules, *THEMSELVES]), source, target).get((0, len(source)), {})
