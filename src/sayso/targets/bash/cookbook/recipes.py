"""The hand-written cookbook: recipes read and checked, and the embedded system that answers from them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from sayso.cookbook.entry import Recipe, parse_slot
from sayso.cookbook.slot_types import TYPES
from sayso.cookbook.slots import FEATURES, MEANT, Cookbook, Settings
from sayso.core.errors import BadFile
from sayso.core.types import RiskLevel, System, Workspace
from sayso.english.lexicon import Lexicon, lexicon_from
from sayso.neural import fields
from sayso.neural.bundle import MANIFEST, Bundle, load_bundle, reading
from sayso.targets.bash.cookbook.fill import CONVERSIONS, FLAGS, OPTIONAL, SLOT, render
from sayso.targets.bash.cookbook.meaning import BUNDLE as ENCODER
from sayso.targets.bash.cookbook.meaning import stored_meaning
from sayso.targets.bash.cookbook.prepared import NAME as PREPARED
from sayso.targets.bash.cookbook.prepared import digest, read_prepared

FOLDER = Path(__file__).parents[1] / "data" / "cookbook"
BUNDLE = Path(__file__).parents[3] / "bundles" / "bash-cookbook"
FIELDS = {"intent", "command", "risk", "slots", "say", "needs"}
FEWEST_PHRASINGS, MOST_LOOKED_AT = 2, 10_000


def default_system(workspace: Workspace) -> System:
    """The embedded system; recipes that were edited since its bundle was made count at once, with its weights."""
    return cookbook_system(load_bundle(BUNDLE), FOLDER)


def cookbook_system(bundle: Bundle, folder: Path | None = None, encoder: Path = ENCODER) -> System:
    """The recipes of a bundle, or of a folder where they are newer, with its weights; nothing is verified yet.

    Newer ones, and all where the encoder is not installed, are found by shared words alone.
    """
    with reading(bundle, "cookbook", "make it again as docs/guide/cookbook.md says"):
        prepared = read_prepared(bundle.read_json(PREPARED), bundle.place(PREPARED))
        is_newer = folder is not None and digest(folder) != prepared.digest
        meaning = None if is_newer else stored_meaning(bundle, encoder, len(prepared.items))
        settings, abstain_below = read_settings(bundle, meaning is not None)
    if folder is not None and is_newer:
        book = Cookbook(load_recipes(folder), load_lexicon(folder), settings, render)
        return System(book, abstain_below, book.nearest, f"{bundle.signature}+{digest(folder)}")
    book = Cookbook(prepared.recipes, prepared.lexicon, settings, render, prepared.items, meaning)
    return System(book, abstain_below, book.nearest, bundle.signature)


def read_settings(bundle: Bundle, is_meant: bool) -> tuple[Settings, float]:
    """The numbers of a bundle of kind "cookbook", with those of meaning where there is an encoder."""
    given, place = bundle.settings, bundle.place(MANIFEST)
    weights, looked_at, lowest, least = (
        fields.field(given, name, place) for name in ("weights", "looked_at", "lowest", "abstain_below")
    )
    if is_meant:
        weights = fields.field(given["meaning"], "weights", f"{place}: meaning")
    names = {**FEATURES, **MEANT} if is_meant else FEATURES
    return (
        Settings(
            fields.named_numbers(weights, f"{place}: weights", names),
            fields.whole(looked_at, f"{place}: looked_at", 1, MOST_LOOKED_AT),
            fields.number(lowest, f"{place}: lowest", 0.0, 1.0),
        ),
        fields.number(least, f"{place}: abstain_below", 0.0, 1.0),
    )


def load_lexicon(folder: Path) -> Lexicon:
    return lexicon_from(read_toml(folder / "_words.toml"))


def load_recipes(folder: Path) -> tuple[Recipe, ...]:
    """Every recipe in a folder of TOML files, checked, in the order of the files."""
    found: dict[str, Recipe] = {}
    for path in sorted(folder.glob("[!_]*.toml")):
        for recipe in read_recipes(path):
            if recipe.intent in found:
                raise BadFile(
                    f"{recipe.place}: intent {recipe.intent} stands in {found[recipe.intent].place} as well",
                    "give one of them another name",
                )
            found[recipe.intent] = recipe
    return tuple(found.values())


def read_recipes(path: Path) -> list[Recipe]:
    tables = read_toml(path)
    entries = tables.get("recipe")
    if not isinstance(entries, list) or set(tables) != {"recipe"}:
        raise BadFile(f"{path.name} holds something else than [[recipe]] tables", "see docs/guide/cookbook.md")
    return [read_recipe(entry, place) for entry, place in zip(entries, places(path), strict=False)]


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadFile(f"{path.name}: {error}", "repair the TOML there; docs/guide/cookbook.md shows a recipe") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} cannot be read: {error}", "reinstall sayso") from error


def places(path: Path) -> list[str]:
    """file:line of each [[recipe]]."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return [f"{path.name}:{number}" for number, line in enumerate(lines, 1) if line.startswith("[[recipe]]")]


