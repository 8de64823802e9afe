"""Jobs for the engines, in a module that worker processes can import (test modules cannot be imported by workers)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

JOBS = '''
import os, time
from pathlib import Path

def double(n):
    return 2 * n

def double_unless_three(n):
    if n == 3:
        raise ValueError("three is not allowed")
    return 2 * n

def die_on_five(n):
    if n == 5:
        os._exit(9)
    return 2 * n

def die_once(job):
    """(n, folder): the first attempt at item 7 kills its worker, the second one works."""
    n, folder = job
    mark = Path(folder) / "died"
    if n == 7 and not mark.exists():
        mark.touch()
        os._exit(9)
    return 2 * n

def slow_double(job):
    """(n, folder): leaves a line per run, so that a test can see what was run and how often."""
    n, folder = job
    with open(Path(folder) / "log", "a") as log:
        log.write(f"{n}\\n")
    time.sleep(0.02)
    return 2 * n
'''


@pytest.fixture(scope="session")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder = tmp_path_factory.mktemp("jobs")
    (folder / "scale_jobs.py").write_text(JOBS)
    sys.path.insert(0, str(folder))
    yield importlib.import_module("scale_jobs")
    sys.path.remove(str(folder))


@pytest.fixture(scope="session")
def jobs_folder(jobs: ModuleType) -> Path:
    return Path(str(jobs.__file__)).parent
