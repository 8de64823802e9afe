"""A damaged installation is one line and exit code 2, the same with and without the background process."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import sayso as package

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.slow
@pytest.mark.parametrize("which", ["list", "largest"])
def test_a_truncated_file_of_the_bundle_is_named_with_what_to_do(sayso: Run, tmp_path: Path, which: str) -> None:
    copy = tmp_path / "sayso"
    shutil.copytree(Path(package.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
    whole = sayso("bash", "list all files", env=variables)
    assert whole.returncode == 0, whole.stderr
    files = sorted((copy / "bundles" / "bash-cookbook").iterdir(), key=lambda path: path.stat().st_size)
    damaged = next(one for one in files if one.name == "bundle.json") if which == "list" else files[-1]
    damaged.write_bytes(damaged.read_bytes()[: damaged.stat().st_size // 2])
    # The running process holds the whole file; it is replaced because the installation is another one now.
    asked = sayso("bash", "list all files", env=variables)
    alone = sayso("bash", "--no-daemon", "list all files", env=variables)
    assert (asked.returncode, asked.stdout) == (2, "")
    assert asked.stderr == alone.stderr and alone.returncode == 2
    line, blank, hint = asked.stderr.splitlines()
    assert line.startswith("sayso: ") and damaged.name in line
    assert blank == "" and hint.startswith("hint: ")
