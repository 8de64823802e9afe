"""Short ways to write examples and candidates."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sayso.core.types import Candidate, Example, Request


@pytest.fixture
def example() -> Callable[..., Example]:
    """example("ls", "ls -a") has two references."""

    def make(*references: str, request: str = "list files") -> Example:
        return Example(id="toy:1", request=Request(request), references=references)

    return make


@pytest.fixture
def answers() -> Callable[..., list[Candidate]]:
    """answers("ls", "pwd"): candidates, best first."""

    def make(*texts: str) -> list[Candidate]:
        return [Candidate(text, score=-float(rank)) for rank, text in enumerate(texts)]

    return make
