"""A system is four stages in a row (README-EVAL §5): documents, instructions, depends, script; any can be replaced.

A stage reads the request and what the stages before it said, and says text in the shape of its own task. So a component
has an extrinsic score: R of the whole with that component, the others being the maintainers' or nobody's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sayso.core.errors import UnknownName
from sayso.core.types import Candidate, Request, System, Workspace
from sayso.targets.build.evaluation.labels import Label, write_label
from sayso.targets.build.systems import readers
from sayso.targets.build.systems.maintainers import Maintainers
from sayso.targets.build.systems.named import say_named
from sayso.targets.build.systems.sniff import SNIFF, SNIFF2, Rule, sniffed

STAGES = ("documents", "instructions", "depends", "script")
Stage = Callable[[Request, Mapping[str, str]], str | None]
"""The request, and what earlier stages said by name -> what this one says; None where it says nothing at all."""
Open = Callable[[Workspace], Stage]


def say_nothing(request: Request, before: Mapping[str, str]) -> str:
    """The null label of every stage."""
    return ""


def null(workspace: Workspace) -> Stage:
    return say_nothing


def gold(workspace: Workspace, stage: str) -> Stage:
    return Maintainers(workspace.data, stage)


def sniff(workspace: Workspace, rules: Sequence[Rule]) -> Stage:
    return Sniffing(tuple(rules))


@dataclass(frozen=True)
class Sniffing:
    rules: tuple[Rule, ...]

    def __call__(self, request: Request, before: Mapping[str, str]) -> str:
        return sniffed(self.rules, request)


def reader(workspace: Workspace, stage: Stage) -> Stage:
    return stage


def naming(workspace: Workspace) -> Stage:
    return partial(say_named, cache=workspace.cache)


def planning(workspace: Workspace) -> Stage:
    from sayso.targets.build.systems.planned import Planning

    return Planning(workspace)


def trying(workspace: Workspace) -> Stage:
    from sayso.targets.build.systems.planned import Trying

    return Trying(workspace)


def acting(workspace: Workspace) -> Stage:
    from sayso.targets.build.systems.pipeline import Acting, learnt_weights

    return Acting(workspace, learnt_weights())


def acting_untrained(workspace: Workspace) -> Stage:
    from sayso.targets.build.systems.pipeline import Acting

    return Acting(workspace, {})


KNOWN: Mapping[str, Mapping[str, Open]] = {
    "documents": {
        "null": null,
        "gold": partial(gold, stage="documents"),
        "default": partial(reader, stage=readers.say_documents),
    },
    "instructions": {
        "null": null,
        "gold": partial(gold, stage="instructions"),
        "default": partial(reader, stage=readers.say_instructions),
    },
    "depends": {
        "null": null,
        "gold": partial(gold, stage="depends"),
        "default": readers.depends,
        "name-match": partial(reader, stage=readers.say_same_names),
        "named": naming,
    },
    "script": {
        "null": null,
        "gold": partial(gold, stage="script"),
        "sniff": partial(sniff, rules=SNIFF),
        "sniff2": partial(sniff, rules=SNIFF2),
        "default": planning,
        "default-tried": trying,
        "pipeline": acting,
        "pipeline-untrained": acting_untrained,
    },
}
"""What can stand in for a stage, by name."""

MADE_OF: Mapping[str, Mapping[str, str]] = {
    "null": dict.fromkeys(("documents", "instructions", "script"), "null"),
    "gold": dict.fromkeys(("documents", "instructions", "script"), "gold"),
    "sniff": {"script": "sniff"},
    "sniff2": {"script": "sniff2"},
    "default": {**dict.fromkeys(STAGES, "default"), "depends": "named"},
    "default-tried": {**dict.fromkeys(STAGES, "default"), "depends": "named", "script": "default-tried"},
    "pipeline": {**dict.fromkeys(STAGES, "default"), "depends": "named", "script": "pipeline"},
    "pipeline-untrained": {
        **dict.fromkeys(STAGES, "default"),
        "depends": "named",
        "script": "pipeline-untrained",
    },
}
"""Systems by their stages. Where none says what a script depends on, the maintainers' word holds."""


@dataclass(frozen=True)
class Staged:
    """Satisfies `Translator`: one candidate a request."""

    stages: Mapping[str, Stage]

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self.answer(request) for request in requests]

    def answer(self, request: Request) -> list[Candidate]:
        said: dict[str, str] = {}
        for name in STAGES:
            if name in self.stages and (text := self.stages[name](request, said)) is not None:
                said[name] = text
        if "script" not in said:
            return []
        needs = tuple(needed(said["depends"])) if "depends" in said else None
        return [Candidate(write_label(Label(said["script"], needs)), 1.0)]


def needed(depends: str) -> list[str]:
    """Lines of `build|run NAME` -> the names, once each."""
    names = [line.split() for line in depends.splitlines()]
    return list(dict.fromkeys(words[1] for words in names if len(words) == 2))


def open_staged(workspace: Workspace, base: str, replaced: Mapping[str, str]) -> System:
    """The system of that name with some stages replaced: {"depends": "gold"}."""
    if base not in MADE_OF:
        raise UnknownName("system made of stages", base, MADE_OF)
    names = {**MADE_OF[base], **replaced}
    for stage, name in names.items():
        if stage not in KNOWN:
            raise UnknownName("stage", stage, KNOWN)
        if name not in KNOWN[stage]:
            raise UnknownName(f"system for the stage {stage}", name, KNOWN[stage])
    return System(Staged({stage: KNOWN[stage][names[stage]](workspace) for stage in STAGES if stage in names}))


def open_named(workspace: Workspace, name: str) -> System:
    return open_staged(workspace, name, {})


def open_gold(workspace: Workspace) -> System:
    """As any other, and known for repeating references, so that their text is stored nowhere."""
    system = open_staged(workspace, "gold", {})
    return System(Repeating(system.translator, Maintainers(workspace.data, "script")))


@dataclass(frozen=True)
class Repeating:
    """A translator that only repeats references; `source_of` gives the id of the example whose a text is."""

    inner: object
    maintainers: Maintainers

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return self.inner.translate(requests, k)  # type: ignore[attr-defined,no-any-return]

    def source_of(self, text: str) -> str | None:
        return self.maintainers.example_of(text)


SYSTEMS: Mapping[str, Callable[[Workspace], System]] = {
    "null": partial(open_named, name="null"),
    "gold": open_gold,
    "sniff": partial(open_named, name="sniff"),
    "sniff2": partial(open_named, name="sniff2"),
    "default": partial(open_named, name="default"),
    "default-tried": partial(open_named, name="default-tried"),
    "pipeline": partial(open_named, name="pipeline"),
    "pipeline-untrained": partial(open_named, name="pipeline-untrained"),
}
