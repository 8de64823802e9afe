"""`sayso man`: every command, option, setting and exit code as one manual page (man(7) roff), from the parsers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from sayso import __version__
from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.docs import meaning, sentence, written
from sayso.apps.cli.outline import Place, places

ABOUT = (
    "Say in English what you want done; sayso answers with ranked commands, each with how sure it is, what it may do "
    "to the machine, and why it was chosen. It works offline and runs nothing by itself.",
    "Every command takes --json, which prints one JSON object instead of text, and --debug, which shows a traceback "
    "when something fails. Answers go to standard output, everything else to standard error.",
)
CODES = {
    "0": 'Done; also when the answer is "I don\'t know".',
    "1": "A run that failed, or a bug.",
    "2": "What was given cannot be used.",
    "3": "The sandbox or the machine.",
    "130": "Ctrl-C.",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Examples: `sayso man | man -l -` reads it here. `man sayso` finds the page that was installed with sayso, if "
        "its program is on PATH; else `sayso man > ~/.local/share/man/man1/sayso.1`."
    )


def run(args: argparse.Namespace) -> int:
    text = "\n".join(page()) + "\n"
    output.print_json({"page": text}) if args.json else print(text, end="")
    return 0


def page() -> Iterator[str]:
    yield f'.TH SAYSO 1 "" "sayso {roff(__version__)}" "User Commands"'
    yield from (".SH NAME", roff("sayso - English in, a checked instruction out"))
    yield from (".SH SYNOPSIS", '.B sayso\n"REQUEST"', ".br", ".B sayso\nCOMMAND \\&...")
    yield ".SH DESCRIPTION"
    for paragraph in ABOUT:
        yield from (".PP", roff(paragraph))
    yield ".SH COMMANDS"
    for one in places():
        yield from command(one)
    yield from section("SETTINGS", settings.KEYS, "Keys of config.toml; `sayso config set` changes one.")
    yield from section("ENVIRONMENT", settings.ENVIRONMENT)
    yield from section("EXIT STATUS", CODES)
    yield from (".SH FILES", ".TP", roff("~/.config/sayso/config.toml"), "Settings.")


def command(one: Place) -> Iterator[str]:
    usage = [
        *(["[options]"] if one.options else []),
        *map(written, one.positionals),
        *(["ACTION ..."] * bool(one.actions)),
    ]
    yield f'.SS "{roff(" ".join(["sayso", *one.words, *usage])).replace(chr(34), "")}"'
    if one.summary:
        yield roff(sentence(one.summary))
    rows = [*one.positionals, *(option.action for option in one.options)]
    for row in rows:
        if row.dest in ("json", "debug", "help"):
            continue
        yield from (".TP", f".B {roff(written(row))}", roff(meaning(row)) or "\\&")
    if one.epilog:
        yield from (".PP", roff(one.epilog))


def section(title: str, rows: dict[str, str], before: str = "") -> Iterator[str]:
    yield f".SH {title}"
    if before:
        yield roff(before)
    for name, said in rows.items():
        yield from (".TP", f".B {roff(name)}", roff(sentence(said)))


def roff(text: str) -> str:
    """Text that means itself: no escape, no request at its beginning; hyphens that can be copied; code in bold."""
    line = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    line = re.sub(r"`([^`]+)`", r"\\fB\1\\fR", line)
    line = line.replace("…", "...").replace("→", "->")
    return f"\\&{line}" if line.startswith((".", "'")) else line
