"""Which tools this machine has, and whose they are, GNU's, BSD's or busybox's: asked once, kept; an answer heeds it.

It stands on the path of every answer: where all tools are GNU's, as on most Linux systems, one small file is read.
"""
# pathlib would cost every answer a tenth of its start-up:
# ruff: noqa: PTH113, PTH116, PTH118, PTH119, PTH123

from __future__ import annotations

import json
import os
import re

from sayso.apps import settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from sayso.core.types import Finding

    Tools = dict[str, list[Any]]
    """Tool → its path, time, size and whose it is."""

# Tools that differ between systems and that print or refuse --version without doing anything else.
ASKED = (
    *("base64", "cat", "cp", "cut", "date", "df", "diff", "du", "find", "grep", "head", "ls", "ln", "mktemp", "mv"),
    *("ps", "readlink", "realpath", "rm", "sed", "seq", "sort", "split", "stat", "tail", "tar", "touch", "uniq", "wc"),
    "xargs",
)
WORDS = re.compile(r"(?<![\w./-])(?:" + "|".join(ASKED) + r")(?![\w./=-])")
# What --version prints → whose it is; the first that fits. BSD's grep calls itself "GNU compatible", busybox's sed "not
# GNU sed".
SAYS = (
    (re.compile(r"busybox|not gnu", re.I), "busybox"),
    (re.compile(r"bsd|libarchive|illegal option", re.I), "bsd"),
    (re.compile(r"gnu|uutils|procps|util-linux", re.I), "gnu"),
)
PATIENCE = 2.0
UNKNOWN = re.compile(r"unknown utility ([^\s;]+)")


def known() -> Tools:
    """What was found out before; a file that is missing or broken says nothing."""
    try:
        with open(cache_file(), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return {name: row for name, row in found.items() if is_row(row)} if isinstance(found, dict) else {}


def is_row(row: object) -> bool:
    return isinstance(row, list) and len(row) == 4 and row[3] in ("gnu", "bsd", "busybox", "")


def cache_file() -> str:
    return os.path.join(settings.user_folder("cache"), "tools.json")


def others(tools: Tools) -> dict[str, str]:
    """The tools that are not GNU's, and whose they are now: what an answer has to heed."""
    look_up([name for name, row in tools.items() if row[3] in ("bsd", "busybox")], tools)
    return {name: row[3] for name, row in tools.items() if row[3] in ("bsd", "busybox")}


def is_news(answer: dict[str, Any], tools: Tools) -> bool:
    """Whether a tool that the candidates name was found to be another's than was known; `tools` then says so."""
    before = others(tools)
    look_up(sorted({word for one in answer["candidates"] for word in WORDS.findall(one["text"])}), tools)
    return others(tools) != before


def look_up(names: list[str], tools: Tools) -> dict[str, str]:
    """Whose each tool is; those that are new here, or have changed, are asked."""
    fresh: Tools = {}
    for name in names:
        row = placed(name)
        if row and row != tools.get(name, [])[:3]:
            fresh[name] = [*row, whose(row[0])]
    if fresh:
        tools.update(fresh)
        save(tools)
    return {name: tools[name][3] for name in names if name in tools}


def say_absent(answer: dict[str, Any]) -> None:
    """Among the reasons of each candidate: what is not installed here, with its package where that is known.

    A tool that is here is not unknown, whatever the knowledge base says; nor is one whose package is known. What the
    request itself says to use, and no candidate calls, stands in "absent".
    """
    # Candidates that are not sure enough are not shown, so that nothing is told beside them.
    shown = () if answer.get("abstained") else answer.get("calls", ())
    called_somewhere = {name for called in shown for name in called}
    named = answer.pop("named", {})
    told = [absent(name, one) for name, one in named.items() if name not in called_somewhere and not placed(name)]
    if told:
        answer["absent"] = told
    for row, called in zip(answer["candidates"], answer.pop("calls", ()), strict=False):
        gone = {name: package for name, package in called.items() if not placed(name)}
        unknown = [match[1] for one in row["why"] if (match := UNKNOWN.match(one))]
        kept = [one for one in row["why"] if not is_known(one, called, gone)]
        said = [absent(name, package) for name, package in gone.items() if package or name not in unknown]
        row["why"] = [*kept, *said]


def as_here(command: str, findings: Sequence[Finding]) -> list[Finding]:
    """What a check finds, told by what this machine has."""
    from dataclasses import replace

    from sayso.targets.bash.repair import programs_called

    called = programs_called(command)
    gone = {name: package for name, package in called.items() if not placed(name)}
    result = []
    for one in findings:
        match = UNKNOWN.match(one.message)
        if match is None or not is_known(one.message, called, gone):
            result.append(one)
        elif match[1] in gone:
            result.append(replace(one, message=absent(match[1], gone[match[1]])))
    return result


def absent(name: str, package: str) -> str:
    return f"{name} is not installed here{f': the package {package} has it' if package else ''}"


def is_known(reason: str, called: Mapping[str, str], gone: Mapping[str, str]) -> bool:
    """Whether it calls a tool unknown that is here, or whose package is known."""
    found = UNKNOWN.match(reason)
    return bool(found and found[1] in called and (found[1] not in gone or gone[found[1]]))


def placed(name: str) -> list[Any]:
    """Where PATH has it, and its time and size, by which a new version is noticed."""
    for folder in settings.listed_folders("PATH"):
        path = os.path.join(folder, name)
        try:
            status = os.stat(path)
        except OSError:
            continue
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return [path, status.st_mtime_ns, status.st_size]
    return []


def whose(path: str) -> str:
    """ "gnu", "bsd", "busybox", or "" where the tool does not say."""
    import subprocess

    if os.path.basename(os.path.realpath(path)) == "busybox":
        return "busybox"
    try:
        done = subprocess.run(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            cwd="/",
            env={"LC_ALL": "C", "PATH": os.defpath},
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    said = done.stdout.decode("utf-8", "replace")
    return next((name for pattern, name in SAYS if pattern.search(said)), "")


def save(tools: Mapping[str, Any]) -> None:
    """Best effort: without a cache the tools are asked again."""
    from pathlib import Path

    from sayso.core.errors import MachineError
    from sayso.core.files import write_atomically

    try:
        with write_atomically(Path(cache_file())) as file:
            file.write(json.dumps(tools).encode())
    except MachineError:
        return
