"""Outcomes that a set records of another machine, beside ours: a cross-check, never a score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sayso.core.given import parse_json, read_plain
from sayso.targets.build.evaluation.labels import Label
from sayso.targets.build.evaluation.score import failed
from sayso.targets.build.evaluation.sets import FILE, LARGEST, EvalSet
from sayso.targets.build.evaluation.worlds import GOLD, BuildAll, World, null_world, run_worlds


@dataclass(frozen=True)
class Edge:
    """A package of V with the package of T that is not the maintainers' in `world` ("" for none)."""

    world: str
    validation: str
    test: str
    recorded: bool
    """Whether it built there."""
    here: bool


def compare(found: EvalSet, scripts: Mapping[str, Mapping[str, str]], build_all: BuildAll) -> Iterator[Edge]:
    """Every outcome that the set records, with ours; `scripts` are a system's, by system and package."""
    rows = {row["name"]: row["results"] for row in parse_json(read_plain(found.folder / FILE, LARGEST))["V"]}
    tests = [package.name for package in found.tests]
    conditions: list[tuple[str, str, World]] = [("gold", "", GOLD)]
    conditions += [("null", name, null_world([name])) for name in tests]
    conditions += [
        (system, name, World({name: Label(texts[name])})) for system, texts in scripts.items() for name in tests
    ]
    rans = run_worlds(found, [world for *_, world in conditions], build_all)
    for (system, test, _), ran in zip(conditions, rans, strict=True):
        for v, built in ran.validation.items():
            told = rows[v].get(system, {}) if not test else rows[v].get(system, {}).get(test)
            if told:
                yield Edge(system, v, test, told["rc"] == 0, not failed(built))


def disagreements(edges: Sequence[Edge]) -> dict[str, tuple[int, int]]:
    """world -> (outcomes that differ, outcomes)"""
    worlds = dict.fromkeys(edge.world for edge in edges)
    return {
        world: (
            sum(edge.recorded != edge.here for edge in edges if edge.world == world),
            sum(edge.world == world for edge in edges),
        )
        for world in worlds
    }
