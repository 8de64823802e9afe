"""How drawn cells and copies are weighed, with a scripted model."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from sayso.answer.weighing import Weighing
from sayso.core.errors import BadBundle
from sayso.core.types import Piece, Request, within_ref
from sayso.english.cells import BOILERPLATE
from sayso.targets.notebook.systems.cells import CUT, Calls, Cells, seen, weighing_of
from sayso.targets.notebook.systems.columns import COLUMNS, Option, columns, copies

REQUEST = Request(
    "Show the mean of `prices`",
    (Piece("code", "import numpy as np\nprices = [1, 2]"), Piece("code", "m = # your code here", BOILERPLATE)),
)
DRAWN = (
    Option("m = np.mean(prices)\nprint(m)", "trunk", -2.0, 20, True),
    Option("m = np.mean(price)", "trunk", -4.0, 12),
    Option("m = np.mean(", "trunk", -9.0, 8, is_ended=False),
)


@dataclass(frozen=True)
class Scripted:
    drawn: tuple[Option, ...]
    is_cut: bool = False

    def options(self, request: Request) -> tuple[list[Option], bool]:
        return list(self.drawn), self.is_cut


def by(**weights: float) -> Weighing:
    n = len(COLUMNS)
    return Weighing(COLUMNS, (0.0,) * n, (1.0,) * n, tuple(weights.get(name, 0.0) for name in COLUMNS))


def texts(weighing: Weighing, drawn: tuple[Option, ...] = DRAWN, request: Request = REQUEST) -> list[str]:
    found = Cells(Scripted(drawn), weighing).translate([request], 9)[0]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    return [one.text for one in found]


def test_columns_tell_what_a_reader_would_see() -> None:
    options = [*DRAWN, *copies(REQUEST)]
    _, against, _ = seen(REQUEST, options)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in columns(REQUEST, options, against)]
    assert [row["parses"] for row in rows] == [1, 1, 0, 0, 1]
    assert [row["undefined"] for row in rows[:2]] == [0, 1]
    assert rows[0]["named"] == 1 and rows[1]["named"] == 0
    assert [row["left_open"] for row in rows] == [0, 0, 0, 1, 0]
    assert rows[3]["untouched"] == rows[3]["of_given"] == rows[4]["of_above"] == rows[4]["like_above"] == 1
    assert rows[0]["kept"] == 1 and rows[0]["alike"] > rows[4]["alike"]


def test_the_weights_decide() -> None:
    assert texts(by(likeliest=5))[0] == DRAWN[0].text
    assert texts(by(of_above=5))[0] == "import numpy as np\nprices = [1, 2]"
    assert texts(by(parses=9, undefined=-2, log_length=-0.1, of_above=-9))[0] == DRAWN[0].text


def test_what_destroys_unasked_comes_last_and_what_says_nothing_not_at_all() -> None:
    wild = Option("import shutil\nshutil.rmtree('data')", "trunk", -0.1, 9, True)
    found = texts(by(likeliest=9), (wild, Option("# nothing", "trunk", -0.1, 3), *DRAWN[1:]))
    assert found[-1] == wild.text and "# nothing" not in found


def test_a_live_kernel_is_believed() -> None:
    asked = Request("Plot it", (Piece("code", "x = 1"), Piece("names", "x: int")))
    drawn = (Option("y.plot()", "trunk", -1.0, 5, True), Option("x.plot()", "trunk", -2.0, 5))
    above = by(likeliest=0.5, of_above=-9)
    assert texts(above, drawn, asked)[0] == "x.plot()"
    assert texts(above, drawn, replace(asked, context=asked.context[:1]))[0] == "y.plot()"


def test_what_is_repeated_is_known_by_its_digest_and_what_is_drawn_is_not() -> None:
    system = Cells(Scripted(DRAWN), by())
    found = [one.text for one in system.translate([REQUEST], 9)[0]]
    above = REQUEST.context[0].text
    assert above in found and system.source_of(above) == within_ref(above)
    assert system.source_of(DRAWN[0].text) is None


def test_calls_are_those_that_most_of_the_belief_makes() -> None:
    drawn = tuple(
        Option(text, "trunk", -1.0, 9, not place) for place, text in enumerate(("f(g(x))", "f(h(x))", "f(g(2))"))
    )
    (found, nothing) = Calls(Cells(Scripted(drawn), by(of_above=-99))).translate([REQUEST, Request("")], 9)
    assert [one.text for one in found] == ["f g", "f h", ""] and nothing == []


def test_a_request_that_was_cut_is_told_and_an_empty_one_not_asked() -> None:
    system = Cells(Scripted(DRAWN, is_cut=True), by())
    (found, nothing) = system.translate([REQUEST, Request("  ")], 1)
    assert found[0].why[0] == CUT and nothing == []


def test_weights_for_other_columns_are_refused() -> None:
    n = len(COLUMNS)
    good = {"columns": list(COLUMNS), "centre": [0.0] * n, "scale": [1.0] * n, "weight": [0.5] * n}
    assert weighing_of({"weighing": good}).weight == (0.5,) * n
    for broken in ({}, {**good, "columns": []}, {**good, "scale": [0.0] * n}, {**good, "weight": [1.0]}):
        with pytest.raises(BadBundle):
            weighing_of({"weighing": broken})
