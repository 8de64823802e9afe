"""Recipes as a bundle: `recipes.json.xz` holds templates and what was counted, the manifest what the columns weigh."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from typing import Any

from sayso.core.errors import BadBundle
from sayso.neural.bundle import Bundle, reading
from sayso.targets.notebook.recipes.learnt import Learnt
from sayso.targets.notebook.recipes.source import Recipes
from sayso.targets.notebook.recipes.template import as_json, read_json

FILE, KIND = "recipes.json.xz", "recipes"
LARGEST = 64 << 20
"""Bytes of the file when it is unpacked."""
CURE = "make it again with python -m sayso.experiments.cell_recipes"


def packed(recipes: Recipes) -> bytes:
    """Groups are numbered: nobody who asks needs to know where a template comes from."""
    groups = {name: str(at) for at, name in enumerate(dict.fromkeys(one.group for one in recipes.templates))}
    templates = [[*as_json(one)[:-1], groups[one.group]] for one in recipes.templates]
    learnt = recipes.learnt
    told = {"deeds": learnt.deeds, "words": learnt.words, "codes": learnt.codes, "kinds": learnt.kinds}
    text = json.dumps({"templates": templates, "learnt": told}, ensure_ascii=False, separators=(",", ":"))
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def unpacked(content: bytes) -> Recipes:
    unpacker = lzma.LZMADecompressor()
    text = unpacker.decompress(content, LARGEST)
    if not unpacker.eof:
        raise ValueError("it is cut, or larger than any of ours")
    found: Mapping[str, Any] = json.loads(text)
    learnt = found["learnt"]
    deeds = {
        word: {family: (deed, much) for family, (deed, much) in some.items()} for word, some in learnt["deeds"].items()
    }
    tables = Learnt(deeds, learnt["words"], learnt["codes"], learnt["kinds"])
    return Recipes([read_json(one) for one in found["templates"]], tables)


def load_recipes(bundle: Bundle) -> Recipes:
    if bundle.kind != KIND:
        raise BadBundle(f"{bundle.folder} holds no recipes but {bundle.kind}", CURE)
    with reading(bundle, "recipes", CURE):
        try:
            return unpacked(bundle.read(FILE))
        except lzma.LZMAError as error:
            raise ValueError(str(error)) from error
