"""From mined notebooks to a training part: what is unique, what is capped, what dev and test hold out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.targets.notebook.corpus.conftest import code, notebook, text

from sayso.targets.notebook.corpus.assembling import Report, assemble
from sayso.targets.notebook.corpus.held import Held, held_out
from sayso.targets.notebook.corpus.mining import Mined, mine_notebook
from sayso.targets.notebook.corpus.packing import examples_of

SUM, MEAN = "Add all numbers of the list.", "Take the mean of the numbers."
LONG = "mean = sum(numbers) / len(numbers)\nprint('the mean is', mean)"


def made(*rows: Mined, cap: int = 0, held: Held | None = None) -> tuple[list[str], Report, list[dict[str, Any]]]:
    report = Report()

    def mined() -> Iterable[Mined]:
        return rows

    packed = [*assemble(mined, held=held, cap=cap, report=report)]
    return [example.id for row in packed for example in examples_of(row)], report, packed


def row(*cells: Any, repository: str = "own/one", path: str = "a.ipynb") -> Mined:
    return mine_notebook(notebook(*cells, repository=repository, path=path))


def test_equal_target_and_context_stay_once() -> None:
    first = row(text(SUM), code("sum(numbers)"))
    copy = row(text(SUM), code("sum(numbers)"), repository="other/copy")
    kept, report, _ = made(first, copy)
    assert kept == ["own/one:a.ipynb:1"]
    assert report.dropped["same target and context"] == 1
    assert (report.steps["examples"], report.steps["unique examples"], report.steps["kept examples"]) == (2, 1, 1)


def test_a_copy_below_another_title_is_told_apart_from_one_below_the_same() -> None:
    kept, report, _ = made(
        row(text("# One"), text(SUM), code("sum(numbers)")),
        row(text("# Two"), text(SUM), code("sum(numbers)"), path="b.ipynb"),
        row(text("# Two"), text(MEAN), code("sum(numbers)"), path="c.ipynb"),
    )
    assert kept == ["own/one:a.ipynb:2", "own/one:c.ipynb:2"]
    assert (report.steps["unique examples"], report.dropped["same target and request"]) == (3, 1)


def test_the_cap_draws_the_same_examples_in_any_order() -> None:
    rows = [row(text(f"{SUM} {n}"), code(f"sum(numbers[{n}:])"), path=f"{n}.ipynb") for n in range(20)]
    kept, report, _ = made(*rows, cap=5)
    again, _, _ = made(*reversed(rows), cap=5)
    assert len(kept) == 5 and set(kept) == set(again)
    assert report.dropped["over 5 of a repository"] == 15
    assert set(kept) != {f"own/one:{n}.ipynb:1" for n in range(5)}


def test_nothing_of_dev_or_test_is_trained_on() -> None:
    held = held_out([(f" {SUM}\n", "x = 1")], [LONG])
    kept, report, _ = made(
        row(text(SUM), code("sum(numbers)")),
        row(text(MEAN), code("x  =  1"), path="b.ipynb"),
        row(text(MEAN), code("mean(numbers)"), path="c.ipynb"),
        held=held,
    )
    assert kept == ["own/one:c.ipynb:1"]
    assert report.dropped["request or target of dev or test"] == 2
    assert held.has_most([["code", f"{LONG} "], ["text", SUM]])
    assert not held.has_most([["code", LONG], ["code", f"{LONG}; 1"]])
    assert not held.has_most([["code", "x = 1"]])


def test_a_broken_notebook_is_told_and_a_dropped_one_counted() -> None:
    _, report, _ = made({"broken": "b.ipynb: not JSON"}, row(code("x = 1")), row(text(SUM), code("sum(x)")))
    assert report.broken == ["b.ipynb: not JSON"]
    assert report.dropped_notebooks == {"cannot be read": 1, "no Markdown": 1}
    assert (report.notebooks, report.kept_notebooks) == (3, 1)


def test_a_packed_row_gives_the_request_its_context_and_both_forms() -> None:
    _, _, packed = made(
        row(text("# T"), code("n = [1]"), text(SUM), code("print('sum', sum(n))"), text("x"), code("x = 2"))
    )
    first, last = [example for one in packed for example in examples_of(one)][-2:]
    assert first.request.text == SUM
    assert [(piece.kind, piece.text) for piece in first.request.context] == [("text", "# T"), ("code", "n = [1]")]
    assert first.references == ("print('jupyter_string', sum(n))",)
    assert first.meta["runnable"] == "print('sum', sum(n))"
    assert [piece.text for piece in last.request.context] == ["# T", "n = [1]", SUM, "print('sum', sum(n))"]
    assert last.request.context[0] is first.request.context[0]
