"""`sayso`: find the command, import only its module, turn errors into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from sayso import __version__
from sayso.core.errors import SaysoError, UserError

# Command → what `sayso --help` says of it. The module of the same name in this folder has `add_arguments` and `run`.
COMMANDS = {
    "bash": 'ranked Bash one-liners for a request in English (also: sayso "REQUEST")',
}


def run() -> None:
    """The console script."""
    sys.exit(main(sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    name, rest = find_command(list(argv))
    if name is None:
        print(overview())
        return 0
    if name == "--version":
        print(f"sayso {__version__}")
        return 0
    debug = "--debug" in rest
    try:
        module = importlib.import_module(f"sayso.apps.cli.{name}")
        parser = Parser(prog=f"sayso {name}", description=COMMANDS[name])
        parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
        parser.add_argument("--debug", action="store_true", help="show a traceback when something fails")
        module.add_arguments(parser)
        code: int = module.run(parser.parse_args(rest))
        return code
    except SaysoError as error:
        if debug:
            raise
        print(f"sayso: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"\nhint: {error.hint}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130


def find_command(argv: list[str]) -> tuple[str | None, list[str]]:
    """["list files"] -> ("bash", ["list files"]): anything that is no command is a request for Bash."""
    if not argv or argv[0] in ("-h", "--help", "help"):
        return None, []
    if argv[0] == "--version":
        return "--version", []
    if argv[0] in COMMANDS:
        return argv[0], argv[1:]
    return "bash", argv


def overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {summary}" for name, summary in COMMANDS.items()]
    return "\n".join(["usage: sayso COMMAND …    (sayso COMMAND --help says more)", "", *lines])


class Parser(argparse.ArgumentParser):
    """argparse that raises our error instead of exiting, so that every mistake reads the same."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UserError(message, f"see `{self.prog} --help`")
