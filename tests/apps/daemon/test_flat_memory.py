"""What answers requests keeps nothing of them: the short form of `python -m benchmarks.load`, in this process.

Every cache that a request can fill must have an end, and nothing else may hold on to what was asked.
"""

from __future__ import annotations

import functools
import gc
import importlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.answering import Answerer
from sayso.core.types import Workspace

FEW = 24
PER_REQUEST = 60
"""Memory blocks that may stay of a request: some rules and words are read when first needed; an answer is hundreds."""


def caches() -> Iterator[Any]:
    gc.unfreeze()  # those that were made while tests were collected
    # By type: to be asked for its class makes some objects of torch complain.
    return (one for one in gc.get_objects() if type(one) is functools._lru_cache_wrapper)


def endless() -> dict[str, int]:
    """Entries of each cache that has no limit."""
    found: dict[str, int] = {}
    for one in caches():
        if one.cache_info().maxsize is None:
            name = repr(one.__wrapped__).partition(" at 0x")[0]
            found[name] = found.get(name, 0) + one.cache_info().currsize
    return found


def blocks() -> int:
    """Memory blocks in use once all caches with a limit are empty."""
    for one in caches():
        if one.cache_info().maxsize is not None:
            one.cache_clear()
    gc.collect()
    return sys.getallocatedblocks()


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    folder = tmp_path_factory.mktemp("folders")
    return Answerer(Workspace(folder, folder))


@pytest.fixture(scope="module")
def varied() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[3])
        yield importlib.import_module("benchmarks.varied").Varied(random.Random(5), share=0.0)


def ask(answerer: Answerer, varied: Any, n: int) -> None:
    """Requests of ten kinds, with names and words that never come again."""
    kinds = random.Random(3).sample(range(len(varied.says)), 10)
    for number in range(n):
        said = varied.said(kinds[number % len(kinds)])
        text = f"{said} {varied.word()}" if number % 10 == 0 else said
        answerer.reply({"do": "answer", "target": "bash", "text": text, "k": 3})


def grown(answerer: Answerer, varied: Any) -> tuple[dict[str, int], float]:
    """New entries of caches without a limit, and memory blocks a request, over some requests."""
    entries, before = endless(), blocks()
    ask(answerer, varied, FEW)
    after = blocks()
    more = {name: n - entries.get(name, 0) for name, n in endless().items()}
    # What is made once for each of a fixed set, such as the lines of a known utility, is fewer than the requests.
    return {name: n for name, n in more.items() if n > FEW // 2}, (after - before) / FEW


@pytest.mark.slow
def test_no_request_leaves_anything_behind(answerer: Answerer, varied: Any, user_folders: Path) -> None:
    ask(answerer, varied, FEW)
    endless_caches, kept = grown(answerer, varied)
    assert endless_caches == {}
    assert kept < PER_REQUEST


class Hoarder:
    """An answerer with the two faults that this file looks for."""

    def __init__(self) -> None:
        self.kept: list[dict[str, Any]] = []
        self.remember = functools.cache(lambda text: len(text))

    def reply(self, question: dict[str, Any]) -> dict[str, Any]:
        self.remember(question["text"])
        self.kept.append({str(number): [number] * 3 for number in range(400, 500)})
        return {}


def test_a_cache_without_end_and_kept_answers_would_be_seen(varied: Any) -> None:
    endless_caches, kept = grown(Hoarder(), varied)  # type: ignore[arg-type]
    assert len(endless_caches) == 1
    assert kept > PER_REQUEST
