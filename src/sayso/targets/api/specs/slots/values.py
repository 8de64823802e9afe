"""What a slot could make of a span of the request: a number, date, year, name or list, with what speaks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sayso.english.stems import stem
from sayso.targets.api.specs.said.span import Span
from sayso.targets.api.specs.slots.views import View
from sayso.targets.api.specs.words import data, units


def readings(view: View, span: Span) -> Iterator[tuple[Any, str, dict[str, float]]]:
    """The values that a slot could make of a span."""
    slot = view.slot
    if slot.many:
        if span.kind == "list":
            kind, values = span.value
            items = [item(view, Span(span.first, span.last, kind, one, str(one), span.unit)) for one in values]
            if all(one is not None for one in items):
                yield (
                    [one[0] for one in items if one],
                    "",
                    {"list": 1.0, **(items[0][1] if items[0] else {})},
                )
        elif (single := item(view, span)) is not None:
            yield [single[0]], "", single[1]
        return
    if span.kind == "list":
        return
    if span.kind == "date":
        if slot.kind == "integer" and view.unit == "day":
            start, end = span.value[:2]
            yield max(1, round((end - start).total_seconds() / 86400)), "", {"duration": 1.0}
        yield from dates(view, span)
        return
    if span.kind == "hour":
        yield from hours(view, span)
        return
    if span.kind == "year" and slot.kind == "integer" and view.side:
        yield from years(view, span, span.value, span.value)
        return
    if span.kind == "decade":
        if "decade" in view.words:
            yield span.value, "", {"format": 1.0}
        elif slot.kind == "integer" and view.side and ("year" in view.words or "born" in view.words):
            yield from years(view, span, span.value, span.value + 9)
        return
    if span.kind == "percent" and slot.kind == "number":
        yield from percents(view, span)
        return
    single = item(view, span)
    if single is not None:
        yield single[0], "", single[1]


def percents(view: View, span: Span) -> Iterator[tuple[Any, str, dict[str, float]]]:
    """5 % as .05 and as 5: the description may say which."""
    is_told = "percent" in f"{view.slot.name} {view.slot.text}".casefold() or "%" in view.slot.text
    for value, name in ((span.value, "as-said"), (round(span.value / 100, 10), "hundredth")):
        if found := number_item(view, replace(span, kind="number", value=value)):
            yield found[0], "", {**found[1], name: 1.0, **({"unit": 1.0} if is_told and name == "as-said" else {})}


def hours(view: View, span: Span) -> Iterator[tuple[Any, str, dict[str, float]]]:
    """A time of day, for what asks for one."""
    if view.slot.kind == "integer" and {"hour", "hours"} & set(view.words):
        yield int(span.value[:2]), "", {"format": 1.0}
    elif view.slot.kind == "string" and not view.slot.enum and not view.is_date:
        asks = bool({"time", "hour", "hours", "at", "clock"} & set(view.words)) or "HH:MM" in view.slot.text
        yield span.value if "HH:MM" in view.slot.text or ":" in span.text else span.text, "", {"format": float(asks)}


def years(view: View, span: Span, first: int, last: int) -> Iterator[tuple[Any, str, dict[str, float]]]:
    if not ({"year", "born", "from", "to", "decade"} & set(view.words)):
        return
    if view.side == "low" and span.bound != "high":
        yield first, "low", {"format": 1.0, "bound": 1.0}
    elif view.side == "high" and span.bound != "low":
        yield last, "high", {"format": 1.0, "bound": 1.0}


AHEAD = frozenset(data()["spans"]["ahead"].split())


def dates(view: View, span: Span) -> Iterator[tuple[Any, str, dict[str, float]]]:
    if not view.is_date:
        return
    hints = bool(AHEAD & (set(view.words) | view.told | view.name))
    start, end, later, last = span.value
    if (start, end) == (later, last):
        yield from days(view, span, start, end, {})
        return
    yield from days(view, span, start, end, {"past-for-coming": float(hints)})
    yield from days(view, span, later, last, {"coming": float(hints), "coming-unhinted": float(not hints)})


def days(
    view: View, span: Span, start: datetime, end: datetime, features: dict[str, float]
) -> Iterator[tuple[Any, str, dict[str, float]]]:
    """What a stretch of time comes to: its first day, of an upper bound the last."""
    features = {**features, "format": 1.0}
    moment = start
    if start == end and not view.is_moment:  # the end of August is a day of August
        moment = start - timedelta(days=1)
    elif view.side == "high":
        if span.bound == "low":
            return
        if span.bound == "high":
            features["bound"] = 1.0
        else:
            moment = end - timedelta(days=1) if view.includes and end > start else end
            features["bound"] = 0.5
    elif view.side == "low":
        if span.bound == "high":
            return
        features["bound"] = 1.0 if span.bound == "low" else 0.5
    elif span.bound == "low":
        features["bound"] = 0.2
    yield written_date(view, moment), view.side, features


def written_date(view: View, moment: datetime) -> str:
    if view.is_moment:
        return str(moment.isoformat())
    return str(moment.strftime(view.date_shape or "%Y-%m-%d"))


def item(view: View, span: Span) -> tuple[Any, dict[str, float]] | None:
    """One value of a span, with what its kind says for it."""
    slot = view.slot
    if slot.kind in ("integer", "number"):
        return number_item(view, span)
    if span.kind in ("number", "counted") and {"unit", "units"} & set(view.words[-1:]):
        return (span.unit, {"unit": 1.0, "format": 0.5}) if span.unit and not span.unit.isdigit() else None
    if span.kind in ("date", "year", "decade", "one", "counted", "list", "percent"):
        return None
    text = span.text if span.kind in ("number", "ordinal") else str(span.value)
    if slot.format == "email" or (slot.kind == "string" and "email" in view.words):
        return (text, {"format": 1.0}) if span.kind == "email" else None
    if slot.format in ("uri", "url") or view.words[-1:] in (("url",), ("uri",), ("link",)):
        return (text, {"format": 1.0}) if span.kind == "url" else None
    if {"ip", "ipv4"} & {slot.format, *view.words[-1:]} or view.words[-2:] == ("ip", "address"):
        return (text, {"format": 1.0}) if re.fullmatch(r"\d{1,3}(?:\.\d{1,3}){3}", text) else None
    if view.is_date:
        return None
    if view.pattern is not None:
        cased = (text.upper(), text.lower()) if any(map(str.isdigit, text)) or not view.is_telling else ()
        for form in (text, text.removesuffix("'s"), *cased):
            if view.pattern.fullmatch(form) or (view.pattern.search(form) and view.pattern.pattern.startswith("^")):
                if not view.is_telling:
                    text = form
                    break
                plain = 1.0 if form == text else 0.6
                return form, {"pattern": plain, "id" if span.kind == "id" else "words": 0.5}
        else:
            return None
    sort = {
        "number": "number",
        "ordinal": "number",
        "quoted": "quoted",
        "name": "name",
        "place": "place",
        "id": "id",
        "words": "words",
        "tail": "tail",
        "expression": "expression",
    }.get(span.kind)
    if sort is None:
        return None
    features = {sort: 1.0}
    if sort == "number":
        features = {"wrong-kind": 0.0 if view.is_id or "number" in view.words else 1.0}
    if span.kind == "words":
        text = text.removesuffix("'s").removesuffix("’s")
    if span.kind in ("email", "url"):
        features["wrong-kind"] = 0.7
    if span.kind == "expression":
        features["expression" if FORMULAS & set(view.words) else "wrong-kind"] = 1.0
    if view.is_id and span.kind in ("id", "number"):
        features["id-for-id"] = 1.0
    if view.is_named and span.kind in ("name", "place", "quoted"):
        features["named-for-named"] = 1.0
    if view.is_long and span.kind in ("quoted", "tail"):
        features["long-for-long"] = 0.6 if span.kind == "tail" and span.unit == "cut" else 1.0
    if isinstance(slot.example, str) and alike(slot.example, text):
        features["like-example"] = 1.0
    return text, features


def alike(example: str, text: str) -> bool:
    """Whether a value has the form of the example, where that form is no plain word."""
    form = shape(example)
    return (
        form not in ("a", "B", "A")
        and " " not in form
        and (form == shape(text) or (form == "a-a" and re.fullmatch(r"a(?:-[a0])+", shape(text)) is not None))
    )


def shape(text: str) -> str:
    plain = re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "0", text)))
    return plain.replace("Aa", "B")


FORMULAS = frozenset(
    [
        "function",
        "expression",
        "equation",
        "formula",
        "condition",
        "conditions",
        "where",
        "filter",
        "polynomial",
        "reaction",
    ]
)
LIMITS = frozenset(
    ["limit", "size", "count", "top", "results", "per", "max", "num", "number", "n", "amount", "quantity", "total", "k"]
)
COUNTED = frozenset(
    [
        "count",
        "number",
        "quantity",
        "amount",
        "seats",
        "tickets",
        "guests",
        "people",
        "num",
        "passengers",
        "rooms",
        "limit",
    ]
)


def number_item(view: View, span: Span) -> tuple[Any, dict[str, float]] | None:
    slot = view.slot
    if span.kind not in ("number", "ordinal", "one", "counted", "percent"):
        return None
    value = span.value
    features = {"number": {"number": 1.0, "ordinal": 0.3, "one": 0.0, "counted": 0.4, "percent": 1.0}[span.kind]}
    if span.kind == "ordinal":
        features["ordinal"] = 1.0
    if view.unit and span.unit:
        table = units()[view.unit]
        for said in (span.unit, span.unit.rstrip("s")):
            if said in table:
                value = value * table[said]
                features["unit"] = 1.0
                break
    elif span.unit and stem(span.unit) in view.name:
        features["unit"] = 1.0
    if span.kind == "one" and not (
        COUNTED & set(view.words) and ("unit" in features or stem(span.unit) in view.alike | view.around | view.told)
    ):
        return None
    if slot.kind == "integer":
        if isinstance(value, float) and value != int(value):
            return None
        value = round(value)
    elif isinstance(value, float) and value == int(value) and "unit" in features:
        value = int(value)
    if (slot.least is not None and value < slot.least) or (slot.most is not None and value > slot.most):
        return None
    if slot.enum and value not in slot.enum:
        return None
    if "year" in view.words and isinstance(value, int) and 1800 <= value <= 2200:
        features["format"] = 0.7
    if span.bound and view.side:
        features["bound" if span.bound == view.side else "against-bound"] = 1.0
    if view.is_id and span.kind == "number":
        features["id-for-id"] = 1.0
    if span.counts:
        features["counts" if LIMITS & set(view.words) else "counts-other"] = 1.0
    return value, features
