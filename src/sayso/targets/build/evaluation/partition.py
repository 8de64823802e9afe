"""Which packages of T are under test together (§6): each alone by default, k at a time by a seed, or all at once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from sayso.core.errors import UserError

ALL = 0


@dataclass(frozen=True)
class Partition:
    """`size` packages a cell, drawn by `seed`; 1 needs no seed, `ALL` is one cell."""

    size: int = 1
    seed: int = 0

    @property
    def name(self) -> str:
        """As a signature says it."""
        if self.size == ALL:
            return "all"
        return "singletons" if self.size == 1 else f"{self.size},seed:{self.seed}"

    def cells(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """Cells of equal size (the last may be smaller), in the order of their first members."""
        if self.size == ALL:
            return [tuple(names)] if names else []
        order = sorted(names)
        if self.size > 1:
            random.Random(self.seed).shuffle(order)
        place = {name: at for at, name in enumerate(names)}
        cells = [
            tuple(sorted(order[start : start + self.size], key=lambda name: place[name]))
            for start in range(0, len(order), self.size)
        ]
        return sorted(cells, key=lambda cell: place[cell[0]])


SINGLETONS = Partition()


def parse_partition(text: str, seed: int) -> Partition:
    """ "4" -> four at a time; "all" -> one cell"""
    if text == "all":
        return Partition(ALL)
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= 100_000:
        raise UserError(f'"{text[:40]}" packages cannot be tested at once', "give a whole number from 1, or all")
    return Partition(int(text), seed if int(text) > 1 else 0)
