"""argparse that raises our error instead of exiting, so that every mistake reads the same."""

from __future__ import annotations

import argparse

from sayso.core.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def formatter(prog: str) -> argparse.HelpFormatter:
    """A fixed width: argparse asks for its formatter even to add an argument, and finding the terminal's is slow."""
    return argparse.HelpFormatter(prog, width=100)


class Parser(argparse.ArgumentParser):
    """Sub-commands made by `add_subparsers` are of this class too."""

    def _get_formatter(self) -> argparse.HelpFormatter:
        return formatter(self.prog)

    def error(self, message: str) -> NoReturn:
        raise UserError(message, f"see `{self.prog} --help`")
