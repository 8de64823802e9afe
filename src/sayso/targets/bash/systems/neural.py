"""The embedded trunk as a system for Bash; its bundle is made as docs/concepts/runtime.md says."""

from __future__ import annotations

from pathlib import Path

from sayso.core.types import System, Workspace

BUNDLE = Path(__file__).parents[3] / "bundles" / "trunk"


def neural_system(workspace: Workspace) -> System:
    """The trunk's own candidates; nothing is verified yet."""
    from sayso.neural.translator import load_neural  # what asks the cookbook alone need not read it

    return load_neural(BUNDLE, "bash")
