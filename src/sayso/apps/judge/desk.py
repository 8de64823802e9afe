"""What the page may ask for: the next item, save, undo, skip, look again, how far are we. Safe for several threads.

Everything that leaves here is blind: no system, no rank, and no other judge's answer.
"""

from __future__ import annotations

import random
import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from threading import Lock

from sayso.apps.judge.agreement import agreement
from sayso.apps.judge.board import JUDGES, Board, Saved
from sayso.apps.judge.checks import problems
from sayso.apps.judge.items import (
    LABELS,
    Item,
    Json,
    Kind,
    Option,
    answer_from_json,
    answer_to_json,
    item_to_json,
)
from sayso.apps.judge.store import Store
from sayso.core.errors import UserError

# An item on someone's screen is kept from others for this long when it wants no more judges than that.
LEASE_SECONDS = 600
LONGEST_NAME = 60


class Stale(UserError):
    """The page shows something that has changed since."""


class Desk:
    """One annotation over one store; `items` are the ones asked for now, all of the store where there are none."""

    def __init__(
        self,
        store: Store,
        items: Sequence[Item] = (),
        judges: Mapping[Kind, int] = JUDGES,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.board = Board(judges)
        self.store = store
        self._seed = seed
        self._clock = clock
        self._lock = Lock()
        self._leases: dict[str, dict[str, float]] = {}
        self._skipped: dict[str, list[str]] = {}
        self._overviews: tuple[int, dict[str, Json]] = (-1, {})
        self._append(lambda: _item_events(self.board, items))
        self.active = [item.id for item in items] or list(self.board.items)
        random.Random(seed).shuffle(self.active)

    def next(self, annotator: str, queue: str) -> Json:
        """The item to show now, or {"item": None}."""
        with self._lock:
            self._refresh()
            if queue == "second":
                waiting = self.board.second(annotator, self.active)
            else:
                waiting = [
                    item for item in self.board.fresh(annotator, self.active) if not self._is_taken(item, annotator)
                ]
            skipped = self._skipped.get(annotator, [])
            waiting.sort(key=lambda item: skipped.index(item) if item in skipped else -1)
            if not waiting:
                return {"item": None}
            for holders in self._leases.values():
                holders.pop(annotator, None)
            self._leases.setdefault(waiting[0], {})[annotator] = self._clock()
            return {"item": self._view(waiting[0], annotator)}

    def overview(self, annotator: str) -> Json:
        """Progress and agreement, for the page and for the terminal; worked out again only after a change."""
        with self._lock:
            self._refresh()
            if self._overviews[0] != self.board.last:
                self._overviews = (self.board.last, {})
            known = self._overviews[1]
            if annotator not in known:
                known[annotator] = self._overview(annotator)
            return dict(known[annotator])

    def save(self, annotator: str, item_id: str, look: int, value: Json, accept: bool) -> Json:
        """Check and keep an answer; {"saved": False, "problems": …} where there is something to say first."""
        with self._lock:
            item = self._item(item_id)
            answer = answer_from_json(item, value)
            found = problems(item, answer)
            if any(problem.fatal for problem in found) or (found and not accept):
                told = [{"message": one.message, "fatal": one.fatal, "field": one.field} for one in found]
                return {"saved": False, "problems": told}

            def events() -> list[Json]:
                last = self.board.saved(item_id, annotator)
                if last and look < last.look:
                    raise Stale("you have answered this item again elsewhere", "reload the page")
                if look > (last.look + 1 if last else 1):
                    raise UserError("this item was not given to you for another look")
                if last and last.answer == answer and last.look == look:
                    return []  # the page asks twice when the answer to its first try was lost
                body = answer_to_json(answer)
                return [{"event": "answer", "item": item_id, "annotator": annotator, "look": look, "answer": body}]

            self._append(events)
            self._leases.get(item_id, {}).pop(annotator, None)
            return {"saved": True, "problems": []}

    def take(self, annotator: str, answers: Mapping[str, Json]) -> None:
        """Keep answers given elsewhere, all of them or none; an item may be answered in part."""
        with self._lock:
            for item_id, value in answers.items():
                answer_from_json(self._item(item_id), value)

            def events() -> list[Json]:
                found: list[Json] = []
                for item_id, value in answers.items():
                    last = self.board.saved(item_id, annotator)
                    known = dict(last.answer.verdicts) if last else {}
                    given = answer_from_json(self.board.items[item_id], value)
                    answer = replace(given, verdicts={**known, **given.verdicts})
                    if last is None or last.answer != answer:
                        body, look = answer_to_json(answer), last.look if last else 1
                        said = {"item": item_id, "annotator": annotator, "look": look, "answer": body}
                        found.append({"event": "answer", **said})
                return found

            self._append(events)

    def undo(self, annotator: str) -> Json:
        """Take back this annotator's last answer and show its item with it, to be changed."""
        with self._lock:
            taken: list[Saved] = []

            def events() -> list[Json]:
                mine = [saved for (_, name), stack in self.board.stacks.items() if name == annotator for saved in stack]
                mine = [saved for saved in mine if saved.item in self.active]
                if not mine:
                    raise UserError("there is nothing to take back")
                taken.append(max(mine, key=lambda saved: saved.n))
                return [{"event": "undo", "annotator": annotator, "answer": taken[0].n}]

            self._append(events)
            view = self._view(taken[0].item, annotator)
            return {"item": {**view, "look": taken[0].look, "given": answer_to_json(taken[0].answer)}}

    def again(self, annotator: str, item_id: str, why: str) -> Json:
        """Put the item into the second-look queue of everyone who has answered it."""
        with self._lock:
            self._item(item_id)

            def events() -> list[Json]:
                if not any(item == item_id and stack for (item, _), stack in self.board.stacks.items()):
                    raise UserError("nobody has answered this item yet: leave a note instead")
                return [{"event": "again", "annotator": annotator, "item": item_id, "why": why.strip()}]

            self._append(events)
            return {"asked": sum(bool(self.board.owes(item_id, name)) for name in self.board.annotators)}

    def skip(self, annotator: str, item_id: str) -> Json:
        """Show everything else first. Not kept when the server stops."""
        with self._lock:
            self._item(item_id)
            skipped = self._skipped.setdefault(annotator, [])
            if item_id in skipped:
                skipped.remove(item_id)
            skipped.append(item_id)
            return {"skipped": True}

    def _overview(self, annotator: str) -> Json:
        board, active = self.board, self.active
        done = dict.fromkeys(board.annotators, 0)
        for item in active:
            for saved in board.done(item):
                done[saved.annotator] += 1
        full = [item for item in active if board.is_full(item)]
        return {
            "mine": {
                "done": done.get(annotator, 0),
                "left": len(board.fresh(annotator, active)),
                "second": len(board.second(annotator, active)),
            },
            "items": {
                "total": len(active),
                "complete": len(full),
                "differ": sum(bool(board.differing(item)) for item in full),
            },
            "judges": [{"name": name, "done": n} for name, n in done.items()],
            "agreement": agreement(board, active),
            "damaged": self.store.damaged,
        }

    def _refresh(self) -> None:
        self.board.apply(self.store.read())

    def _append(self, make: Callable[[], Iterable[Json]]) -> None:
        def decide(unseen: list[Json]) -> list[Json]:
            self.board.apply(unseen)
            return list(make())

        self.board.apply(self.store.append(decide))

    def _item(self, item_id: str) -> Item:
        if item_id not in self.board.items:
            raise UserError("there is no such item", "reload the page")
        return self.board.items[item_id]

    def _is_taken(self, item_id: str, annotator: str) -> bool:
        """Whether others are already at work on as many answers as the item still wants."""
        now = self._clock()
        holders = [
            name
            for name, since in self._leases.get(item_id, {}).items()
            if name != annotator and now - since < LEASE_SECONDS
        ]
        missing = self.board.judges[self.board.items[item_id].kind] - len(self.board.done(item_id))
        return len(holders) >= missing

    def _view(self, item_id: str, annotator: str) -> Json:
        item, saved = self.board.items[item_id], self.board.saved(item_id, annotator)
        why = self.board.owes(item_id, annotator)
        # The order differs between judges, so that no place in the list is favoured.
        options = list(item.options)
        random.Random(f"{self._seed}\0{item_id}\0{annotator}").shuffle(options)
        return {
            "id": item.id,
            "kind": item.kind,
            "text": item.text,
            "canonical": item.canonical,
            "lines": list(item.lines),
            "labels": list(item.classes or LABELS),
            "options": [{"text": option.text, "template": option.template} for option in options],
            "look": saved.look + bool(why) if saved else 1,
            "why": why,
            "differ": sorted({where for _, where in self.board.differing(item_id)}) if why else [],
            "given": answer_to_json(saved.answer) if saved else None,
            "judges": len(self.board.done(item_id)),
            "wanted": self.board.judges[item.kind],
        }


def check_name(name: str) -> str:
    """The name of an annotator as it is kept; raises UserError."""
    clean = unicodedata.normalize("NFC", " ".join(name.split()))
    if not clean or len(clean) > LONGEST_NAME or any(unicodedata.category(char)[0] == "C" for char in clean):
        raise UserError(f"a name has 1 to {LONGEST_NAME} characters that can be seen", "give a short name")
    return clean


def _item_events(board: Board, items: Sequence[Item]) -> list[Json]:
    """One event for each item that the store does not hold in this form yet."""
    merged = ((item, _merge(board.items.get(item.id), item)) for item in items)
    return [{"event": "item", "item": item_to_json(new)} for item, new in merged if new != board.items.get(item.id)]


def _merge(old: Item | None, new: Item) -> Item:
    """The pool of candidates only grows: what was judged stays, and a new system adds to it."""
    if old is None or old.kind != new.kind:
        return new
    options = {option.text: option for option in old.options}
    for option in new.options:
        known = options.get(option.text, Option(option.text))
        systems = tuple(sorted({*known.systems, *option.systems}))
        options[option.text] = Option(option.text, option.template or known.template, systems)
    return replace(new, options=tuple(options.values()))
