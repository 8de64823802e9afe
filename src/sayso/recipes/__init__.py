"""The papers' systems as named values. To add one, write it in the file of its target and list it here; no torch."""

from __future__ import annotations

from sayso.core.errors import UnknownName
from sayso.recipes import bash
from sayso.recipes.recipe import Recipe

RECIPES: dict[str, Recipe] = {
    "seq2seq-char": bash.SEQ2SEQ_CHAR,
    "seq2seq-token": bash.SEQ2SEQ_TOKEN,
    "seq2seq-subtoken": bash.SEQ2SEQ_SUBTOKEN,
    "copynet-char": bash.COPYNET_CHAR,
    "copynet-token": bash.COPYNET_TOKEN,
    "st-copynet": bash.ST_COPYNET,
    "tellina": bash.TELLINA,
    "template-argument": bash.TEMPLATE_ARGUMENT,
    "st-copynet-manual": bash.ST_COPYNET_MANUAL,
}


def find_recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise UnknownName("recipe", name, RECIPES)
    return RECIPES[name]
