"""The phrasings of recipes as the sentence encoder reads them, and which of them it is never trained on."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from sayso.cookbook.entry import SLOT, Recipe
from sayso.core.errors import BadBundle
from sayso.neural import fields
from sayso.neural.bundle import MANIFEST, Bundle, read_manifest
from sayso.neural.meaning import WEIGHTS, Encoder, Meaning, Vectors, open_encoder, pack_vectors, unpack_vectors
from sayso.neural.meaning_words import described
from sayso.neural.weights import MOST

BUNDLE = Path(__file__).parents[3] / "bundles" / "bash-meaning"
VECTORS = "vectors.i8"
RUNTIME = ("numpy", "onnxruntime")
HELD_BACK = 6
"""Of so many phrasings the encoder never sees one; with those the cookbook's weights are fitted."""
SLOT_WORDS: Mapping[str, str] = {
    "file": "file",
    "csvfile": "csv file",
    "jsonfile": "json file",
    "archive": "tar archive",
    "tarball": "tar archive",
    "zipfile": "zip file",
    "gzfile": "gzip file",
    "debfile": "deb file",
    "pyfile": "python file",
    "shfile": "shell script",
    "cfile": "c file",
    "dir": "folder",
    "path": "file",
    "newname": "file",
    "name": "name",
    "extension": "txt",
    "glob": "txt files",
    "pattern": "text",
    "text": "text",
    "number": "5",
    "port": "5",
    "size": "100 mb",
    "timespan": "7 days",
    "date": "date",
    "hour": "5 pm",
    "permission": "755",
    "remote": "host",
    "remotepath": "host",
    "device": "device",
    "character": "text",
    "variable": "variable",
}


def meant(phrasing: str, recipe: Recipe) -> str:
    """A phrasing with words of their kind in its slots: "find {ext} files in {dir}" -> "find txt files in folder" """

    def word(name: str) -> str:
        slot = recipe.slots[name]
        return SLOT_WORDS.get(slot.type) or slot.shown.lower()

    return described(SLOT.sub(lambda match: word(match[1]), phrasing))


def meanings(recipes: Sequence[Recipe]) -> list[str]:
    """Of every phrasing of every recipe, in order."""
    return [meant(say, recipe) for recipe in recipes for say in recipe.say]


def is_held_back(phrasing: str) -> bool:
    """The same for a phrasing whatever else is in the cookbook."""
    return zlib.crc32(phrasing.encode()) % HELD_BACK == 0


def is_usable(folder: Path = BUNDLE) -> bool:
    """Whether there is an encoder and a runtime for it; neither is opened."""
    return (folder / MANIFEST).is_file() and all(find_spec(package) for package in RUNTIME)


def weights_digest(folder: Path = BUNDLE) -> str:
    """Of the encoder's weights, as its manifest has it: a new model card makes no vector wrong."""
    return str(read_manifest(folder)["files"].get(WEIGHTS, {}).get("sha256", ""))


def stored_meaning(
    cookbook: Bundle, folder: Path = BUNDLE, count: int | None = None
) -> Callable[[Sequence[int]], Meaning] | None:
    """The vectors in a cookbook's bundle; None where there are none, or no encoder, or another than made them.

    `count` is how many there must be.
    """
    place = f"{cookbook.place(MANIFEST)}: meaning"
    fitted = fields.table(cookbook.settings.get("meaning", {}), place)
    if not fitted or not is_usable(folder) or weights_digest(folder) != fields.field(fitted, "encoder", place):
        return None
    width = fields.whole(fields.field(fitted, "width", place), f"{place}.width", 1, MOST)
    shape = fields.table(read_manifest(folder)["settings"].get("shape", {}), place)
    if shape.get("width", width) != width:
        raise fields.wrong(f"{place}.width", width, f"{shape['width']}, the encoder's")

    def vectors() -> Vectors:
        content = cookbook.read(VECTORS)
        if len(content) % width or (count is not None and len(content) != count * width):
            raise BadBundle(f"{cookbook.place(VECTORS)} holds no {count or ''} vectors of {width}", fields.CURE)
        return unpack_vectors(content, width)

    return lambda starts: Meaning(open_encoder(folder), vectors, starts)


def fresh_meaning(encoder: Encoder, recipes: Sequence[Recipe]) -> Callable[[Sequence[int]], Meaning]:
    """With vectors that are made now, rounded as they will be stored."""
    vectors = unpack_vectors(pack_vectors(encoder.embed_described(meanings(recipes))), encoder.shape.width)
    return lambda starts: Meaning(lambda: encoder, lambda: vectors, starts)
