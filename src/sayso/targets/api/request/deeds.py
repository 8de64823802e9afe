"""Requests for a deed: `delete all my mail` asks for what no GET can do. Which deed, and what finds the things meant.

By rule, over the verbs of `data/deeds.toml`; whether a word is a verb is told by its place and by what follows it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sayso.targets.api.syntax.schema import DOMAINS, schema

WORDS = re.compile(r"[^\s,;:!?()\"]+")
BREAK = re.compile(r"(?:[,;.!?]\s+(?:and\s+)?|\s(?:and|then|&)\s+)(?:(?:then|also|please|just)\s+)*", re.IGNORECASE)


@dataclass(frozen=True)
class Deed:
    verb: str
    """What the answer calls it: delete."""
    reading: str = ""
    """A request for the things that the deed is about, where there are such: `show all my mail`."""


@dataclass(frozen=True)
class Verb:
    """An entry of deeds.toml, whose head says what each means."""

    words: tuple[str, ...]
    says: str = ""
    noun: bool = False
    things: bool = False
    new: bool = False
    then: frozenset[str] = frozenset()
    no: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    needs: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    into: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Book:
    verbs: tuple[Verb, ...]
    openers: tuple[tuple[str, ...], ...]
    lists: frozenset[str]
    wishes: tuple[str, ...]
    wished: Mapping[str, str]
    words: Mapping[str, frozenset[str]]
    """Kinds of words: what each is for stands in deeds.toml."""


@cache
def book() -> Book:
    table = tomllib.loads((files("sayso.targets.api") / "data" / "deeds.toml").read_text(encoding="utf-8"))
    verbs = [
        Verb(
            tuple(name.split()),
            entry.get("says", name),
            entry.get("noun", False),
            entry.get("things", False),
            entry.get("new", False),
            frozenset(entry.get("then", ())),
            tuple(entry.get("not", ())),
            tuple(entry.get("only", ())),
            frozenset(entry.get("needs", ())),
            frozenset(entry.get("unless", ())),
            frozenset(entry.get("ends", ())),
            frozenset(entry.get("into", ())),
        )
        for name, entry in table["verbs"].items()
    ]
    # `clean up` before `clean`, `can you` before `can`
    verbs.sort(key=lambda one: -len(one.words))
    words = {kind: frozenset(one.split()) for kind, one in table["words"].items()}
    openers = sorted((tuple(one.split()) for one in table["openers"]), key=len, reverse=True)
    return Book(tuple(verbs), tuple(openers), frozenset(table["lists"]), tuple(table["wishes"]), table["wished"], words)


def find_deed(text: str) -> Deed | None:
    """ "delete all my mail" -> Deed("delete", "show all my mail"); None for what can be read."""
    words = _without_thanks(WORDS.findall(text))
    start = _after_openers([word.lower().replace("’", "'") for word in words])
    found = _deed_at(words[start:]) or _wished(words)
    if found:
        return found
    # `find the mail from Bo and delete it`: what stands before is the thing meant.
    for match in BREAK.finditer(text):
        behind = WORDS.findall(text[match.end() :])
        verb = _verb_at([word.lower() for word in behind])
        rest = behind[len(verb.words) :] if verb else []
        if verb and rest and rest[0].lower().strip(".") in book().words["pointing"] and _is_verb(verb, rest):
            named = "" if rest[0].lower().strip(".") in book().words["pronouns"] else _reading(verb, rest)
            return Deed(verb.says, named or text[: match.start()].strip())
    return None


def _without_thanks(words: list[str]) -> list[str]:
    while len(words) > 1 and words[-1].lower().strip(".") in book().words["thanks"]:
        words = words[:-1]
    return words


def _after_openers(lower: Sequence[str]) -> int:
    at = 0
    while opener := next((one for one in book().openers if tuple(lower[at : at + len(one)]) == one), None):
        at += len(opener)
    return at


def _deed_at(words: Sequence[str]) -> Deed | None:
    lower = [word.lower() for word in words]
    verb = _verb_at(lower)
    if verb is None:
        return None
    rest = words[len(verb.words) :]
    if not _is_verb(verb, rest):
        return None
    return Deed(verb.says, _reading(verb, rest))


def _verb_at(lower: Sequence[str]) -> Verb | None:
    return next((one for one in book().verbs if tuple(lower[: len(one.words)]) == one.words), None)


def _is_verb(verb: Verb, rest: Sequence[str]) -> bool:
    lower = [word.lower().strip(".") for word in rest]
    if not lower:
        return not verb.noun and not verb.only
    behind = " ".join(lower) + " "
    if any(behind.startswith(f"{one} ") for one in verb.no):
        return False
    if (
        (verb.new and book().lists & set(lower[:4]))
        or verb.unless & set(lower)
        or (verb.needs and not verb.needs & set(lower))
    ):
        return False
    if verb.only:
        return any(behind.startswith(f"{one} ") for one in verb.only)
    if not verb.noun:
        return True
    return _noun_is_verb(verb, rest, lower)


def _noun_is_verb(verb: Verb, rest: Sequence[str], lower: Sequence[str]) -> bool:
    if lower[0] in verb.then and not (
        verb.new and lower[0] in book().words["related"]
    ):  # `reply to`, but not `email to`
        return True
    if lower[:1] == ["that"] and lower[1:2] and lower[1] in book().words["told"] | book().words["related"]:
        return False  # `mail that came in`, but not `mail that man`
    if lower[0] in book().words["determiners"]:
        return True
    if lower[0] in book().words["related"] or (
        len(lower) > 1 and lower[1] in book().words["told"]
    ):  # `email from Bo`, `mail Anna sent`
        return False
    if verb.then & set(lower[1:]):
        return True
    named = rest[0][:1].isupper() and not rest[0].isupper()
    return named or (
        verb.things and lower[0] in book().words["things"] and (lower[0].endswith("s") or lower[0] == "mail")
    )


def _reading(verb: Verb, rest: Sequence[str]) -> str:
    """The object of the deed as something to show, "" where it names nothing that is there already."""
    lower = [word.lower() for word in rest]
    for at, word in enumerate(lower):
        if word in verb.into and at and not _names_thing(lower[:at]) and _names_thing(lower[at + 1 :]):
            return _shown(rest[at + 1 :])
    if lower[:1] == ["to"]:  # reply to
        rest, lower = rest[1:], lower[1:]
    end = next((at for at, word in enumerate(lower) if word in verb.ends), len(rest))
    rest, lower = rest[:end], lower[:end]
    if lower and lower[-1] in verb.then:  # mark it read
        rest, lower = rest[:-1], lower[:-1]
    if not rest or (verb.new and not (lower[0] in book().words["definite"] and _names_thing(lower))):
        return ""
    if "of" in lower[1:4] and lower[0] == "the" and _names_thing(lower[lower.index("of") :]):  # the title of the file
        rest = rest[lower.index("of") + 1 :]
    return "" if lower[0] in {"a", "an"} or set(lower) <= book().words["pointing"] else _shown(rest)


def _names_thing(lower: Sequence[str]) -> bool:
    names = {schema(one).gloss.rstrip("s") for one in DOMAINS} | {schema(one).gloss for one in DOMAINS}
    return any(word.strip(".") in book().words["things"] or word.strip(".") in names for word in lower)


def _shown(words: Sequence[str]) -> str:
    return " ".join(["show", *words])


def _wished(words: Sequence[str]) -> Deed | None:
    """ "I want these files deleted" """
    lower = [word.lower().replace("’", "'").strip(".") for word in words]
    wish = next((one.split() for one in book().wishes if lower[: len(one.split())] == one.split()), None)
    if wish is None:
        return None
    for at, word in enumerate(lower):
        last = at == len(lower) - 1
        if word in book().wished and (last or lower[at + 1] in {"to", "now", "please", "today", "immediately"}):
            things = words[len(wish) : at]
            while things and things[-1].lower() in {"to", "be"}:
                things = things[:-1]
            return Deed(book().wished[word], _shown(things) if things else "")
    return None