def read_recipe(entry: Mapping[str, Any], place: str) -> Recipe:
    """A checked recipe, or BadFile with the place and what is wrong there."""

    def wrong(what: str) -> BadFile:
        return BadFile(f"{place}: {what}", "see docs/guide/cookbook.md for the format")

    for name in ("intent", "command", "risk", "say"):
        if not isinstance(entry.get(name), str) or not entry[name].strip():
            raise wrong(f'the recipe has no text "{name}"')
    if unknown := sorted(set(entry) - FIELDS):
        raise wrong(f"unknown field {unknown[0]}")
    if entry["risk"] not in get_args(RiskLevel):
        raise wrong(f'risk "{entry["risk"]}" is none of {", ".join(get_args(RiskLevel))}')
    slots = {name: parse_slot(name, text) for name, text in entry.get("slots", {}).items()}
    for slot in slots.values():
        if slot.type not in TYPES:
            raise wrong(f'slot {slot.name} has the unknown type "{slot.type}"')
    say = tuple(line.strip() for line in entry["say"].strip().split("\n"))
    recipe = Recipe(entry["intent"], entry["command"], entry["risk"], slots, say, tuple(entry.get("needs", ())), place)
    if problem := problem_of(recipe):
        raise wrong(problem)
    return recipe


def problem_of(recipe: Recipe) -> str:
    """What is wrong between the slots, the command and the phrasings; "" where nothing is."""
    if len(recipe.say) < FEWEST_PHRASINGS or len(set(recipe.say)) != len(recipe.say):
        return f"{recipe.intent} needs {FEWEST_PHRASINGS} different phrasings or more"
    in_command = {match[1] for match in SLOT.finditer(recipe.command)}
    certain = {match[1] for match in SLOT.finditer(OPTIONAL.sub("", recipe.command))}
    for slot in recipe.slots.values():
        if slot.name not in in_command:
            return f"slot {slot.name} is not in the command"
        if slot.optional and slot.name in certain:
            return f"optional slot {slot.name} must stand inside <? ?>"
        if slot.default and not re.fullmatch(TYPES[slot.type].pattern or ".+", slot.default):
            return f'the default "{slot.default}" of slot {slot.name} is no {slot.type}'
    for match in SLOT.finditer(recipe.command):
        if match[1] in recipe.slots and match[2] and match[2] not in {**CONVERSIONS, **FLAGS}:
            return f'unknown conversion "{match[2]}"'
    if unknown := sorted(set(recipe.needs) - set(recipe.slots)):
        return f"needs the undeclared slot {unknown[0]}"
    required = {slot.name for slot in recipe.slots.values() if slot.required}
    for say in recipe.say:
        mentioned = re.findall(r"\{([^{}]*)\}", say)
        if unknown := sorted(set(mentioned) - set(recipe.slots)):
            return f'"{say}" mentions the undeclared slot {unknown[0]}'
        if absent := sorted(required - set(mentioned)):
            return f'"{say}" does not mention the required slot {absent[0]}'
    return ""
