"""Requests for described operations as rows for the trunk: one operation's signature, the request, its values or `-`.

Right operations, those beside them that are not asked for, and some of other groups. Right ones stand again in other
signatures (order, case and descriptions of slots, more and fewer of them) and about other things.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random
from typing import Any

from sayso.core.types import Piece
from sayso.experiments.api_asked import dealing
from sayso.experiments.trunk_wording import Row
from sayso.targets.api.corpus.asked import Taught, Wanted
from sayso.targets.api.specs.model import Operation, Slot
from sayso.targets.api.specs.prompts.answers import answer_of
from sayso.targets.api.specs.prompts.signature import signature_of, words_of
from sayso.targets.api.specs.said.spans import Said

HELD = 10
"""Of so many groups one is held back to choose by."""
TIME = re.compile(r"\d{4}-\d\d(?:-\d\d)?(?:T[\d:.Z+-]+)?|\d\d:\d\d(?::\d\d)?")
DAY = timedelta(days=1)
COPIES = 3
"""In other signatures, beside each right row as it is written."""
SIBLINGS, NOTHING, FAR = 2, 3, 0.25
"""Operations that a request is held against, of its group, where nothing of it is asked for, and of another group."""
SHUFFLED, RECASED, BARE, UNTOLD, WITHOUT_DEFAULT, FEWER, MORE, SWAPPED = 0.4, 0.5, 0.12, 0.15, 0.3, 0.25, 0.25, 0.7
Pools = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Lesson:
    """A request for an operation, its values as they are said."""

    group: str
    operation: Operation
    request: str
    values: Mapping[str, Any]


def is_held(group: str) -> bool:
    return zlib.crc32(f"{group} for the trunk".encode()) % HELD == 0


def row_of(operation: Operation, request: str, values: Mapping[str, Any] | None, group: str, source: str) -> Row:
    piece = Piece("code", signature_of(operation, request))
    return Row(source, (piece,), request, answer_of(operation, values), f"{group}: {operation.id}")


def said_values(operation: Operation, one: Wanted) -> dict[str, Any] | None:
    """Days and hours in the request's words; None where a day is in none of them."""
    found = dict(one.values)
    late = [path for path, value in found.items() if is_time(value) and str(value) not in one.text]
    if not late:
        return found
    made = dealing(operation, one)
    for path in late:
        right = [
            option
            for option, is_right in zip(made.options, made.right, strict=True)
            if is_right and operation.slots[option.slot].path == path and option.cover
        ]
        if right:
            best = max(right, key=lambda option: len(option.cover))
            found[path] = made.said.part(best.first, best.first + len(best.cover)).strip(" ,.;:?!")
        elif (words := day_words(str(found[path]), made.said)) is not None:
            found[path] = words
        else:
            return None
    return found


def day_words(value: str, said: Said) -> str | None:
    """Of a day or a month the words that mean it, and behind them the hour as HH:MM; of an hour alone that."""
    day, _, hour = value.partition("T") if "-" in value else ("", "", value)
    hour = hour[:5]
    if not day:
        return hour
    if day == said.clock.local.date().isoformat() and hour:
        return f"today {hour}"
    for span in said.spans:
        if span.kind == "date":
            start, end, later, last = span.value
            told = {one.date().isoformat() for one in (start, later, end - DAY, last - DAY, end, last)}
            if day in told or day in {start.strftime("%Y-%m"), later.strftime("%Y-%m")}:
                return f"{span.text.strip(' ,.;:?!')} {hour}".strip()
    return None


def is_time(value: Any) -> bool:
    return isinstance(value, str) and TIME.fullmatch(value) is not None


def lessons_of(groups: Iterable[Taught]) -> Iterator[Lesson | None]:
    """None for a request with a day that no clock finds in it."""
    for group in groups:
        for one in group.wanted:
            operation = group.api.find(one.operation) if one.operation else None
            if operation is not None:
                values = said_values(operation, one)
                yield None if values is None else Lesson(group.name, operation, one.text, values)


def others_of(groups: Sequence[Taught], draw: Random) -> Iterator[Row]:
    """Requests before operations that they are not for."""
    every = [(group.name, operation) for group in groups for operation in group.api.operations]
    for group in groups:
        for one in group.wanted:
            others = [operation for operation in group.api.operations if operation.id != one.operation]
            near = sorted(others, key=lambda other: -nearness(one.text, other))
            most = SIBLINGS if one.operation else NOTHING
            chosen = near[: most - 1]
            rest = near[most - 1 :]
            for operation in (*chosen, *draw.sample(rest, min(1, len(rest)))):
                yield row_of(operation, one.text, None, group.name, "beside" if one.operation else "nothing")
            if draw.random() < FAR:
                name, operation = draw.choice(every)
                if name != group.name:
                    yield row_of(operation, one.text, None, name, "far")


