"""Several seeds as one system: means by hand, pairs over examples, and how long wrong answers are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sayso.core.errors import UserError
from sayso.core.types import Candidate, Example, Score, System, Unscored
from sayso.metrics.match import Match
from sayso.runs.evaluate import evaluate
from sayso.runs.seeds import collect_seeds, group, mean_of, runs_by_stem, seed_tables, seeds_json, stem_of, wide_table
from sayso.runs.seeds_plots import draw_lengths, lengths_json, measure_lengths

if TYPE_CHECKING:
    from tests.runs.conftest import Toy

EXACT = Match("exact", 1, str.strip, "as it is")


def test_the_seed_is_taken_from_the_end_of_a_name() -> None:
    assert stem_of("lstm-attention.seed12") == "lstm-attention"
    assert stem_of("default") == "default"
    assert stem_of("a.seed1.part") == "a.seed1.part"


def test_means_are_over_seeds_and_deviation_between_them() -> None:
    [best, other] = group(EXACT, {"a.seed0": [1, 0, 0, 0], "b": [1, 1, 1, 0], "a.seed1": [1, 1, 0, 0]})
    assert (best.system, best.mean, best.deviation) == ("b", 0.75, None)
    # Runs of .25 and .5: mean .375, deviation |.5 - .25| / sqrt(2).
    assert (other.system, other.runs, other.mean) == ("a", ("a.seed0", "a.seed1"), 0.375)
    assert other.deviation == pytest.approx(0.25 / 2**0.5)
    assert other.means == (1.0, 0.5, 0.0, 0.0)
    assert 0.0 <= other.low <= other.mean <= other.high <= 1.0


def test_what_one_seed_could_not_be_scored_on_is_unscored() -> None:
    lost = Unscored("sandbox failed")
    assert mean_of([1, lost]) is lost and mean_of([1, 0]) == 0.5


@dataclass(frozen=True)
class Summed:
    """A score that is no mean over examples."""

    name: str = "summed"
    signature: str = "summed"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int:
        return 1

    def reduce(self, stats: Sequence[Any]) -> Score:
        return Score(self.name, float(sum(stats)), len(stats), {}, self.signature)


class Unmeasured(Summed):
    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int:
        raise AssertionError("nobody asked for this score")


def exact_toy(toy: Toy) -> Toy:
    return replace(toy, task=replace(toy.task, metrics=lambda workspace: (EXACT, Summed())))


def run(toy: Toy, name: str, wrong: int) -> None:
    evaluate(toy.subject(name), System(toy.reverser(wrong=wrong)), toy.workspace, toy.results, toy.settings)


def test_stored_runs_become_systems_with_pairs(toy: Toy) -> None:
    toy = exact_toy(toy)
    for name, wrong in (("net.seed0", 2), ("net.seed1", 3), ("poor.seed0", 1), ("poor.seed1", 1)):
        run(toy, name, wrong)
    report = collect_seeds(toy.task, "dev", toy.workspace, toy.results, settings=toy.settings)
    # Of 12 words every second or third is wrong: 6 and 8 right.
    assert [(one.system, one.values) for one in report.systems] == [("net", (0.5, 8 / 12)), ("poor", (0.0, 0.0))]
    [(one, two, test)] = report.pairs
    assert (one, two, test.n) == ("net", "poor", 12) and test.difference == pytest.approx(7 / 12)
    # Of six ways to deal four runs out two differ as much: two seeds a side can show nothing.
    assert 0 < test.over_examples < 0.05 and test.p == test.over_seeds == pytest.approx(1 / 3)
    table, pairs = seed_tables(report)
    assert table.rows[0][:4] == ("net", "2", "0.583", "0.118") and "n = 12" in table.notes
    assert pairs.rows[0][:3] == ("net", "poor", "+0.583")
    assert seeds_json(report)["systems"][0]["runs"] == ["net.seed0", "net.seed1"]
    wide = wide_table([report])
    assert wide.header == ("", "toy/reverse") and wide.rows[0] == ("n", "12")
    assert wide.rows[1][1].startswith("58.3 ± 11.8 (") and wide.title == "dev: exact in %, means over seeds"
    both = wide_table([report, replace(report, task="toy/shout", score="match@1")])
    assert both.title == "dev: scores in %, means over seeds" and both.rows[0] == ("score", "exact", "match@1")
    only = collect_seeds(toy.task, "dev", toy.workspace, toy.results, ("poor",), settings=toy.settings)
    assert [one.system for one in only.systems] == ["poor"] and only.pairs == ()


def test_what_has_no_statistics_is_measured_by_that_score_alone_and_recorded_nowhere(toy: Toy) -> None:
    toy = exact_toy(toy)
    for name, wrong in (("net.seed0", 2), ("net.seed1", 3)):
        run(toy, name, wrong)
        toy.results.statistics(toy.task.name, name, "dev").unlink()
    lines = toy.results.ledger.read()[0]
    task = replace(toy.task, metrics=lambda workspace: (EXACT, Unmeasured()))
    report = collect_seeds(task, "dev", toy.workspace, toy.results, settings=toy.settings)
    assert report.systems[0].values == (0.5, 8 / 12) and toy.results.ledger.read()[0] == lines


def test_one_run_has_no_deviation_and_silence_is_told(toy: Toy) -> None:
    """A deviation of 0.000 would say that another seed brings the same."""
    toy = exact_toy(toy)
    for name, wrong in (("net.seed0", 2), ("net.seed1", 3)):
        run(toy, name, wrong)
    shy = System(toy.reverser(wrong=2), abstain_below=0.4)  # half of its answers
    evaluate(toy.subject("shy"), shy, toy.workspace, toy.results, toy.settings)
    report = collect_seeds(toy.task, "dev", toy.workspace, toy.results, settings=toy.settings)
    table = seed_tables(report)[0]
    [line] = [row for row in table.rows if row[0] == "shy"]
    assert line[1:4] == ("1", "0.500", "–")
    assert "one run, so its interval is over examples alone: shy" in table.notes
    told = "shy abstains on 50% of the requests; its candidates are scored"
    assert told in table.notes and f"toy/reverse: {told}" in wide_table([report]).notes
    assert {one["system"]: one["deviation"] for one in seeds_json(report)["systems"]}["shy"] is None


def test_a_score_that_is_no_mean_is_refused(toy: Toy) -> None:
    toy = exact_toy(toy)
    run(toy, "net.seed0", 2)
    with pytest.raises(UserError, match="summed is no mean over examples"):
        collect_seeds(toy.task, "dev", toy.workspace, toy.results, score="summed", settings=toy.settings)


def test_verdicts_on_a_part_of_the_answers_have_no_mean_over_seeds(toy: Toy) -> None:
    @dataclass(frozen=True)
    class Partly(Match):
        def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
            return Unscored("no verdict") if example.request.text == "stone" else super().measure(example, candidates)

    toy = replace(toy, task=replace(toy.task, metrics=lambda workspace: (Partly("judged_full@1", 1, str.strip, "x"),)))
    run(toy, "net.seed0", 2)
    with pytest.raises(UserError, match="people judged only some answers of net"):
        collect_seeds(toy.task, "dev", toy.workspace, toy.results, settings=toy.settings)


def test_lengths_of_wrong_answers_are_counted_and_drawn(toy: Toy, tmp_path: Path) -> None:
    toy = exact_toy(toy)
    run(toy, "net.seed0", 2)
    run(toy, "net.seed1", 3)
    report = collect_seeds(toy.task, "dev", toy.workspace, toy.results, settings=toy.settings)
    lengths = measure_lengths(toy.task, "dev", toy.workspace, toy.results, report)
    assert lengths.wrong["net"] == {1: 10} and lengths.references == {1: 12}  # 6 and 4 wrong, all of one word
    assert lengths.by_length["net"] == {1: pytest.approx(7 / 12)}
    assert lengths_json(lengths)["longest wrong answer"] == {"net": 1}
    path = draw_lengths(report, lengths, tmp_path)
    assert path.name == "toy-reverse.dev.lengths.png"
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG") and draw_lengths(report, lengths, tmp_path).read_bytes() == content


def test_a_run_without_a_seed_is_no_further_draw_of_those_with_one() -> None:
    assert runs_by_stem(["a", "a.seed0", "a.seed1", "b"]) == {"a": ["a.seed0", "a.seed1"], "b": ["b"]}
