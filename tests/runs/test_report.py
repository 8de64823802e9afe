"""Tables and figures from what is stored."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sayso.core.errors import MissingData, UserError
from sayso.core.types import Candidate, Example, Request, Score, System, Table, Workspace
from sayso.runs import layout
from sayso.runs.evaluate import evaluate
from sayso.runs.paper import PaperNumber, numbers_for, paper_facts, paper_numbers
from sayso.runs.plots import bar, draw, label_of
from sayso.runs.recording import Report
from sayso.runs.report import TaskReport, Wanted, collect
from sayso.runs.tables import cell, family, markdown, otherwise, scores_as_json, silent_share, text

if TYPE_CHECKING:
    from tests.runs.conftest import Toy

PAPER = (
    PaperNumber("Toys", "3", "toy/reverse", "dev", "careful", "hit@1", 0.7, "measured by hand"),
    PaperNumber("Toys", "3", "toy/reverse", "dev", "oracle", "hit@1", 1.0, "measured by hand"),
)


def run(toy: Toy, name: str, wrong: int) -> None:
    evaluate(toy.subject(name), System(toy.reverser(wrong=wrong)), toy.workspace, toy.results, toy.settings)


@pytest.fixture
def report(toy: Toy) -> TaskReport:
    run(toy, "careful", 3)
    run(toy, "careless", 1)
    return collect(toy.task, "dev", toy.workspace, toy.results, settings=toy.settings)


def test_what_is_scored_again_tells_how_far_it_is(toy: Toy) -> None:
    run(toy, "careful", 3)
    toy.results.ledger.path.unlink()
    told: list[tuple[str, int, int]] = []
    collect(
        toy.task, "dev", toy.workspace, toy.results, settings=toy.settings, progress=lambda *step: told.append(step)
    )
    assert told[-1] == ("measured", 12, 12)


def test_the_table_is_the_one_that_we_expect(report: TaskReport) -> None:
    scores, paired = layout.tables(replace(report, paper=PAPER))[:2]
    assert markdown(scores) == (
        "### toy/reverse dev: hit\n"
        "\n"
        "| system | hit@1 | hit@2 | n | unscored | test runs |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        "| careful | 0.667 [0.417, 0.833]* | 1.000 | 12 | 0 | 0 |\n"
        "| careful (Toys table 3) | 0.700 |  |  |  |  |\n"
        "| careless | 0.000 | 1.000 | 12 | 0 | 0 |\n"
        "| oracle (Toys table 3) | 1.000 |  |  |  |  |\n"
        "\n"
        "- * not significantly worse than the best (approximate randomisation with Holm's correction, p ≥ 0.05)\n"
        "- hit@2: no system is shown to be worse than the best, so none is starred\n"
        "- hit@1: `hit|k:1|v:1`\n"
        "- hit@2: `hit|k:2|v:1`\n"
        "- Toys table 3: measured by hand\n"
    )
    # 8 of 12 differ, all one way: McNemar's p is 2 / 2^8.
    assert paired.header == ("system", "difference", "test", "p", "n")
    assert paired.rows[1] == ("careless", "-0.667", "McNemar", "0.0078", "12")


def test_scores_that_were_measured_otherwise_say_whose_they_are(report: TaskReport) -> None:
    first, second = report.systems
    other = replace(second, scores=tuple(replace(score, signature="hit|v:0") for score in second.scores))
    notes = layout.tables(replace(report, systems=(first, other)))[0].notes
    assert "hit@1 of careful: `hit|k:1|v:1`" in notes and "hit@1 of careless: `hit|v:0`" in notes
    assert "hit@1: measured in 2 ways, which are not to be compared" in notes


def test_runs_of_one_system_are_told_to_be_such(report: TaskReport) -> None:
    first, second = (
        replace(one, system=f"net.seed{at}", scores=tuple(one.scores)) for at, one in enumerate(report.systems)
    )
    notes = layout.tables(replace(report, systems=(first, second), tied={}))[0].notes
    assert any(note.startswith("runs of one system each: net.seed…;") for note in notes)
    assert not any("runs of one system" in note for note in layout.tables(report)[0].notes)


def test_text_tables_are_aligned() -> None:
    assert text(Table("t", ("name", "x"), (("a", "1"), ("longer", "22")), ("note",))) == (
        "t\n\n  name    x\n  ------  --\n  a       1\n  longer  22\n\n  note\n"
    )


def test_markdown_cells_may_hold_bars() -> None:
    assert "| a \\| b |" in markdown(Table("t", ("x",), (("a | b",),)))


def test_a_report_reads_what_is_stored_and_runs_nothing(toy: Toy, report: TaskReport) -> None:
    lines = toy.results.ledger.read()[0]
    again = collect(toy.task, "dev", toy.workspace, toy.results, settings=toy.settings)
    assert (again, toy.results.ledger.read()[0]) == (report, lines)


def test_lost_statistics_are_measured_again(toy: Toy, report: TaskReport) -> None:
    toy.results.statistics("toy/reverse", "careful", "dev").unlink()
    assert collect(toy.task, "dev", toy.workspace, toy.results, settings=toy.settings) == report


def test_a_changed_metric_is_scored_again(toy: Toy, report: TaskReport) -> None:
    task = replace(toy.task, metrics=lambda workspace: (toy.hit(1), toy.hit(3)))
    changed = collect(task, "dev", toy.workspace, toy.results, settings=toy.settings)
    assert changed.score_names == ("hit@1", "hit@3")


def test_without_the_corpus_the_ledger_still_answers(toy: Toy, report: TaskReport) -> None:
    def nothing(workspace: Workspace, *rest: Any) -> Any:
        raise MissingData("the toy corpus is not on this machine")

    task = replace(toy.task, load=nothing, metrics=nothing)
    poorer = collect(task, "dev", toy.workspace, toy.results, settings=toy.settings)
    assert poorer.systems == report.systems
    assert poorer.notes == ("no paired tests for careful, careless: the toy corpus is not on this machine",)


def test_published_predictions_are_reported_and_not_stored(toy: Toy) -> None:
    run(toy, "released-careful", 3)
    report = collect(toy.task, "dev", toy.workspace, toy.results, settings=toy.settings)
    assert [system.system for system in report.systems] == ["released-careful"]
    assert toy.results.systems("toy/reverse", "dev") == []


def test_a_target_adds_its_own_tables(toy: Toy, report: TaskReport) -> None:
    def count(
        workspace: Workspace, examples: Sequence[Example], answers: Mapping[str, Sequence[Sequence[Candidate]]]
    ) -> Table:
        return Table("answers", tuple(answers), (tuple(str(len(found)) for found in answers.values()),))

    task = replace(toy.task, breakdowns=(count,))
    added = collect(task, "dev", toy.workspace, toy.results, settings=toy.settings)
    assert layout.tables(added)[-1] == Table("answers", ("careful", "careless"), (("12", "12"),))


@pytest.mark.slow
def test_figures_are_valid_and_the_same_every_time(report: TaskReport, tmp_path: Path) -> None:
    report = replace(report, paper=PAPER)
    png, svg = draw(report, tmp_path / "one")
    again = draw(report, tmp_path / "two")
    assert [path.name for path in (png, svg)] == ["toy-reverse.dev.hit.png", "toy-reverse.dev.hit.svg"]
    data = png.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND"
    width, height = struct.unpack(">II", data[16:24])
    assert width > 200 and height > 200
    root = ElementTree.fromstring(svg.read_text())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert [path.read_bytes() for path in again] == [data, svg.read_bytes()]


def test_a_figure_draws_no_bar_for_verdicts_on_a_part_and_says_what_it_leaves_open(report: TaskReport) -> None:
    import matplotlib.pyplot as plt

    partly = Score("judged_full@1", 0.919, 135, {"no verdict": 412}, "judged|k:1")
    axes = plt.figure().subplots()
    bar(axes, 0, 1, 0, partly)
    assert not axes.patches and [one.get_text() for one in axes.texts] == ["verdicts on 135 of 547"]
    bar(axes, 1, 1, 0, replace(partly, n=547, unscored={}))
    assert len(axes.patches) == 1
    plt.close()
    silent = replace(report.systems[0], abstained=0.31)
    assert label_of(silent) == "careful\nabstains on 31%" and label_of(report.systems[1]) == "careless"


def test_an_empty_report_has_no_figures(toy: Toy, tmp_path: Path) -> None:
    report = collect(toy.task, "dev", toy.workspace, toy.results)
    assert (report.systems, draw(report, tmp_path)) == ((), [])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("match_full@1", "match"),
        ("bleu_char@3", "bleu"),
        ("tm@1", "tm"),
        ("recall", "overlap"),
        ("readme_eval_printed", "readme_eval_printed"),
    ],
)
def test_families(name: str, expected: str) -> None:
    assert family(name) == expected


@pytest.mark.parametrize(
    ("task", "split", "system", "score", "value", "source"),
    [
        ("bash/command", "dev", "st-copynet", "judged_full@3", 0.40, "NL2Bash table 8"),
        ("bash/command", "test", "tellina", "judged_template@3", 0.62, "NL2Bash table 9"),
        ("bash/command", "dev", "st-copynet", "bleu_char@1", 55.3, "NL2Bash table 15"),
        ("api/program-email", "test", "transformer-copy", "exact", 0.705, "Okapi table 7"),
        ("api/length-document", "test", "t5", "exact", 0.15, "Okapi table 7"),
        ("notebook/code", "test", "lstm-k3", "bleu", 17.03, "JuICe table 6"),
        ("notebook/code", "test", "human", "exact", 0.23, "JuICe §8"),
        ("notebook/apis", "dev", "lstm-k3-all", "recall", 0.4483, "JuICe table 7"),
    ],
)
def test_numbers_of_the_papers(task: str, split: str, system: str, score: str, value: float, source: str) -> None:
    (found,) = [n for n in numbers_for(task, split) if (n.system, n.score) == (system, score)]
    assert found.value == pytest.approx(value)
    assert found.source == source


def test_what_else_the_papers_count() -> None:
    counts = next(facts for name, facts in paper_facts().items() if name.startswith("README-EVAL"))
    assert counts["leaves"] == 1009
    assert isinstance(total := counts["with a build script and a dependency"], int)
    assert isinstance(inner := counts["internal nodes"], int)
    assert total - inner == counts["leaves"]


def test_each_number_of_the_papers_stands_once_and_on_our_scale() -> None:
    numbers = paper_numbers()
    places = [(n.task, n.split, n.system, n.score) for n in numbers]
    assert len(places) == len(set(places))
    assert all(0 <= n.value <= (100 if n.score.startswith("bleu") else 1) for n in numbers)


def test_what_differs_in_a_signature_is_more_than_how_it_is_spelled() -> None:
    assert otherwise("f1|items:build edges|v:1", "f1|items:build-edges|v:1") == ""
    assert otherwise("f1|items:all|v:1", "f1|items:some|v:1") == "items:all"


def test_a_system_that_is_seldom_silent_is_not_said_never_to_be() -> None:
    assert [silent_share(value) for value in (0.0, 0.0016, 0.31, 1.0)] == ["0%", "0.2%", "31%", "100%"]


def test_verdicts_on_a_part_are_coverage_and_no_score() -> None:
    partly = Score("judged_full@1", 0.919, 135, {"no verdict": 412}, "judged|k:1")
    assert cell(partly, tied=True) == "verdicts on 135 of 547"
    assert cell(replace(partly, n=547, unscored={}), tied=False) == "0.919"


def test_json_tells_verdicts_on_a_part_as_coverage_and_not_as_a_score() -> None:
    partly = Score("judged_full@1", 0.919, 135, {"no verdict": 412}, "judged")
    whole = Score("judged_full@1", 0.366, 547, {"no verdict": 0}, "judged")
    found = scores_as_json([partly, whole])
    assert found["coverage"] == [{"name": "judged_full@1", "judged": 135, "of": 547}]
    assert [(row["name"], row["value"]) for row in found["scores"]] == [("judged_full@1", 0.366)]
    report = Report("bash/command", "test", "st-copynet", (partly,), 1)
    assert report.as_json()["scores"] == [] and len(report.as_json()["coverage"]) == 1


def test_published_answers_are_refused_where_they_answer_nothing(toy: Toy) -> None:
    task = replace(toy.task, systems={"released-mute": lambda workspace: System(Mute())})
    with pytest.raises(UserError, match="answers nothing of toy/reverse dev"):
        collect(task, "dev", toy.workspace, toy.results, Wanted(("released-mute",)), toy.settings)


class Mute:
    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [[] for _ in requests]
