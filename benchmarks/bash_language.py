"""The Bash language: reading the whole NL2Bash corpus, the first reading of a process, and a million broken commands.

The figure to beat for the corpus is bashlex's 20.7 s for parsing alone; ours reads, types and rewrites in that time.
"""

from __future__ import annotations

import lzma
import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from benchmarks import Row
from sayso import scale
from sayso.apps.settings import workspace
from sayso.core.errors import BadInstruction
from sayso.targets.bash import _fuzz, language
from sayso.targets.bash._parse import parse

BASHLEX_SECONDS = 20.7
MUTANTS = 1_000_000
CHUNK = 5_000
TIMES = 9
# Only the parser: sayso.targets as a whole also holds the tasks of every language.
FIRST_PARSE = """
import sys, time, types
import sayso.core.types
package = types.ModuleType("sayso.targets")
package.__path__ = [sys.argv[1]]
sys.modules["sayso.targets"] = package
start = time.process_time()
from sayso.targets.bash._parse import parse
parse("find . -name x | wc -l")
print(time.process_time() - start)
"""


def run() -> list[Row]:
    return [*corpus(), first_parse(), *fuzz(MUTANTS)]


def corpus() -> list[Row]:
    path = workspace().data / "nl2bash" / "all.cm.xz"
    if not path.is_file():
        return []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        commands = file.read().splitlines()
    times = []
    for _ in range(3):
        parse.cache_clear()
        start = time.process_time()
        for command in commands:
            try:
                language.normalise(command)
                language.template(command)
            except BadInstruction:
                continue
        times.append(time.process_time() - start)
    seconds = statistics.median(times)
    name = "parse, template and canonical form of NL2Bash"
    ratio = seconds / BASHLEX_SECONDS
    return [Row(name, seconds, "s CPU", len(commands), ratio, "bashlex, parsing alone", limit=5.0)]


def first_parse() -> Row:
    command = [sys.executable, "-c", FIRST_PARSE, str(Path(language.__file__).parents[1])]
    times = []
    with tempfile.TemporaryDirectory(prefix="sayso-bench-") as folder:
        # As after an installation: bytecode is there, whatever this shell says about writing it.
        variables = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(TIMES + 1):
            done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
            times.append(1000 * float(done.stdout))
    times = times[1:]
    return Row("first parse of a process", statistics.median(times), "ms CPU", TIMES, limit=60.0)


def fuzz(n: int) -> list[Row]:
    """No exception but BadInstruction, no unstable form, nothing unread called safe, nothing above a second."""
    start = time.perf_counter()
    broken = 0
    survey = partial(_fuzz.survey, n=CHUNK)
    for result in scale.map(survey, range(n // CHUNK), scale.Processes(2), chunk=1):
        broken += len(result.value) if isinstance(result, scale.Done) else CHUNK
    return [
        Row("broken commands, promises not kept", broken, "commands", n, limit=0),
        Row("broken commands, time for each", 1e6 * (time.perf_counter() - start) / n, "µs", n),
    ]
