"""`sayso recipes`: every system that the papers trained, with the paper and the tables it comes from."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sayso.apps.cli import output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="RECIPE", help="show every setting of this one")
    parser.add_argument("--task", metavar="TASK", help="only the systems of this task")


def run(args: argparse.Namespace) -> int:
    from sayso.core.errors import UnknownName
    from sayso.experiments import RECIPES, find_recipe
    from sayso.targets import TASKS

    if args.name:
        return show(find_recipe(args.name).as_json(), args.json)
    tasks = {task for recipe in RECIPES.values() for task in recipe.tasks}
    if args.task and args.task not in tasks:
        raise UnknownName("task with recipes", args.task, tasks)
    found = [recipe for recipe in RECIPES.values() if args.task is None or args.task in recipe.tasks]
    if args.json:
        rows = [{**recipe.as_json(), "lacks": recipe.lacks(TASKS)} for recipe in found]
        output.print_json({"recipes": rows})
        return 0
    table = [("recipe", "task", "paper", "network", "grain", "what")]
    for one in found:
        lacking = one.lacks(TASKS)
        what = f"{one.what} [needs {lacking}: not in this build]" if lacking else one.what
        table.append((one.name, named(one.tasks), f"{one.paper}, {one.table}", one.network, one.encoding.grain, what))
    widths = [max(len(row[column]) for row in table) for column in range(5)]
    for row in table:
        print("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[5]]))
    return 0


def named(tasks: Sequence[str]) -> str:
    """One task by its name, several as "api/… (10)"."""
    return tasks[0] if len(tasks) == 1 else f"{tasks[0].partition('/')[0]}/… ({len(tasks)})"


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
