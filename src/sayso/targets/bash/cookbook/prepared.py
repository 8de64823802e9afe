"""The cookbook as the bundle stores it: recipes, their phrasings already read into stems, and the word lists, as JSON.

Reading TOML and stemming three thousand phrasings takes a few tenths of a second; this takes a few hundredths. It is
used only while the digest of the cookbook's files is the one that it was made from.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast, get_args

from sayso.cookbook.entry import SLOT, Recipe, Slot
from sayso.cookbook.slot_types import TYPES
from sayso.cookbook.slots import Cookbook
from sayso.core.errors import BadBundle
from sayso.core.types import RiskLevel
from sayso.english.lexicon import Lexicon
from sayso.neural import fields

NAME = "cookbook.json"
SETS = ("stop", "light", "names")
WORDS = ("canonical", "places", "extensions", "ordinals", "characters")


@dataclass(frozen=True)
class Prepared:
    digest: str
    """Of the files that it was made from."""
    recipes: list[Recipe]
    lexicon: Lexicon
    items: list[tuple[str, ...]]


def digest(folder: Path) -> str:
    """SHA-256 over the names and contents of the cookbook's files."""
    total = hashlib.sha256()
    for path in sorted(folder.glob("*.toml")):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def prepare(book: Cookbook, folder: Path) -> bytes:
    lexicon = {name: value for name, value in vars(book.lexicon).items() if name not in SETS}
    tables: dict[str, Any] = {
        "digest": digest(folder),
        "recipes": [
            {**asdict(recipe), "slots": [asdict(slot) for slot in recipe.slots.values()]} for recipe in book.recipes
        ],
        "items": [" ".join(phrasing.items) for phrasing in book.phrasings],
        "lexicon": {
            **lexicon,
            **{name: sorted(getattr(book.lexicon, name)) for name in SETS},
        },
    }
    return json.dumps(tables, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def read_prepared(value: object, place: str) -> Prepared:
    """What `prepare` wrote, from JSON; raises BadBundle on anything else."""
    tables = fields.table(value, place)
    found, recipes, lexicon, items = (
        fields.field(tables, name, place) for name in ("digest", "recipes", "lexicon", "items")
    )
    entries = fields.rows(recipes, f"{place}: recipes")
    if not entries:
        raise fields.wrong(f"{place}: recipes", entries, "one recipe or more")
    read = Prepared(
        fields.text(found, f"{place}: digest"),
        [read_recipe(entry, f"{place}: recipes.{at}") for at, entry in enumerate(entries)],
        read_lexicon(fields.table(lexicon, f"{place}: lexicon"), f"{place}: lexicon"),
        # A stem stands in many phrasings, and is kept once.
        [tuple(map(sys.intern, line.split(" "))) for line in fields.texts(items, f"{place}: items")],
    )
    phrasings = [(recipe, say) for recipe in read.recipes for say in recipe.say]
    if len(phrasings) != len(read.items):
        raise fields.wrong(f"{place}: items", items, f"{len(phrasings)}, one for each phrasing")
    for (recipe, _), line in zip(phrasings, read.items, strict=True):
        if unknown := {item[1:-1] for item in line if SLOT.fullmatch(item)} - set(recipe.slots):
            raise fields.wrong(f"{place}: items", " ".join(line), f"a phrasing of {recipe.intent} ({unknown})")
    return read


def read_recipe(value: object, place: str) -> Recipe:
    """A recipe whose command and phrasings mention slots that it has, of types that there are."""
    entry = fields.table(value, place)
    slots = {}
    for at, one in enumerate(fields.rows(fields.field(entry, "slots", place), f"{place}.slots")):
        given, here = fields.table(one, f"{place}.slots.{at}"), f"{place}.slots.{at}"
        name, kind = (fields.text(fields.field(given, key, here), f"{here}.{key}") for key in ("name", "type"))
        optional = given.get("optional", False)
        if kind not in TYPES or not isinstance(optional, bool):
            raise fields.wrong(here, kind, "a slot of a known type")
        slots[name] = Slot(name, kind, fields.text(given.get("default", ""), f"{here}.default"), optional)
    say, needs = (fields.texts(fields.field(entry, key, place), f"{place}.{key}") for key in ("say", "needs"))
    intent, command, risk = (
        fields.text(fields.field(entry, key, place), f"{place}.{key}") for key in ("intent", "command", "risk")
    )
    mentioned = {match[1] for phrasing in say for match in SLOT.finditer(phrasing)}
    if risk not in get_args(RiskLevel) or not say or (mentioned | set(needs)) - set(slots):
        raise BadBundle(f"{place} has a risk, a phrasing or a slot that no recipe has", fields.CURE)
    return Recipe(intent, command, cast(RiskLevel, risk), slots, say, needs, fields.text(entry.get("place", ""), place))


def read_lexicon(tables: dict[str, Any], place: str) -> Lexicon:
    """Lists of words and tables from words to words; `phrases` has several for each."""
    given = {name: fields.field(tables, name, place) for name in (*SETS, *WORDS, "phrases")}
    phrases = fields.table(given["phrases"], f"{place}.phrases")
    stop, light, names = (frozenset(fields.texts(given[name], f"{place}.{name}")) for name in SETS)
    canonical, places, extensions, ordinals, characters = (
        fields.named_texts(given[name], f"{place}.{name}") for name in WORDS
    )
    return Lexicon(
        stop,
        light,
        names,
        canonical,
        {key: fields.texts(words, f"{place}.phrases.{key}") for key, words in phrases.items()},
        places,
        extensions,
        ordinals,
        characters,
        fields.named_texts(tables.get("stems", {}), f"{place}.stems"),
    )
