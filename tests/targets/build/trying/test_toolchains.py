"""The first script for a project of each kind of toolchain that the sandbox shows here, built and installed offline."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from benchmarks.build_toolchains import KINDS, Result, results
from tests.conftest import missing

from sayso.core.errors import SandboxFailed
from sayso.sandbox import open_sandbox
from sayso.targets.build.builds.builder import Builder

OFFLINE = [name for name in KINDS if name not in ("maven", "gradle")]
"""Maven and Gradle want plugins of their own repositories; their plans are made and not built (docs/guide/build.md)."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Result]:
    cache = tmp_path_factory.mktemp("cache")
    try:
        open_sandbox(cache)
    except SandboxFailed as error:
        missing(error.message)
    return {one.kind: one for one in results(Builder(cache), OFFLINE)}


@pytest.mark.sandbox
@pytest.mark.parametrize("kind", OFFLINE)
def test_the_first_script_installs_what_the_project_is_for(kind: str, found: Mapping[str, Result]) -> None:
    if found[kind].outcome == "not built":
        pytest.skip(f"{kind}: {found[kind].why}")
    assert (found[kind].outcome, found[kind].why) == ("built", "")
