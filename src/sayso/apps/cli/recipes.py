"""`sayso recipes`: every system that can be trained, with the paper and the tables it comes from."""

from __future__ import annotations

import argparse

from sayso.apps.cli import output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="RECIPE", help="show every setting of this one")
    parser.add_argument("--task", metavar="TASK", help="only the systems of this task")


def run(args: argparse.Namespace) -> int:
    from sayso.core.errors import UnknownName
    from sayso.recipes import RECIPES, find_recipe

    if args.name:
        return show(find_recipe(args.name).as_json(), args.json)
    tasks = {recipe.task for recipe in RECIPES.values()}
    if args.task and args.task not in tasks:
        raise UnknownName("task with recipes", args.task, tasks)
    found = [recipe for recipe in RECIPES.values() if args.task in (None, recipe.task)]
    if args.json:
        output.print_json({"recipes": [recipe.as_json() for recipe in found]})
        return 0
    rows = [("recipe", "task", "paper", "network", "grain", "what")]
    rows += [
        (one.name, one.task, f"{one.paper}, {one.table}", one.network, one.encoding.grain, one.what) for one in found
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        print("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[5]]))
    return 0


def show(recipe: dict[str, object], as_json: bool) -> int:
    """`sayso recipes st-copynet`: the names on the left are those that --set takes."""
    if as_json:
        output.print_json({"recipes": [recipe]})
        return 0
    for name, value in recipe.items():
        if isinstance(value, dict):
            for field, inner in value.items():
                print(f"{name}.{field} = {inner}")
        else:
            print(f"{name}: {value}")
    return 0
