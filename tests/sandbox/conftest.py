"""The real sandbox, opened once for the folder; tests that ask for it are skipped where none works."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sayso.core.errors import SandboxFailed
from sayso.core.types import FileSpec, Limits, Outcome
from sayso.sandbox import open_sandbox
from sayso.sandbox.bubblewrap import BubblewrapSandbox

Run = Callable[..., Outcome]


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BubblewrapSandbox]:
    try:
        opened = open_sandbox(tmp_path_factory.mktemp("sandbox"))
    except SandboxFailed as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"{error.message}: {error.hint}")
    assert isinstance(opened, BubblewrapSandbox)
    yield opened
    opened.close()


@pytest.fixture
def run(sandbox: BubblewrapSandbox) -> Run:
    """run("ls", FileSpec(…), cpu_seconds=1): an outcome, under small limits."""

    def run(script: str, *files: FileSpec, **limits: float) -> Outcome:
        small: dict[str, float] = {"cpu_seconds": 3, "wall_seconds": 8, "memory_mb": 256, "disk_mb": 32, **limits}
        return sandbox.run(script, files, Limits(**small))  # type: ignore[arg-type]  # names and numbers of Limits

    return run


@pytest.fixture
def layers(sandbox: BubblewrapSandbox) -> Path:
    return sandbox.cache / "layers"
