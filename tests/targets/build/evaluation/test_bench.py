"""From predictions to cells: B and R by hand, partitions, dropped dependents, and a sandbox that breaks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests.targets.build.pretend import PretendBuilder, PretendWorkshop, made

from sayso.core.types import Candidate, Example, Metric, Request, Unscored
from sayso.metrics.significance import score_with_interval
from sayso.runs.predictions import Prediction
from sayso.runs.scoring import Measured, benches_of, measure, reduce
from sayso.runs.subject import DEFAULTS
from sayso.targets.build.evaluation.bench import Bench
from sayso.targets.build.evaluation.partition import ALL, Partition
from sayso.targets.build.evaluation.sets import Dependent, EvalSet
from sayso.targets.build.metrics import BuiltShare, ReadmeEval

# b needs a; v and w want a, x wants b (and so a), y wants c.
FOUND = made({"a": (), "b": ("a",), "c": ()}, {"v": ("a",), "w": ("a",), "x": ("b",), "y": ("c",)})
GOLD = {package.name: package.script for package in FOUND.tests}
NULL = dict.fromkeys(GOLD, ":")


def metrics_of(bench: Bench) -> tuple[Metric[float], ...]:
    return (
        ReadmeEval("readme_eval", bench, "whole", "corrected"),
        ReadmeEval("readme_eval_printed", bench, "whole", "printed"),
        ReadmeEval("readme_eval_steps", bench, "steps", "corrected"),
        ReadmeEval("readme_eval_parsimony", bench, "parsimony", "corrected"),
        BuiltShare(bench),
    )


def bench_of(found: EvalSet, builder: PretendBuilder | None = None) -> Bench:
    return Bench(found, PretendWorkshop(builder or PretendBuilder()))


def examples_of(found: EvalSet) -> list[Example]:
    return [
        Example(f"package:{one.name}", Request("build it"), (one.script,), {"name": one.name}) for one in found.tests
    ]


def measured(
    scripts: Mapping[str, str], bench: Bench | None = None, builder: PretendBuilder | None = None
) -> tuple[dict[str, float], Measured]:
    """score -> value, and the statistics behind it."""
    bench = bench or bench_of(FOUND, builder or PretendBuilder())
    examples = examples_of(bench.found)
    predictions = [
        Prediction(one.id, (Candidate(scripts[name], 1.0),)) if (name := one.id[8:]) in scripts else None
        for one in examples
    ]
    found = measure(metrics_of(bench), examples, predictions)
    scores, _ = reduce(found, DEFAULTS.bootstrap)
    return {score.name: score.value for score in scores}, found


def test_gold_is_one_and_null_is_nothing() -> None:
    gold, _ = measured(GOLD)
    # |V| = 4; null(a) breaks v, w and x, null(b) breaks x, null(c) breaks y: 4/3, 4/1 and 4/1.
    assert gold == pytest.approx(
        {
            "readme_eval": 1,
            "readme_eval_printed": (4 / 3 + 4 + 4) / 3,
            "readme_eval_steps": 1,
            "readme_eval_parsimony": 1,
            "built": 1,
        }
    )
    null, _ = measured(NULL)
    assert null == pytest.approx(
        {
            "readme_eval": 0,
            "readme_eval_printed": (1 / 3 + 3 + 3) / 3,
            "readme_eval_steps": 0,
            "readme_eval_parsimony": 0,
            "built": 0,
        }
    )


def test_a_half_right_system() -> None:
    """a is right; b installs something else, so that x fails; c is right, though nine times as long as it must be."""
    long = "\n".join(["true"] * 16 + ["install c"])
    values, found = measured({"a": "install a", "b": "install z", "c": long})
    assert found.statistics[0] == (1.0, 0.0, 1.0)
    assert values["readme_eval"] == pytest.approx(2 / 3)
    assert values["readme_eval_printed"] == pytest.approx((4 / 3 + 3 + 4) / 3)
    assert values["built"] == 1
    # Words: 18 against 2, so 1 - 1/9; CPU: 17 against 1 and a slack of 1.5, so 1 - 1.5/17; a tenth of the mean is lost.
    cost = 0.1 * ((1 - 1 / 9) + (1 - 1.5 / 17)) / 2
    assert values["readme_eval_parsimony"] == pytest.approx((1 + 0 + 1 - cost) / 3)


def test_steps_count_what_a_dependent_got_done() -> None:
    """`deep` wants a, then b: without a it has done one of its three steps, without b two."""
    found = made({"a": (), "b": ()}, {"deep": ("a", "b")})
    values, stats = measured({"a": "install z", "b": "install z"}, bench_of(found))
    assert values["readme_eval"] == 0
    # null(a) gets 1 of 3 done, null(b) 2 of 3, and what the wrong scripts bring is no more than that.
    assert stats.statistics[2] == (0.0, 0.0)


def test_a_wrong_script_can_be_worse_than_none() -> None:
    found = made({"a": ()}, {"v": ("a",), "w": ("a",)})
    picky = replace(found.validation[1], name="w", script="shun z")
    bench = bench_of(replace(found, validation=(found.validation[0], picky)), Picky())
    values, _ = measured({"a": "install z"}, bench)
    assert values["readme_eval"] == -1


class Picky(PretendBuilder):
    """A dependent may also shun what it could do without."""

    def outcome(self, job):  # type: ignore[no-untyped-def]
        built = super().outcome(job)
        shunned = {word for line in job.script.splitlines() if line.startswith("shun") for word in line.split()[1:]}
        hit = shunned & {one for below in job.below for one in self.installs(below)}
        return replace(built, exit_code=1) if hit else built


def test_a_package_without_which_nothing_fails_is_counted_and_has_no_score() -> None:
    found = made({"a": (), "spare": ()}, {"v": ("a",)})
    _, stats = measured({"a": "install a", "spare": ":"}, bench_of(found))
    score = stats.metrics[0].reduce(stats.statistics[0])
    assert (score.value, score.n, score.unscored) == (1.0, 1, {"no dependent fails without it": 1})


def test_a_dependent_that_fails_under_the_maintainers_scripts_is_left_out_and_named() -> None:
    found = made({"a": ()}, {"v": ("a",)})
    rotten = Dependent("rotten", "1", (), "fail", ("a",))
    bench = bench_of(replace(found, validation=(*found.validation, rotten)))
    values, stats = measured({"a": "install a"}, bench)
    assert values["readme_eval"] == 1 and values["readme_eval_printed"] == 1, "|V| is 1"
    (ready,) = benches_of(stats.metrics)
    assert "1 of 2" in ready.notes()[0] and "rotten" in ready.notes()[0]


def test_partitions_are_scored_by_cells() -> None:
    values, stats = measured({**GOLD, "b": ":"}, Bench(FOUND, PretendWorkshop(PretendBuilder()), Partition(ALL)))
    # One cell: null breaks all four, and without b alone x fails.
    assert values["readme_eval"] == pytest.approx(3 / 4) and values["readme_eval_printed"] == pytest.approx(3 / 4)
    assert values["built"] == pytest.approx(2 / 3)
    score = score_with_interval(stats.metrics[0], stats.statistics[0])
    assert (score.n, score.unscored) == (1, {"measured with the first of its cell": 2})
    assert score.low == score.high == score.value


def test_below_a_package_of_the_same_cell_lies_what_was_predicted_for_it() -> None:
    bench = Bench(FOUND, PretendWorkshop(PretendBuilder()), Partition(ALL))
    _, stats = measured({**GOLD, "a": ":"}, bench)
    (cell,) = [one for one in benches_of(stats.metrics)[0].results.values() if not isinstance(one, Unscored)]  # type: ignore[attr-defined]
    assert cell.built == {"a": False, "b": False, "c": True} and cell.broke == ("v", "w", "x")


def test_the_interval_is_over_cells_and_the_signature_names_them() -> None:
    two = Bench(FOUND, PretendWorkshop(PretendBuilder()), Partition(2, 3))
    _, stats = measured({**GOLD, "a": ":"}, two)
    score = score_with_interval(stats.metrics[0], stats.statistics[0])
    assert score.n == 2 and score.low is not None and score.low < score.value < (score.high or 0)
    signatures = {
        Bench(FOUND, PretendWorkshop(PretendBuilder(), root), part).signature
        for root in "rs"
        for part in (Partition(), Partition(2))
    }
    assert len(signatures) == 4


def test_a_broken_sandbox_is_unscored_and_never_a_wrong_answer() -> None:
    values, stats = measured({**GOLD, "c": "install z"}, builder=PretendBuilder(broken=("y",)))
    # Nothing can be said at all: y is part of every B, until it is known to build.
    assert set(stats.statistics[0]) == {Unscored("sandbox failed")} and "readme_eval" not in values


def test_a_sandbox_that_breaks_on_one_package_loses_only_its_cells() -> None:
    class Once(PretendBuilder):
        def build(self, job):  # type: ignore[no-untyped-def]
            self.broken = ("b",) if job.script == "install z" else ()
            return super().build(job)

    _, stats = measured({**GOLD, "b": "install z"}, builder=Once())
    assert stats.statistics[0] == (1.0, Unscored("sandbox failed"), 1.0)


def test_an_example_without_a_prediction_is_unscored() -> None:
    _, stats = measured({"a": "install a"})
    assert stats.statistics[0] == (1.0, Unscored("no prediction"), Unscored("no prediction"))


def test_measured_one_by_one_as_measured_together() -> None:
    """A metric without a prepared bench builds what it needs itself."""
    scripts = {"a": "install a\nfail", "b": "install z", "c": ":"}
    together, stats = measured(scripts)
    for at, metric in enumerate(metrics_of(bench_of(FOUND))):
        alone = [metric.measure(one, [Candidate(scripts[one.id[8:]], 1.0)]) for one in examples_of(FOUND)]
        assert tuple(alone) == stats.statistics[at], metric.name
    assert together["readme_eval"] == pytest.approx(1 / 3)
    assert metrics_of(bench_of(FOUND))[0].measure(
        Example("package:other", Request(""), (), {"name": "other"}), []
    ) == Unscored("not a package of this set")


def test_the_second_time_nothing_is_built() -> None:
    builder = PretendBuilder()
    measured(NULL, builder=builder)
    measured(GOLD, builder=builder)
    before = len(builder.order)
    measured(GOLD, builder=builder)
    measured(NULL, builder=builder)
    assert len(builder.order) == before


def test_rows_and_logs_are_kept() -> None:
    _, stats = measured({**GOLD, "b": "install z"})
    (ready,) = benches_of(stats.metrics)
    files = dict(ready.files())
    rows = {row["packages"][0]: row for row in map(json.loads, files["cells.jsonl"].splitlines())}
    assert rows["b"]["broke"] == ["x"] and rows["b"]["B"]["whole"] == {
        "gold": 4, "null": 3, "predicted": 3, "printed": 3, "corrected": 0,
    }  # fmt: skip
    assert "it told of x" in files["logs/b/V.x.log"] and files["logs/b/V.x.log"].startswith("x failed, exit code 1")
    assert files["logs/a/T.a.log"].startswith("a built")
