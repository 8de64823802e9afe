"""Commands run on a fixture: alone, or many after each other where none of them leaves anything behind."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from sayso.core.types import Limits, Outcome, Sandbox
from sayso.targets.bash.executed.clock import ZONE, Clock
from sayso.targets.bash.executed.comparison import STATE
from sayso.targets.bash.executed.facts import HERE, SCRIPT
from sayso.targets.bash.executed.fixture import STDIN, Fixture
from sayso.targets.bash.executed.request import utilities_of
from sayso.targets.bash.executed.spellings import about_changes_of_status, about_numbers, about_seconds, as_today
from sayso.targets.bash.executed.stand_ins import STAND_INS
from sayso.targets.bash.language import risk

LIMITS = Limits(
    cpu_seconds=12, wall_seconds=90, memory_mb=256, output_bytes=400_000, file_bytes=1 << 40, disk_mb=64, processes=64
)
# Processor time decides, and far above what any search of the machine takes, so that a busy machine gives the same
# verdicts; the clock only ends what sleeps.
TOGETHER, CPU_SECONDS, SECONDS, MOST_PRINTED, STOPPED = 20, 10, 60, 200_000, 137
ACCESS = re.compile(r"-(?:[ac](?:time|min|newer)|newer[ac]|used)\b|%[xXA]|\bls\s.*-\w*u|--time|\bstat\b")


def execute_all(texts: Sequence[str], fixture: Fixture, names: tuple[str, ...], sandbox: Sandbox) -> list[Outcome]:
    """Each command on a fresh fixture; those that only read share one, which changes nothing but the time it takes."""
    found: dict[str, Outcome] = {}
    readers = [text for text in dict.fromkeys(texts) if text == ":" or leaves_no_trace(text)]
    for at in range(0, len(readers), TOGETHER):
        some = readers[at : at + TOGETHER]
        found.update(zip(some, execute_together(some, fixture, names, sandbox), strict=False))
    for text in texts:
        if text not in found:
            found[text] = _alone(_run([text], fixture, names, sandbox, LIMITS))
    return [found[text] for text in texts]


def leaves_no_trace(text: str) -> bool:
    """Whether what runs after it sees nothing of it; reading moves times of access, which some look at."""
    return risk(text).level == "reads" and not ACCESS.search(text) and not utilities_of(text) & STAND_INS


def _run(texts: Sequence[str], fixture: Fixture, names: tuple[str, ...], sandbox: Sandbox, limits: Limits) -> Outcome:
    clock = Clock(int(time.time()))
    moved = clock.moved(fixture)
    return clock.settled(sandbox.run(_script(texts, moved, names, clock.shift), list(moved.files.values()), limits))


def execute_together(texts: Sequence[str], fixture: Fixture, names: tuple[str, ...], sandbox: Sandbox) -> list[Outcome]:
    """The outcomes of commands that run one after the other; [] where one of them got in the way of the others."""
    cpu, wall = LIMITS.cpu_seconds * len(texts), LIMITS.wall_seconds * len(texts)
    limits = replace(LIMITS, cpu_seconds=cpu, wall_seconds=wall, output_bytes=8_000_000)
    outcome = _run(texts, fixture, names, sandbox, limits)
    if outcome.stopped or not all(fixture.is_made(change.path) for change in outcome.changes):
        return []
    parts = re.split(rb"\x1d(\d+)\n", outcome.stdout)
    if len(parts) != 2 * len(texts) + 1:
        return []
    outcomes = []
    for number in range(len(texts)):
        code = int(parts[2 * number + 1])
        printed = parts[2 * number]
        outcomes.append(Outcome(code, printed, outcome.stderr, outcome.changes, stopped=_stopped(code, printed)))
    return outcomes


def _alone(outcome: Outcome) -> Outcome:
    parts = re.split(rb"\x1d(\d+)\n", outcome.stdout)
    if len(parts) != 3:
        return outcome
    code = int(parts[1])
    return replace(outcome, stdout=parts[0], exit_code=code, stopped=outcome.stopped or _stopped(code, parts[0]))


def _stopped(code: int, printed: bytes) -> Literal["", "wall", "output"]:
    return "wall" if code == STOPPED else "output" if len(printed) >= MOST_PRINTED else ""


def _script(texts: Sequence[str], fixture: Fixture, names: tuple[str, ...], shift: int) -> str:
    """Each command in a shell of its own, followed by the folder and the variables in which it left that shell."""
    shown = " ".join(f'"${{{name}}}"' for name in names)
    state = f'trap \'printf "%s\\n" "" "{STATE}$PWD" {shown}\' EXIT\n'
    lines = [fixture.prelude(), f"export TZ=:{ZONE}\n"]
    for text in texts:
        told = about_seconds(about_numbers(about_changes_of_status(as_today(text)), fixture), shift)
        name = f"{HERE}/{SCRIPT}" if re.search(r"\$\{?0\b", text) else "bash"
        body = f"ulimit -t {CPU_SECONDS}\n{fixture.opening}{state}{told}\n"
        lines.append(
            f'timeout -s KILL {SECONDS} bash -c {shlex.quote(body)} {name} "$@" < {STDIN} | head -c {MOST_PRINTED}\n'
            "printf '\\x1d%d\\n' ${PIPESTATUS[0]}\n"
        )
    return "".join(lines)


def broken(outcome: Outcome) -> str:
    if outcome.stopped:
        return "takes too long"
    if b"command not found" in outcome.stderr or outcome.exit_code in (126, 127):
        return "not installed"
    return ""
