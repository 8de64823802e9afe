"""Placeholders of cheat sheets (`{{path/to/file}}`, `<url>`) filled with values, which the description then names.

`wc -l {{path/to/file}}`, "Count all lines in a file" -> `wc -l notes.md`, "Count all lines in the file notes.md". What
the description cannot name is added at its end; a placeholder that stays is written in capitals, as the cookbook does.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from random import Random

from sayso.targets.bash.lessons.values import draw, file_name, folder, stem

PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}|<([a-z][\w ./:-]{0,30})>")
SEVERAL = re.compile(r"^(\S+?)1? \S+?2? ?\.\.\.$")
DETERMINER = r"(?:a|an|the|one|some|any|each|given|specific|particular|specified|one or more|multiple|your)"
EMPTY_ADJECTIVE = r"(?:specific|given|particular|specified|single)"
WITH, MOST_ADDED = ("with", "using", "for"), 2

# The last part of a label that matches first decides: (expression, slot type, nouns that the description may use).
KINDS: tuple[tuple[str, str, str], ...] = (
    (r"user ?names?|users?|owner|login|account", "user", "user username account"),
    (r"group( name)?", "group", "group"),
    (r"packages?( name)?|formula|crate|gem", "package", "package packages program"),
    (r"(remote |local |proxy )?port( number)?|8080|80|443", "port", "port"),
    (r"url|https?://.*|link|website|uri", "url", "URL page website link"),
    (r"ip( address)?|\d+\.\d+\.\d+\.\d+|target ip|host ip", "host", "IP host address target server"),
    (r"(remote )?host( ?name)?|server|example\.com|domain( name)?|fqdn|address", "host",
     "host domain server website address"),
    (r"container( name)?", "container", "container"),
    (r"image( name)?|image:tag", "image", "image"),
    (r"(service|unit|daemon)( name)?", "service", "service unit daemon"),
    (r"process( name)?", "process", "process processes program"),
    (r"branch( name)?", "branch", "branch"),
    (r"commit( hash)?|revision|sha", "commit", "commit revision"),
    (r"session( name)?", "session", "session"),
    (r"n|number|count|seconds|minutes|hours|days|lines?|width|height|size|depth|level|duration|timeout|limit|delay|percentage|"
     r"line number|interval|pid|process id|\d+", "number", "number line lines seconds process PID size"),
    (r"(search )?(pattern|regex|keyword|text|string|term|query|word|message|phrase|expression)s?", "text",
     "pattern string text word keyword message expression query term regex"),
    (r"replacement|title|description|subject|comment|label|value", "text", "text string title value comment label"),
    (r"variable( name)?|env var", "variable", "variable"),
    (r"/dev/\w+|device|partition|disk", "device", "device partition disk drive"),
    (r"extension", "extension", "extension"),
    (r"directory|folder|directories|mount ?point|destination|target directory|workdir", "dir",
     "directory folder directories location path"),
    (r"file( ?name)?|script|file2|file1|input( file)?|output( file)?", "file", "file script"),
    (r"(sub)?command", "program", "command program"),
    (r"program|executable|binary", "program", "program executable binary command"),
    (r"date", "date", "date"),
    (r"key|field|column( name)?|property", "field", "key field column property"),
    (r".* name|name|project|tag|profile|database|table|bucket|namespace|pod|node|vm|topic|environment|repository|repo",
     "stem", ""),
)  # fmt: skip
COMPILED = tuple((re.compile(expression), kind, nouns.split()) for expression, kind, nouns in KINDS)


@dataclass(frozen=True)
class Place:
    """What a placeholder asks for: a slot type, or an ending for a file; `nouns` are what descriptions call it."""

    label: str
    kind: str
    nouns: tuple[str, ...]
    ending: str = ""
    several: bool = False

    @property
    def shown(self) -> str:
        return re.sub(r"\W+", "_", self.label).strip("_").upper() or "VALUE"


def place_of(text: str) -> Place | None:
    """{{path/to/image.png}} -> a file that ends in png and is called an image; None for what is no value."""
    several = SEVERAL.match(text)
    text = several[1] if several else text
    is_path = text.startswith(("path/to", "~/", "./", "/path/to"))
    label = re.sub(r"[_\W]+", " ", text.rpartition("/")[2].partition(".")[0] if is_path else text).strip().lower()
    label = re.sub(r"\d+$", "", label).strip() or label
    ending = re.search(r"\.([a-z0-9]{1,5}(?:\.(?:gz|xz|bz2))?)$", text) if "://" not in text else None
    if ending and (is_path or re.fullmatch(r"\w+\.\w{2,4}", text)) and ending[1] not in ("com", "org", "net"):
        return Place(label, "file", (*label.split()[-1:], "file", ending[1].upper(), "image"), ending[1], bool(several))
    if is_path and re.search(r"director|folder|mount|destination|root|repo|project|target$|prefix", text):
        return Place(
            label, "dir", (*label.split()[-1:], "directory", "folder", "location", "path"), several=bool(several)
        )
    for key in (text.lower().replace("_", " "), label):
        for expression, kind, nouns in COMPILED:
            if expression.fullmatch(key):
                said = label if re.fullmatch(r"[a-z ]+", label) and "http" not in label else (nouns or ["name"])[0]
                return Place(said, kind, (*nouns, *label.split()[-1:]), several=bool(several))
    return Place(label, "file", (*label.split()[-1:], "file"), several=bool(several)) if is_path else None


def value_for(place: Place, random: Random) -> str:
    if place.ending:
        return file_name(random, place.ending)
    if place.kind == "stem":
        return stem(random)
    return folder(random)[1] if place.kind == "dir" else draw(place.kind, random)[1]


def choose_flags(command: str, random: Random) -> str:
    """`{{[-r|--recursive]}}` -> -r, more often than --recursive; `{{on|off}}` -> one of them."""

    def chosen(match: re.Match[str]) -> str:
        inner: str = match[1] or ""
        if inner.startswith("[") and inner.endswith("]") and "|" in inner:
            short, *rest = inner[1:-1].split("|")
            return short if random.random() < 0.7 or not rest else rest[-1]
        if "|" in inner and not inner.startswith("["):
            return "{{" + random.choice(inner.split("|")) + "}}"
        return match[0]

    return PLACEHOLDER.sub(chosen, command)


def fill(description: str, command: str, random: Random, named: bool) -> tuple[str, str] | None:
    """A filled pair; where not `named`, values stay open, in capitals. None where a value could not be named."""
    added: list[str] = []
    values: dict[str, str] = {}
    text = description

    def filled(match: re.Match[str]) -> str:
        nonlocal text
        inner = match[1] if match[1] is not None else match[2]
        if inner in values:
            return values[inner]
        place = place_of(inner)
        if place is None or not named:
            values[inner] = written(inner, place, description)
            return values[inner]
        if result_goes_on(match):
            place = replace(place, kind="stem", ending="")
        drawn = [value_for(place, random) for _ in range(random.choice((2, 2, 3)) if place.several else 1)]
        text, was_named = name_in(text, inner, place, " and ".join(drawn), random)
        if not was_named:
            plural = "s" if place.several and not place.label.endswith("s") else ""
            added.append(f"{place.label}{plural} {' and '.join(drawn)}")
        quoted = in_quotes(match)
        values[inner] = " ".join(value if quoted else quote(value) for value in drawn)
        return values[inner]

    result = PLACEHOLDER.sub(filled, command)
    if len(added) > MOST_ADDED or (named and not values):
        return None
    return (f"{text} {random.choice(WITH)} {' and '.join(added)}" if added else text), result


def result_goes_on(match: re.Match[str]) -> bool:
    """Whether more of the same word follows: in `{{source}}.java` the value has no ending of its own."""
    return match.string.startswith((".", "_"), match.end())


def written(inner: str, place: Place | None, description: str) -> str:
    """A placeholder that gets no value: as it stands where it is an example itself, else in capitals."""
    if place is None and re.fullmatch(r"[a-z][a-z_ ]+", inner) and inner not in description:
        return re.sub(r"[ _]+", "_", inner).upper()
    if place is None or inner in description or inner.startswith("/dev/") or re.fullmatch(r"[\d.]+|-.*|.*://.*", inner):
        return inner.replace("...", "").strip() or inner
    return place.shown


def in_quotes(match: re.Match[str]) -> bool:
    """Whether the placeholder stands inside quotes, where a value needs none of its own."""
    before = match.string[: match.start()]
    return before.count('"') % 2 == 1 or before.count("'") % 2 == 1


def quote(value: str) -> str:
    return value if value.startswith("~") else shlex.quote(value)


def name_in(text: str, inner: str, place: Place, value: str, random: Random) -> tuple[str, bool]:
    """The description with the value where it speaks of such a thing: "a specific file" -> "the file notes.md"."""
    literal = re.search(rf"(?<![\w.-]){re.escape(inner)}(?![\w-])", text)
    if literal and not re.fullmatch(r"[a-z_ ]+", inner):  # an example such as 8080, and no word of the sentence
        return text[: literal.start()] + value + text[literal.end() :], True
    for noun in place.nouns:
        found = re.search(
            rf"\b{DETERMINER} (?:{EMPTY_ADJECTIVE} )*((?:[\w-]+ )?){re.escape(noun)}(?:s|es)?\b(?! (?:name|list))",
            text,
            re.I,
        )
        if found and value not in text:
            bare = place.kind in ("file", "dir", "url", "host", "package") and random.random() < 0.4
            plural = "s" if place.several and not noun.endswith("s") else ""
            says = value if bare else f"the {found[1]}{noun}{plural} {value}"
            return text[: found.start()] + says + text[found.end() :], True
    return text, False
