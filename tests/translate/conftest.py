"""A tiny instruction language and a tiny cookbook, so that these tests know nothing of Bash."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest

from sayso.cookbook.entry import Recipe, parse_slot
from sayso.cookbook.slots import FEATURES, Cookbook, Settings
from sayso.core.errors import BadInstruction
from sayso.core.types import Doubt, Finding, Grain, Note, Outcome, Request, Risk, RiskLevel, Sandbox, Target
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


def normalise(text: str) -> str:
    if "(" in text:
        raise BadInstruction("a bracket", text, text.index("("))
    return text.strip()


def risk(text: str) -> Risk:
    words = text.split()
    if words[:1] == ["delete"]:
        return Risk("destroys", (words[0],))
    return Risk("writes" if words[:1] == ["copy"] else "reads")


def check(text: str) -> list[Finding]:
    unheard = [Finding("no word conjure", known=False)] if "conjure" in text else []
    return [Finding("no flag --magic"), *unheard] if "--magic" in text else unheard


def template(text: str) -> str:
    return text


def split(text: str, grain: Grain) -> list[str]:
    return list(text)


def join(parts: Sequence[str], grain: Grain) -> str:
    return "".join(parts)


def explain(text: str) -> list[Note]:
    return []


def run(text: str, request: Request, sandbox: Sandbox) -> Outcome:
    raise AssertionError("nothing is run here")


def doubts(request: Request, text: str) -> Iterator[Doubt]:
    if "x.txt" in request.text and "x.txt" not in text:
        yield Doubt(0.85, "does not use x.txt")
    if "old" in request.text and text.startswith("delete"):
        yield Doubt(0.1, "may destroy something, and that was not asked for", "barred")
    if "delete" in request.text and text.startswith("list"):
        yield Doubt(0.4, "only looks, where a deed was asked for", "unfit")


@pytest.fixture(scope="session")
def target() -> Target:
    """Instructions are words; a bracket does not parse, --magic is no flag, `conjure` is not known, `delete` destroys
    and what is old may not be deleted, `copy` writes."""
    return Target("toy", normalise, template, split, join, risk, check, explain, run, doubts)
