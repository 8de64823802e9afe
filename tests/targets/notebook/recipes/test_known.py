"""What is known of a notebook: from a live kernel, and from its cells alone."""

from __future__ import annotations

from sayso.core.types import Piece, Request
from sayso.targets.notebook.recipes.known import known_of

NAMES = "pd: module pandas\ntrips: DataFrame [4, 2] [columns rider:object, km:float64]\nlimits: dict [2]"


def test_a_live_kernel_tells_tables_kinds_and_other_names() -> None:
    found = known_of(Request("?", (Piece("names", NAMES), Piece("code", "other = pd.DataFrame({'a': [1]})"))))
    assert found.tables == {"trips": {"rider": "text", "km": "number"}}
    assert found.names == {"pd": "module", "limits": "dict"}


def test_cells_tell_columns_of_files_of_literals_and_of_what_is_added() -> None:
    cells = [
        "import pandas as pd\ntrips = pd.read_csv('trips.csv', parse_dates=['day'])",
        "trips['far'] = trips['km'] > 10\nbig = trips[trips['far']].copy()\nn = 3",
        "shops = pd.DataFrame({'city': ['Bonn'], 'size': [2.5]}).rename(columns={'size': 'area'})",
        "def tax(x):\n    return x\nby = trips.groupby('rider')['km'].sum()",
    ]
    pieces = [Piece("tables", 'trips.csv: "rider", "km", "day"'), *(Piece("code", cell) for cell in cells)]
    found = known_of(Request("?", tuple(pieces)))
    trips = {"rider": "", "km": "", "day": "date", "far": "bool"}
    assert found.tables == {"trips": trips, "big": trips, "shops": {"city": "text", "area": "number"}}
    assert found.names == {"pd": "module", "n": "int", "tax": "function", "by": "Series"}


def test_a_name_that_becomes_something_else_is_no_table_any_more() -> None:
    cells = ("import pandas as pd\nxs = pd.DataFrame({'a': [1]})", "xs = [1, 2]", "this does not parse (")
    found = known_of(Request("?", tuple(Piece("code", cell) for cell in cells)))
    assert not found.tables and found.names["xs"] == "list"
