"""Every table and figure of the papers has a name, and shows ours beside theirs or says why it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.core.errors import UnknownName, UserError
from sayso.core.types import Score, Workspace
from sayso.runs.counted import Counted, keep
from sayso.runs.ledger import entry, score_row
from sayso.runs.paper import PaperNumber, paper_numbers
from sayso.runs.papers import PAPERS, Desk, find_item, text_table
from sayso.runs.papers.builders import begins, by_stem, from_scores, part_of, score_cells
from sayso.runs.papers.items import Cell, Shown, text_cell, with_deviation
from sayso.runs.store import Results

CHECKOUT = Path(__file__).parents[2] / "results"
KEPT = {"nl2bash": "nl2bash", "okapi": "okapi", "juice": "notebooks", "readme-eval": "packages"}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(Workspace(tmp_path, tmp_path), Results(tmp_path / "results"))


def record(desk: Desk, task: str, system: str, *scores: Score) -> None:
    rows = [score_row(score) for score in scores]
    desk.results.ledger.append(entry("score", task, system, split="test", scores=rows, settings={}))


def test_every_item_is_shown_or_says_why_not() -> None:
    for paper, items in PAPERS.items():
        for name, item in items.items():
            assert bool(item.show) != bool(item.why), f"{paper} {name}"
    printed = {
        "nl2bash": {*(f"table {n}" for n in range(1, 16)), *(f"figure {n}" for n in range(1, 5)), "appendix B"},
        "okapi": {*(f"table {n}" for n in range(1, 9)), *(f"figure {n}" for n in range(1, 11))},
        "juice": {*(f"table {n}" for n in range(1, 9)), *(f"figure {n}" for n in range(1, 4))},
    }
    assert all(names <= set(PAPERS[paper]) for paper, names in printed.items())


def test_every_number_of_a_paper_stands_in_an_item() -> None:
    papers = {"NL2Bash": "nl2bash", "Okapi": "okapi", "JuICe": "juice"}
    for number in paper_numbers():
        name = f"section {number.table[1:]}" if number.table.startswith("§") else f"table {number.table}"
        assert PAPERS[papers[number.paper]][name].show


@pytest.mark.parametrize("paper", ["okapi", "juice", "readme-eval"])
def test_what_rests_on_kept_counts_and_the_ledger_needs_no_corpus(paper: str, tmp_path: Path) -> None:
    desk = Desk(Workspace(tmp_path, tmp_path), Results(tmp_path / "none", CHECKOUT))
    assert (CHECKOUT / "corpora" / f"{KEPT[paper]}.json").is_file()
    needs_corpus = {"figure 8", "figure 9", "section 6"} if paper == "okapi" else set()
    for name, item in PAPERS[paper].items():
        if item.show and name not in needs_corpus:
            tables = item.show(desk)
            assert tables, name
            assert all(table.rows for table in tables), name
            assert all(len(row) == len(text_table(one).header) for one in tables for row in text_table(one).rows)


def test_seeds_are_one_row_with_their_deviation(desk: Desk) -> None:
    for seed, value in enumerate((0.1, 0.3)):
        record(desk, "api/length-email", f"lstm-attention.seed{seed}", Score("exact", value, 9, {}, "match|api-folded"))
    shown = from_scores("Okapi", "7")(desk)
    table = next(one for one in shown if one.title == "api/length-email test")
    row = table.rows["lstm-attention, exact"]
    assert (row["ours"], row["paper"], row["deviation"], row["n"]) == (0.2, 0.0, 0.2, 9)
    assert row["spread"] == "± 0.141 over 2 seeds"
    assert "case-insensitive: exact" in table.notes
    assert table.rows["t5, exact"]["ours"] is None


def test_answers_that_nobody_judged_have_coverage_and_no_score(desk: Desk) -> None:
    partly = Score("judged_full@1", 0.919, 135, {"no verdict": 412}, "judged|k:1")
    record(desk, "bash/command", "st-copynet", partly)
    record(desk, "bash/command", "released-st-copynet", Score("judged_full@1", 0.366, 547, {}, "judged|k:1"))
    item = PAPERS["nl2bash"]["table 9"]
    assert item.show
    rows = item.show(desk)[0].rows
    assert rows["st-copynet, judged_full@1"]["ours"] is None
    assert rows["st-copynet, judged_full@1"]["spread"] == "verdicts on 135 of 547"
    assert rows["released-st-copynet, judged_full@1"]["deviation"] == pytest.approx(0.006)


def test_counts_are_read_from_what_is_kept(desk: Desk) -> None:
    kept = Counted("okapi", {"table 3": {"a": {"ours": 5, "paper": 4}}}, {}, 0, "0123456789", True, "2026-01-02T")
    keep(kept, desk.results.folder)
    item = PAPERS["okapi"]["table 3"]
    assert item.show
    (table,) = item.show(desk)
    assert table.rows["a"]["deviation"] == 1
    assert "counted 2026-01-02 at 01234567 and changes to it" in table.notes


def test_items_are_found_by_what_one_types() -> None:
    assert find_item("nl2bash", "9")[0] == "table 9"
    assert find_item("nl2bash", "Figure  2")[0] == "figure 2"
    assert find_item("nl2bash", "appendix b")[0] == "appendix B"
    with pytest.raises(UnknownName, match="paper"):
        find_item("nl2bsh", "9")
    with pytest.raises(UserError, match="table 16"):
        find_item("nl2bash", "16")


def test_titles_are_compared_by_whole_words() -> None:
    assert begins("table 2, train", ["table 2"])
    assert not begins("table 12", ["table 1"])
    assert not begins("figure 10", ["figure 1"])


def test_a_deviation_needs_both_and_is_signed() -> None:
    assert with_deviation({"a": {"ours": 1, "paper": None}}) == {"a": {"ours": 1, "paper": None}}
    rows = with_deviation({"a": {"ours": 0.25, "paper": 0.2}, "b": {"ours": None, "paper": 1}})
    assert (rows["a"]["deviation"], rows["b"]["deviation"]) == (0.05, None)
    assert [text_cell("deviation", value) for value in (0.05, -3, None, 0.0)] == ["+0.05", "-3", "–", "0"]


def test_the_judged_sample_gives_tables_7_and_8(corpora: Path, tmp_path: Path) -> None:
    desk = Desk(Workspace(corpora, tmp_path), Results(tmp_path / "none", CHECKOUT))
    eight = PAPERS["nl2bash"]["table 8"].show
    seven = PAPERS["nl2bash"]["table 7"].show
    assert eight
    assert seven
    deviations = [row["deviation"] for row in eight(desk)[0].rows.values()]
    assert len(deviations) == 28
    assert max(abs(float(one or 0)) for one in deviations) < 0.021
    assert seven(desk)[0].rows["full command, A and B"]["ours"] == pytest.approx(0.730, abs=0.001)


def test_only_the_systems_of_a_table_are_said_to_have_one_seed_or_to_abstain(desk: Desk) -> None:
    named = ("seq2seq-token.seed0", "seq2seq-token.seed1", "st-copynet", "elsewhere")
    for system in named:
        record(desk, "bash/command", system, Score("bleu_char@1", 40.0, 547, {}, "bleu", low=39.0, high=41.0))
    printed = [
        PaperNumber("NL2Bash", "15", "bash/command", "test", name, "bleu_char@1", 50.0, "")
        for name in ("seq2seq-token", "st-copynet")
    ]
    shown = part_of(desk, "bash/command", "test", printed, None, ())
    assert [note for note in shown.notes if "seed" in note] == ["trained once, with one seed: st-copynet"]


def test_nothing_right_of_many_is_no_proof_of_zero(desk: Desk) -> None:
    record(desk, "api/scan-length", "default", Score("exact", 1.0, 3920, {}, "match|k:1", low=1.0, high=1.0))
    record(desk, "api/scan-length", "others", Score("precision", 1.0, 30, {}, "precision|micro", low=1.0, high=1.0))
    ours = by_stem(desk.standings("api/scan-length", "test"))
    assert score_cells(ours["default"], "exact")["spread"] == "0.999–1.000"
    assert score_cells(ours["others"], "precision")["spread"] is None, "no share of examples"


def test_a_score_is_written_with_the_digits_of_a_report(desk: Desk) -> None:
    rows: dict[str, dict[str, Cell]] = {
        "a, tm@1": {"ours": 0.64, "spread": "± 0.006 over 3 seeds", "paper": 0.65},
        "a, bleu_char@1": {"ours": 46.0, "spread": None, "paper": 46},
    }
    lines = text_table(Shown("", with_deviation(rows), ())).rows
    assert [line[1] for line in lines] == ["0.640", "46.0"]
    assert [line[-1] for line in lines] == ["-0.010", "0.0"]
