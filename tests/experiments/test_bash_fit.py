"""What the cookbook's weights are fitted on: requests as people type them, with and without their file."""

from __future__ import annotations

import pytest

from sayso.cookbook.entry import Recipe
from sayso.experiments.fit_cookbook import without_file
from sayso.targets.bash.cookbook.recipes import FOLDER, load_recipes


@pytest.fixture(scope="module")
def searching() -> Recipe:
    """A recipe with a pattern and one file that must be named."""
    return next(
        one for one in load_recipes(FOLDER) if set(one.slots) == {"pattern", "file"} and one.slots["file"].required
    )


@pytest.mark.parametrize(
    ("phrasing", "short"),
    [
        ("lines with {pattern} in the file {file}", "lines with refused"),
        ("print from {file} what has {pattern} in it", "print what has refused in it"),
        ("{pattern} in {file}", ""),  # too little is left
        ("which lines of it have {pattern}", ""),  # nothing to leave out
    ],
)
def test_a_phrasing_is_said_without_its_file(searching: Recipe, phrasing: str, short: str) -> None:
    said = {name: value for name, value in {"pattern": "refused", "file": "a.log"}.items() if "{" + name in phrasing}
    assert without_file(phrasing, searching, said) == short
