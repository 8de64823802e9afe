"""Worlds: every package of T with a label, each built over what it needs of that same world, and V over all of it (§6).

In a world where D is null or predicted, so is D below every other package of T that needs it. What a failed script left
behind stays; a package that left nothing is as if it were not there, so a world with such a D is the null world of D.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sayso.targets.build.builds.built import Built
from sayso.targets.build.builds.job import TEST_LIMITS, VALIDATION_LIMITS, Job
from sayso.targets.build.builds.source import Source
from sayso.targets.build.evaluation.labels import NULL, Label
from sayso.targets.build.evaluation.sets import Archive, Dependent, EvalSet, Package

LIMITS_NAME = f"cpu{TEST_LIMITS.cpu_seconds:.0f}+{VALIDATION_LIMITS.cpu_seconds:.0f}"
BuildAll = Callable[[Sequence[Job]], Sequence[Built]]
"""Distinct jobs -> their outcomes, in order."""


@dataclass(frozen=True)
class World:
    """Labels that differ from the maintainers'; `whole` asks for all of V, else only what they can affect is built."""

    labels: Mapping[str, Label] = field(default_factory=dict)
    whole: bool = False


GOLD = World(whole=True)


def null_world(names: Iterable[str]) -> World:
    return World(dict.fromkeys(names, NULL))


@dataclass(frozen=True)
class Ran:
    """What a world came to: T and its support but for null labels, and the packages of V that were asked for."""

    tests: Mapping[str, Built]
    validation: Mapping[str, Built]


def run_worlds(found: EvalSet, worlds: Sequence[World], build_all: BuildAll) -> list[Ran]:
    """Build everything that the worlds ask for, nothing twice: T by levels of need, then V."""
    standing: list[dict[str, Job | None]] = [{} for _ in worlds]
    tests: list[dict[str, Built]] = [{} for _ in worlds]
    for level in levels(found):
        jobs = [
            (at, package.name, job)
            for at, world in enumerate(worlds)
            for package in level
            if (job := test_job(found, package, world, standing[at])) is not None
        ]
        for (at, name, job), built in zip(jobs, build(build_all, [job for *_, job in jobs]), strict=True):
            standing[at][name] = job if built.installed else None
            tests[at][name] = built
    asked = [(at, v) for at, world in enumerate(worlds) for v in validated_by(found, world)]
    jobs_of_v = [validation_job(found, v, standing[at]) for at, v in asked]
    outcomes: list[dict[str, Built]] = [{} for _ in worlds]
    for (at, v), built in zip(asked, build(build_all, jobs_of_v), strict=True):
        outcomes[at][v.name] = built
    return [Ran(*both) for both in zip(tests, outcomes, strict=True)]


def build(build_all: BuildAll, jobs: Sequence[Job]) -> list[Built]:
    """The outcome of each job; equal ones are asked for once."""
    apart = {job.digest: job for job in jobs}
    built = dict(zip(apart, build_all(list(apart.values())), strict=True))
    return [built[job.digest] for job in jobs]


def validated_by(found: EvalSet, world: World) -> tuple[Dependent, ...]:
    return found.validation if world.whole else found.affected_by(tuple(world.labels))


def levels(found: EvalSet) -> list[list[Package]]:
    """T and its support, those first that need nothing of it."""
    depth: dict[str, int] = {}

    def visit(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max((visit(need) for need in found.packages[name].needs), default=-1)
        return depth[name]

    for name in found.packages:
        visit(name)
    ordered: list[list[Package]] = [[] for _ in range(1 + max(depth.values(), default=-1))]
    for name, package in found.packages.items():
        ordered[depth[name]].append(package)
    return ordered


def test_job(found: EvalSet, package: Package, world: World, standing: Mapping[str, Job | None]) -> Job | None:
    """None for a null label, which has no actions."""
    label = world.labels.get(package.name, Label(package.script))
    if label == NULL or not label.script:
        return None
    # What a label says that it needs is installed for it, if it is a package that has its turn before this one.
    needs = package.needs if label.needs is None else tuple(name for name in label.needs if name in standing)
    below = below_of(found, needs, standing)
    return Job(upstream(found, package.name, package.version, package.archives), label.script, below, TEST_LIMITS)


def validation_job(found: EvalSet, v: Dependent, standing: Mapping[str, Job | None]) -> Job:
    below = below_of(found, v.needs, standing)
    if v.is_debian:
        files = tuple((str(found.folder / one.path), one.sha256) for one in v.archives)
        source = Source(v.name, v.version, files, "debian")
        return Job(source, f"chmod +x debian/rules\n{v.script}\n", below, VALIDATION_LIMITS, v.environment)
    source = upstream(found, v.name, v.version, v.archives)
    return Job(source, v.script, below, VALIDATION_LIMITS, v.environment)


def upstream(found: EvalSet, name: str, version: str, archives: Sequence[Archive]) -> Source:
    return Source(name, version, tuple((str(found.folder / one.path), one.sha256) for one in archives), "upstream")


def below_of(found: EvalSet, needs: Sequence[str], standing: Mapping[str, Job | None]) -> tuple[Job, ...]:
    """The packages that are needed, and those that these need, as they stand in this world, bottom first."""
    names = set(needs).union(*(found.reach[name] for name in needs))
    order = sorted(names, key=lambda name: (len(found.reach[name]), name))
    return tuple(job for name in order if (job := standing.get(name)) is not None)
