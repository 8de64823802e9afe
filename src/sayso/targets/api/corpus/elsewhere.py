"""Rows of Okapi that are not independent: paraphrases of one call, and requests that stand in the other split too.

Of Length's email test nearly half stands in Program's train: whoever trains on one split and scores on the other scores
what was learnt. A system of ours is trained on its own split alone, and `sayso report` shows the rest apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

from sayso.core.types import Example, Labels, Split, Workspace, no_slices
from sayso.targets.api import language
from sayso.targets.api.corpus.okapi import OKAPI_SPLITS, okapi_rows

PARTS: tuple[Split, ...] = ("train", "dev", "test")
DRAWN = {"length": "calls", "program": "templates"}
"""Split -> what its examples are drawn by, and so what intervals draw."""
NOWHERE = "nowhere else"


def cluster_of(name: str) -> Callable[[Example], str] | None:
    """ "length-email" -> the call of an example; Program was split by templates. SCAN has no two rows of one call."""
    split = name.partition("-")[0]
    if split not in DRAWN:
        return None
    return call_of if DRAWN[split] == "calls" else template_of


def call_of(example: Example) -> str:
    return language.fold(example.references[0])


def template_of(example: Example) -> str:
    return language.template(example.references[0])


def stand_elsewhere(name: str) -> Callable[[Workspace], Mapping[str, Labels]]:
    """The slices of a task: where else in Okapi its requests stand."""
    split, _, domain = name.partition("-")
    if split not in OKAPI_SPLITS:
        return no_slices
    other = next(one for one in OKAPI_SPLITS if one != split)
    return partial(sliced, other, domain)


def sliced(other: str, domain: str, workspace: Workspace) -> Mapping[str, Labels]:
    return {f"also in {other.capitalize()}": partial(labels, workspace.data, other, domain)}


def labels(data: Path, other: str, domain: str, example: Example) -> list[str]:
    """Part -> whether the very request stands there."""
    found = [part for part in PARTS if example.request.text in requests(data, other, domain, part)]
    return [f"its {part}" for part in found] or [NOWHERE]


@cache
def requests(data: Path, split: str, domain: str, part: Split) -> frozenset[str]:
    return frozenset(question for question, _ in okapi_rows(data, split, domain, part))
