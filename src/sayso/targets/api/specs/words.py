"""Words of requests and descriptions: tokens with their places, names cut up, stems, words that say the same."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from sayso.english.stems import stem

TOKEN = re.compile(
    r"""(?P<url>https?://[^\s'"<>]+)
      | (?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
      | (?P<path>(?<![\w/.:])(?:[A-Za-z]:|~)?(?:\.{0,2}/)+\w[\w.~-]*(?:/[\w.~-]+)*(?:\?[\w.~%=&+-]*\w)?(?<![.-]))
      | (?P<number>[-−]?(?:\d+(?:\.\d+)?[eE][-+]?\d+\b
          |(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?=%|st\b|nd\b|rd\b|th\b|\b)(?![\w]*[-_/:]\w)(?!\.\w)
          (?:st\b|nd\b|rd\b|th\b)?))
      | (?P<word>[-−]?\d+(?:\.\d+)?[a-zA-Zµ°]{1,4}(?:/\w+)?(?![\w-])
          |[^\W_](?:[\w]|[-.'’/:@#+&](?=\w)|_)*[+#]*|[$€£%])
      | (?P<mark>[^\w\s])
    """,
    re.VERBOSE,
)
CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


@dataclass(frozen=True)
class Token:
    text: str
    kind: str
    start: int
    end: int

    @property
    def low(self) -> str:
        return self.text.casefold().replace("’", "'")


def tokens(text: str) -> tuple[Token, ...]:
    found = []
    for one in TOKEN.finditer(text):
        value, kind = one[0], one.lastgroup or "mark"
        if kind == "word" and value[-1] in "'’":
            value = value[:-1]
        found.append(Token(value, "word" if kind == "path" else kind, one.start(), one.start() + len(value)))
    return tuple(found)


@cache
def data() -> dict[str, Any]:
    return tomllib.loads((files("sayso.targets.api") / "data" / "spec_words.toml").read_text(encoding="utf-8"))


@cache
def stop_words() -> frozenset[str]:
    return frozenset(data()["stop"].split())


@cache
def negations() -> frozenset[str]:
    return frozenset(data()["negation"]["words"].split())


@cache
def deed_words() -> dict[str, frozenset[str]]:
    """Kind of deed -> words that ask for it."""
    return {kind: frozenset(words.split()) for kind, words in data()["deeds"].items()}


@cache
def meanings() -> dict[str, frozenset[str]]:
    """Stem -> stems that may stand for it, itself among them."""
    found: dict[str, set[str]] = {}
    for line in data()["same"]["words"]:
        stems = {stem(word) for word in line.split()}
        for one in stems:
            found.setdefault(one, {one}).update(stems)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def cues() -> dict[str, frozenset[str]]:
    return {word: frozenset(map(stem, names.split())) for word, names in data()["cues"].items()}


@cache
def bounds() -> tuple[frozenset[str], frozenset[str]]:
    both = data()["bounds"]
    return frozenset(both["low"].split()), frozenset(both["high"].split())


@cache
def units() -> dict[str, dict[str, float]]:
    """Unit of a value's name -> unit said -> how many of the first it is."""
    found = {}
    for unit, said in data()["units"].items():
        found[unit] = {name: float(much) for name, _, much in (one.partition(":") for one in said.split())}
    return found


@lru_cache(maxsize=100_000)
def name_words(name: str) -> tuple[str, ...]:
    """listTicketHistory, X-On-Behalf-Of, film_id -> the words in lower case."""
    return tuple(word.casefold() for word in CAMEL.findall(name))


@lru_cache(maxsize=100_000)
def stems_of(text: str) -> tuple[str, ...]:
    """Stems of the words that say something, names cut up."""
    found: list[str] = []
    for word in re.findall(r"[^\W_]+(?:['’][a-z]+)?", text):
        parts = name_words(word) if not word.islower() else (word.partition("'")[0].partition("’")[0],)
        found += [stem(one) for one in parts if one not in stop_words() and (len(one) > 1 or one.isdigit())]
    return tuple(found)


def said_alike(word: str) -> frozenset[str]:
    return meanings().get(word, frozenset((word,)))
