"""Requests with their calls, made from a description alone: names of slots, values of their kind, heads of summaries.

Generalises how the target's own lessons are constructed (`lessons/construct.py`) to operations that nobody has seen.
Nothing that a person wrote as a request goes in.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any

from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.deeds import deed_of
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.said.times import moment
from sayso.targets.api.specs.slots.values import written_date
from sayso.targets.api.specs.slots.views import View, listed, views_of
from sayso.targets.api.specs.words import name_words, said_alike, stop_words

THEN = Clock(datetime(2024, 5, 15, 12, tzinfo=UTC), UTC)
FORGETS = (0.1, 0.4, 0.7, 0.9)
"""How likely a word of the description is not said: people do not know it by heart."""
LIMITS = frozenset(["limit", "size", "count", "top", "results", "per", "max"])


@dataclass(frozen=True)
class Lesson:
    text: str
    operation: str
    values: dict[str, Any]
    """By path of the slot."""


@cache
def phrases() -> dict[str, Any]:
    return tomllib.loads((files("sayso.targets.api") / "data" / "spec_lessons.toml").read_text(encoding="utf-8"))


def lessons_of(operation: Operation, draw: random.Random, n: int) -> Iterator[Lesson]:
    for _ in range(n):
        yield lesson(operation, draw)


def lesson(operation: Operation, draw: random.Random) -> Lesson:
    views = views_of(operation)
    optional = [view for view in views if not view.slot.required or view.slot.under]
    share = min(0.6, 2.0 / max(1, len(optional)))
    parts, values = [], {}
    for view in views:
        if draw.random() > (0.93 if view.slot.required and not view.slot.under else share):
            continue
        made = mention(view, draw)
        if made is not None:
            said, values[view.slot.path] = made
            parts.append(said)
    if draw.random() < 0.4:
        draw.shuffle(parts)
    head = head_of(operation, draw)
    joint = draw.choice([" ", " ", ", ", " and "])
    front = parts.pop(0) if parts and draw.random() < 0.12 else ""
    text = " ".join(part for part in (front, head) if part)
    for at, part in enumerate(parts):
        text += (" " if at == 0 or draw.random() < 0.5 else joint) + part
    text = draw.choice(phrases()["openers"]) + text + draw.choice(phrases()["closers"])
    if draw.random() < 0.5:
        text = text[:1].upper() + text[1:]
    return Lesson(text, operation.id, values)


def head_of(operation: Operation, draw: random.Random) -> str:
    """A way to ask for the operation: its summary, or the words of its name, some said differently."""
    name = [word for word in name_words(operation.id) if word != operation.method]
    summary = re.sub(r"[.\s]+$", "", operation.summary or operation.text.partition(".")[0])[:80]
    said = (summary[:1].lower() + summary[1:]) if summary and draw.random() < 0.6 else " ".join(name)
    thing = " ".join(name[1:]) or " ".join(name)
    text = str(draw.choice(phrases()["heads"][deed_of(operation)])).format(s=said or thing, o=thing)
    words = []
    forgets = draw.choice(FORGETS)
    for word in text.split():
        alike = sorted(said_alike(word)) if word.isalpha() and draw.random() < 0.3 else []
        if draw.random() < forgets and word not in stop_words():
            continue
        words.append(draw.choice(alike) if alike else word)
    return " ".join(words)


def called(view: View, draw: random.Random) -> str:
    """What a value is called: its name, the last word of it, one that says the same or one of its description."""
    words = [word for word in view.words if word not in ("x",)] or ["value"]
    telling = [word for word in words if word not in listed("empty")] or words
    chance = draw.random()
    if chance < 0.5:
        return " ".join(words)
    if chance < 0.75:
        return " ".join(telling)
    if chance < 0.85:
        return draw.choice(sorted(said_alike(telling[-1])) or telling)
    told = [word for word in re.findall(r"[a-z]{4,}", view.slot.text[:80].casefold()) if word not in stop_words()]
    return draw.choice(told) if told else telling[-1]


def mention(view: View, draw: random.Random) -> tuple[str, Any] | None:
    """Words that say a value, and the value; None where nothing fits."""
    ways, slot = phrases()["values"], view.slot
    name = called(view, draw)
    if slot.kind == "object":
        return None
    if slot.kind == "boolean":
        truth = draw.random() < 0.7
        telling = " ".join(word for word in view.words if word not in listed("empty")) or name
        return str(draw.choice(ways["flag" if truth else "noflag"])).format(n=telling), truth
    if view.phrases and slot.enum:
        keys = [key for key, (_, plain) in view.phrases.items() if plain > 0.5]
        words = [value for value in slot.enum if isinstance(value, str)]
        if not words:
            return None
        value = draw.choice(words)
        said = " ".join(name_words(value)) or value
        others = [key for key in keys if view.phrases[key][0] == value]
        if others and draw.random() < 0.3:
            said = " ".join(draw.choice(others))
        return str(draw.choice(ways["enum"])).format(n=name, v=said), [value] if slot.many else value
    if view.is_date:
        return dated(view, name, draw)
    if slot.kind in ("integer", "number"):
        return counted(view, name, draw)
    made = worded(view, name, draw)
    if made is None:
        return None
    return made[0], [made[1]] if slot.many else made[1]


def dated(view: View, name: str, draw: random.Random) -> tuple[str, Any] | None:
    said = draw.choice(phrases()["words"]["dates"])
    found = moment(said, THEN)
    if found is None:
        return None
    kind = {"low": "since", "high": "until"}.get(view.side, "date")
    return str(draw.choice(phrases()["values"][kind])).format(n=name, v=said), written_date(view, found[0])


def counted(view: View, name: str, draw: random.Random) -> tuple[str, Any]:
    slot, ways = view.slot, phrases()["values"]
    least = int(slot.least) if slot.least is not None else 1
    most = int(min(slot.most, 10**6)) if slot.most is not None else draw.choice([12, 60, 300, 5000])
    value: float | int = draw.randint(least, max(least, most))
    numbers = [one for one in slot.enum if isinstance(one, int | float)]
    if numbers:
        value = draw.choice(numbers)
    elif slot.kind == "number" and draw.random() < 0.4:
        value = round(value + draw.choice([0.5, 0.25, 0.1]), 2)
        if slot.most is not None and value > slot.most:
            value = least
    if slot.many:
        values = [value, *(draw.randint(1, 90) for _ in range(draw.randint(1, 3)))]
        said = ", ".join(map(str, values[:-1])) + f" and {values[-1]}"
        return str(draw.choice(ways["number"])).format(n=name, v=said), values
    kind = view.side if view.side and draw.random() < 0.7 else "number"
    if LIMITS & set(view.words) and draw.random() < 0.7:
        kind = "limit"
    elif "page" in view.words:
        kind = "page"
    return str(draw.choice(ways[kind])).format(n=name, v=value), value


def worded(view: View, name: str, draw: random.Random) -> tuple[str, str] | None:
    slot, ways, words = view.slot, phrases()["values"], phrases()["words"]
    chance = draw.random()
    if slot.format == "email" or "email" in view.words:
        value = f"{draw.choice(words['first']).lower()}@{draw.choice(words['last']).lower()}.example"
        return str(draw.choice(ways["text"])).format(n=name, v=value), value
    if slot.format in ("uri", "url") or view.words[-1:] in (("url",), ("uri",), ("link",)):
        value = f"https://{draw.choice(words['last']).lower()}.example/{draw.randint(1, 99)}"
        return str(draw.choice(ways["text"])).format(n=name, v=value), value
    if isinstance(slot.example, str) and slot.example and (view.is_telling or chance < 0.2):
        return str(draw.choice(ways["text"])).format(n=name, v=slot.example), slot.example
    if view.pattern is not None and view.is_telling:
        return None
    if view.is_id:
        value = (
            f"{draw.choice(words['things']).split()[0]}-{draw.randint(2, 999)}"
            if chance < 0.5
            else f"{draw.choice('ABCDEFGH')}{draw.randint(10, 99999)}"
        )
        return str(draw.choice(ways["number"])).format(n=name, v=value), value
    telling = set(view.words)
    if telling & {
        "city",
        "country",
        "location",
        "place",
        "state",
        "region",
        "address",
        "destination",
        "origin",
        "venue",
    }:
        value = draw.choice(words["places"])
        return str(draw.choice(ways["place"])).format(n=name, v=value), value
    if telling & {"author", "artist", "director", "user", "person", "customer", "owner", "actor", "assignee", "player"}:
        value = draw.choice(words["first"]) + (f" {draw.choice(words['last'])}" if chance < 0.6 else "")
        return str(draw.choice(ways["person"])).format(n=name, v=value), value
    if view.is_long and chance < 0.6:
        value = draw.choice(words["sentences"])
        return f'{name} "{value}"' if draw.random() < 0.7 else f"{name}: {value}", value
    value = draw.choice(words["things"])
    kind = "named" if telling & {"name", "title", "query", "q", "search", "keyword", "topic", "subject"} else "text"
    shown = f'"{value}"' if draw.random() < 0.35 else value.title() if draw.random() < 0.2 else value
    value = value.title() if shown == value.title() else value
    return str(draw.choice(ways[kind])).format(n=name, v=shown), value


def all_lessons(operations: Sequence[Operation], seed: int, each: int, most: int) -> list[Lesson]:
    """The same for the same seed; spread over all operations where they are more than `most`."""
    draw = random.Random(seed)
    chosen = list(operations) if len(operations) * each <= most else draw.sample(list(operations), max(1, most // each))
    return [one for operation in chosen for one in lessons_of(operation, draw, each)]
