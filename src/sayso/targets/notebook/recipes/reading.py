"""A request in words, and which of them speak of a column, a table or another name: by stems, parts, abbreviations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sayso.english.stems import misspellings, stem
from sayso.english.words import numbers
from sayso.targets.notebook.recipes.known import Known

TOKEN = re.compile(
    r"\"(?P<double>[^\"\n]+)\"|(?<!\w)'(?P<single>[^'\n]+)'(?!\w)|`(?P<tick>[^`\n]+)`"
    r"|(?P<file>[\w-]+\.(?:csv|tsv|json|txt|xlsx?|png|pdf|svg|jpe?g|parquet|html|md|pkl|zip|db|log)\b)"
    r"|(?P<number>\d+(?:\.\d+)?)(?P<percent> ?%| percent\b)?(?!\w)|(?P<word>[^\W\d]\w*(?:'s\b)?|\d+\w+)"
    r"|(?P<mark>[^\w\s,.;:!?\"'`()])"
)
PART = re.compile(r"[^\W\d_]+|\d+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
WEAK = frozenset("of the a an in id no nr num name per and to is by for at on value date".split())  # noqa: SIM905
"""Words of a column's name by which alone nobody calls it."""
EXACT, SCATTERED, PARTLY, SHORT = 1.0, 0.9, 0.5, 0.6
STRONG = 0.75
"""How sure a mention is whose words say nothing else."""


@dataclass(frozen=True)
class Token:
    """`kind`: word, number, text (in quotes), file, mark. `value` is a number's, or what stands in quotes."""

    text: str
    kind: str
    stem: str
    value: str = ""
    is_percent: bool = False


@dataclass(frozen=True)
class Mention:
    """Tokens first to last that may speak of a name; `sure` is how much of it they say."""

    kind: str
    """"column", "table" or "name"."""
    name: str
    first: int
    last: int
    sure: float

    def covers(self, at: int) -> bool:
        return self.first <= at <= self.last


def tokens_of(request: str) -> list[Token]:
    """mean km of 3 riders -> words, and the number 3"""
    return [token_of(found) for found in TOKEN.finditer(request)]


def token_of(found: re.Match[str]) -> Token:
    text = found[0]
    quoted = found["double"] or found["single"] or found["tick"]
    if quoted:
        return Token(text, "text", "<text>", quoted)
    if found["file"]:
        return Token(text, "file", "<file>", text)
    if found["number"]:
        return Token(text, "number", "<n>", found["number"], bool(found["percent"]))
    if found["mark"]:
        return Token(text, "mark", text)
    word = text.lower().removesuffix("'s")
    if word in spelled():
        return Token(text, "number", "<n>", str(spelled()[word]))
    return Token(text, "word", stem(misspellings().get(word, word)))


@lru_cache(maxsize=1)
def spelled() -> dict[str, int]:
    return {word: value for word, value in numbers(100).items() if word.isalpha() and value > 1}


@lru_cache(maxsize=8192)
def name_stems(name: str) -> tuple[str, ...]:
    """unit_price, unitPrice, Unit Prices -> unit price"""
    return tuple(stem(part.lower()) for part in PART.findall(CAMEL.sub(" ", name)))


def mentions(tokens: Sequence[Token], known: Known) -> list[Mention]:
    """Of every column, table and name the places that speak of it best."""
    columns = dict.fromkeys(column for held in known.tables.values() for column in held)
    found = [one for name in columns for one in spoken_of("column", name, tokens)]
    found += [one for name in known.tables for one in spoken_of("table", name, tokens)]
    names = (name for name, kind in known.names.items() if kind != "module")
    return [*found, *(one for name in names for one in spoken_of("name", name, tokens))]


def spoken_of(kind: str, name: str, tokens: Sequence[Token]) -> list[Mention]:
    """The surest mentions of one name, none where nothing speaks of it."""
    found = [*whole_mentions(kind, name, tokens)]
    if not found and kind == "column":
        found = [*part_mentions(name, tokens)]
    best = max((one.sure for one in found), default=0.0)
    return [one for one in found if one.sure >= best - 1e-9]


def whole_mentions(kind: str, name: str, tokens: Sequence[Token]) -> Iterator[Mention]:
    parts = name_stems(name)
    for at, token in enumerate(tokens):
        if name in (token.text, token.value) or (token.kind == "word" and token.text.lower() == name.lower()):
            yield Mention(kind, name, at, at, EXACT)
        elif parts and kind != "name" and tuple(one.stem for one in tokens[at : at + len(parts)]) == parts:
            yield Mention(kind, name, at, at + len(parts) - 1, EXACT)
        elif token.kind == "word" and len(parts) > 1 and token.text.lower() == "".join(parts):
            yield Mention(kind, name, at, at, EXACT)


def part_mentions(name: str, tokens: Sequence[Token]) -> Iterator[Mention]:
    """By some of its words, or by a word that begins like one, or that it shortens."""
    parts = list(name_stems(name))
    telling = [one for one in parts if one not in WEAK] or parts
    stems = [token.stem if token.kind == "word" else "" for token in tokens]
    said = [one for one in telling if one in stems]
    if len(said) == len(telling) > 0:
        places = [stems.index(one) for one in said]
        if len(said) > 1 or len(parts) == 1:
            yield Mention("column", name, min(places), max(places), SCATTERED)
        else:
            yield Mention("column", name, places[0], places[0], STRONG)
        return
    for one in said:
        at = stems.index(one)
        yield Mention("column", name, at, at, PARTLY + 0.2 * len(said) / len(telling))
    if said:
        return
    plain = [part.lower() for part in PART.findall(CAMEL.sub(" ", name))]
    for at, token in enumerate(tokens):
        if token.kind == "word" and any(is_short(part, token.text.lower()) for part in plain if part not in WEAK):
            yield Mention("column", name, at, at, SHORT if len(telling) == 1 else PARTLY)


def is_short(one: str, other: str) -> bool:
    """temp, temperature; qty, quantity; dept, departments"""
    short, long = sorted((one, other), key=len)
    if len(short) < 3 or len(long) < 5 or short[0] != long[0] or short == long:
        return False
    if long.startswith(short):
        return len(short) >= 4 or len(long) > 5
    letters = iter(long)
    return len(short) <= 5 and all(letter in letters for letter in short) and not set(short[1:]) & set("aeiou")


def covered(found: Iterable[Mention], least: float = STRONG) -> set[int]:
    """Tokens that speak of a column."""
    return {at for one in found if one.sure >= least for at in range(one.first, one.last + 1)}
