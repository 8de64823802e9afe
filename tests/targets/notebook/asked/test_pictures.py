"""Whether two cells did the same: floats close, order where it was made, names that the request says."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.targets.notebook.inside.pictures import comparable, pictured, same

EMPTY: dict[str, Any] = {
    "value": None, "printed": "", "drawn": [], "made": {}, "changed": {}, "gone": [], "files": {},
}  # fmt: skip


def did(**what: Any) -> dict[str, Any]:
    return {**EMPTY, **what}


def table(*columns: tuple[str, list[Any]], keys: list[Any] | None = None, key: str | None = None) -> dict[str, Any]:
    return {
        "kind": "table",
        "keys": keys,
        "key_names": [] if keys is None else [key],
        "columns": [list(one) for one in columns],
    }


BY_TEAM = table(("km", [3.0, 5.0]), keys=["a", "b"], key="team")
FLAT = table(("team", ["a", "b"]), ("km", [3.0000000001, 5.0]))
TURNED = table(("team", ["b", "a"]), ("km", [5.0, 3.0]))


@pytest.mark.parametrize(
    ("found", "wanted", "code", "is_same"),
    [
        (did(value=2.0000000001), did(value=2.0), "x", True),
        (did(value=2.1), did(value=2.0), "x", False),
        (did(value=None), did(value=2.0), "x", False),
        (did(printed="the mean is 2.0\n"), did(value=2.0), "x", True),
        (did(value=FLAT), did(value=BY_TEAM), "x", True),
        (did(value=TURNED), did(value=BY_TEAM), "x", True),
        (did(value=TURNED), did(value=BY_TEAM), "x.sort_values('km')", False),
        (did(value=pictured([1, 2])), did(value=pictured([2, 1])), "x", False),
        (did(changed={"df": FLAT}), did(value=FLAT), "x", False),
        (did(changed={"df": FLAT}, value=FLAT), did(changed={"df": FLAT}), "x", True),
        (did(made={"b": 2.0}), did(made={"a": 2.0}), "x", True),
        (did(drawn=[[["line", [1.0, 2.0]]]]), did(drawn=[[["line", [1.0, 2.0]]]]), "x", True),
        (did(drawn=[[["line", [2.0, 1.0]]]]), did(drawn=[[["line", [1.0, 2.0]]]]), "x", False),
        (did(files={"b.csv": "1"}), did(files={"a.csv": "1"}), "x", True),
        (did(), did(files={"a.csv": "1"}), "x", False),
    ],
)
def test_what_counts_as_the_same(found: Any, wanted: Any, code: str, is_same: bool) -> None:
    assert (same(found, wanted, "the request", code) == "") is is_same


def test_names_that_the_request_says_must_be_those() -> None:
    wanted = did(made={"total": 2.0})
    assert same(did(made={"other": 2.0}), wanted, "make a total", "total = 2") != ""
    assert same(did(made={"total": 2.0}), wanted, "make a total", "total = 2") == ""
    column = did(changed={"df": table(("km", [1.0]), ("share", [0.5]))})
    other = did(changed={"df": table(("km", [1.0]), ("part", [0.5]))})
    assert same(other, column, "add their part of all", "df") == ""
    assert same(other, column, "add a column share", "df") != ""


def test_a_function_cannot_be_compared() -> None:
    assert not comparable(did(made={"f": pictured(len)})) and comparable(did(value=1.0))
