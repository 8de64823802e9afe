"""An asked cell as a template: what both sides speak of are slots."""

from __future__ import annotations

import ast

from hypothesis import example, given
from hypothesis import strategies as st

from sayso.targets.notebook.recipes.making import template_of
from sayso.targets.notebook.recipes.template import as_json, read_json, written

NAMES = [
    "pd: module pandas",
    "plt: module matplotlib.pyplot",
    "trips: DataFrame [4, 3] [columns rider:object, km:float64, day:datetime64[ns]]",
]
ABOVE = ["import pandas as pd\nimport matplotlib.pyplot as plt"]


def slots(code: str, *phrasings: str) -> list[tuple[str, str]]:
    return [(one.type, one.kind) for one in template_of(NAMES, ABOVE, phrasings, code, "g").slots]


def test_tables_columns_and_deeds_are_slots_and_the_words_that_say_them() -> None:
    found = template_of(NAMES, ABOVE, ("mean km of each rider",), 'trips.groupby("rider")["km"].mean()', "g")
    assert [(one.type, one.kind) for one in found.slots] == [
        ("table", ""),
        ("column", "text"),
        ("column", "number"),
        ("deed", "summary"),
    ]
    assert found.phrasings == (("mean", 2, "of", "each", 1),)
    assert found.filled(["df", "team", "goals", "max"]) == 'df.groupby("team")["goals"].max()'


def test_numbers_texts_and_files_are_slots_only_where_the_request_says_them() -> None:
    code = 'trips[trips["km"] > 20].head(5).to_csv("far.csv")'
    assert slots(code, "trips over 20 km to far.csv") == [
        ("table", ""),
        ("column", "number"),
        ("deed", "sign"),
        ("number", ""),
        ("deed", "end"),
        ("file", ""),
    ]
    assert ("number", "") not in slots(code, "long trips") and ("file", "") not in slots(code, "long trips")


def test_a_share_in_percent_is_written_as_one() -> None:
    found = template_of(NAMES, ABOVE, ("25% of the trips",), "trips.sample(frac=0.25)", "g")
    assert found.filled(["df", "40"]) == "df.sample(frac=0.4)"


def test_columns_within_formatted_text_and_titles_are_filled_too() -> None:
    code = """print(f"{trips['km'].sum()} km")\nplt.title("km by rider")"""
    found = template_of(NAMES, ABOVE, ("total km",), code, "g")
    values = ["df", "goals", "sum", "team"]
    assert found.filled(values) == """print(f"{df['goals'].sum()} km")\nplt.title("goals by team")"""
    assert found.imports == {"plt": "import matplotlib.pyplot as plt"}


def test_a_template_is_the_same_after_it_was_stored() -> None:
    found = template_of(NAMES, ABOVE, ("km per rider",), 'total = trips.groupby("rider").km.sum()\ntotal', "g")
    assert read_json(as_json(found)) == found
    assert "own" in {one.type for one in found.slots}


@given(name=st.text())
@example(name="x\"']); __import__('os').system('touch made'); #")
@example(name="c\\new")
@example(name="True")
def test_a_column_called_like_code_stays_a_name(name: str) -> None:
    for form in "qs":
        assert ast.literal_eval(written(name, form)) == name
    row = ast.parse(f"t{written(name, 'a')}", mode="eval").body
    # Python reads letters that look alike as one: what it calls the attribute may be spelt otherwise.
    assert isinstance(row, ast.Attribute) or (isinstance(row, ast.Subscript) and ast.literal_eval(row.slice) == name)
    assert isinstance(ast.parse(f'f"{{x}} {written(name, "w")}"', mode="eval").body, ast.JoinedStr)
    assert not name or written(name, "i").isidentifier()
