"""A tiny cookbook, so that these tests know nothing of Bash."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sayso.cookbook.entry import Recipe, parse_slot
from sayso.cookbook.slots import FEATURES, Cookbook, Settings
from sayso.core.types import RiskLevel
from sayso.english.lexicon import Lexicon, lexicon_from

WORDS = {
    "stop": "the a of in to please is are there my me",
    "light": "which what all",
    "names": "nginx",
    "exact": {"container": "container"},
    "synonyms": {
        "directory": "folder dir",
        "delete": "remove erase",
        "large": "big bigger biggest larger largest",
        "list": "show",
    },
    "phrases": {"how many": "count", "get rid of": "delete"},
    "places": {"this folder": ".", "my home": "~"},
    "extensions": {"python": "py", "text": "txt"},
    "ordinals": {"third": 3},
    "characters": {"comma": ","},
}

RECIPES: list[tuple[str, RiskLevel, dict[str, str], str]] = [
    ("count", "reads", {"file": "file"}, "count the lines of {file}; how many lines has {file}"),
    ("copy", "writes", {"source": "file", "to": "path"}, "copy {source} to {to}; put a copy of {source} in {to}"),
    (
        "files",
        "reads",
        {"dir": "dir=.", "ext": "extension?", "min": "size?", "max": "size?"},
        "find {ext} files in {dir}; find files larger than {min}; files smaller than {max} under {dir}",
    ),
    ("delete", "destroys", {"file": "file"}, "delete the file {file}; erase {file}"),
    ("stop", "writes", {"process": "process"}, "stop the process {process}; stop {process}"),
    (
        "find",
        "reads",
        {"pattern": "pattern", "file": "file"},
        "search for {pattern} in {file}; find {pattern} in {file}",
    ),
    (
        "prune",
        "destroys",
        {"dir": "dir=.", "ext": "extension?"},
        "delete all {ext} files in {dir}; remove every {ext} file",
    ),
]

FITTED = {"bias": -6.0, "request": 4.0, "phrasing": 3.0, "recipe": 1.0, "evidence": 2.0, "left_over": -1.5, "fits": 1.0}
WEIGHTS = {**dict.fromkeys(FEATURES, 0.0), **FITTED, "missing": -2.0, "unsaid": -1.0}


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return lexicon_from(WORDS)


def render(recipe: Recipe, values: Mapping[str, str]) -> str:
    """The intent and what was filled in, sorted: enough to see what went where."""
    slots = [slot for slot in recipe.slots.values() if values.get(slot.name) or not slot.optional]
    shown = {slot.name: values.get(slot.name) or slot.default or slot.shown for slot in slots}
    return " ".join([recipe.intent, *(f"{name}={value}" for name, value in sorted(shown.items()))])


@pytest.fixture(scope="session")
def cookbook(lexicon: Lexicon) -> Cookbook:
    recipes = [
        Recipe(
            intent,
            intent,
            risk,
            {name: parse_slot(name, text) for name, text in slots.items()},
            tuple(say.split("; ")),
            needs=("ext",) if intent == "prune" else (),
        )
        for intent, risk, slots, say in RECIPES
    ]
    return Cookbook(recipes, lexicon, Settings(WEIGHTS), render)