def nearness(request: str, operation: Operation) -> float:
    mine = words_of(request)
    told = words_of(
        re.sub(r"(?<=[a-z])(?=[A-Z])", " ", operation.id).replace("_", " ") + f" {operation.summary} {operation.text}"
    )
    return len(mine & told) / math.sqrt(1 + len(told))


def shape_of(value: Any) -> str:
    """What may stand for each other: AC-5 and HB-0840, 12 and 40, Lidl and Siemens, oat milk and dish soap."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return ""
    if not isinstance(value, str):
        return f"number {len(str(value))}" if str(value).isdigit() and value > 1 else ""
    if is_time(value) or len(value) < 3:
        return ""
    if re.search(r"\d", value):
        return re.sub(r"(.)\1+", r"\1", re.sub(r"\d", "9", re.sub(r"[^\W\d_]", "a", value)))
    words = value.split()
    return f"{'name' if value[0].isupper() else 'text'} {min(len(words), 4)}"


def changeable(one: Lesson) -> list[tuple[str, str, Any]]:
    """(path, kind, value) of what a request says once and as it is."""
    found = []
    for path, value in one.values.items():
        slot = one.operation.find(path)
        kind = shape_of(value)
        if slot is None or slot.enum or slot.many or not kind or slot.format:
            continue
        if len(standing(value, one.request)) == 1 and list(one.values.values()).count(value) == 1:
            found.append((path, kind, value))
    return found


def standing(value: Any, text: str) -> list[re.Match[str]]:
    return list(re.finditer(rf"(?<![\w.,-]){re.escape(str(value))}(?![\w-]|[.,]\d)", text))


def pools_of(lessons: Iterable[Lesson]) -> Pools:
    found: dict[str, dict[Any, None]] = {}
    for one in lessons:
        for _, kind, value in changeable(one):
            found.setdefault(kind, {})[value] = None
    return {kind: sorted(values, key=str) for kind, values in found.items()}


def about_others(one: Lesson, pools: Pools, draw: Random) -> Lesson:
    """The lesson with other values where they can be exchanged in both texts."""
    text, values = one.request, dict(one.values)
    for path, kind, value in changeable(one):
        other = draw.choice(pools[kind])
        there = standing(value, text)
        if draw.random() < SWAPPED and len(there) == 1 and not standing(other, text):
            text = f"{text[: there[0].start()]}{other}{text[there[0].end() :]}"
            values[path] = other
    return replace(one, request=text, values=values)


def otherwise(one: Lesson, strange: Sequence[Slot], draw: Random) -> Lesson:
    """The same request in another signature."""
    operation = one.operation
    slots = [slot for slot in operation.slots if slot.path in one.values or slot.is_needed or draw.random() >= FEWER]
    if draw.random() < MORE and strange:
        known = {slot.name for slot in slots}
        more = [slot for slot in draw.sample(strange, min(2, len(strange))) if slot.name not in known]
        slots += {slot.path: replace(slot, required=False) for slot in more}.values()
    if draw.random() < SHUFFLED:
        draw.shuffle(slots)
    bare = draw.random() < BARE
    changed = [
        replace(
            slot,
            text="" if bare or draw.random() < UNTOLD else slot.text,
            default=None if draw.random() < WITHOUT_DEFAULT else slot.default,
        )
        for slot in slots
    ]
    if bare and draw.random() >= 0.5:
        operation = replace(operation, summary="", text="")
    case = draw.choice((camel, snake)) if draw.random() < RECASED else str
    paths = {slot.path: cased(slot.path, case) for slot in changed}
    if len(set(paths.values())) < len(paths):
        paths = {path: path for path in paths}
    renamed = tuple(replace(slot, path=paths[slot.path], name=paths[slot.path].rpartition(".")[2]) for slot in changed)
    other = replace(operation, id=case(operation.id), slots=renamed)
    return replace(one, operation=other, values={paths[path]: value for path, value in one.values.items()})


def cased(path: str, case: Any) -> str:
    return ".".join(part if part == "body" else case(part) for part in path.split("."))


def camel(name: str) -> str:
    first, *rest = re.split(r"[_\s-]+", name) or [name]
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def rows_of(groups: Sequence[Taught], lessons: Sequence[Lesson], seed: int) -> Iterator[Row]:
    """All that is learnt from."""
    draw = Random(seed)
    pools = pools_of(lessons)
    strange = [slot for group in groups for one in group.api.operations for slot in one.slots if not slot.under]
    for one in lessons:
        yield row_of(one.operation, one.request, one.values, one.group, "asked")
        for _ in range(COPIES):
            other = otherwise(about_others(one, pools, draw), strange, draw)
            yield row_of(other.operation, other.request, other.values, one.group, "asked again")
    yield from others_of(groups, draw)
