"""A request in the words that the parsers were trained on: `last 5 emails` for five latest mails (rewording.toml)."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from sayso.targets.api.request.words import NUMBERS, TENS, looks, split_words
from sayso.targets.api.syntax.schema import DOMAINS, schema

SPELLED = re.compile(rf"\b({'|'.join([*NUMBERS, *TENS])})\b(?! hours?\b)", re.IGNORECASE)
"""`two hours ago` stays: such times are written out in Okapi's calls."""
QUOTED = re.compile(r"[\"“”]([^\"“”]+)[\"“”]|(?<!\w)['‘]([^'‘’]+)['’](?!\w)")
TITLE = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof)\.(?= )")
ROLE = re.compile(r"\b([Ff]rom|[Bb]y|[Ww]ith) (?:the|my|our) (?:[a-z]+ ){1,3}(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?(?=[A-Z])")
"""`from my landlord Mr Okoro`: who somebody is, before the name."""
SUBJECT = re.compile(
    r"\b(?:about|regarding|concerning|called|named|titled) (?:(?:the|my|our|an?|all|this|that) )?\w+", re.IGNORECASE
)
"""`emails about the event` asks for emails alone."""
THINGS = r"(?:emails|mails|messages|files|documents|pdfs|spreadsheets|presentations)"
BESIDE = r" (?:and|or|plus|&) (?:(?:the|my|our|all|any) )*"
MEETINGS = re.compile(rf"\b(?:{THINGS}{BESIDE}meetings|meetings{BESIDE}{THINGS})\b", re.IGNORECASE)
"""Beside another domain's word alone: elsewhere a meeting is what an email or a file is about."""


FIRM = re.compile(r"(?<![\w&])([A-Z][\w'’.-]*)(?: [A-Z][\w'’.-]*)? & [A-Za-z][\w'’.-]*(?<![.])(?! &)")


def without_firms(text: str) -> tuple[str, dict[str, str]]:
    """ "mails from O'Brien & co" -> "mails from Obrien", and what that is: the parsers know people of one word."""
    firms: dict[str, str] = {}

    def replaced(found: re.Match[str]) -> str:
        plain = "".join(filter(str.isalpha, found[1])).capitalize()
        if not plain or plain in text.replace(found[0], "") or firms.get(plain, found[0]) != found[0]:
            return found[0]
        firms[plain] = found[0]
        return plain

    return FIRM.sub(replaced, text), firms


def reword(text: str, domain: str) -> str:
    """ "my five latest mails" -> "my last 5 emails" """
    values = {**NUMBERS, **TENS}
    text = TITLE.sub(r"\1", QUOTED.sub(lambda found: found[1] or found[2], text))
    text = ROLE.sub(r"\1 ", text)
    text = SPELLED.sub(lambda found: str(values[found[1].lower()]), text)
    for pattern, other in _rules(domain):
        text = pattern.sub(other, text)
    return text


@cache
def _rules(domain: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    content = (files("sayso.targets.api") / "data" / "rewording.toml").read_text(encoding="utf-8")
    table = tomllib.loads(content)
    return tuple(
        (re.compile(pattern.replace("{number}", r"(\d+)"), re.IGNORECASE), other)
        for part in ("common", domain)
        for pattern, other in table[part].items()
    )


def named_domains(text: str) -> list[str]:
    """The domains whose word for what they hold is in the request, as it is or reworded."""
    found = _nouns(text)
    if len(found) > 1:
        found = _nouns(SUBJECT.sub("", text)) or found
    if found and "calendar" not in found and MEETINGS.search(text):
        found.append("calendar")
    return found


def _nouns(text: str) -> list[str]:
    found = []
    for domain in DOMAINS:
        noun = schema(domain).gloss.rstrip("s")
        if any(looks(word.text) in (noun, noun + "s") for word in split_words(reword(text, domain))):
            found.append(domain)
    return found
