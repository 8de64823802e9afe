"""The real sandbox, for the tests that run commands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sayso.core.errors import SandboxFailed
from sayso.core.types import Sandbox
from sayso.sandbox import open_sandbox


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    try:
        opened = open_sandbox(tmp_path_factory.mktemp("sandbox"))
    except SandboxFailed as error:
        pytest.skip(f"{error.message}: {error.hint}")
    yield opened
    opened.close()  # type: ignore[attr-defined]  # the real one has a launcher to end
