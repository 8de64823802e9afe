"""Systems that repeat code: what each finds, in which form, and that predictions keep no text of the corpus."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from sayso.core.types import Candidate, Example, Piece, Request, within_ref
from sayso.targets.notebook.metrics.frame import NOBODY
from sayso.targets.notebook.systems import api_answer, code_answer, tfidf, within_code
from sayso.targets.notebook.systems.simple import Above, FromContext, FromTrain, Human, Train, submissions

TEXTS = ["plot the data", "load the data", "load the file of prices", "train a model", "", "plot plot histogram"]
CODES = ["plt.plot(x)", "df = load('jupyter_string')", "read(p)", "m.fit(X)", "y", "plt.hist(x)"]


@pytest.fixture(scope="module")
def train() -> Train:
    return Train(tfidf.build(TEXTS), [f"toy:{i}" for i in range(len(TEXTS))], CODES)


def texts(candidates: list[Candidate]) -> list[str]:
    return [one.text for one in candidates]


def test_the_cosine_by_hand(train: Train) -> None:
    # "load" stands in 2 of 6 texts, "data" in 2, "the" in 3, "prices" in 1.
    load, the, prices = math.log(7 / 3) + 1, math.log(7 / 4) + 1, math.log(7 / 2) + 1
    query = math.sqrt(load**2 + prices**2)
    third = math.sqrt(load**2 + the**2 + 3 * prices**2)  # load, the, and file, of, prices as rare as each other
    second = math.sqrt(load**2 + the**2 + load**2)
    wanted = [(2, (load**2 + prices**2) / query / third), (1, load**2 / query / second)]
    found = train.index.nearest("Load prices")
    assert [row for row, _ in found] == [2, 1]
    assert [score for _, score in found] == pytest.approx([score for _, score in wanted], abs=1e-5)


def test_an_index_comes_back_from_its_file(train: Train, tmp_path: Path) -> None:
    tfidf.save(train.index, tmp_path / "index.npz")
    again = tfidf.load(tmp_path / "index.npz")
    assert again.words == train.index.words
    for text in (*TEXTS, "unheard of", "the plot"):
        assert again.nearest(text) == train.index.nearest(text)
    assert train.index.nearest("plot the data", 1) == train.index.nearest("plot the data")[:1]


def test_code_below_the_most_similar_request_of_train(train: Train) -> None:
    system = FromTrain(train, code_answer)
    found = system.translate([Request("Load prices"), Request("unheard"), Request("")], 2)
    assert [texts(one) for one in found] == [["read(p)", "df = load('jupyter_string')"], [], []]
    assert system.source_of("read(p)") == "toy:2"
    calls = FromTrain(train, api_answer).translate([Request("Load prices")], 3)[0]
    assert texts(calls) == ["read", "load"]


ABOVE = (
    Piece("text", "# Plot prices"),
    Piece("code", "plt.plot(prices, 'r')  # red"),
    Piece("text", "Load them"),
    Piece("text", "all"),
    Piece("code", "p = load('a')\n# done"),
    Piece("code", "# nothing"),
    Piece("text", "Plot the rest"),
    Piece("code", "given(", "boilerplate"),
)


def test_code_below_the_most_similar_text_above(train: Train) -> None:
    system = FromContext(train.index, code_answer)
    (found,) = system.translate([Request("Plot the prices again", ABOVE)], 3)
    assert texts(found) == ["plt.plot(prices, 'jupyter_string')"], (
        "boilerplate stands below no text, `load` below `all`"
    )
    assert found[0].score > 0
    assert system.translate([Request("Plot")], 3) == [[]]


def test_the_nearest_code_above_that_is_code(train: Train) -> None:
    assert texts(Above(code_answer).translate([Request("more", ABOVE)], 3)[0]) == [
        "given(", "p = load('jupyter_string')", "plt.plot(prices, 'jupyter_string')",
    ]  # fmt: skip
    assert texts(Above(api_answer).translate([Request("more", ABOVE[:6])], 1)[0]) == ["load"]
    quiet = (Piece("code", "f(x)"), Piece("code", "x = 1"))
    assert texts(Above(api_answer).translate([Request("more", quiet)], 2)[0]) == ["", "f"], "a cell may call nothing"


def test_other_people_answer_where_there_are_any() -> None:
    rows = [{"id": "b", "runnable": "x = 'a'"}, {"id": "c", "runnable": "y = 2"}]
    one = Example("toy:1", Request("do it", ABOVE), ("z = 1",), {"submissions": json.dumps(rows)})
    human = Human({one.request: submissions(one)}, code_answer)
    assert set(texts(human.translate([one.request], 5)[0])) == {"x = 'jupyter_string'", "y = 2"}
    assert texts(human.translate([Request("another")], 5)[0]) == [NOBODY]
    assert human.source_of(NOBODY) is None


def test_what_is_repeated_is_stored_as_a_digest_that_the_example_resolves() -> None:
    one = Example(
        "toy:1", Request("more", ABOVE), ("z = 1",), {"submissions": json.dumps([{"id": "b", "runnable": "q"}])}
    )
    held = {within_ref(code_answer(code)) for code in within_code(one)}
    system = Above(code_answer)
    for candidate in system.translate([one.request], 5)[0]:
        ref = system.source_of(candidate.text)
        assert ref in held and candidate.text not in str(ref)
    assert within_ref("q") in held
