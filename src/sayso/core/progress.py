"""How long work tells whoever asked how far it is; only apps show it."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Told what is being done, how many are done and of how many (0: nobody knows)."""


def silent(what: str, done: int, total: int) -> None:
    """For whoever does not want to know."""
