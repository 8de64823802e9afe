"""The error tree: exit codes, near misses, and the drawing at the top of errors.py."""

from __future__ import annotations

import inspect

import pytest

from sayso.core import errors
from sayso.core.errors import BadBundle, RunFailed, SandboxFailed, SaysoError, UnknownName, UserError

CLASSES = [value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, SaysoError)]


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__name__)
def test_every_error_stands_in_the_drawing(error: type[SaysoError]) -> None:
    assert error.__name__ in (errors.__doc__ or "")


@pytest.mark.parametrize(
    ("error", "code"),
    [(UserError("x"), 2), (BadBundle("x"), 2), (RunFailed("x"), 1), (SandboxFailed("x"), 3)],
    ids=lambda value: str(value),
)
def test_exit_code_follows_the_branch(error: SaysoError, code: int) -> None:
    assert error.exit_code == code


def test_a_wrong_name_is_answered_with_near_misses_and_the_list() -> None:
    error = UnknownName("task", "bsh/command", ["bash/command", "notebook/code"])
    assert error.message == 'unknown task "bsh/command"'
    assert error.hint == "did you mean bash/command? known: bash/command, notebook/code"


def test_a_name_like_nothing_known_gets_the_list_alone() -> None:
    assert UnknownName("corpus", "zzz", ["nl2bash"]).hint == "known: nl2bash"
    assert UnknownName("corpus", "zzz", []).hint == "known: none"
