"""The state of an annotation, rebuilt from events: who said what, what is left for whom, where judges differ, majority.

A judge first answers alone (look 1). Where all wanted judges are in and differ, or where someone asked for it, each is
asked once more (look 2); the majority is taken over the last looks, agreement over the first as well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from sayso.apps.judge.items import Answer, Item, Json, Kind, answer_from_json, covers, item_from_json, units
from sayso.core.errors import UserError

# NL2Bash §4: three judges and their majority. §3.1 and Okapi §3.1.2: one writer per command or call. JuICe says nothing
# of who tagged its 50 examples: two, so that agreement can be told.
JUDGES: dict[Kind, int] = {"verdicts": 3, "describe": 1, "phrase": 1, "label": 3, "tags": 2}

Unit = tuple[str, str]


@dataclass(frozen=True)
class Saved:
    """One answer as it stands in the log."""

    n: int
    at: str
    item: str
    annotator: str
    look: int
    answer: Answer


@dataclass(frozen=True)
class Recall:
    """Someone asked that this item be looked at again."""

    n: int
    why: str


class Board:
    """Everything the events say. `apply` is the only way in."""

    def __init__(self, judges: Mapping[Kind, int] = JUDGES) -> None:
        self.judges = judges
        self.items: dict[str, Item] = {}
        self.recalls: dict[str, list[Recall]] = defaultdict(list)
        self.stacks: dict[tuple[str, str], list[Saved]] = defaultdict(list)
        self.annotators: dict[str, None] = {}
        self.last = 0

    def apply(self, events: Iterable[Json]) -> None:
        for event in events:
            self.last = max(self.last, cast(int, event["n"]))
            match event["event"]:
                case "item":
                    item = item_from_json(cast(Json, event["item"]))
                    self.items[item.id] = item
                case "answer":
                    self._answer(event)
                case "undo":
                    for stack in self.stacks.values():
                        stack[:] = [saved for saved in stack if saved.n != event["answer"]]
                case "again":
                    self.recalls[str(event["item"])].append(Recall(cast(int, event["n"]), str(event["why"])))

    def _answer(self, event: Json) -> None:
        item = self.items.get(str(event["item"]))
        if item is None:
            return  # its line was damaged
        try:
            answer = answer_from_json(item, cast(Json, event["answer"]))
        except UserError:
            return  # on a line that the document no longer has
        name = str(event["annotator"])
        self.annotators[name] = None
        saved = Saved(cast(int, event["n"]), str(event["at"]), item.id, name, cast(int, event["look"]), answer)
        self.stacks[item.id, name].append(saved)

    def saved(self, item: str, annotator: str, look: int | None = None) -> Saved | None:
        """What the annotator said last, or last in that look."""
        stack = self.stacks.get((item, annotator), [])
        return next((saved for saved in reversed(stack) if look in (None, saved.look)), None)

    def done(self, item: str) -> list[Saved]:
        """The last complete answer of each judge, in the order in which the judges first appeared."""
        answers = (self.saved(item, name) for name in self.annotators)
        return [saved for saved in answers if saved and covers(self.items[item], saved.answer)]

    def votes(self, item: str, look: int | None = None) -> dict[Unit, dict[str, str]]:
        """(measure, where) → judge → value."""
        found: dict[Unit, dict[str, str]] = defaultdict(dict)
        for name in self.annotators:
            saved = self.saved(item, name, look)
            for unit, value in units(self.items[item], saved.answer).items() if saved else ():
                found[unit][name] = value
        return dict(found)

    def is_full(self, item: str) -> bool:
        return len(self.done(item)) >= self.judges[self.items[item].kind]

    def differing(self, item: str) -> list[Unit]:
        """Where the last answers of the judges are not all the same."""
        return [unit for unit, values in self.votes(item).items() if len(set(values.values())) > 1]

    def owes(self, item: str, annotator: str) -> list[str]:
        """Why this judge should look again, in words; nothing where there is no need."""
        saved = self.saved(item, annotator)
        if saved is None:
            return []
        why = [recall.why or "someone asked for another look" for recall in self.recalls[item] if recall.n > saved.n]
        if saved.look == 1 and self.is_full(item) and self.differing(item):
            why.append("the judges differ")
        return why

    def majority(self, item: str) -> dict[Unit, str | None]:
        """The value that more than half of the wanted judges gave; None while there is none."""
        wanted = self.judges[self.items[item].kind]
        return {unit: majority(list(values.values()), wanted) for unit, values in self.votes(item).items()}

    def fresh(self, annotator: str, items: Iterable[str]) -> list[str]:
        """What this annotator has not finished and still wants judges; items nearest to completion first."""
        counts: dict[str, int] = {}
        for item in items:
            judges = [saved.annotator for saved in self.done(item)]
            if annotator not in judges and len(judges) < self.judges[self.items[item].kind]:
                counts[item] = len(judges)
        return sorted(counts, key=lambda item: -counts[item])

    def second(self, annotator: str, items: Iterable[str]) -> list[str]:
        """The re-judging queue of this annotator."""
        return [item for item in items if self.owes(item, annotator)]

    def ratings(self, items: Iterable[str], look: int | None = None) -> dict[str, list[dict[str, str]]]:
        """measure → one {judge: value} per unit that at least two judges saw."""
        found: dict[str, list[dict[str, str]]] = defaultdict(list)
        for item in items:
            for (measure, _), values in self.votes(item, look).items():
                if len(values) > 1:
                    found[measure].append(values)
        return dict(found)


def majority(values: Sequence[str], wanted: int) -> str | None:
    """(["y", "y"], 3) -> "y"; (["y", "n"], 3) -> None"""
    if not values:
        return None
    value, count = Counter(values).most_common(1)[0]
    return value if 2 * count > max(wanted, len(values)) else None
