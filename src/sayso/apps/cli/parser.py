"""argparse that raises our error instead of exiting, so that every mistake reads the same."""

from __future__ import annotations

import argparse
import math

from sayso.core.errors import UnknownName, UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

UNKNOWN_OPTION = "unrecognized arguments: "


def formatter(prog: str) -> argparse.HelpFormatter:
    """A fixed width: argparse asks for its formatter even to add an argument, and finding the terminal's is slow."""
    return argparse.HelpFormatter(prog, width=100)


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """The `type` of an option that counts something: whole_number(1, 50)("0") is refused with what it may be."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least or (most is not None and value > most):
            wanted = f"of {least} or more" if most is None else f"from {least} to {most}"
            raise argparse.ArgumentTypeError(f"must be a whole number {wanted}, not {text}")
        return value

    return read


def amount(least: float, most: float) -> Callable[[str], float]:
    """The `type` of an option that measures something: NaN and infinity are no amounts."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not least <= value <= most:  # which NaN is never
            raise argparse.ArgumentTypeError(f"must be a number from {least:g} to {most:g}, not {text}")
        return value

    return read


def shared_by_actions() -> argparse.ArgumentParser:
    """A parent of each action's parser: `sayso history --json list` and `sayso history list --json` are the same."""
    shared = argparse.ArgumentParser(add_help=False)
    for name in ("--json", "--debug"):
        shared.add_argument(name, action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return shared


class Parser(argparse.ArgumentParser):
    """Sub-commands made by `add_subparsers` are of this class too."""

    def _get_formatter(self) -> argparse.HelpFormatter:
        return formatter(self.prog)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """`--split deb` -> did you mean dev?"""
        if action.choices is not None and value not in action.choices:
            what = "/".join(action.option_strings) or str(action.metavar or action.dest).lower()
            raise UnknownName(what, str(value), map(str, action.choices))

    def error(self, message: str) -> NoReturn:
        if message.startswith(UNKNOWN_OPTION) and not message.removeprefix(UNKNOWN_OPTION).strip():
            raise UserError("a word of the command is empty", f"leave it out, or see `{self.prog} --help`")
        raise UserError(message.removeprefix("argument "), f"{self.guess(message)}see `{self.prog} --help`")

    def guess(self, message: str) -> str:
        """Which option an unknown one may be a slip of, in words."""
        if not message.startswith(UNKNOWN_OPTION):
            return ""
        from difflib import get_close_matches

        given = " ".join(message.removeprefix(UNKNOWN_OPTION).split()[:1]).partition("=")[0].strip("-")
        known = {one.strip("-"): one for one in self._option_string_actions}
        near = get_close_matches(given, known, n=1, cutoff=0.7)
        return f"did you mean {known[near[0]]}? " if near else ""
