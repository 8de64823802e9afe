"""Repairs of paths: a name that is not there but nearly, folders where files were meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.bash.repair.scene import Repair, Scene, close
from sayso.targets.bash.syntax.line_edits import flags, has_flag, places, with_flag
from sayso.targets.bash.syntax.quote import quote, quote_path
from sayso.targets.bash.syntax.tree import Command, Word

MISSING = (
    r"(?:cannot (?:access|stat|remove|open|touch|create [\w ]+?|find|move|overwrite)|can't (?:open file|read|open|stat)"
    r"|failed to (?:access|open)|cannot find or open|pathspec|Cannot find module|fatal error:"
    r"|no such file or directory:) '?(?P<path>[^',]+)'?",
    r"(?:^|: )(?P<path>[^:\n]+): (?:Cannot (?:stat|open)|No such file|cannot open|[Nn]o such file or directory)",
    r"(?:cannot open|No such file or directory:?|Unable to open) '?(?P<path>[^'\n]+?)'?(?:$| for)",
)
FOLDERS_ONLY = ("cd", "pushd", "rmdir")
MOST_FOLDERS = 50
RECURSIVE = {"rm": "-r", "cp": "-r", "grep": "-r", "egrep": "-r", "scp": "-r", "gzip": "-r", "zip": "-r", "diff": "-r"}


def nearest_name(scene: Scene) -> Iterator[Repair]:
    if scene.said and not scene.heard(
        r"[Nn]o such file|cannot find or open|did not match any file|Cannot find module|not found"
    ):
        return
    for command in scene.commands:
        for word in command.words if "/" in (command.utility and command.words[0].text) else command.words[1:]:
            yield from _nearest(scene, command, word)


def _nearest(scene: Scene, command: Command, word: Word) -> Iterator[Repair]:
    value = word.value
    if not value or value.startswith("-") or re.search(r"[*?]|://", value):
        return
    told = {found["path"].strip() for pattern in MISSING for found in re.finditer(pattern, scene.plain, re.M)}
    tail = value.removeprefix("./").removeprefix("~/")
    if scene.said and not any(value == one or one.endswith(f"/{tail}") for one in told):
        return
    fixed = near_path(scene, value, command.utility in FOLDERS_ONLY)
    for at, path in enumerate(fixed):
        lead = "./" if value.startswith("./") and not path.startswith("./") else ""
        yield Repair(scene.replaced(word, quote_path(lead + path)), f"{path} is there, {value} is not", 0.9 - 0.05 * at)


def near_path(scene: Scene, path: str, folders: bool) -> list[str]:
    """The path with each part that is not there replaced by the nearest name that is."""
    parts = [part for part in path.removeprefix("./").split("/") if part]
    before = ["/" if path.startswith("/") else ""]
    if parts and parts[0] == "~":
        before, parts = ["~/"], parts[1:]
    asked = before[0] + "/".join(parts)
    for at, part in enumerate(parts):
        is_last = at == len(parts) - 1
        found = []
        for folder in before:
            names = scene.here.names(folder or ".")
            plain = {name.rstrip("/"): name for name in names if not (folders or not is_last) or name.endswith("/")}
            if part in plain or part in (".", ".."):
                matches = [part]
            else:
                stems = {re.sub(r"\.\w+$", "", name): name for name in plain if "." in name.strip(".")}
                matches = close(part, plain) or [
                    stems[one] for one in ([part] if part in stems else close(part, stems))
                ]
            kept = [match if folder or match == part else here(match) for match in matches[:2]]
            found += [folder + match + ("" if is_last else "/") for match in kept]
        before = found
    return [] if asked in before else before or _below(scene, path)


def _below(scene: Scene, path: str) -> list[str]:
    """A name of that spelling one folder further down."""
    if "/" in path:
        return []
    folders = [name for name in scene.here.names(".") if name.endswith("/") and not name.startswith((".", "-", "~"))]
    return [folder + path for folder in folders[:MOST_FOLDERS] if path in scene.here.names(folder)]


def here(name: str) -> str:
    """`-rf` -> `./-rf`: a name that would be read as a flag, or as somebody's home."""
    return f"./{name}" if name.startswith(("-", "~")) else name


def blank_in_name(scene: Scene) -> Iterator[Repair]:
    """`cat my notes.txt` where `my notes.txt` is one file."""
    names = {name.rstrip("/") for name in scene.here.names(".") if " " in name}
    if not names:
        return
    for command in scene.commands:
        words = [word for word in command.words[1:] if word.value and not word.value.startswith("-")]
        for first in range(len(words)):
            for last in range(first + 1, len(words)):
                joined = " ".join(word.value or "" for word in words[first : last + 1])
                if joined in names:
                    text = scene.text[: words[first].start] + quote(joined) + scene.text[words[last].end :]
                    yield Repair(text, f"{joined} is one name: it needs quotes", 0.95)


