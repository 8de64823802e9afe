"""Requests for mail, calendar and files as rows for the trunk: people's own wording, and Okapi's train parts beside it.

A request as it is written, and again about other people, things and days; what both texts repeat is exchanged in both.
Okapi's requests carry a mark: its annotators mean other properties by the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from sayso.core.types import Piece, Workspace
from sayso.english.stems import normalise_request
from sayso.targets.api.corpus.okapi import OKAPI_SPLITS, load_okapi
from sayso.targets.api.corpus.wording import Worded
from sayso.targets.api.syntax.calls import Call, Filter, Search, canonical_call, parse_call, reads_back
from sayso.targets.api.syntax.schema import DOMAINS, domain_of, schema

SWAPPED = 0.6
"""How often a value is another one."""
TOPICS = ("message.subject", "event.subject", "file.name")
MANNER = (Piece("text", "Okapi"),)
"""What stands before a request of Okapi's."""
Pools = Mapping[str, Sequence[str]]


class Row(NamedTuple):
    """What the trunk reads and what it is to say; `source` says where it is from."""

    source: str
    context: tuple[Piece, ...]
    request: str
    answer: str
    id: str = ""


def worded_rows(lines: Iterable[Worded]) -> Iterator[Row]:
    for one in lines:
        answer = str(canonical_call(one.call)) if one.call else f"- {one.nothing}"
        yield Row("wording", (), one.request, answer, one.id)


def kind_of(call: Call, clause: object) -> str:
    """Values of one kind may stand for each other; "" for what is chosen and not said."""
    if isinstance(clause, Search):
        return "topic"
    if not isinstance(clause, Filter):
        return ""
    if clause.property in TOPICS:
        return "topic"
    found = schema(domain_of(call.resource)).find(clause.property)
    if found is None or found.type not in ("text", "person", "time") or found.values:
        return ""
    if found.type == "time":
        return f"time {clause.operator} {'start' if clause.property.startswith('event') else 'past'}"
    return "person" if found.type == "person" else clause.property


def changeable(row: Row) -> list[tuple[str, str]]:
    """(kind, value) of all that is said once, as it stands in the call."""
    if row.answer.startswith("-"):
        return []
    call = parse_call(row.answer)
    told = [(kind_of(call, one), one.value) for one in call.clauses if isinstance(one, Filter | Search)]
    return [(kind, value) for kind, value in told if kind and len(places(value, row.request)) == 1]


def places(value: str, text: str) -> list[re.Match[str]]:
    return list(re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE))


def pools_of(rows: Iterable[Row]) -> Pools:
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        for kind, value in changeable(row):
            found.setdefault(kind, {})[value] = None
    return {kind: sorted(values) for kind, values in found.items()}


def swapped(rows: Iterable[Row], pools: Pools, seed: int) -> Iterator[Row]:
    """Every row about something else, where anything can be exchanged."""
    random = Random(seed)
    for row in rows:
        text, answer = row.request, row.answer
        for kind, value in changeable(row):
            other = random.choice(pools[kind])
            if random.random() >= SWAPPED or value.casefold() in other.casefold() or len(places(value, text)) != 1:
                continue
            if f" {value}" not in answer or answer.count(f" {value}") != 1:
                continue
            there = places(value, text)[0]
            other = other.lower() if there[0].islower() else other
            text = f"{text[: there.start()]}{other}{text[there.end() :]}"
            answer = answer.replace(f" {value}", f" {other}")
        call = parse_call(answer) if answer != row.answer else None
        if call is not None and reads_back(call):
            row = row._replace(request=text, answer=str(canonical_call(call)))
        yield row


def okapi_rows(data: Path, most: int, seed: int) -> Iterator[Row]:
    """So many of each domain's train parts; nothing whose request or call is in any dev or test part."""
    for domain in DOMAINS:
        parts = {part: list(of_part(data, domain, part)) for part in ("train", "dev", "test")}
        kept_out = {normalise_request(text) for part in ("dev", "test") for text, _ in parts[part]}
        calls = {call for part in ("dev", "test") for _, call in parts[part]}
        one_each = {call: text for text, call in parts["train"]}
        able = [
            (text, call)
            for call, text in one_each.items()
            if call not in calls and normalise_request(text) not in kept_out
        ]
        for text, call in Random(seed).sample(able, min(most, len(able))):
            yield Row("okapi", MANNER, text, call)


def of_part(data: Path, domain: str, part: str) -> Iterator[tuple[str, str]]:
    for split in OKAPI_SPLITS:
        for one in load_okapi(split, domain, Workspace(data, data), part):  # type: ignore[arg-type]
            yield one.request.text, str(canonical_call(parse_call(one.references[0])))
