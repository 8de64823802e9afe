"""A synchronous grammar over the cookbook and over families that compose: pairs of a request and its command.

`expand(count, seed)` draws a derivation, says it in some register, and keeps it where its text is new, its command has
no finding (an unknown flag, a missing operand) and nothing held out has its normalised text or canonical command.
`python -m sayso.targets.bash.lessons.grammar COUNT SEED [DATA]` prints pairs, one JSON object a line, and counts on
stderr.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

from sayso.cookbook.entry import Recipe
from sayso.core.types import Workspace
from sayso.targets.bash.cookbook.fill import render
from sayso.targets.bash.cookbook.recipes import FOLDER, load_recipes, read_recipes
from sayso.targets.bash.corpus.unseen import NOTHING_HELD_OUT, HeldOut, Pair, held_out
from sayso.targets.bash.lessons.composed import option_request
from sayso.targets.bash.lessons.families import Draft, find_request, text_request
from sayso.targets.bash.lessons.registers import said_by_somebody
from sayso.targets.bash.lessons.values import FOLDER as GRAMMAR
from sayso.targets.bash.review.check import findings

SOURCE = "grammar"
MORE = GRAMMAR / "recipes.toml"
REPEATED, FAULTY = "text stands there already", "command with a finding"
# Their slots take what no list here has: a calculation, a program, a time zone.
LEFT_OUT = frozenset(
    ("calculate", "python-expression", "python-module", "sqlite-query", "timezone-set", "date-in-zone", "user-shell",
     "shell-change", "random-hex", "help-builtin", "journal-date")
)  # fmt: skip
THEN = (" and then ", ", then ", " and ", " and afterwards ", "; then ")

Derive = Callable[[Draft], tuple[str, str]]
"""Says a request, with marks for its values, and writes its command."""


@cache
def recipes() -> tuple[Recipe, ...]:
    """Those of the cookbook, and more that are too near to them to be told apart by retrieval."""
    every = (*load_recipes(FOLDER), *read_recipes(MORE))
    return tuple(recipe for recipe in every if recipe.intent not in LEFT_OUT)


def recipe_request(draft: Draft) -> tuple[str, str]:
    """A phrasing of the cookbook with values in its slots."""
    return say_recipe(draft, draft.random.choice(recipes()))


def say_recipe(draft: Draft, recipe: Recipe) -> tuple[str, str]:
    draws = {name: slot.type for name, slot in recipe.slots.items()}
    say = draft.random.choice(recipe.say)
    text, known = draft.drawn(say, draws)
    draft.shape += [recipe.intent, *sorted(known)]
    return text, render(recipe, known)


@cache
def orders() -> tuple[Recipe, ...]:
    """Recipes that change something and say so with a verb: what one does before something else."""
    return tuple(recipe for recipe in recipes() if recipe.risk == "writes" and is_plain(recipe.command))


def is_plain(command: str) -> bool:
    """One simple command that ends by itself, and which another may follow."""
    return not any(mark in command for mark in ("|", ";", "&", "for ", "while ", "sudo", "watch", "tail -f"))


def two_steps(draft: Draft) -> tuple[str, str]:
    """Two orders in a row: "make the folder x and then copy a to b" -> `mkdir x && cp a b`"""
    first = draft.random.choice(orders())
    second = draft.random.choice(orders())
    text, command = say_recipe(draft, first)
    more, other = say_recipe(draft, second)
    return text + draft.random.choice(THEN) + more, f"{command} && {other}"


FAMILIES: dict[str, tuple[Derive, int]] = {
    "recipe": (recipe_request, 50),
    "find": (find_request, 26),
    "text": (text_request, 12),
    "options": (option_request, 10),
    "two-steps": (two_steps, 2),
}


def expand(
    count: int, seed: int, held: HeldOut = NOTHING_HELD_OUT, dropped: Counter[str] | None = None
) -> Iterator[Pair]:
    """`count` pairs with different texts, the same for the same seed; `dropped` counts what was left out."""
    random = Random(f"grammar {seed}")
    counts = dropped if dropped is not None else Counter()
    names = list(FAMILIES)
    weights = [weight for _, weight in FAMILIES.values()]
    seen: set[str] = set()
    sound: dict[tuple[str, ...], bool] = {}
    while len(seen) < count:
        draft = Draft(random)
        derive, _ = FAMILIES[random.choices(names, weights)[0]]
        said, command = derive(draft)
        text = said_by_somebody(said, draft.values, random)
        shape = tuple(draft.shape)
        if shape not in sound:
            sound[shape] = not findings(command)
        if reason := FAULTY if not sound[shape] else REPEATED if text in seen else held.reason(text, command):
            counts[f"{SOURCE}: {reason}"] += 1
            continue
        seen.add(text)
        yield Pair(text, command, SOURCE)


if __name__ == "__main__":
    gone: Counter[str] = Counter()
    unseen = held_out(Workspace(Path(sys.argv[3]), Path(sys.argv[3]))) if len(sys.argv) > 3 else NOTHING_HELD_OUT
    for pair in expand(int(sys.argv[1]), int(sys.argv[2]), unseen, gone):
        print(json.dumps(pair._asdict(), ensure_ascii=False))
    print(json.dumps(dict(gone)), file=sys.stderr)
