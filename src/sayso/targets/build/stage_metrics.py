"""Scores of the stages' own tasks: documents, lines, edges and fields (README-EVAL §5).

Counts of all packages are in one pot, and a package is drawn whole when an interval is made: an example is a package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sayso.core.types import Candidate, Example, Metric, Score, Unscored, Workspace
from sayso.metrics.average import NO_REFERENCE, Pooling, mean_score, score, separate
from sayso.metrics.overlap import Part, ratio
from sayso.targets.build.corpus.edges import OTHERS
from sayso.targets.build.evaluation.stage_tasks import LABELLED
from sayso.targets.build.reading.needs_model import INFRASTRUCTURE

Items = Callable[[str, Example], frozenset[str] | None]
"""Text of an answer or a reference, and the example -> what is counted; None: the example is not for this score."""
NOT_ITS_OWN = Unscored("the other distribution has no such package")
FIELDS = ("name", "version", "summary", "licence", "requires", "build-requires")
"""Of the mean; the others are scored beside it."""
MORE_FIELDS = ("url", "group", "release", "arch")
REPACKED = re.compile(r"(?:[+~.](?:dfsg|ds|repack|really|gem|git|svn|hg|bzr|cvs)|\+)[\w.+~-]*$")
"""What Debian adds to a version of upstream's when it packs a source anew."""
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Found:
    """Precision, recall or F1 of items over all examples."""

    name: str
    part: Part
    items: Items
    counted: str
    """For the signature: what an item is."""

    pooling: ClassVar[Pooling] = "sum"

    @property
    def signature(self) -> str:
        return f"{self.part}|average:micro|items:{self.counted.replace(' ', '-')}|cluster:package|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> list[int] | Unscored:
        if not example.references:
            return NO_REFERENCE
        wanted = self.items(example.references[0], example)
        said = self.items(candidates[0].text, example) if candidates else frozenset()
        if wanted is None or said is None:
            return NOT_ITS_OWN
        return [len(wanted & said), len(said), len(wanted)]

    def reduce(self, stats: Sequence[list[int] | Unscored]) -> Score:
        scored, unscored = separate(stats)
        pot = [sum(column) for column in zip(*scored, strict=True)] or [0, 0, 0]
        return score(self.name, self.signature, ratio(pot, self.part), len(scored), unscored)


def rows(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def looked_at(text: str, example: Example) -> frozenset[str]:
    """Paths, or places, that readers looked at."""
    return frozenset(line.rpartition(" ")[0] or line if is_tagged(line) else line for line in rows(text)) & frozenset(
        rows(example.meta.get(LABELLED, text))
    )


def is_tagged(line: str) -> bool:
    return line.endswith((" step", " condition", " alternative"))


def with_tags(text: str, example: Example) -> frozenset[str]:
    seen = frozenset(rows(example.meta.get(LABELLED, "")))
    return frozenset(line for line in rows(text) if is_tagged(line) and (line.rpartition(" ")[0] in seen or not seen))


def steps(text: str, example: Example) -> frozenset[str]:
    return frozenset(line for line in with_tags(text, example) if line.endswith(" step"))


def labelled_edges(text: str, example: Example) -> frozenset[str]:
    words = [line.split() for line in rows(text)]
    return frozenset(f"{one[0]} {one[1]}" for one in words if len(one) == 2 and one[1] not in INFRASTRUCTURE)


def build_edges(text: str, example: Example) -> frozenset[str]:
    return frozenset(edge for edge in labelled_edges(text, example) if edge.startswith("build "))


def run_edges(text: str, example: Example) -> frozenset[str]:
    return frozenset(edge for edge in labelled_edges(text, example) if edge.startswith("run "))


def agreed_edges(text: str, example: Example) -> frozenset[str]:
    """Edges that another distribution has too: recall alone means something."""
    agreed = set(example.meta.get("agreed", "").split())
    return frozenset(edge for edge in build_edges(text, example) if edge.split()[1] in agreed)


@dataclass(frozen=True)
class OnPackagesOf:
    """Edges of packages that another distribution has: where its maintainers and a system can be compared."""

    other: str

    def __call__(self, text: str, example: Example) -> frozenset[str] | None:
        return build_edges(text, example) if f"by {self.other}" in example.meta or not example.meta else None


def document_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    parts: tuple[Part, ...] = ("f1", "precision", "recall")
    return tuple(Found(part, part, looked_at, "labelled documents") for part in parts)


def instruction_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    parts: tuple[Part, ...] = ("f1", "precision", "recall")
    return (
        *(Found(part, part, looked_at, "labelled lines") for part in parts),
        Found("step_f1", "f1", steps, "labelled steps"),
        Found("tagged_f1", "f1", with_tags, "labelled lines with tags"),
    )


def depends_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    parts: tuple[Part, ...] = ("f1", "precision", "recall")
    listed = f"less {len(INFRASTRUCTURE)} of infrastructure"
    return (
        *(Found(part, part, build_edges, f"build edges of sources {listed}") for part in parts),
        Found("agreed_recall", "recall", agreed_edges, f"build edges of two distributions {listed}"),
        *(Found(f"labelled_{part}", part, labelled_edges, f"edges with labels {listed}") for part in parts),
        Found("run_f1", "f1", run_edges, f"run edges of sources {listed}"),
        *(
            Found(f"{part}_on_{other}", part, OnPackagesOf(other), f"build edges of packages that {other} has {listed}")
            for other in OTHERS
            for part in parts
        ),
    )


def fields_of(text: str) -> dict[str, str]:
    """ "name: x" lines -> {"name": "x"}"""
    split = (line.partition(":") for line in rows(text))
    return {name.strip(): value.strip() for name, colon, value in split if colon}


def tokens(field: str, value: str) -> list[str]:
    """Names of packages and parts of a version are whole; other fields are words in lower case."""
    if field in ("requires", "build-requires", "arch"):
        return [word for word in dict.fromkeys(value.split()) if word not in INFRASTRUCTURE]
    if field == "version":
        return [REPACKED.sub("", value).removeprefix("v")] if value else []
    if field == "url":
        return (
            [value.lower().rstrip("/").removeprefix("https://").removeprefix("http://").removeprefix("www.")]
            if value
            else []
        )
    return WORD.findall(value.lower())


def field_f1(field: str, said: str, wanted: str) -> float:
    one, other = tokens(field, said), tokens(field, wanted)
    left = list(other)
    both = 0
    for word in one:
        if word in left:
            left.remove(word)
            both += 1
    return ratio([both, len(one), len(other)], "f1")


@dataclass(frozen=True)
class Fields:
    """The mean over packages of the F1 of a field, or of several; a field that the maintainers left empty is passed
    over, except a list, which may rightly be empty."""

    name: str
    fields: tuple[str, ...]

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return f"f1|average:macro|fields:{'+'.join(self.fields)}|words|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> float | Unscored:
        if not example.references:
            return NO_REFERENCE
        wanted = fields_of(example.references[0])
        said = fields_of(candidates[0].text) if candidates else {}
        values = [field_f1(field, said.get(field, ""), wanted[field]) for field in self.fields if field in wanted]
        return sum(values) / len(values) if values else Unscored("the maintainers left it empty")

    def reduce(self, stats: Sequence[float | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


def metadata_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    singles = (Fields(f"f1_{field.replace('-', '_')}", (field,)) for field in (*FIELDS, *MORE_FIELDS))
    return (Fields("f1", FIELDS), *singles)
