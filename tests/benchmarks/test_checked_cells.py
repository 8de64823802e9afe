"""What `sayso cell --check` would put first, from what the sandbox said."""

from __future__ import annotations

import pytest
from benchmarks.checked_cells import first_that_runs

from sayso.core.types import Candidate

CELLS = [Candidate(text, 0.5) for text in ("a.b()", "import shutil\nshutil.rmtree('x')", "sum(xs)")]
FAILS, WRONG, DIED = "the cell: KeyError: 'x'", "the check: AssertionError: ", "it took too long or ended its process"


@pytest.mark.parametrize(
    ("problems", "first"),
    [
        ([WRONG, "", ""], 0),
        ([FAILS, "", WRONG], 2),
        ([DIED, FAILS, ""], 2),
        ([FAILS, "", FAILS], 0),
    ],
)
def test_the_first_that_runs_is_taken_and_nothing_that_destroys(problems: list[str], first: int) -> None:
    assert first_that_runs(CELLS, problems) == first
