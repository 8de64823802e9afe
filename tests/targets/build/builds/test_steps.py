"""Scripts are cut where a command may end, and the shell inside counts the steps that succeed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.targets.build.builds.conftest import SMALL

from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.job import Job
from sayso.targets.build.builds.source import Source
from sayso.targets.build.builds.steps import cut

WORDS = st.sampled_from(["make", ";", ";;", "\n", "'", '"', "\\", "#", " ", "<<E", "E", "if", "fi", "$(", ")", "x"])


@given(st.lists(WORDS, max_size=30).map("".join) | st.text(max_size=40))
def test_pieces_are_the_whole_script(script: str) -> None:
    assert "".join(cut(script)) == script


@pytest.mark.parametrize(
    ("script", "pieces"),
    [
        ("cd a; make\nmake install", ["cd a;", " make\n", "make install"]),
        ('echo \'a; b\' "c; \\" d"', ['echo \'a; b\' "c; \\" d"']),
        ("make # it's; no\nx", ["make # it's; no\n", "x"]),
        ("case a in b) c;; esac; d", ["case a in b) c;; esac;", " d"]),
        ("a \\\n b; c", ["a \\\n b;", " c"]),
        ("cat <<E; x\na; b\nE\nc", ["cat <<E; x\na; b\nE\n", "c"]),
        ("a\\;b;c", ["a\\;b;", "c"]),
        ("", []),
    ],
)
def test_cuts_are_where_a_command_may_end(script: str, pieces: list[str]) -> None:
    assert cut(script) == pieces


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("script", "exit_code", "steps", "failed"),
    [
        ("true; true\ntrue", 0, 3, 0),
        ("true\nfalse\ntrue; true", 1, 4, 3),
        ("if true; then\n false || true; true; fi; exit 5", 5, 2, 1),
        ("# nothing; to do\n\nfor i in 1 2; do true; done", 0, 1, 0),
        ("cat > f <<E\nif; x\nE\ngrep -q if f && cd / && test ! -e f\n test $PWD = /", 0, 3, 0),
        ("! true\ntest $? = 1; ! false; test $? = 0", 0, 4, 0),
        ("x=1; test $x = 1; exit 0; false", 0, 4, 0),
        ("true; if broken", 2, 1, 1),
        ("", 0, 1, 0),
        ("true; while :; do :; done; true", 137, 3, 2),
    ],
)
def test_steps_that_succeed_are_counted(
    builder: Builder, library: Source, script: str, exit_code: int, steps: int, failed: int
) -> None:
    """A script runs as `sh -e` runs it: a mark changes neither $? nor the folder that it is in."""
    from dataclasses import replace

    built = builder.build(Job(library, script, limits=replace(SMALL, cpu_seconds=0.5)))
    assert (built.exit_code, built.steps, built.failed_steps) == (exit_code, steps, failed)
