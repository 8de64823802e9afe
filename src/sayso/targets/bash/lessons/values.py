"""Values for the slots of generated requests: how one is said, and what then stands in the slot.

The lists of `data/grammar/values.toml` are combined (stem, suffix, ending, folder), so that what a model sees is copied
from the request and not known by heart.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "grammar"
NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
SMALL = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 64, 75, 100, 120, 200, 250, 500, 1000)
PORTS = (22, 25, 53, 80, 110, 143, 443, 993, 3000, 3306, 4000, 5000, 5173, 5432, 5601, 6379, 8000, 8080, 8081, 8443,
         8888, 9000, 9090, 9200, 11211, 27017)  # fmt: skip
SIZES: Mapping[str, tuple[str, ...]] = {
    "K": ("kB", "KB", "k", " kB", " KB", " kilobytes", "K"),
    "M": ("MB", "M", " MB", " megabytes", " MB", "mb", " mb"),
    "G": ("GB", "G", " GB", " gigabytes", " gigs", "gb", " gb"),
    "B": (" bytes", " bytes", " B"),
}
SPANS: Mapping[str, tuple[str, str]] = {
    "m": ("minute", "minutes"),
    "h": ("hour", "hours"),
    "d": ("day", "days"),
    "w": ("week", "weeks"),
    "mo": ("month", "months"),
    "y": ("year", "years"),
}
LENGTHS: Mapping[str, tuple[int, ...]] = {
    "m": (5, 10, 15, 20, 30, 45, 60, 90),
    "h": (1, 2, 3, 4, 6, 8, 12, 24, 36, 48),
    "d": (1, 2, 3, 4, 5, 6, 7, 10, 14, 15, 20, 21, 30, 45, 60, 90, 100, 180),
    "w": (1, 2, 3, 4, 6),
    "mo": (1, 2, 3, 6, 9),
    "y": (1, 2, 3),
}
OCTAL = ("755", "644", "600", "700", "750", "640", "664", "775", "400", "444", "777", "660", "500", "711")
ROUND_SIZES = (1, 2, 5, 10, 20, 50, 64, 100, 128, 200, 250, 256, 300, 500, 512, 700, 750, 900)

Said = tuple[str, str]
"""(the words in the request, the value in the slot)"""


@dataclass(frozen=True)
class Lists:
    """The lists of the file; `endings` by kind, `said_endings` by ending."""

    stems: tuple[str, ...]
    suffixes: tuple[str, ...]
    prefixes: tuple[str, ...]
    endings: Mapping[str, tuple[str, ...]]
    said_endings: Mapping[str, tuple[str, ...]]
    folders: Mapping[str, tuple[str, ...]]
    places: tuple[Said, ...]
    names: Mapping[str, tuple[str, ...]]
    characters: tuple[Said, ...]


@cache
def lists() -> Lists:
    table: dict[str, Any] = tomllib.loads((FOLDER / "values.toml").read_text(encoding="utf-8"))
    folders, names = table["folders"], table["names"]
    by_bar = ("phrases", "commands", "scripts")
    words = {name: tuple(text.split()) for name, text in names.items() if name not in (*by_bar, "characters")}
    phrases = {name: tuple(part.strip() for part in names[name].split("|") if part.strip()) for name in by_bar}
    return Lists(
        tuple(dict.fromkeys(table["stems"].split())),
        tuple(table["suffixes"].split()),
        tuple(table["prefixes"].split()),
        {kind: tuple(table[f"{kind}_endings"].split()) for kind in ("text", "code", "media", "other")},
        {ending: tuple(text.split()) for ending, text in table["said_endings"].items()},
        {kind: tuple(folders[kind].split()) for kind in ("roots", "homes", "plain")},
        tuple((said, value) for said, _, value in (place.partition("|") for place in folders["places"])),
        {**words, **phrases},
        tuple((said, value) for said, value in names["characters"]),
    )


def draw(kind: str, random: Random, before: str = "", after: str = "") -> Said:
    """A value of a slot type, said so that it fits between the words before and after it in the phrasing."""
    said, value = DRAWS[kind](random)
    if kind == "extension":
        return said_extension(value, random, before, after), value
    if kind == "number" and after.startswith("th "):
        return value, value  # the phrasing has its own ending: the {n}th line
    if (
        kind == "dir"
        and value in (".", "..", "~")
        and before
        and not before.endswith((" in ", " under ", " below ", " of "))
    ):
        said = value = random.choice(lists().folders["plain"])
    return (value, value) if kind == "dir" and said == "here" and before else (said, value)


def stem(random: Random) -> str:
    """report, sales_2024, my-notes"""
    known = lists()
    name = random.choice(known.stems)
    chance = random.random()
    if chance < 0.25:
        return name + random.choice("_-") + random.choice(known.suffixes)
    if chance < 0.35:
        return random.choice(known.prefixes) + name
    if chance < 0.45:
        return name + random.choice("_-") + random.choice(known.stems)
    if chance < 0.5:
        return name.capitalize()
    return name + str(random.randrange(1, 100)) if chance < 0.55 else name


def file_name(random: Random, *endings: str) -> str:
    """A name with one of the endings, or with any; now and then inside a folder."""
    if not endings:
        kind = random.choices(("text", "code", "media", "other"), (6, 3, 2, 1))[0]
        endings = lists().endings[kind]
    name = f"{stem(random)}.{random.choice(endings)}"
    return f"{folder(random)[1]}/{name}" if random.random() < 0.15 else name


def same(value: str) -> Said:
    return value, value


def folder(random: Random) -> Said:
    """/var/log, ~/Documents/taxes, src/app"""
    folders = lists().folders
    chance = random.random()
    if chance < 0.3:
        root = random.choice(folders["roots"])
        return same(f"{root}/{random.choice(folders['plain'])}" if random.random() < 0.4 else root)
    if chance < 0.5:
        home = random.choice(folders["homes"])
        return same(f"{home}/{stem(random)}" if random.random() < 0.4 else home)
    if chance < 0.7:
        return same(f"{random.choice(folders['plain'])}/{random.choice(folders['plain'])}")
    if chance < 0.8:
        return same(stem(random))
    return same(random.choice(folders["plain"]))


def folder_or_place(random: Random) -> Said:
    return random.choice(lists().places) if random.random() < 0.12 else folder(random)


def extension(random: Random) -> Said:
    kind = random.choices(("text", "code", "media", "other"), (4, 4, 3, 2))[0]
    return same(random.choice(lists().endings[kind]))


def said_extension(ending: str, random: Random, before: str, after: str) -> str:
    """py, .py, *.py or python, as the words around it allow."""
    if before.endswith("."):
        return ending
    spoken = lists().said_endings.get(ending, ())
    chance = random.random()
    if spoken and chance < 0.35 and after.lstrip().startswith(("file", "script", "code", "source")):
        return random.choice(spoken)
    return f".{ending}" if chance < 0.6 else f"*.{ending}" if chance < 0.7 and after.startswith(" file") else ending


def number(random: Random) -> Said:
    value = random.choice(SMALL) if random.random() < 0.8 else random.randrange(1, 100)
    return (NUMBER_WORDS[value] if 1 < value <= 12 and random.random() < 0.2 else str(value)), str(value)


def size(random: Random) -> Said:
    unit = random.choices("KMGB", (3, 6, 2, 1))[0]
    value = random.choice(ROUND_SIZES) if random.random() < 0.9 else random.randrange(1, 999)
    if unit == "G":
        value = random.choice((1, 2, 3, 4, 5, 8, 10, 16, 20, 50))
    said = random.choice(SIZES[unit])
    return (
        f"a {said.strip().removesuffix('s')}" if value == 1 and "bytes" in said else f"{value}{said}"
    ), f"{value}{unit}"


def timespan(random: Random) -> Said:
    unit = random.choices(tuple(SPANS), (2, 3, 8, 3, 2, 1))[0]
    value = random.choice(LENGTHS[unit])
    one, many = SPANS[unit]
    if value == 1:
        return (one if random.random() < 0.4 else f"1 {one}"), f"1{unit}"
    return f"{NUMBER_WORDS[value] if value <= 12 and random.random() < 0.25 else value} {many}", f"{value}{unit}"


def date(random: Random) -> Said:
    return same(f"20{random.randrange(15, 26)}-{random.randrange(1, 13):02}-{random.randrange(1, 29):02}")


def hour(random: Random) -> Said:
    at = random.randrange(24)
    if random.random() < 0.5:
        return f"{at % 12 or 12}{'am' if at < 12 else 'pm'}", f"{at}:00"
    return f"{at:02}:00", f"{at:02}:00"


def words(random: Random, bare: float = 0.4) -> Said:
    """'connection refused', "TODO" or a bare word."""
    names = lists().names
    if random.random() < 0.35:
        value = random.choice(names["phrases"])
        return random.choice(("'{}'", '"{}"')).format(value), value
    value = random.choice(names["words"]) if random.random() < 0.8 else random.choice(lists().stems)
    return (value if random.random() < bare else random.choice(("'{}'", '"{}"')).format(value)), value


def quoted(random: Random) -> Said:
    return words(random, bare=0.1)


def listed(name: str) -> Callable[[Random], Said]:
    return lambda random: same(random.choice(lists().names[name]))


def ended(*endings: str) -> Callable[[Random], Said]:
    return lambda random: same(file_name(random, *endings))


def command(name: str) -> Callable[[Random], Said]:
    def drawn(random: Random) -> Said:
        value = random.choice(lists().names[name])
        return (f"'{value}'" if " " in value or name == "commands" else value), value

    return drawn


def glob(random: Random) -> Said:
    value = random.choice(lists().names["globs"])
    if random.random() < 0.5:
        value = f"{random.choice(lists().stems)}*" if random.random() < 0.5 else f"*{random.choice(lists().stems)}*"
    return (f"'{value}'" if random.random() < 0.5 else value), value


def remote(random: Random) -> Said:
    names = lists().names
    return same(f"{random.choice(names['users'])}@{random.choice(names['hosts'])}")


def found_name(random: Random) -> Said:
    """What `find -name` compares: a file's name, or that of a folder."""
    name = stem(random) if random.random() < 0.3 else f"{stem(random)}.{extension(random)[1]}"
    return (f'"{name}"' if random.random() < 0.15 else name), name


