"""The API sequence of a cell: figure 1 of the paper, the rule over the tree, cut code."""

from __future__ import annotations

import ast

import pytest

from sayso.targets.notebook.syntax.calls import BUILT_IN, api_sequence

FIGURE_1 = (
    "from sklearn.tree import DecisionTreeClassifier\n\ndtree = DecisionTreeClassifier()\n\ndtree.fit(X_train, y_train)"
)

CELLS = [
    FIGURE_1,
    "biggest = max(np.diff(unemployment))",
    "attacks = data.groupby(data['year'])['year'].count()\nattacks.plot()\nplt.show()",
    "@jit(nopython=True)\ndef add(x, y):\n    return g(x)(y) + h[0](z)\nclass A(B):\n    pass\nA().run(k=C(1))",
    "m = a\n(x, y), (z, w) = load()\nprint(f'{len(x)} {x.mean():>{pad(3)}} {{no(1)}}', sorted(x, key=lambda v: v.k()))",
    "raise ValueError(str(e))\nif (a) and not (b): c . d (e)",
    "match (x):\n    case Point(1): f(y)\n",
    "f(\n  g\n  (1), # h(2)\n 'i(3)')",
    "df.max(); df.print(); range (3)",
]


def test_figure_1() -> None:
    assert api_sequence(FIGURE_1) == ["DecisionTreeClassifier", "fit"]


@pytest.mark.parametrize("cell", CELLS)
def test_it_is_the_rule_over_the_tree(cell: str) -> None:
    found = []
    for node in ast.walk(ast.parse(cell)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            bare = isinstance(node.func, ast.Name)
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if not (bare and name in BUILT_IN):
                found.append((node.func.end_lineno or 0, node.func.end_col_offset or 0, name))
    assert api_sequence(cell) == [name for _, _, name in sorted(found)] or "case" in cell


def test_patterns_of_a_match_call_nothing() -> None:
    assert api_sequence("match (x):\n    case Point(1):\n        f(y)\n") == ["f"]


def test_cut_code_gives_what_stands_before_the_cut() -> None:
    assert api_sequence("x = pd.read_csv('a').groupby(['k',") == ["read_csv", "groupby"]
    assert api_sequence("for f in glob.glob(p):\n    try:\n        g(") == ["glob", "g"]


def test_calls_behind_a_magic_count_where_they_are_python() -> None:
    assert api_sequence("%time model.fit(X)\n!ls(x)\n%run f(x)") == ["fit"]
    assert api_sequence("%%time\nfit(X)") == ["fit"]
    assert api_sequence("%%bash\nfit(X)") == []
