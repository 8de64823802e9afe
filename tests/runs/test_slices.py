"""Errors by kind of example, two systems side by side, and published systems that are scored again."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sayso.core.errors import UnknownName, UserError
from sayso.core.types import Example, Request, System, Task, Unscored
from sayso.metrics.average import mean_score
from sayso.runs import layout
from sayso.runs.evaluate import evaluate
from sayso.runs.plots import draw, range_of_n
from sayso.runs.report import TaskReport, Wanted, collect
from sayso.runs.scoring import Measured
from sayso.runs.slices import gathered, slice_scores
from sayso.runs.tables import text

if TYPE_CHECKING:
    from tests.runs.conftest import Toy


def first_letter(example: Example) -> Sequence[str]:
    return [example.request.text[0]]


def length(example: Example) -> Sequence[str]:
    return [str(len(example.request.text))]


WANTED = Wanted(systems=("careful", "careless"))


def sliced(toy: Toy) -> Task:
    return replace(toy.task, slices=lambda workspace: {"letters": length, "first letter": first_letter})


def run(toy: Toy, name: str, wrong: int) -> None:
    evaluate(toy.subject(name), System(toy.reverser(wrong=wrong)), toy.workspace, toy.results, toy.settings)


@pytest.fixture
def report(toy: Toy) -> TaskReport:
    run(toy, "careful", 3)
    run(toy, "careless", 2)
    return collect(sliced(toy), "dev", toy.workspace, toy.results, WANTED, settings=toy.settings)


def test_scores_by_kind_are_the_shares_of_its_examples(report: TaskReport) -> None:
    # Of twelve words the 0th, 3rd, 6th and 9th are wrong for one, every second one for the other; two have 5 letters
    # (stone, river), one 7 (lantern), nine 6.
    table = layout.slice_table(report, report.slices[0])
    assert table.header == ("letters", "n", "careful", "careless")
    assert table.rows == (("6", "9", "0.667", "0.556"), ("rarer", "3", "0.667", "0.333"))
    assert table.title == "toy/reverse dev: hit@1 by letters"


def test_few_examples_of_a_kind_are_put_together_and_numbers_stay_in_order() -> None:
    many, few = [str(n) for n in range(9)], ["x"]
    assert list(gathered({"2": few, "0": many[:5], "1": many})) == ["0", "1", "rarer"]
    assert list(gathered({"b": many[:5], "a": many})) == ["a", "b"]
    assert gathered({"a": few, "b": ["x", "y"]}) == {"rarer": ["x", "y"]}


def test_what_is_unscored_is_left_out_of_its_kind(toy: Toy) -> None:
    metric = toy.hit(1)
    examples = [Example(str(n), Request("w" * 5), ("x",)) for n in range(6)]
    statistics = (1, 0, Unscored("sandbox failed"), 1, 0, 0)
    found = slice_scores(metric, examples, {"s": Measured(tuple("012345"), (metric,), (statistics,))}, {"l": length})
    value, scored = found[0].kinds[0].values["s"]
    assert value == pytest.approx(0.4) and scored == 5


def test_two_systems_are_put_side_by_side(report: TaskReport) -> None:
    found = report.contrast
    assert found is not None
    # Wrong for one: 0 3 6 9; for the other: 0 2 4 6 8 10.
    assert found.counts == {"both right": 4, "both wrong": 2, "careful": 4, "careless": 2, "unscored": 0}
    assert [one.right for one in found.differences].count("careful") == 4
    (second,) = [one for one in found.differences if one.request == "candle"]
    assert (second.right, second.answers, second.references) == ("careful", ("eldnac", "candle"), ("eldnac",))
    table = text(layout.contrast_table(found))
    assert "careful right" in table and "McNemar: difference 0.167, p = 0.6875, n = 12" in table


def test_side_by_side_swaps_whole_clusters_and_leaves_mcnemar_out(toy: Toy, report: TaskReport) -> None:
    """All words in one cluster: there is one thing to swap, so nothing can be shown."""
    task = replace(sliced(toy), cluster=lambda example: "all", drawn="words")
    found = collect(task, "dev", toy.workspace, toy.results, WANTED, settings=toy.settings).contrast
    assert found is not None
    assert [(test.test, test.p) for test in found.tests] == [("approximate randomisation", 1.0)]


def test_what_ignores_case_says_so_below_kinds_and_side_by_side(report: TaskReport) -> None:
    assert report.contrast is not None
    [table, *_] = [layout.slice_table(report, replace(one, folded=True)) for one in report.slices]
    assert table.notes == ("case-insensitive",)
    assert "case-insensitive" in layout.contrast_table(replace(report.contrast, folded=True)).notes
    assert not report.contrast.folded and not layout.slice_table(report, report.slices[0]).notes


def test_verdicts_on_a_part_of_the_answers_make_no_kinds(toy: Toy, report: TaskReport) -> None:
    class Judged(toy.hit):  # type: ignore[name-defined, misc]  # a fixture's class
        name = "judged_full@1"

    task = replace(sliced(toy), metrics=lambda workspace: (Judged(1, broken=("stone",)),))
    found = collect(task, "dev", toy.workspace, toy.results, WANTED, settings=toy.settings)
    assert found.slices == () and found.contrast is None
    assert any("leaves out careful, careless" in note for note in found.notes)


def test_the_requests_to_look_at_are_cut_and_the_rest_is_counted(report: TaskReport) -> None:
    assert report.contrast is not None
    shown = layout.requests_to_see(report.contrast, 1)
    assert shown.count("  request") == 2 and "… and 3 more" in shown and "only careless is right (2)" in shown
    assert layout.requests_to_see(report.contrast, 0).count("  request") == 6


def test_json_holds_kinds_and_differences(report: TaskReport) -> None:
    document = json.loads(json.dumps(layout.as_json(report)))
    assert document["slices"][0]["kinds"][0]["values"]["careful"] == {"value": pytest.approx(2 / 3), "n": 9}
    assert len(document["contrast"]["differences"]) == 6


@pytest.mark.slow
def test_a_figure_a_way_to_slice(report: TaskReport, tmp_path: Path) -> None:
    paths = draw(report, tmp_path)
    (figure,) = [path for path in paths if path.name == "toy-reverse.dev.by-first-letter.png"]
    width, height = struct.unpack(">II", figure.read_bytes()[16:24])
    assert width > 800 and height > 200


def test_an_unknown_system_or_score_is_answered_with_the_known_ones(toy: Toy, report: TaskReport) -> None:
    with pytest.raises(UnknownName, match="carefull"):
        collect(toy.task, "dev", toy.workspace, toy.results, Wanted(systems=("carefull",)), settings=toy.settings)
    wanted = replace(WANTED, score="hit@9")
    with pytest.raises(UnknownName, match="hit@9"):
        collect(toy.task, "dev", toy.workspace, toy.results, wanted, settings=toy.settings)


def test_side_by_side_needs_a_score_that_is_right_or_wrong(toy: Toy, report: TaskReport) -> None:
    class Half(toy.hit):  # type: ignore[name-defined, misc]  # a fixture's class
        def measure(self, example: Example, candidates: object) -> float:
            return 0.5

        def reduce(self, stats: Sequence[float | Unscored]) -> object:
            return mean_score(self.name, self.signature, stats)

        @property
        def signature(self) -> str:
            return "half"

    task = replace(toy.task, metrics=lambda workspace: (Half(1),))
    with pytest.raises(UserError, match="not right or wrong"):
        collect(task, "dev", toy.workspace, toy.results, WANTED, settings=toy.settings)


def test_systems_scored_on_different_examples_are_not_paired_and_a_note_says_so(toy: Toy) -> None:
    run(toy, "careful", 3)
    run(toy, "careless", 2)
    path = toy.results.statistics("toy/reverse", "careless", "dev")
    document = json.loads(path.read_text())
    document["ids"] = [f"other:{one}" for one in document["ids"]]
    path.write_text(json.dumps(document))
    found = collect(sliced(toy), "dev", toy.workspace, toy.results, WANTED, settings=toy.settings)
    assert (found.tests, found.contrast) == ((), None)
    assert found.notes == (
        "no paired tests on dev: the systems were scored on different examples: careful (12), careless (12)",
    )


def test_a_published_system_is_scored_from_its_corpus_and_never_counted_as_a_run(toy: Toy) -> None:
    systems = {**toy.task.systems, "released-careful": lambda workspace: System(toy.reverser(wrong=3))}
    task = replace(toy.task, systems=systems)
    run(toy, "careless", 2)
    wanted = replace(WANTED, systems=("released-careful", "careless"))
    found = collect(task, "dev", toy.workspace, toy.results, wanted, settings=toy.settings)
    assert [row.system for row in found.systems] == ["released-careful", "careless"]
    assert found.contrast is not None and found.contrast.counts["released-careful"] == 4
    assert [entry.kind for entry in toy.results.ledger.read()[0]] == ["eval", "score"]
    toy.results.statistics("toy/reverse", "released-careful", "dev").unlink()
    assert collect(task, "dev", toy.workspace, toy.results, wanted, settings=toy.settings).contrast is not None


def test_a_figure_says_over_how_many_examples_its_scores_are(report: TaskReport) -> None:
    assert range_of_n(report, ["hit@1", "hit@2"]) == "12"
    first, *rest = report.systems
    fewer = replace(first, scores=(replace(first.scores[0], n=7), *first.scores[1:]))
    assert range_of_n(replace(report, systems=(fewer, *rest)), ["hit@1", "hit@2"]) == "7 to 12"
