"""The cookbook as the bundle stores it: recipes, their phrasings already read into stems, and the word lists, as JSON.

Reading TOML and stemming three thousand phrasings takes a few tenths of a second; this takes a few hundredths. It is
used only while the digest of the cookbook's files is the one that it was made from.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sayso.translate.lexicon import Lexicon
from sayso.translate.recipes import Recipe, Slot
from sayso.translate.slots import Cookbook

NAME = "cookbook.json"
SETS = ("stop", "light", "names")


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


def read_prepared(raw: bytes) -> Prepared:
    """What `prepare` wrote."""
    tables = json.loads(raw)
    return Prepared(
        tables["digest"],
        [read_recipe(entry) for entry in tables["recipes"]],
        read_lexicon(tables["lexicon"]),
        [tuple(line.split(" ")) for line in tables["items"]],
    )


def read_recipe(entry: dict[str, Any]) -> Recipe:
    slots = {slot["name"]: Slot(**slot) for slot in entry["slots"]}
    return Recipe(**{**entry, "slots": slots, "say": tuple(entry["say"]), "needs": tuple(entry["needs"])})


def read_lexicon(tables: dict[str, Any]) -> Lexicon:
    return Lexicon(**{**tables, **{name: frozenset(tables[name]) for name in SETS}})
