"""Labels: a script and what it says that it needs, written and read back; the null label."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.build.evaluation.labels import NULL, Label, read_label, write_label

WORDS = st.text("abc-+.1", min_size=1, max_size=6)
SCRIPTS = st.lists(WORDS.map(lambda word: f"make {word}"), min_size=1, max_size=4).map("\n".join)


@given(SCRIPTS, st.none() | st.lists(WORDS, max_size=3).map(tuple))
def test_a_label_survives_being_written(script: str, needs: tuple[str, ...] | None) -> None:
    assert read_label(write_label(Label(script, needs))) == Label(script, needs)


@pytest.mark.parametrize("text", ["", ":", "\n\n", "true\n:", "# needs: a\n", "# nothing to do\n: "])
def test_a_script_without_an_action_is_the_null_label(text: str) -> None:
    assert read_label(text) == NULL


def test_what_is_needed_is_no_part_of_the_script() -> None:
    assert read_label("# needs: a  b\nmake\n") == Label("make", ("a", "b"))
    assert read_label("# needs:\nmake") == Label("make", ())
    assert read_label("make # needs: a") == Label("make # needs: a")
    assert write_label(NULL) == ":"
