"""config.toml changed one line at a time: comments, order and every other line stay as the user wrote them.

What is written was read back first and differs from what stood there in the one key alone; a file in which that cannot
be had by changing a line is left as it is.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from sayso.apps import settings
from sayso.core.errors import BadFile, UserError
from sayso.core.files import write_atomically

TABLE = re.compile(r"\s*\[+\s*([^\]]*?)\s*\]+\s*(?:#.*)?$")
OWN_MODE = 0o600


def change(key: str, value: object | None) -> Path:
    """Set a key, or take it out where the value is None; gives the file. UserError where the value will not do."""
    named = settings.config_file()
    if value is not None:
        try:
            settings.checked(named, {key: value})
        except BadFile as error:  # what was typed is wrong, and the file is not
            told = error.message.removeprefix(f"{named}: ")
            raise UserError(told, f"nothing was written; it is {settings.KEYS[key]}") from None
    path = Path(named).resolve()  # a link into somebody's dotfiles stays one
    found = settings.read_toml(str(path)) if path.exists() else {}
    before = path.read_text(encoding="utf-8") if found or path.exists() else ""
    after = edited(before, key, None if value is None else f"{key} = {as_toml(value)}")
    wanted = {name: one for name, one in settings.flat(found).items() if name != key}
    if value is not None:
        wanted[key] = value
    try:
        made = tomllib.loads(after)
    except tomllib.TOMLDecodeError:
        made = {}
    if settings.flat(made) != wanted:
        raise BadFile(f"{named} cannot be changed line by line for {key}", "write it there yourself")
    settings.checked(named, made)
    if after != before:
        with write_atomically(path, OWN_MODE) as file:
            file.write(after.encode())
    return path


def edited(text: str, key: str, line: str | None) -> str:
    """The text with that line for the key, in its table where it has one, else above all tables; None takes it out."""
    lines, table, end, inside = text.splitlines(), "", None, None
    parent, _, name = key.rpartition(".")
    for at, one in enumerate(lines):
        if match := TABLE.match(one):
            end = at if end is None else end
            table = match[1]
            inside = at + 1 if parent and table == parent else inside
            continue
        own = re.match(r"\s*([\w.\s]+?)\s*=", one)
        written = re.sub(r"\s", "", own[1]) if own else ""
        if written and (f"{table}.{written}" if table else written) == key:
            new = [] if line is None else [f"{name}{line.removeprefix(key)}" if table else line]
            return joined([*lines[:at], *new, *lines[at + 1 :]])
    if line is None:
        return text
    if inside is not None:
        return joined([*lines[:inside], f"{name}{line.removeprefix(key)}", *lines[inside:]])
    place = len(lines) if end is None else end
    return joined([*lines[:place], line, *lines[place:]])


def joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def as_toml(value: object) -> str:
    """ "a" -> '"a"', True -> 'true', 20.0 -> '20.0'"""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=True) if isinstance(value, str) else str(value)


def read_value(key: str, text: str) -> object:
    """What was typed, as the key's kind: settings themselves say which numbers and words are right."""
    kind = type(getattr(settings.Settings, settings.attribute(key)))
    if kind is bool:
        if text.lower() in ("true", "false", "on", "off", "yes", "no"):
            return text.lower() in ("true", "on", "yes")
        raise UserError(f"{key} must be true or false, not {text}", f"`sayso config set {key} true`")
    if kind in (int, float):
        for read in (int, float):
            try:
                return read(text)
            except ValueError:
                continue
        raise UserError(f"{key} must be a number, not {text}", f"it is {settings.KEYS[key]}")
    return text
