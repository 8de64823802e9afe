"""What is made equal: string literals, and names that a cell gives; and what cut code still parses as."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.targets.notebook.syntax.canonical import (
    bound_names,
    canonical_names,
    canonical_strings,
    parsed,
)
from sayso.targets.notebook.syntax.tokens import code_text, code_tokens


@pytest.mark.parametrize(
    ("cell", "made"),
    [
        ("read_csv(\"a.csv\", sep='\\'')", "read_csv('jupyter_string', sep='jupyter_string')"),
        ("x = f'{a}' rb'b' '''c\nd'''  # 'e", "x = 'jupyter_string' 'jupyter_string' 'jupyter_string'  # 'e"),
        ("%cd 'a'\nx = ''", "%cd 'a'\nx = 'jupyter_string'"),
        ("x = it's", "x = it's"),
        ("x = 3", "x = 3"),
    ],
)
def test_strings_become_one(cell: str, made: str) -> None:
    assert canonical_strings(cell) == made
    assert canonical_strings(made) == made


@pytest.mark.parametrize(
    ("cell", "made"),
    [
        ("total = sum(xs)\ntotal", "v1 = sum(xs)\nv1"),
        (
            "import numpy as n\nfor i in n.arange(k): print(i, k)",
            "import numpy as v1\nfor v2 in v1.arange(k): print(v2, k)",
        ),
        # An attribute, a keyword of a call and a plain import keep their names, a parameter and its default do not.
        ("a = df.a\nf(a=a, b=c)\nimport re", "v1 = df.a\nf(a=v1, b=c)\nimport re"),
        ("def area(r, k=3):\n    return k*r\narea(1, k=2)", "def v1(v2, v3=3):\n    return v3*v2\nv1(1, k=2)"),
        ("[w for w in ws if (q := w)]", "[v1 for v1 in ws if (v2 := v1)]"),
        ("x, (y, *z) = w; x += 1\nwith open(p) as f: f.x", "v1, (v2, *v3) = w; v1 += 1\nwith open(p) as v4: v4.x"),
        ("print(df)", "print(df)"),
        ("x = )(", "x = )("),
    ],
)
def test_names_that_a_cell_gives_are_numbered(cell: str, made: str) -> None:
    assert canonical_names(cell) == made


def test_names_of_cut_code_are_read_as_far_as_it_goes() -> None:
    assert canonical_names("counts = f(x)\nfor row in counts.g(") == "v1 = f(x)\nfor v2 in v1.g("
    assert bound_names("try:\n    a = 1\n    b = [c,") == {"a", "b"}


LINES = [
    "x = f(a, [b, {'c': d}])",
    "for i in range(3):\n    if i:\n        y = [j for j in z]\n    else:\n        w = 1",
    "def g(p, *q):\n    try:\n        return p\n    except Error as e:\n        pass\n    with h() as k:\n        k()",
    "import a.b as c\nlambda u: u if v else (yield)",
]


@given(st.sampled_from(LINES), st.integers(min_value=1, max_value=60))
@settings(max_examples=120, deadline=None)
def test_code_that_is_cut_anywhere_still_has_a_tree(cell: str, end: int) -> None:
    whole = "start = 0\n" + cell
    ast.parse(whole)
    tree = parsed(code_text(code_tokens(whole)[: end + 4]))
    assert tree is not None and isinstance(tree.body[0], ast.Assign)
