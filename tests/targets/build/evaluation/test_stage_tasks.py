"""The tasks of the stages over the real corpus: examples, what a system is shown, and what is kept from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.core.types import Example, Workspace
from sayso.targets.build.corpus.labels import read_labels, text_digest
from sayso.targets.build.corpus.splits import evaluated_names
from sayso.targets.build.evaluation.stage_tasks import load_depends, load_instructions
from sayso.targets.build.reading.names import read_table
from sayso.targets.build.reading.needs_model import read_needs
from sayso.targets.build.stage_metrics import depends_metrics
from sayso.targets.build.systems.readers import DEPENDS


@pytest.fixture(scope="module")
def space(corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(corpora, tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def edges(space: Workspace) -> list[Example]:
    return list(load_depends(space, "dev"))


def test_every_label_finds_its_text(space: Workspace, edges: list[Example]) -> None:
    documents, lined = read_labels()
    texts = {(one.meta["name"], piece.name): piece.text for one in edges for piece in one.request.context}
    wanted = [one for one in documents if one.part == "dev"]
    assert all(text_digest(texts[one.package, one.path]) == one.digest for one in wanted)
    places = [one.meta["labelled"].splitlines() for one in load_instructions(space, "dev")]
    assert sum(map(len, places)) == sum(len(one.said) for one in lined if one.part == "dev")


def test_no_system_is_shown_what_maintainers_said(edges: list[Example]) -> None:
    assert len(edges) == 184
    for one in edges[:20]:
        assert one.meta["name"] not in one.request.text
        assert not any(piece.name.startswith("debian/") for piece in one.request.context)


def test_ours_is_above_names_alone_on_a_few_packages(space: Workspace, edges: list[Example]) -> None:
    metric = depends_metrics(space)[0]
    few = edges[::12]
    values = {}
    for name in ("default", "name-match", "null"):
        answers = DEPENDS[name](space).translator.translate([one.request for one in few])
        values[name] = metric.reduce([metric.measure(one, said) for one, said in zip(few, answers, strict=True)]).value
    assert values["default"] > values["name-match"] + 0.1 > values["null"] + 0.1


def test_no_weight_names_what_is_scored_on(corpora: Path) -> None:
    names = evaluated_names(corpora)
    assert not {word for one in read_table() for word in (one.package, one.source, one.name.rstrip("/"))} & names
    needs = read_needs()
    sources = {source for model in needs.models.values() for counts in model.together.values() for source in counts}
    sources |= {source for model in needs.models.values() for source in (*model.rate, *model.reliable)}
    assert not (sources | set(needs.packages)) & names
