"""Cells without magics: the rest is Python, on the same lines."""

from __future__ import annotations

import ast
import sys

import pytest

from sayso.core.errors import MissingPart
from sayso.targets.notebook.syntax.magics import cell_magic, without_magics
from sayso.targets.notebook.syntax.python2 import to_python3


@pytest.mark.parametrize(
    ("cell", "made"),
    [
        ("%matplotlib inline\nx = 1", "# %matplotlib inline\nx = 1"),
        ("if a:\n    !pip install b\nc", "if a:\n    pass  # !pip install b\nc"),
        ("files = !ls *.csv\nn = %sql select 1", "files = None  # !ls *.csv\nn = None  # %sql select 1"),
        ("%time m.fit(x)\n%timeit -n 10 -r3 f(y)", "m.fit(x)\nf(y)"),
        ("%%time\nf(x)", "# %%time\nf(x)"),
        ("%%timeit -n 5\nf(x)", "# %%timeit -n 5\nf(x)"),
        ("%%bash -s a\nrm b\n", "# %%bash -s a\n# rm b"),
        ("np.array?\n?df\ndf.x??", "# np.array?\n# ?df\n# df.x??"),
        (
            "x = (a\n% b)\ns = '''\n%cd x\n!ls\n'''\ny = a % b != c",
            "x = (a\n% b)\ns = '''\n%cd x\n!ls\n'''\ny = a % b != c",
        ),
        ("x = 7 \\\n% 3", "x = 7 \\\n% 3"),
    ],
)
def test_what_becomes_of_a_magic(cell: str, made: str) -> None:
    assert without_magics(cell) == made
    ast.parse(made)
    assert len(made.splitlines()) == len(cell.splitlines())


def test_the_magic_of_a_cell_has_a_name() -> None:
    assert cell_magic("\n%%writefile a.py\nx") == "writefile"
    assert cell_magic("%time x") == ""


def test_python_2_becomes_python_3() -> None:
    pytest.importorskip("fissix")
    made = to_python3("print 'a', x\nfor i in xrange(3):\n    raise ValueError, 'b'")
    assert made == "print('a', x)\nfor i in range(3):\n    raise ValueError('b')"
    assert to_python3("x = = 3") is None
    assert to_python3("x = map(f, y)") == "x = map(f, y)"


def test_without_fissix_python_2_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from sayso.targets.notebook.syntax import python2

    python2._tool.cache_clear()
    monkeypatch.setitem(sys.modules, "fissix.refactor", None)
    with pytest.raises(MissingPart, match="fissix") as caught:
        to_python3("print 1")
    assert "sayso[notebook]" in caught.value.hint
