"""A live namespace in words, what a cell lacks, and what a cell that failed may have meant."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sayso.core.types import Piece, Request
from sayso.targets.notebook.hand import files_named, namespace_piece, needs_of, repairs
from sayso.targets.notebook.hand.repair import Repaired
from sayso.targets.notebook.review.asked import live_columns
from sayso.targets.notebook.tasks import NOTEBOOK

SECRET = "hunter2"


class Table:
    """Shaped like a data frame of pandas, which is not installed where tests run."""

    def __init__(self, **columns: str) -> None:
        self.columns: list[Any] = [*columns]
        self.dtypes = list(columns.values())
        self.shape = (3, len(columns))


Table.__name__, Table.__module__ = "DataFrame", "pandas.core.frame"


class Nosy:
    """Says so when anything of it is called."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(f"{name} was asked for")

    def __len__(self) -> int:
        raise AssertionError("its length was asked for")

    __repr__ = __str__ = lambda self: pytest.fail("it was printed")


def area(r: float, digits: int = 2) -> float:
    return round(3.14 * r * r, digits)


def test_names_types_shapes_and_columns_and_never_a_value() -> None:
    numpy = pytest.importorskip("numpy")
    prices = Table(day="int64", price="float64")
    odd = Table(day="int64")
    odd.columns += [7, SECRET * 30]
    odd.dtypes += ["object", "object"]
    odd.shape = (3, 3)
    names = {
        "_hidden": 1, "password": SECRET, "rows": [SECRET] * 3, "table": {SECRET: 1}, "nosy": Nosy(), "math": math,
        "area": area, "Nosy": Nosy, "prices": prices,
        "wide": Table(**{"a b": "datetime64[ns, UTC]", "c, d": "int64"}), "grid": numpy.zeros((2, 3)), "not a name": 1,
        "odd": odd, "one": numpy.float64(2),
    }  # fmt: skip
    found = namespace_piece(names)
    assert found is not None and found.kind == "names"
    assert found.text.splitlines() == [
        "password: str",
        "rows: list [3]",
        "table: dict [1]",
        "nosy: Nosy",
        "math: module math",
        "area: function(r, digits)",
        "Nosy: class",
        "prices: DataFrame [3, 2] [columns day:int64, price:float64]",
        "wide: DataFrame [3, 2] [columns a b:datetime64[ns, UTC] …]",
        "grid: ndarray [2, 3] [dtype float64]",
        "odd: DataFrame [3, 3] [columns day:int64 …]",
        "one: float64",
    ]
    assert namespace_piece({"_": 1}) is None


def test_what_a_cell_lacks_is_told_against_cells_and_names() -> None:
    text = "fig, ax = plt.subplots()\nax.plot(xs, np.cumsum(ys), sqrt(2), Path('a'), missing)"
    above = (Piece("names", "np: module numpy\nys: list [3]"), Piece("code", "xs = [1]"))
    found = needs_of(text, Request("plot", above))
    assert found.imports == ("import matplotlib.pyplot as plt", "from math import sqrt", "from pathlib import Path")
    assert found.unknown == ("missing",)
    assert needs_of(text, Request("plot", (Piece("code", "from pylab import *"),))).imports == ()
    assert needs_of("import re\nre.sub(a, b, c)", Request("x", (Piece("code", "a = b = c = ''"),))).imports == ()


def test_a_live_name_speaks_for_a_cell() -> None:
    asked = NOTEBOOK.read(Request("x", (Piece("names", "prices: DataFrame"), Piece("code", "a = 1"))))
    ((), (against,)) = NOTEBOOK.evidence(asked, NOTEBOOK.draft(["prices.head()", "costs.head()"]))
    assert against.name == "undefined" and "costs" in against.reason


@pytest.mark.parametrize(
    ("cell", "reasons"),
    [
        ("prices['day'].max() + prices[['price', 'day']]", []),
        ("prices['cost'].max()", ['prices has no column "cost"']),
        ("prices[['price', 'cost', 'tax']]", ['prices has no column "cost"']),
        ("prices['cost'] = 1\nprices['cost'].max()", []),
        ("prices = other\nprices['cost']", []),
        ("odd['cost']", []),
    ],
)
def test_a_column_that_no_live_table_has_speaks_against_a_cell(cell: str, reasons: list[str]) -> None:
    names = {"prices": Table(day="datetime64[ns, UTC]", price="float64"), "odd": Table(**{"a:b": "x"}), "other": 1}
    piece = namespace_piece(names)
    assert piece is not None
    assert live_columns(Request("x", (piece,))) == {"prices": frozenset({"day", "price"})}
    (found,) = NOTEBOOK.evidence(NOTEBOOK.read(Request("x", (piece,))), NOTEBOOK.draft([cell]))
    assert [one.reason for one in found] == reasons


