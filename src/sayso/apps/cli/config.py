"""`sayso config list|get|set|unset`: the settings, where each comes from, and how to change one without an editor."""

from __future__ import annotations

import argparse

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.parser import shared_by_actions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    shared = [shared_by_actions()]
    actions.add_parser("list", parents=shared, help="every setting: its value, whether it is the default, what it does")
    get = actions.add_parser("get", parents=shared, help="the value of one setting")
    change = actions.add_parser("set", parents=shared, help="change one; other lines of the file stay as they are")
    unset = actions.add_parser("unset", parents=shared, help="back to the default: the line is taken out of the file")
    for one in (get, change, unset):
        one.add_argument("key", choices=list(settings.KEYS), metavar="KEY", help="a name from `sayso config list`")
    change.add_argument("value", metavar="VALUE", help="a number, true or false, or text")
    parser.epilog = (
        "The file is config.toml in your configuration folder; a value that will not do is refused and nothing is "
        "written. Examples: `sayso config set k 5`; `sayso config set colour never`; "
        "`sayso config set model.url http://localhost:8080/v1`; `sayso config unset model.url`; `sayso config list`."
    )


def run(args: argparse.Namespace) -> int:
    if args.action in ("set", "unset"):
        from sayso.apps.config_file import change, read_value

        value = read_value(args.key, args.value) if args.action == "set" else None
        path = change(args.key, value)
        return shown(args.key, args.json, f"{args.key} in {path}" if value is not None else f"no {args.key} in {path}")
    if args.action == "get":
        return shown(args.key, args.json)
    rows = [row(key) for key in settings.KEYS]
    if args.json:
        output.print_json({"file": settings.config_file(), "settings": rows})
        return 0
    wide = max(len(f"{one['key']} = {spelt(one['value'])}") for one in rows)
    for one in rows:
        print(
            f"{one['key']} = {spelt(one['value'])}".ljust(wide), f" # {'set: ' if one['is_set'] else ''}{one['does']}"
        )
    output.note(f"from {settings.config_file()}")
    return 0


def row(key: str) -> dict[str, Any]:
    default = getattr(settings.Settings, settings.attribute(key))
    value = getattr(settings.load(), settings.attribute(key))
    return {"key": key, "value": value, "default": default, "is_set": value != default, "does": settings.KEYS[key]}


def shown(key: str, as_json: bool, told: str = "") -> int:
    """The value as it now is."""
    one = row(key)
    if as_json:
        output.print_json({**one, "file": settings.config_file()})
        return 0
    if told:
        output.note(told)
    print(output.visible(plain(one["value"])))
    return 0


def plain(value: object) -> str:
    """For a script: true, 30, text without quotes."""
    from sayso.apps.config_file import as_toml

    return value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else as_toml(value)


def spelt(value: object) -> str:
    """As the file has it."""
    from sayso.apps.config_file import as_toml

    return output.visible(as_toml(value)) if isinstance(value, str) else plain(value)
