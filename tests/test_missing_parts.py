"""Under CI=true a missing component fails the tests that need it; elsewhere they are skipped with the reason."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import LONGEST, WITH_RAY

TESTS = {
    "module": "import pytest\npytest.importorskip('no_such_package')\ndef test_it(): pass\n",
    "test": "import pytest\ndef test_it(): pytest.importorskip('no_such_package')\n",
    "program": "def test_it(need): need('no-such-program', 'install it')\n",
    "corpora": "def test_it(corpora): pass\n",
    "machine": "import pytest\ndef test_it(): pytest.skip('only root can do this')\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("ci", ["true", ""])
def test_only_what_could_be_installed_must_be_there(tmp_path: Path, ci: str) -> None:
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path)
    for name, text in TESTS.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-ra", "--continue-on-collection-errors", "-p", "no:cacheprovider", "."],
        cwd=tmp_path,
        env={**os.environ, "CI": ci, "SAYSO_DATA": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    closing = done.stdout.splitlines()[-1]
    assert closing.startswith("2 failed, 2 skipped, 1 error" if ci else "5 skipped"), done.stdout


def test_files_that_are_named_for_their_length_are_there() -> None:
    assert [name for name in (*LONGEST, *WITH_RAY) if not (Path(__file__).parent / name).exists()] == []
