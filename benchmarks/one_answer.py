"""What one warm answer costs inside the house: changes of room, parses, CPU, and modules of targets nobody asked for.

`python -m benchmarks.one_answer` prints a row for each request and fails where a limit is passed. A change of room is a
call or a return between {answer, cookbook, neural} and `targets/bash`; a candidate is a text that was parsed to be
looked at. docs/architecture.md keeps the last figures.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import sayso
from benchmarks import Row
from sayso.answer.answer import answer
from sayso.core.types import Request, System, Workspace
from sayso.english.acts import acts
from sayso.targets.bash.language import Parsed
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.tasks import BASH, COMMAND

# The first two are answered by recipes alone, the others by recipes and the trunk; the fourth and fifth in parts.
REQUESTS = (
    "list the five largest files under this folder",
    "count the lines in all python files",
    "delete all the .tmp files older than 10 days in /var/tmp",
    "find every file modified yesterday and copy it to /backup",
    "replace foo with bar in all .conf files and show what changed",
    "show the names of users whose shell is bash sorted",
)
MOST_CHANGES, MOST_PARSES, MOST_STRANGERS = 40, 2.0, 0
ROOMS = {"answer": "line", "cookbook": "line", "neural": "line", "targets/bash": "bash"}
SOURCE = Path(sayso.__file__).parent
TURNS = 3
STRANGERS = """
import sys, tempfile
from pathlib import Path
from sayso.apps.answering import Answerer
from sayso.core.types import Workspace
empty = Path(tempfile.mkdtemp())
Answerer(Workspace(empty, empty)).reply({"do": "answer", "target": "bash", "text": "list files", "k": 3})
print(sum(name.startswith("sayso.targets.") and name.split(".")[2] != "bash" for name in sys.modules))
"""


@dataclass(frozen=True)
class Counted:
    """What happened while one request was answered."""

    changes: int
    parses: int
    candidates: int

    def changes_each(self, text: str) -> float:
        """Changes each time that something is asked: a request of several acts is asked whole, and act by act."""
        parts = acts(text)
        return self.changes / (1 + len(parts) if len(parts) > 1 else 1)

    @property
    def parses_each(self) -> float:
        return self.parses / max(1, self.candidates)


def counted(ask: Callable[[], object]) -> Counted:
    """Count while something is answered; frames of other rooms belong to the room that called them."""
    rooms: dict[CodeType, str] = {}
    inside = ["line"]
    changes = parses = 0
    texts: set[str] = set()

    def room(code: CodeType) -> str:
        if code not in rooms:
            path = Path(code.co_filename)
            part = path.relative_to(SOURCE).as_posix() if path.is_relative_to(SOURCE) else ""
            rooms[code] = next((name for start, name in ROOMS.items() if part.startswith(f"{start}/")), "")
        return rooms[code]

    def watch(frame: FrameType, event: str, _: Any) -> None:
        nonlocal changes, parses
        if event == "call":
            code = frame.f_code
            inside.append(room(code) or inside[-1])
            changes += inside[-1] != inside[-2]
            parses += code is parse.__code__
            if code is Parsed.__init__.__code__:
                texts.add(frame.f_locals["text"])
        elif event == "return" and len(inside) > 1:
            before = inside.pop()
            changes += before != inside[-1]

    sys.setprofile(watch)
    try:
        ask()
    finally:
        sys.setprofile(None)
    return Counted(changes, parses, len(texts))


def default_system() -> System:
    empty = Path(tempfile.mkdtemp(prefix="sayso-one-answer-"))
    return COMMAND.systems["default"](Workspace(empty, empty))


def measured(system: System, requests: Sequence[str]) -> list[tuple[str, Counted, float]]:
    """Each request with its counts and the median CPU seconds of its answers, all of them warm."""
    times: dict[str, list[float]] = {text: [] for text in requests}
    for _ in range(TURNS + 1):  # in turn, so that no answer is remembered from the one before
        for text in requests:
            start = time.process_time()
            answer(BASH, system, Request(text), 3)
            times[text].append(time.process_time() - start)
    return [
        (text, counted(lambda text=text: answer(BASH, system, Request(text), 3)), sorted(times[text][1:])[TURNS // 2])  # type: ignore[misc]
        for text in requests
    ]


def strangers() -> int:
    """Modules of other targets that a Bash question loads."""
    done = subprocess.run([sys.executable, "-c", STRANGERS], capture_output=True, text=True, check=True)
    return int(done.stdout)


def rows(found: Sequence[tuple[str, Counted, float]]) -> list[Row]:
    n = len(found)
    return [
        Row(
            "changes of room an asking, most",
            max(one.changes_each(text) for text, one, _ in found),
            "",
            n,
            limit=MOST_CHANGES,
        ),
        Row("parses a candidate, most", max(one.parses_each for _, one, _ in found), "", n, limit=MOST_PARSES),
        Row("CPU of a warm answer, longest", max(cpu for *_, cpu in found), "s", n),
        Row("modules of other targets in a Bash answer", strangers(), "modules", 1, limit=MOST_STRANGERS),
    ]


def run() -> list[Row]:
    return rows(measured(default_system(), REQUESTS))


def main() -> int:
    found = measured(default_system(), REQUESTS)
    print("| request | changes of room | parses | a candidate | CPU |\n| --- | --- | --- | --- | --- |")
    for text, one, cpu in found:
        print(f"| {text} | {one.changes} | {one.parses} | {one.parses_each:.1f} | {cpu * 1000:.0f} ms |")
    summary = rows(found)
    for row in summary:
        limit = "" if row.limit is None else f" (at most {row.limit:g}{'' if row.kept else ': MISSED'})"
        print(f"{row.name}: {row.value:.4g} {row.unit}{limit}")
    return 0 if all(row.kept for row in summary) else 1


if __name__ == "__main__":
    sys.exit(main())
