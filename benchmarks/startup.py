"""CPU time until an answer, as ratios to `python -c pass`: the first one, and one from a warm background process.

Each figure is user + system time of real processes (wait4), a median; the background process's own share is added.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks import Row

TIMES = 11
FEWEST = 5
"""Of each in the tests, whose limits are wide."""
QUESTION = "count the lines in all python files"
SAYSO = str(Path(sys.executable).with_name("sayso"))


def run(times: int = TIMES) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="sayso-bench-") as folder:
        variables = {**os.environ, "XDG_RUNTIME_DIR": folder, "XDG_CONFIG_HOME": folder}
        # As after an installation: bytecode is there, whatever this shell says about writing it.
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
        variables["PYTHONPYCACHEPREFIX"] = f"{folder}/bytecode"
        try:
            return measured(variables, times)
        finally:
            subprocess.run([SAYSO, "daemon", "stop"], env=variables, stdout=subprocess.DEVNULL, check=False)


def measured(variables: Mapping[str, str], times: int) -> list[Row]:
    def bare() -> float:
        return cpu_seconds([sys.executable, "-c", "pass"], variables)

    def alone() -> float:
        return cpu_seconds([SAYSO, "bash", "--no-daemon", QUESTION], variables)

    def first() -> float:
        cpu_seconds([SAYSO, "daemon", "stop"], variables)
        return cpu_seconds([SAYSO, "bash", QUESTION], variables) + daemon_cpu_seconds(variables)

    def warm() -> float:
        return cpu_seconds([SAYSO, "bash", QUESTION], variables)

    # In turns, so that a machine that slows down half-way slows all alike.
    bare_alone, cold = in_turns(bare, alone, times)
    bare_first, started = in_turns(bare, first, times)
    before = daemon_cpu_seconds(variables)
    bare_warm, client = in_turns(bare, warm, times)
    share = (daemon_cpu_seconds(variables) - before) / times
    around = 1000 * (client - bare_warm)
    python = "bare Python"
    return [
        Row("bare Python", 1000 * bare_warm, "ms CPU", times),
        Row("first answer, no daemon", cold, "s CPU", times, cold / bare_alone, python, 1.5),
        Row("first answer, starting the daemon", started, "s CPU", times, started / bare_first, python, 1.5),
        Row("warm answer, client above bare Python", around, "ms CPU", times, client / bare_warm, python, 60),
        Row("warm answer, daemon's share", 1000 * share, "ms CPU", times, share / bare_warm, python),
    ]


def in_turns(first: Callable[[], float], second: Callable[[], float], times: int) -> tuple[float, float]:
    second()  # files into the page cache, bytecode written
    pairs = [(first(), second()) for _ in range(times)]
    return statistics.median(one for one, _ in pairs), statistics.median(other for _, other in pairs)


def cpu_seconds(command: list[str], variables: Mapping[str, str]) -> float:
    """User and system time of one finished process."""
    null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    process = os.posix_spawn(command[0], command, variables, file_actions=null)
    _, status, used = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError(f"{' '.join(command)} failed with {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime


def daemon_cpu_seconds(variables: Mapping[str, str]) -> float:
    shown = subprocess.run([SAYSO, "daemon", "status", "--json"], env=variables, capture_output=True, check=True)
    return float(json.loads(shown.stdout).get("cpu_seconds", 0.0))
