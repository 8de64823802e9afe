"""What the calls of train always do, so that an answer does it too: a TOP with an order, by the time that was named."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sayso.targets.api.syntax.calls import Call, Filter, OrderBy, Top

OFTEN, EXPECTED = 20, 5.0
"""Calls that make a habit, and how many would break it if there were none; fewer are chance."""


@dataclass(frozen=True)
class Habits:
    ordered: bool = False
    """No TOP goes without an ORDERBY."""
    apart: tuple[tuple[str, str, str], ...] = ()
    """Property of a FILTER, a time that never goes with it, neither as FILTER nor as ORDERBY, and the one that does:
    mails from somebody were received, and what was sent today is not ordered by when it was received."""

    def allows(self, filtered: Collection[str], order: str) -> bool:
        return self.instead(filtered, order) == order and all(self.instead(filtered, one) == one for one in filtered)

    def instead(self, filtered: Collection[str], time: str) -> str:
        """The property to order or to filter by in place of this one, where these are filtered."""
        return next((better for name, worse, better in self.apart if name in filtered and worse == time), time)


NONE = Habits()


def learn_habits(calls: Iterable[Call]) -> Habits:
    calls = list(calls)
    tops: Counter[bool] = Counter()
    sorts = {one.property for call in calls for one in call.clauses if isinstance(one, OrderBy)}
    seen: list[tuple[frozenset[str], str]] = []
    for call in calls:
        names = frozenset(one.property for one in call.clauses if isinstance(one, Filter))
        order = [one.property for one in call.clauses if isinstance(one, OrderBy)]
        if any(isinstance(one, Top) for one in call.clauses):
            tops[bool(order)] += 1
        seen += [(names, one) for one in order] + [(names - {name}, name) for name in names & sorts]
    return Habits(tops[True] >= OFTEN and not tops[False], never_together(seen))


def never_together(seen: Collection[tuple[frozenset[str], str]]) -> tuple[tuple[str, str, str], ...]:
    """(name, choice that it never goes with though it would by chance, choice that it goes with instead)"""
    choices = Counter(choice for _, choice in seen)
    with_name: dict[str, Counter[str]] = defaultdict(Counter)
    for names, choice in seen:
        for name in names:
            with_name[name][choice] += 1
    found = []
    for name, counts in sorted(with_name.items()):
        better, most = counts.most_common(1)[0]
        for worse, n in sorted(choices.items()):
            if name != worse and most >= OFTEN and not counts[worse] and counts.total() * n / len(seen) >= EXPECTED:
                found.append((name, worse, better))
    return tuple(found)
