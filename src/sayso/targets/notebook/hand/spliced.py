"""A text with something put in: the rest is the text as it was."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Spliced:
    """`before`, what was `added`, `after`; without the middle it is the old text."""

    before: str
    added: str
    after: str

    def content(self) -> bytes:
        return (self.before + self.added + self.after).encode("utf-8")
