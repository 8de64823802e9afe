"""Scores of cells, against values computed by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from sayso.core.types import Candidate, Example, Metric, Request, Unscored, Workspace
from sayso.metrics.significance import interval
from sayso.runs.predictions import Prediction
from sayso.runs.scoring import Bootstrap, measure, reduce
from sayso.targets.notebook.metrics import ByAssignment, api_metrics, code_metrics
from sayso.targets.notebook.metrics.frame import NOBODY
from sayso.targets.notebook.metrics.text import joined, paper_form, renamed

pytest.importorskip("sacrebleu")
HERE = Workspace(Path("data"), Path("cache"))


def example(number: int, reference: str, assignment: str = "") -> Example:
    return Example(f"toy:{number}", Request("do it"), (reference,), {"assignment": assignment} if assignment else {})


def value(metric: Metric[object], pairs: list[tuple[str, str]]) -> float:
    stats = [metric.measure(example(i, wanted), [Candidate(said, 0.0)]) for i, (wanted, said) in enumerate(pairs)]
    return metric.reduce(stats).value


def test_bleu_by_hand() -> None:
    bleu = code_metrics(HERE)[0]
    # Reference: x = f ( a , b ) and answer: x = f ( a , c ): 8 tokens each, and the string and comment do not count.
    # Shared 1-grams 7 of 8; 2-grams "x =" "= f" "f (" "( a" "a ," 5 of 7; 3-grams 4 of 6; 4-grams 3 of 5; no penalty.
    wanted = 100 * math.exp((math.log(7 / 8) + math.log(5 / 7) + math.log(4 / 6) + math.log(3 / 5)) / 4)
    assert value(bleu, [("x = f(a, b)", "x=f(a,c) # near")]) == pytest.approx(wanted)
    # Over two cells counts are added first: "y = 'jupyter_string'" is three tokens more that all match, with two more
    # 2-grams and one more 3-gram.
    wanted = 100 * math.exp((math.log(10 / 11) + math.log(7 / 9) + math.log(5 / 7) + math.log(3 / 5)) / 4)
    assert value(bleu, [("x = f(a, b)", "x = f(a, c)"), ("y = 'jupyter_string'", 'y = "any"')]) == pytest.approx(wanted)


def test_exact_match_forgets_strings_comments_and_layout_and_no_more() -> None:
    _, exact, canonical = code_metrics(HERE)
    pairs = [
        ("x = f('jupyter_string')", "x=f( 'a' )  # b"),  # right in both
        ("x = f(y)", "z = f(y)"),  # right but for a name that the cell gives
        ("x = f(y)", "x = f(z)"),  # wrong: y and z come from above
        ("x = f(y)", "x = ("),  # wrong: no Python
    ]
    assert value(exact, pairs) == 1 / 4
    assert value(canonical, pairs) == 2 / 4


def test_a_reference_that_was_cut_is_met_by_the_whole_cell() -> None:
    whole = "\n".join(f"total_{i} = {i}" for i in range(60))
    reference = paper_form(whole)
    # 30 statements of three tokens and a mark are 120; the mark at the end is none.
    assert len(joined(reference).split()) == 119
    _, exact, canonical = code_metrics(HERE)
    assert value(exact, [(reference, whole)]) == 1.0
    assert value(canonical, [(reference, whole.replace("total", "sum"))]) == 1.0
    assert renamed(reference).startswith("v1 = 0 NEWLINE v2 = 1")


def test_calls_are_sets_in_one_pot_and_cells_without_one_are_counted_apart() -> None:
    precision, recall = api_metrics(HERE)
    rows = [("read_csv head head", "read_csv plot head plot"), ("fit", ""), ("", "print_it")]
    # Sets {read_csv head} and {read_csv plot head}: 2 shared; {fit} and nothing: 0 shared; the third wants nothing.
    for metric, wanted in ((precision, 2 / 3), (recall, 2 / 3)):
        stats = [metric.measure(example(i, want), [Candidate(said, 0.0)]) for i, (want, said) in enumerate(rows)]
        score = metric.reduce(stats)
        assert score.value == pytest.approx(wanted)
        assert (score.n, score.unscored) == (2, {"nothing in the reference": 1})


def test_what_nobody_answered_is_unscored() -> None:
    for metric in (*code_metrics(HERE), *api_metrics(HERE)):
        stat = metric.measure(example(1, "f(x)"), [Candidate(NOBODY, 0.0)])
        assert stat == Unscored("no other submission")


def test_intervals_draw_assignments() -> None:
    """Twenty cells of one assignment are one draw: with two assignments the interval goes from one to the other."""
    metric = ByAssignment(code_metrics(HERE)[1].metric)  # type: ignore[attr-defined]
    examples = [example(i, "f(x)", "a" if i < 20 else "b") for i in range(40)]
    said = ["f(x)" if i < 20 else "g(x)" for i in range(40)]
    predictions = [Prediction(one.id, (Candidate(text, 0.0),)) for one, text in zip(examples, said, strict=True)]
    (score,), _ = reduce(measure([metric], examples, predictions), Bootstrap())
    assert (score.value, score.low, score.high) == (0.5, 0.0, 1.0)
    (alone,), _ = reduce(measure([metric.metric], examples, predictions), Bootstrap())
    assert alone.low is not None and alone.low > 0.3
    assert "interval:assignments" in score.signature and "interval" not in alone.signature


def test_clusters_of_one_draw_as_examples_do() -> None:
    for metric in (*code_metrics(HERE), *api_metrics(HERE)):
        cells = [example(i, text) for i, text in enumerate(["f(x)", "g(y, z)", "h(1)", "k(a, b, c)"] * 5)]
        stats = [metric.measure(one, [Candidate("f(x)", 0.0)]) for one in cells]
        stats.append(Unscored("late"))
        names = [str(i) for i in range(len(stats))]
        assert interval(metric, stats, clusters=names) == interval(metric, stats)
