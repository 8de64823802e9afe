"""Jobs for the engines, in a module that worker processes can import (test modules cannot be imported by workers)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

JOBS = '''
import os, re, subprocess, time
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

def stay_after_three(job):
    """(n, folder): three items are quick; each other one starts a program and stays for a minute."""
    n, folder = job
    if n < 3:
        return 2 * n
    program = subprocess.Popen(["sleep", "60"])
    (Path(folder) / f"busy-{n}").touch()
    time.sleep(60)

def stay_in_a_sandbox(job):
    """(n, folder): a program in a sandbox, for a minute; its name says to which test it belongs."""
    from sayso.core.types import Limits
    from sayso.sandbox.bubblewrap import BubblewrapSandbox

    n, folder = job
    name = f"{Path(folder).name}-sleeps"
    script = f"cp /bin/sleep ./{name} && ./{name} 50"
    (Path(folder) / f"busy-{n}").touch()
    return BubblewrapSandbox(Path(folder) / "cache").run(script, (), Limits(wall_seconds=55)).exit_code

def search_for_ever(job):
    """(n, folder): a regular expression that gives no other thread a turn."""
    n, folder = job
    (Path(folder) / f"busy-{n}").touch()
    return bool(re.match(r"(a|a)*b", "a" * 60))
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
