"""Between constructed calls and the judge page: what it shows (its own items), and pairs from what it exports."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import cast

from sayso.apps.judge.items import Item, Json, Kind, Option, item_from_json, item_to_json, read_object
from sayso.core.errors import BadFile, BadInstruction, UserError
from sayso.targets.api import language
from sayso.targets.api.syntax import Call, domain_of, parse_call


@dataclass(frozen=True)
class Pair:
    """A request in someone's words and its call."""

    id: str
    text: str
    call: str
    canonical: str = ""

    def as_json(self) -> Json:
        domain = domain_of(parse_call(self.call).resource)
        row: Json = {"id": self.id, "domain": domain, "text": self.text, "call": self.call}
        return {**row, "canonical": self.canonical} if self.canonical else row


@dataclass
class Reading:
    """Pairs read from exports, and why others were left out."""

    pairs: list[Pair] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


def call_item(call: Call, sentence: str, spoken: str) -> Json:
    """Okapi §3.1.2: one call, for which someone writes two requests."""
    name = f"construct:{spoken}:{domain_of(call.resource)}:{_digest(str(call))}"
    return item_to_json(Item("phrase", name, str(call), canonical=sentence))


def pair_items(pairs: Iterable[Pair], kind: Kind) -> Iterator[Json]:
    """phrase: each request is to be said otherwise (§3.1.3). verdicts: is the call what the request asks for?"""
    for pair in pairs:
        if kind == "phrase":
            yield item_to_json(Item("phrase", f"{pair.id}:again", pair.call, canonical=pair.text))
        else:
            yield item_to_json(Item("verdicts", f"{pair.id}:right", pair.text, options=(Option(pair.call),)))


def read_pairs(lines: Iterable[tuple[str, bytes]]) -> list[Pair]:
    """Rows {"id", "text", "call"} as `pairs` writes them; an id may be left out."""
    found = []
    for place, line in lines:
        try:
            row = read_object(line)
            text, call = row.get("text"), row.get("call")
            if not isinstance(text, str) or not text.strip() or not isinstance(call, str):
                raise ValueError('a row has "text" and "call"')
            name = str(row.get("id") or _digest(f"{text}\t{call}"))
            found.append(Pair(name, text.strip(), _canonical(call), str(row.get("canonical", ""))))
        except (ValueError, UserError) as error:
            why = error.message if isinstance(error, UserError) else str(error)
            raise BadFile(f"{place}: {why}", "rows look like `sayso construct pairs` writes them") from None
    return found


def pairs_of_export(lines: Iterable[tuple[str, bytes]]) -> Reading:
    """From the .jsonl that `sayso judge --export` writes: phrasings, and requests whose call was judged right."""
    reading, seen = Reading(), set[tuple[str, str]]()
    for place, line in lines:
        try:
            value = read_object(line)
            item = item_from_json(value)
        except (ValueError, UserError) as error:
            why = error.message if isinstance(error, UserError) else f"not JSON: {error}"
            raise BadFile(f"{place}: {why}", "give what `sayso judge … --export FILE.jsonl` wrote") from None
        if item.kind == "phrase":
            found = list(_phrased(item, value))
        elif item.kind == "verdicts":
            found = list(_approved(item, value, reading.dropped))
        else:
            reading.dropped[f"kind {item.kind}"] += 1
            continue
        for pair in found:
            try:
                call = _canonical(pair.call)
            except UserError:
                reading.dropped["the call cannot be read"] += 1
                continue
            if (pair.text.casefold(), call) in seen:
                reading.dropped["said before"] += 1
                continue
            seen.add((pair.text.casefold(), call))
            reading.pairs.append(Pair(pair.id, pair.text, call, pair.canonical))
    return reading


def _phrased(item: Item, value: Json) -> Iterator[Pair]:
    """Both texts of each annotator's last look."""
    last: dict[str, Json] = {}
    for answer in cast(list[Json], value.get("answers") or []):
        last[str(answer.get("annotator", ""))] = answer
    texts = [text for answer in last.values() for text in cast(list[str], answer.get("texts") or [])]
    for number, text in enumerate((text for text in texts if text.strip()), 1):
        yield Pair(f"{item.id}:{number}", " ".join(text.split()), item.text, item.canonical)


def _approved(item: Item, value: Json, dropped: Counter[str]) -> Iterator[Pair]:
    decided = {
        str(one.get("of")): one.get("value")
        for one in cast(list[Json], value.get("majority") or [])
        if one.get("measure") == "command"
    }
    for option in item.options:
        if decided.get(option.text) == "y":
            yield Pair(item.id.removesuffix(":right"), item.text, option.text)
        else:
            dropped["judged wrong" if decided.get(option.text) == "n" else "not decided"] += 1


def _canonical(text: str) -> str:
    call = parse_call(text)
    if not domain_of(call.resource):
        raise BadInstruction(f"no domain has the resource {call.resource}", text, 0)
    return language.normalise(text)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def dump(row: Json) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"
