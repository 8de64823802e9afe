"""Every script in examples/ runs as it is, quickly, and is short."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples"
SCRIPTS = sorted(FOLDER.glob("*.py"))


def needs(script: Path) -> list[pytest.MarkDecorator]:
    """A script that trains is part of the torch tests."""
    text = script.read_text(encoding="utf-8")
    return [pytest.mark.torch] if "sayso.training" in text or "import torch" in text else []


def test_there_are_examples() -> None:
    assert SCRIPTS


@pytest.mark.parametrize("script", [pytest.param(path, id=path.stem, marks=needs(path)) for path in SCRIPTS])
def test_an_example_runs(script: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), f"{script.name} shows nothing"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_example_is_short(script: Path) -> None:
    assert len(script.read_text(encoding="utf-8").splitlines()) < 40
