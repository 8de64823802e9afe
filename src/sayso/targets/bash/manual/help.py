"""What `PROGRAM --help` prints, for programs without a manual page. Asked in a sandbox only, never on the host."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from sayso.core.errors import SandboxFailed
from sayso.core.types import Limits, Sandbox
from sayso.targets.bash.manual.pages import Page, read_help

BATCH = 20
SECONDS = 2
MOST_BYTES = 60_000
MARK = "== sayso asks "
LIMITS = Limits(
    cpu_seconds=BATCH * SECONDS,
    wall_seconds=BATCH * (SECONDS + 1.5),
    memory_mb=1024,
    output_bytes=BATCH * (MOST_BYTES + 100),
)


def ask_for_help(programs: Mapping[str, Path], sandbox: Sandbox) -> Iterator[tuple[str, Page | None, str]]:
    """Each program with its page and, where there is none, the reason; a batch shares one sandbox run."""
    names = iter(programs)
    while batch := list(islice(names, BATCH)):
        try:
            outcome = sandbox.run(_script(batch, programs), [], LIMITS)
        except SandboxFailed as error:
            yield from ((name, None, error.reason) for name in batch)
            continue
        answers = _answers(outcome.stdout.decode("utf-8", errors="replace"))
        for name in batch:
            page = read_help(answers.get(name, ""), name)
            yield name, page, "" if page.options else "--help shows no options"


def _script(names: list[str], programs: Mapping[str, Path]) -> str:
    lines = []
    for name in names:
        lines.append(f"echo; echo {shlex.quote(MARK + name)}")
        program = shlex.quote(str(programs[name]))
        lines.append(f"timeout -k 1 {SECONDS} {program} --help </dev/null 2>&1 | head -c {MOST_BYTES}")
    return "\n".join(lines)


def _answers(text: str) -> dict[str, str]:
    """What stands after each mark."""
    parts = text.split("\n" + MARK)
    return {name: answer for name, _, answer in (part.partition("\n") for part in parts[1:])}
