"""Ask every recipe in its own words, and count those that do not answer first.

`python -m benchmarks.own_words [--sample N] [--seed 0] [--json] [--show]`. Each recipe of the cookbook is asked by its
first phrasing, with example values in its slots, as any request: evidence, findings and bars count. A recipe whose
command another one gives as well is right where that command comes first. Where recipes alone are meant, so is the
system (`cookbook`): no model is asked.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence

from sayso.answer.verify import POOL, checked
from sayso.apps.settings import workspace
from sayso.cookbook.entry import Recipe, example_values, spoken
from sayso.cookbook.slots import Cookbook
from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Request
from sayso.targets.bash.cookbook.recipes import default_system
from sayso.targets.bash.language import normalise
from sayso.targets.bash.tasks import BASH


def not_first(book: Cookbook, recipes: Sequence[Recipe]) -> Iterator[tuple[str, str, str, str]]:
    """Intent, request, command and what came first instead, of every recipe that does not answer its own words."""
    for recipe in recipes:
        values = example_values(recipe)
        request = spoken(recipe.say[0], recipe, values)
        readings = book.proposed(request)
        reading = next((one for one in readings if one.recipe.intent == recipe.intent), None)
        wanted = book.render(recipe, reading.values) if reading else ""
        rendered = ((book.render(one.recipe, one.values), one.score) for one in readings[:POOL])
        candidates = [Candidate(text, score) for text, score in rendered if text]
        found = checked(BASH, BASH.read(Request(request)), candidates)
        first = found[0].text if found else ""
        if not is_same(wanted, first):
            yield recipe.intent, request, wanted or recipe.command, first


def is_same(one: str, other: str) -> bool:
    try:
        return one == other or (bool(one) and normalise(one) == normalise(other))
    except BadInstruction:
        return False


def sampled(book: Cookbook, n: int, seed: int) -> list[Recipe]:
    """All recipes, or n of them by seed."""
    recipes = sorted(book.recipes, key=lambda recipe: recipe.intent)
    return random.Random(seed).sample(recipes, n) if n else recipes


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.own_words", description=__doc__)
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="only N recipes, drawn by seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    parser.add_argument("--show", action="store_true", help="print every recipe that is not first, to stderr")
    args = parser.parse_args(argv)
    book = default_system(workspace()).translator
    if not isinstance(book, Cookbook):
        raise SystemExit("no cookbook is installed")
    recipes = sampled(book, args.sample, args.seed)
    missed = list(not_first(book, recipes))
    if args.show:
        for intent, request, wanted, first in missed:
            print(f"{intent}: {request}\n    wanted {wanted}\n    first  {first}", file=sys.stderr)
    print(json.dumps({"recipes": len(recipes), "not first": len(missed)}, indent=None if args.json else 1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
