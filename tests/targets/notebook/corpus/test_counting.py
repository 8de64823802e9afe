"""What is counted: names from above, API calls, noise and near-duplicates."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.targets.notebook.corpus.conftest import code, notebook, text

from sayso.targets.notebook.corpus.assembling import assemble
from sayso.targets.notebook.corpus.context_use import Above, defined, free_names, use_of
from sayso.targets.notebook.corpus.counts import Counts, counted
from sayso.targets.notebook.corpus.mining import mine_notebook
from sayso.targets.notebook.corpus.near import NearIndex
from sayso.targets.notebook.corpus.noise import speaks_of_above
from sayso.targets.notebook.syntax.calls import api_sequence

FIGURE_1 = (
    text("Training a Decision Tree"),
    text("Load features and labels in a dataframe."),
    code("import pandas as pd\nX = pd.read_json('features.json')\ny = pd.read_json('labels.json')"),
    text("Split the data into train and test."),
    code(
        "from sklearn.model_selection import train_test_split\n"
        "X_train, X_test, y_train, y_test = train_test_split(X, y)"
    ),
    text("Create and train the model."),
    code(
        "from sklearn.tree import DecisionTreeClassifier\ndtree = DecisionTreeClassifier()\ndtree.fit(X_train, y_train)"
    ),
)
"""As the paper draws it."""


def test_the_api_sequence_of_figure_1() -> None:
    assert api_sequence(FIGURE_1[-1].text) == ["DecisionTreeClassifier", "fit"]


def test_table_2_of_figure_1() -> None:
    rows = [*assemble(lambda: [mine_notebook(notebook(*FIGURE_1))])]
    facts = counted(rows).facts()
    assert facts["examples"] == 3
    assert facts["context cells, average"] == round((2 + 4 + 6) / 3, 1)
    assert facts["API calls of a target, average"] == round((2 + 1 + 2) / 3, 1)
    # X and y for the split, X_train and y_train for the model; the first takes nothing.
    assert facts["% use variables above"] == facts["% contextual"] == 66.7
    assert facts["% multi-cell"] == facts["% use methods above"] == 0


@pytest.mark.parametrize(
    ("cell", "free"),
    [
        ("a = b\nc = a", {"b"}),
        ("a = a + 1", {"a"}),
        ("a += 1", {"a"}),
        ("for a in b:\n    print(a)", {"b", "print"}),
        ("[a for a in b if c]", {"b", "c"}),
        ("{k: v for k, v in d.items()}", {"d"}),
        ("def f(a, b=c):\n    d = a\n    return d + e + f(a)", {"c", "e"}),
        ("f = lambda x: x + y", {"y"}),
        ("import a.b\nfrom c import d as e\na, e, d", {"d"}),
        ("class A(B):\n    x = y", {"B", "y"}),
        ("with open(p) as f:\n    f.read()", {"open", "p"}),
        ("%time a = b", {"b"}),
        ("a = = b", set()),
    ],
)
def test_names_that_a_cell_takes_from_outside(cell: str, free: set[str]) -> None:
    assert free_names(cell) == free


def test_what_counts_as_taken_from_above() -> None:
    above = Above()
    above.add(0, defined("import numpy as np\na = 1\nfor b in [a]:\n    pass"))
    above.add(1, defined("def scale(x):\n    inner = x\n    return inner"))
    above.add(2, defined("c = a"))
    assert use_of("print(a)", "Show it.", above).variables
    assert not use_of("print(a)", "Show a.", above).contextual
    assert not use_of("np.sum([1]); inner", "Add.", above).contextual
    method = use_of("scale(2)", "Scale two.", above)
    assert (method.functions, method.variables, method.several) == (True, False, False)
    assert use_of("scale(c)", "Scale it.", above).several
    assert not use_of("a + b", "Add them.", above).several


@pytest.mark.parametrize(
    ("request_text", "target", "is_noise"),
    [
        ("As you can see, the curve is steep.", "env.close()", True),
        ("The plot above shows a clear trend.", "weights = fit(data)", True),
        ("As you can see, the curve is steep.", "draw(curve)", False),
        ("As you can see, it is steep. Let's close the window.", "env.close()", False),
        ("# Results\nAs you can see, the curve is steep.", "env.close()", False),
        ("Close the window.", "env.close()", False),
    ],
)
def test_text_about_the_cell_above(request_text: str, target: str, is_noise: bool) -> None:
    assert speaks_of_above(request_text, target) == is_noise


def test_nearly_the_same_example_is_found() -> None:
    index = NearIndex()
    words = " ".join(f"word{n}" for n in range(60))
    assert not index.is_near(words, "x = f(1)")
    assert index.is_near(f"{words} more", "x = f(1)", keep=False)
    assert not index.is_near("Something else that nobody said.", "y = g(2)")


@settings(max_examples=30)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.integers(0, 6))
def test_two_parts_count_as_the_whole(picked: list[int], at: int) -> None:
    rows = [
        {**row, "path": f"{n}.ipynb"}
        for n, kind in enumerate(picked)
        for row in assemble(lambda kind=kind: [mine_notebook(notebook(*FIGURE_1[kind:]))])  # type: ignore[misc]
    ]
    left, right = counted(rows[:at]), counted(rows[at:])
    left.add(right)
    assert left == counted(rows)
    assert isinstance(left, Counts)
