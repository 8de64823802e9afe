"""Rows that begin alike as one tree, so that what they share is read once. No torch.

Ten requests about one notebook repeat its cells ten times as rows; as a tree they cost what is new in each. A node
looks at the nodes on its way to the root, and stands where it stands in its row, so nothing else changes.
"""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sayso.core.errors import BadFile


@dataclass(frozen=True)
class Row:
    """What is read, and what is to be said after it, the end included."""

    setting: int
    prompt: tuple[int, ...]
    answer: tuple[int, ...]
    is_held: bool = False


@dataclass(frozen=True)
class Tree:
    """Nodes in an order in which a parent comes before its children."""

    ids: NDArray[np.int64]
    """(nodes,)"""
    places: NDArray[np.int64]
    """(nodes,) how far from the root"""
    seen: NDArray[np.bool_]
    """(nodes, nodes): whether a node, or the node itself, lies on the way to another"""
    said: NDArray[np.int64]
    """(lessons, 2): after which node which id is to be said; once for every row that says it"""


def read_rows(path: Path) -> list[Row]:
    """One packed JSON object a line."""
    found = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for n, line in enumerate(lines, 1):
            try:
                one = json.loads(line)
                row = Row(int(one["setting"]), tuple(one["prompt"]), tuple(one["answer"]), bool(one["held"]))
            except (ValueError, KeyError, TypeError) as error:
                raise BadFile(f"{path}:{n} is not a row: {error!r}", "make the rows again") from error
            if not row.prompt or not row.answer:
                raise BadFile(f"{path}:{n} has no prompt or no answer", "make the rows again")
            found.append(row)
    return found


def grow(rows: Sequence[Row]) -> Tree:
    """[1 2 | 5 6], [1 3 | 5] -> nodes 1 2 5 3: after 2 comes 5, after 5 comes 6, after 3 comes 5.

    The last id of an answer is said and never read.
    """
    ids: list[int] = []
    parents: list[int] = []
    places: list[int] = []
    known: dict[tuple[int, int], int] = {}
    said: list[tuple[int, int]] = []
    for row in sorted(rows, key=lambda one: one.prompt):
        node = -1
        line = (*row.prompt, *row.answer)
        for place, one in enumerate(line[:-1]):
            child = known.get((node, one))
            if child is None:
                child = known[node, one] = len(ids)
                ids.append(one)
                parents.append(node)
                places.append(place)
            node = child
            if place + 1 >= len(row.prompt):
                said.append((node, line[place + 1]))
    seen = np.eye(len(ids), dtype=bool)
    for node, parent in enumerate(parents):
        if parent >= 0:
            seen[node] |= seen[parent]
    return Tree(np.array(ids), np.array(places), seen, np.array(said))


def forest(rows: Sequence[Row], most: int, draw: random.Random) -> list[Tree]:
    """Trees of at most about so many nodes, those of one setting together, in an order that is drawn."""
    settings: dict[int, list[Row]] = {}
    for row in rows:
        settings.setdefault(row.setting, []).append(row)
    trees = []
    for own in settings.values():
        draw.shuffle(own)
        while own:
            taken = own[: fitting(own, most)]
            own = own[len(taken) :]
            trees.append(grow(taken))
    draw.shuffle(trees)
    return trees


def fitting(rows: Sequence[Row], most: int) -> int:
    """How many of the first rows make a tree of at most so many nodes; one at least."""
    nodes: set[tuple[int, ...]] = set()
    for n, row in enumerate(rows):
        line = (*row.prompt, *row.answer[:-1])
        nodes.update(line[:end] for end in range(1, len(line) + 1))
        if len(nodes) > most:
            return max(1, n)
    return len(rows)


def batches(trees: Sequence[Tree], most: int) -> Iterator[list[Tree]]:
    """Neighbours in the order given, as many as have so many nodes when filled up to the longest."""
    batch: list[Tree] = []
    for tree in trees:
        longest = max((len(one.ids) for one in [*batch, tree]), default=0)
        if batch and longest * (len(batch) + 1) > most:
            yield batch
            batch = []
        batch.append(tree)
    if batch:
        yield batch