def is_folder(scene: Scene) -> Iterator[Repair]:
    if not scene.heard(
        r"[Ii]s a directory|omitting directory|is a directory -- ignored|not a regular file|Nothing to do"
    ):
        return
    for command in scene.commands:
        flag = RECURSIVE.get(command.utility)
        if flag and scene.line and not has_flag(command, flag):
            yield Repair(with_flag(scene.line, command, flag), f"{command.utility} {flag} takes folders too", 0.95)
        elif command.utility in ("cat", "less", "more", "head", "tail", "vim", "nano", "source", "."):
            text = scene.text[: command.start] + "ls " + " ".join(w.text for w in places(command) or command.words[1:])
            yield Repair(text + scene.text[command.end :], "a folder is listed, not printed", 0.9)
    if scene.failure.exit_code == 126 and scene.commands and (name := scene.commands[0].name):
        yield Repair(f"cd {name.text}", f"{name.text} is a folder", 0.9)


def no_folder(scene: Scene) -> Iterator[Repair]:
    """The folder that something is to be put into does not exist."""
    if not scene.heard(r"[Nn]o such file or directory|/': Not a directory"):
        return
    for command in scene.named("mkdir"):
        if scene.line and not has_flag(command, "-p"):
            yield Repair(with_flag(scene.line, command, "-p"), "mkdir -p makes the folders above it too", 0.95)
    pattern = r"(?:cannot (?:touch|create (?:regular file|directory)|move '[^']*' to)|target) '(?P<path>[^']+)'"
    if scene.heard(r"/': Not a directory"):  # said of what does not exist, too
        pattern += r"(?<=/')"
    found = scene.heard(pattern) or scene.heard(
        r"^(?:\w+: )?(?:line \d+: )?(?P<path>[^:\n']+/[^:\n']+): No such file or directory"
    )
    if not found:
        return
    path = found["path"]
    is_target = re.search(r"target '", found[0]) is not None
    folder = path.rstrip("/") if path.endswith("/") or is_target else path.rpartition("/")[0]
    if folder.removeprefix("./") in scene.here.names("."):  # a file of that name
        return
    writes = any(r.target and r.target.value == path and ">" in r.operator for c in scene.commands for r in c.redirects)
    if folder and (writes or any(scene.named("touch", "cp", "mv", "tee", "install", "ln"))):
        yield Repair(f"mkdir -p {quote_path(folder)} && {scene.text}", f"{folder} is not there yet", 0.88)


def exists(scene: Scene) -> Iterator[Repair]:
    if not scene.line or not scene.heard(r"File exists|already exists|Directory not empty"):
        return
    for command in scene.named("mkdir"):
        if not has_flag(command, "-p"):
            yield Repair(with_flag(scene.line, command, "-p"), "mkdir -p is content if it is there already", 0.9)
    for command in scene.named("ln") if not scene.heard(r"link '\./[^']+': File exists") else ():
        yield Repair(with_flag(scene.line, command, "-f"), "ln -f takes the place of what is there", 0.9)
    for command in scene.named("rmdir"):
        assert command.name
        text = scene.replaced(command.name, "rm -r")
        yield Repair(text, "rmdir removes only empty folders; rm -r removes what is inside too", 0.85)


def not_a_folder(scene: Scene) -> Iterator[Repair]:
    """`cd notes.txt`: a file is shown, or its folder entered."""
    if not scene.heard(r"[Nn]ot a directory"):
        return
    for command in scene.named("rmdir"):
        yield Repair(scene.replaced(command.words[0], "rm"), "rmdir removes folders, and this is a file", 0.85)
    for command in scene.named("cd"):
        for word in command.words[1:]:
            folder = (word.value or "").rpartition("/")[0]
            yield Repair(scene.replaced(command.words[0], "cat"), f"{word.text} is a file", 0.85)
            if folder:
                yield Repair(scene.replaced(word, quote_path(folder)), "the folder that holds it", 0.8)


def missing_operand(scene: Scene) -> Iterator[Repair]:
    if scene.line and (found := scene.heard(r"^(cp|mv|ln|scp): missing destination file operand")):
        for command in scene.named(found[1]):
            text = scene.line.replaced(command.words[-1].end, command.words[-1].end, " .")
            yield Repair(text, f"{found[1]} needs a place to put it: . is this folder", 0.85)
    if scene.line and scene.heard(r"invalid number of (?:lines|bytes): '"):
        for command in scene.named("head", "tail"):
            for one in flags(command, "-n"):
                is_apart = one.values and scene.text[one.values[0].start - 1].isspace()
                if is_apart and not re.fullmatch(r"[-+]?\d+", one.values[0].value or ""):
                    text = scene.line.replaced(one.values[0].start, one.values[0].start, "10 ")
                    yield Repair(text, "-n needs a number before the file", 0.9)


RULES = (nearest_name, blank_in_name, is_folder, no_folder, exists, not_a_folder, missing_operand)
