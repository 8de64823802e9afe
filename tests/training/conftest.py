"""A network small enough to train in a test, and rows of ids to train it on."""

from __future__ import annotations

import random
import runpy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sayso.english.vocabulary import BOS, EOS

Rows = list[tuple[list[int], list[int]]]


@pytest.fixture
def reversals() -> Callable[..., Rows]:
    """reversals(50): requests of ids from 4 to 11 and their reversal, of lengths 1 to `longest`."""

    def make(n: int, longest: int = 6, seed: int = 1) -> Rows:
        chance = random.Random(seed)
        rows = []
        for _ in range(n):
            ids = [chance.randrange(4, 12) for _ in range(chance.randint(1, longest))]
            rows.append((ids, [BOS, *reversed(ids), EOS]))
        return rows

    return make


@pytest.fixture
def run_here(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """run_here(script, folder, 8): as `python script folder 8` would, where torch is loaded already."""

    def run(script: Path, *words: object) -> None:
        monkeypatch.setattr(sys, "argv", [str(script), *map(str, words)])
        runpy.run_path(str(script), run_name="__main__")

    return run


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Two threads that wait for each other on a busy machine are many times slower than one."""
    try:
        import torch
    except ImportError:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
