"""The bench that README-EVAL's metrics share: builds what a partition asks for, and keeps what each cell came to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sayso.core.errors import RunFailed, SandboxFailed
from sayso.core.progress import Progress, silent
from sayso.core.types import Candidate, Example, Unscored
from sayso.scale.engines import Engine
from sayso.targets.build.evaluation.details import logs_of, row_of
from sayso.targets.build.evaluation.labels import NULL, Label, read_label
from sayso.targets.build.evaluation.partition import SINGLETONS, Partition
from sayso.targets.build.evaluation.score import Cell, cost, failed, is_built, sums_of
from sayso.targets.build.evaluation.sets import EvalSet
from sayso.targets.build.evaluation.workshop import Workshop
from sayso.targets.build.evaluation.worlds import GOLD, LIMITS_NAME, Ran, World, null_world, run_worlds

NO_PREDICTION = Unscored("no prediction")
ELSEWHERE = Unscored("measured with the first of its cell")
UNKNOWN = Unscored("not a package of this set")


@dataclass(frozen=True)
class Three:
    """The worlds that a cell is scored from."""

    gold: Ran
    null: Ran
    predicted: Ran


@dataclass(frozen=True)
class Bench:
    """Satisfies the bench of `core.types`."""

    found: EvalSet
    workshop: Workshop
    partition: Partition = SINGLETONS
    results: Mapping[str, Cell | Unscored] = field(default_factory=dict)
    """By package, once it is prepared; all of a cell but its first package are unscored."""
    dropped: tuple[str, ...] = ()
    """Packages of V that do not build under the maintainers' scripts: no part of the score (§6 asks L(v) = 0)."""
    logs: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def signature(self) -> str:
        where = f"set:{self.found.digest[:12]}|root:{self.workshop.root_name}"
        return f"{where}|partition:{self.partition.name}|limits:{LIMITS_NAME}"

    def prepared(
        self,
        examples: Sequence[Example],
        answers: Sequence[Sequence[Candidate] | None],
        engine: Engine | None = None,
        progress: Progress = silent,
    ) -> Bench:
        """The bench with every cell measured; a broken sandbox leaves the cells that it touched unscored."""
        labels: dict[str, Label | None] = {
            package_of(example): None if answer is None else label_of(answer)
            for example, answer in zip(examples, answers, strict=True)
        }
        cells = self.partition.cells([package.name for package in self.found.tests if package.name in labels])
        worlds = {cell: world for cell in cells if (world := world_of(cell, labels)) is not None}
        results: dict[str, Cell | Unscored] = {name: ELSEWHERE for cell in cells for name in cell}
        results.update((cell[0], NO_PREDICTION) for cell in cells)
        texts: dict[str, str] = {}
        dropped: tuple[str, ...] = ()
        for cell, ran in self.run(worlds, engine, progress):
            if isinstance(ran, Unscored):
                results[cell[0]] = ran
                continue
            results[cell[0]], dropped = self.measured(cell, worlds[cell], ran)
            texts.update(logs_of(cell[0], ran.predicted))
        return replace(self, results=results, dropped=dropped, logs=texts)

    def run(
        self, worlds: Mapping[tuple[str, ...], World], engine: Engine | None = None, progress: Progress = silent
    ) -> Iterator[tuple[tuple[str, ...], Three | Unscored]]:
        """Every cell with its three worlds: all at once, which keeps an engine busy; apart where the sandbox breaks."""
        builder = self.workshop.builder(progress)
        nulls = [null_world(cell) for cell in worlds]
        try:
            every = [GOLD, *nulls, *worlds.values()]
            gold, *rans = run_worlds(self.found, every, lambda jobs: builder.build_all(jobs, engine, progress))
            for at, cell in enumerate(worlds):
                yield cell, Three(gold, rans[at], rans[at + len(nulls)])
        except (SandboxFailed, RunFailed):
            for cell, world in worlds.items():
                apart = [GOLD, null_world(cell), world]
                try:
                    yield cell, Three(*run_worlds(self.found, apart, lambda jobs: [builder.build(one) for one in jobs]))
                except SandboxFailed as error:
                    yield cell, Unscored(error.reason)

    def measured(self, cell: Sequence[str], world: World, ran: Three) -> tuple[Cell, tuple[str, ...]]:
        """What one D came to, and what is dropped from V."""
        kept = [v.name for v in self.found.validation if not failed(ran.gold.validation[v.name])]
        gold_labels = {name: Label(self.found.packages[name].script) for name in cell}
        spent = cost(world.labels, gold_labels, ran.predicted, ran.gold)
        sums, broke = sums_of(kept, ran.gold, ran.null, ran.predicted, spent)
        built = {name: is_built(ran.predicted.tests.get(name)) for name in cell}
        dropped = tuple(v.name for v in self.found.validation if v.name not in kept)
        return Cell(tuple(cell), sums, built, broke), dropped

    def result(self, example: Example, candidates: Sequence[Candidate]) -> Cell | Unscored:
        """What the cell came to whose first package the example is; built here and now where nothing was prepared."""
        name = package_of(example)
        if name in self.results:
            return self.results[name]
        if name not in {package.name for package in self.found.tests}:
            return UNKNOWN
        world = World({name: label_of(candidates)})
        ((cell, ran),) = self.run({(name,): world})
        return ran if isinstance(ran, Unscored) else self.measured(cell, world, ran)[0]

    def notes(self) -> list[str]:
        """For people."""
        if not self.dropped:
            return []
        return [
            f"{len(self.dropped)} of {len(self.found.validation)} validation packages do not build under the "
            f"maintainers' scripts and are left out: {', '.join(self.dropped)}"
        ]

    def files(self) -> Iterator[tuple[str, str]]:
        """What is kept beside the scores: a row for each cell, and the logs of what was built with its labels."""
        rows = [row_of(cell) for cell in self.results.values() if isinstance(cell, Cell)]
        yield "cells.jsonl", "".join(json.dumps(row) + "\n" for row in rows)
        yield from sorted(self.logs.items())


def world_of(cell: Sequence[str], labels: Mapping[str, Label | None]) -> World | None:
    """None where a package of the cell has no prediction at all."""
    found = {name: label for name in cell if (label := labels[name]) is not None}
    return World(found) if len(found) == len(cell) else None


def label_of(candidates: Sequence[Candidate]) -> Label:
    """The first candidate; no candidate is the null label."""
    return read_label(candidates[0].text) if candidates else NULL


def package_of(example: Example) -> str:
    return example.meta["name"]
