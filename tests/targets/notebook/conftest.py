"""A real kernel in the real sandbox, with the interpreter and packages that the tests themselves run with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sayso.core.errors import MissingPart, SandboxFailed
from sayso.core.types import Sandbox
from sayso.sandbox import open_sandbox
from sayso.targets.notebook.kernel_packages import Kernel, own


@pytest.fixture(scope="session")
def kernel() -> Kernel:
    try:
        return own()
    except MissingPart as error:
        pytest.skip(f"{error.message}: {error.hint}")


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory, kernel: Kernel) -> Iterator[Sandbox]:
    try:
        opened = open_sandbox(tmp_path_factory.mktemp("sandbox"), readable=kernel.shown)
    except SandboxFailed as error:
        pytest.skip(f"{error.message}: {error.hint}")
    yield opened
    opened.close()  # type: ignore[attr-defined]  # the real one has a launcher to end
