"""Types of arguments (NL2Bash §3.3 and table 4's templates), and a guess from the shape of a word."""

from __future__ import annotations

import re

from sayso.targets.bash.syntax.tree import Word

# Closed types stand for themselves in a template: `-type f`, `xargs -I {}`.
TYPES = {
    "File": "a file",
    "Directory": "a folder",
    "Path": "a file or a folder",
    "Regex": "a regular expression or a shell pattern",
    "Number": "a number",
    "Size": "a size, such as 10M",
    "Timespan": "a length of time",
    "DateTime": "a moment",
    "Permission": "permissions, octal or symbolic",
    "User": "a user",
    "Group": "a group",
    "String": "any text",
    "Process": "a process id or name",
    "Host": "a machine",
    "URL": "an address",
    "Format": "an output format",
    "Signal": "a signal",
    "Program": "a text in another language, such as awk's",
    "Variable": "a variable name",
    "Assignment": "NAME=value",
    "Utility": "the name of a utility",
    "Command": "a command with its arguments",
    "Script": "shell text",
    "Separator": "a character between fields",
    "Fields": "a list of fields or positions, such as 2,4-",
}
CLOSED = {
    "Type": "a letter for a kind of file",
    "Marker": "the mark that is replaced, such as {}",
    "Word": "one of a few words",
}

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")
SIZE = re.compile(r"[-+]?\d+(\.\d+)?[bcwkKmMgGtTpP]i?[bB]?")
URL = re.compile(r"[a-z][a-z0-9+.]*://.*", re.S)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?|\d{1,2}:\d{2}(:\d{2})?")
MODE = re.compile(r"[ugoa]*([-+=][rwxXstugo]*)+(,[ugoa]*([-+=][rwxXstugo]*)+)*|[0-7]{3,4}")
IP = re.compile(r"\d{1,3}(\.\d{1,3}){3}(/\d+)?")


def is_assignment(word: Word) -> bool:
    """NAME=value, as env and export take it."""
    return NAME.match(word.lead) is not None


def guess_type(word: Word) -> str:
    """The type that a word's shape suggests where no synopsis says better: `10M` -> Size."""
    value = word.value
    if value is None:
        return "Path" if "/" in word.lead else "String"
    if NUMBER.fullmatch(value):
        return "Number"
    if SIZE.fullmatch(value):
        return "Size"
    if URL.fullmatch(value):
        return "URL"
    if DATE.fullmatch(value):
        return "DateTime"
    if IP.fullmatch(value):
        return "Host"
    if "/" in value or value in (".", "..", "~") or value.startswith("~"):
        return "Path"
    if re.fullmatch(r"[\w*?\[\]{}-]+\.[\w*]{1,8}", value):
        return "File"
    return "String"