def quoted_word(random: Random) -> Said:
    value = random.choice(lists().names["words"]) if random.random() < 0.6 else random.choice(lists().stems)
    return (f"'{value}'" if random.random() < 0.4 else value), value


def days(random: Random) -> Said:
    value = random.choice(LENGTHS["d"][1:])
    return f"{value} days", f"{value}d"


DRAWS: Mapping[str, Callable[[Random], Said]] = {
    "file": lambda random: same(file_name(random)),
    "path": lambda random: folder(random) if random.random() < 0.3 else same(file_name(random)),
    "newname": lambda random: same(stem(random) if random.random() < 0.4 else file_name(random)),
    "csvfile": ended("csv"),
    "jsonfile": ended("json"),
    "tsvfile": ended("tsv"),
    "inifile": ended("ini", "conf", "cfg", "env"),
    "archive": ended("tar.gz", "tgz", "tar.xz", "tar.bz2", "tar"),
    "tarball": ended("tar.gz", "tgz", "tar.xz", "tar.bz2"),
    "zipfile": ended("zip"),
    "gzfile": ended("log.gz", "sql.gz", "txt.gz", "csv.gz", "gz"),
    "debfile": ended("deb"),
    "pyfile": ended("py"),
    "shfile": ended("sh"),
    "cfile": ended("c"),
    "dir": folder_or_place,
    "name": found_name,
    "extension": extension,
    "glob": glob,
    "starred": lambda random: same(f"{stem(random)}_*.{extension(random)[1]}"),
    "assignment": lambda random: same(f"{stem(random).upper()}={random.randrange(1, 100)}"),
    "pattern": words,
    "text": quoted,
    "number": number,
    "port": lambda random: same(str(random.choice(PORTS))),
    "size": size,
    "timespan": timespan,
    "date": date,
    "hour": hour,
    "permission": listed("permissions"),
    "user": listed("users"),
    "group": listed("groups"),
    "host": listed("hosts"),
    "remote": remote,
    "remotepath": lambda random: same(f"{remote(random)[1]}:{folder(random)[1]}"),
    "url": listed("urls"),
    "process": listed("processes"),
    "program": listed("programs"),
    "service": listed("services"),
    "package": listed("packages"),
    "container": listed("containers"),
    "image": listed("images"),
    "session": listed("sessions"),
    "branch": listed("branches"),
    "commit": listed("commits"),
    "field": listed("fields"),
    "variable": listed("variables"),
    "device": listed("devices"),
    "character": lambda random: random.choice(lists().characters),
    "command": command("commands"),
    "script": command("scripts"),
    # What only the grammar draws.
    "word": lambda random: quoted_word(random),
    "octal": lambda random: same(random.choice(OCTAL)),
    "small": lambda random: same(str(random.randrange(1, 10))),
    "lower": lambda random: same(str(random.randrange(1, 40))),
    "upper": lambda random: same(str(random.randrange(41, 500))),
    "tgz": ended("tar.gz", "tgz"),
    "folder": folder,
    "plain": lambda random: same(random.choice(lists().folders["plain"])),
    "textfile": lambda random: same(file_name(random, *lists().endings["text"])),
    "days": days,
    "olddate": lambda random: same(
        f"20{random.randrange(15, 21)}-{random.randrange(1, 13):02}-{random.randrange(1, 29):02}"
    ),
    "newdate": lambda random: same(
        f"20{random.randrange(21, 26)}-{random.randrange(1, 13):02}-{random.randrange(1, 29):02}"
    ),
}
