"""What speaks against a cell: names that nothing above gives, modules that are not there, deeds nobody ordered."""

from __future__ import annotations

import pytest

from sayso.core.types import Piece, Request
from sayso.targets.notebook import language
from sayso.targets.notebook.review import bars, evidence, read
from sayso.targets.notebook.review.asked import is_installed
from sayso.targets.notebook.review.names import names_of


@pytest.mark.parametrize(
    ("cell", "needed"),
    [
        ("df = df.dropna()\ndf.head(n)", {"df", "n"}),
        ("import os\nx = os.getcwd()\nprint(x)", set()),
        ("def f(a, *b, c=d, **e):\n    g = a + h\n    return g", {"d", "h"}),
        ("def f():\n    return later\nlater = 1", set()),
        ("x += 1", {"x"}),
        ("[a for a in xs if a > b]\na", {"xs", "b", "a"}),
        ("{k: v for k, v in d.items()}", {"d"}),
        ("for i in y:\n    pass\ni", {"y"}),
        ("with open(p) as f:\n    f.read()", {"p"}),
        ("try:\n    pass\nexcept E as e:\n    e", {"E"}),
        ("lambda q: q + w", {"w"}),
        ("class A(B):\n    x = y\n    def m(self):\n        return self.x + z", {"B", "y", "z"}),
        ("if (n := f(x)) > 1: n", {"f", "x"}),
        ("display(_, _3, In[0], get_ipython())", set()),
        ("%time m = fit(x)", {"fit", "x"}),
        ("match p:\n    case [a, *b]: a, b", {"p"}),
        ("def f():\n    global count\n    count = 1\ncount", set()),
        ("a, (b, *c) = d\na, b, c", {"d"}),
        ("del x", {"x"}),
    ],
)
def test_names_that_a_cell_needs_from_above(cell: str, needed: set[str]) -> None:
    found = names_of(cell)
    assert found is not None and set(found.needed) == needed


def test_a_check_points_at_names_that_may_stand_above() -> None:
    (finding,) = language.check("é = 1; total = é + start")
    assert (finding.message, finding.start, finding.end, finding.known) == (
        "start is given nowhere in this cell", 19, 24, False,
    )  # fmt: skip


def test_an_error_points_at_its_character() -> None:
    (finding,) = language.check("x = 1\ny = = 2")
    assert "line 2" in finding.message and finding.start == len("x = 1\ny = ")


def speaks(request: Request, cell: str) -> list[str]:
    return [one.name for one in evidence(read(request), language.drafts([cell]))[0]]


ABOVE = (Piece("text", "# Load"), Piece("code", "import pandas as pd\ndf = pd.DataFrame()"))


def test_names_are_looked_up_above() -> None:
    request = Request("show the mean", ABOVE)
    assert speaks(request, "df.mean()") == []
    assert speaks(request, "data.mean()") == ["undefined"]
    assert speaks(Request("show the mean"), "data.mean()") == [], "without a context nothing is known"
    assert speaks(Request("x", (*ABOVE, Piece("code", "from lib import *"))), "data.mean()") == []
    assert speaks(Request("x", (*ABOVE, Piece("code", "print 'old'"))), "data.mean()") == []


def test_modules_that_are_not_here_speak_against_a_cell_unless_a_cell_above_loads_them() -> None:
    assert speaks(Request("x", ABOVE), "import no_such_module_at_all") == ["lacking"]
    assert speaks(Request("x", (Piece("code", "import no_such_module"),)), "import no_such_module.part") == []
    assert is_installed("json") and not is_installed("") and not is_installed("no_such_module_at_all")


@pytest.mark.parametrize(
    ("request_text", "barred"),
    [
        ("Delete the temporary files.", False),
        ("Remove the folder `build` again", False),
        ("Show the five largest values", True),
        ("Remove rows with missing values", True),
        ("Which files should I delete?", True),
        ("Do not delete the file.", True),
        ("Plot it without removing anything", True),
        ("Explain `delete this file` in words", True),
        ("", True),
    ],
)
def test_what_destroys_comes_first_only_where_it_was_ordered(request_text: str, barred: bool) -> None:
    asked = read(Request(request_text))
    found = bars(asked, language.drafts(["import os\nos.remove(p)", "df.to_csv('a')"]))
    assert [bool(one) for one in found] == [barred, False]


def test_no_cell_runs_by_itself() -> None:
    assert language.unasked("1 + 1")


@pytest.mark.parametrize(
    ("cell", "missing"),
    [
        ('orders.groupby("town")["amount"].mean()', "town"),
        ('orders[orders["amount"] > 5].sort_values(["shop", "day"])', "day"),
        ('orders.nlargest(3, "price")', "price"),
        ('orders.pivot_table(index="shop", values="pieces")', "pieces"),
        ('orders.groupby("shop")["amount"].mean()', ""),
        ('orders["town"] = 1\norders.groupby("town").size()', ""),
        ('orders.merge(buyers, on="shop").groupby("town").size()', ""),
        ('other.groupby("town").size()', ""),
        ('orders.groupby("shop").size().plot(x="town")', ""),
    ],
)
def test_columns_that_methods_name_are_looked_up_in_the_live_table(cell: str, missing: str) -> None:
    frames = (
        "orders: DataFrame [9, 2] [columns shop:object, amount:float64]",
        "buyers: DataFrame [1, 1] [columns shop:object]",
    )
    request = Request("?", (Piece("names", "\n".join([*frames, "other: Frame"])),))
    said = [one.reason for one in evidence(read(request), language.drafts([cell]))[0] if "has no column" in one.reason]
    assert said == ([f'orders has no column "{missing}"'] if missing else [])
