"""argparse that raises our error instead of exiting, so that every mistake reads the same."""

from __future__ import annotations

import argparse

from sayso.core.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Sub-commands made by `add_subparsers` are of this class too."""

    def error(self, message: str) -> NoReturn:
        raise UserError(message, f"see `{self.prog} --help`")