def failed(cell: str, **names: object) -> Repaired:
    space: dict[str, object] = dict(names)
    try:
        exec(compile(cell, "/tmp/ipykernel_1/1.py", "exec"), space)
    except Exception as error:
        return repairs(cell, error, names)
    raise AssertionError(f"{cell} did not fail")


def key_error(key: str) -> None:
    raise KeyError(key)


@pytest.mark.parametrize(
    ("cell", "names", "meant", "why"),
    [
        ("x = 1\ny = os.sep", {}, "import os\nx = 1\ny = os.sep", "os is not imported"),
        ("totl + totl.totl", {"total": 1}, "total + total.totl", "totl is not defined; total is"),
        ("prnt('prnt')", {}, "print('prnt')", "prnt is not defined; print is"),
        ("a.lenght = 1\nb = a.lenght2", {"a": SimpleNamespace(length=1)}, "a.lenght = 1\nb = a.lenght",
         "lenght is there"),
        ("import math\nmath.sqroot(2)", {}, "import math\nmath.sqrt(2)", "there is no sqroot here; sqrt is there"),
        ("from math import sqr", {}, "from math import sqrt", "the module has no sqr; it has sqrt"),
        ("for x in [1]\n    print(x)", {}, "for x in [1]:\n    print(x)", "a colon was missing"),
        ("x = [1, 2\ny = 3", {}, "x = [1, 2]\ny = 3", "a ] was missing"),
        ("print 'a', 1", {}, "print('a', 1)", "print is a function"),
        ("prices['prce'] if key_error('prce') else 'prce '", {"prices": Table(price="int64"), "key_error": key_error},
         None, 'there is no column "prce"; "price" is one'),
    ],
)  # fmt: skip
def test_what_was_meant(cell: str, names: dict[str, object], meant: str | None, why: str) -> None:
    found = failed(cell, **names)
    first = found.candidates[0]
    meant = meant or "prices['price'] if key_error('price') else 'prce '"
    assert (first.text, why in first.why[0], found.said) == (meant, True, ())
    assert found.pieces[0] == Piece("code", cell)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("open('prices.csv')", "there is no file prices.csv where the kernel stands"),
        ("import numppy_of_nobody", "numppy_of_nobody is not installed for this kernel"),
        ("import arviz.nothing", "arviz is not installed for this kernel: %pip install arviz"),
    ],
)
def test_what_no_cell_mends_is_said(cell: str, said: str) -> None:
    found = failed(cell)
    assert found.candidates == () and said in found.said[0] and len(found.said) == 1


def test_an_error_is_told_without_values_or_paths() -> None:
    found = failed("x = 3\nint(word)", word=SECRET)
    assert found.pieces[1] == Piece("error", "line 2: int(word)\nValueError: invalid literal for int() with base …: …")
    found = failed("open(name)", name="/home/me/secret.csv")
    assert "secret" not in found.pieces[1].text and "FileNotFoundError" in found.pieces[1].text
    found = failed("'a' + 1")
    assert found.pieces[1].text.endswith('can only concatenate str (not "int") to str')


def test_files_that_cells_name_are_found_beside_them_and_nowhere_else(tmp_path: Path) -> None:
    here = tmp_path / "here"
    (here / "data").mkdir(parents=True)
    (here / "data" / "a.csv").write_bytes(b"1,\xff\n")
    (tmp_path / "secret").write_text("no")
    (here / "link").symlink_to(tmp_path / "secret")
    code = f"open('data/a.csv'); open('../secret'); open('link'); open('{tmp_path}/secret'); open('none'); open('data')"
    (found,) = files_named([code, "broken ("], here)
    assert (found.name, found.text.encode("utf-8", "surrogateescape")) == ("data/a.csv", b"1,\xff\n")
