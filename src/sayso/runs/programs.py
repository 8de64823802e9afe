"""Somebody's program as a system: run in the sandbox, once a request, and believed in nothing.

The request comes on standard input as the line that `translate` reads. The program stands in the folder that the
request is about (a source tree, read-only) where there is one, else in an empty folder that it may write to. What it
prints is the answer: a JSON object `{"candidates": [{"text", "score"}]}`, or else all of it as one candidate.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sayso.core.errors import BadFile, UserError
from sayso.core.given import parse_json
from sayso.core.types import Candidate, FileSpec, Limits, Outcome, Request, System, Task, Workspace
from sayso.runs.predictions import parse_prediction
from sayso.runs.requests import request_line
from sayso.runs.store import checked
from sayso.sandbox import open_sandbox

PREFIX = "cmd:"
PROGRAM, SOURCE = "/system", "/source"
"""Where the program's folder and the folder of a request are shown."""
LIMITS = Limits(
    cpu_seconds=120.0, wall_seconds=600.0, memory_mb=4096, output_bytes=10_000_000, disk_mb=1024, processes=256
)
SYSTEM_PATH = "/usr/bin:/bin"
MOST_FILES, MOST_BYTES = 2_000, 64 << 20
"""Of a program's folder: all of it decides what the program says, so all of it is in the digest."""


@dataclass(frozen=True)
class Program:
    """`command` is what the sandbox's shell runs; `folder` is shown to it, None for a program of the system."""

    name: str
    command: str
    folder: Path | None
    digest: str


@dataclass
class ProgramTranslator:
    """Satisfies `Translator`. A request on which the program fails has no candidates, and a note says why."""

    program: Program
    task: Task
    workspace: Workspace
    notes: list[str] = field(default_factory=list)

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self.answer(request)[:k] for request in requests]

    def answer(self, request: Request) -> list[Candidate]:
        about = self.task.folder(self.workspace, request)
        shown = {PROGRAM: self.program.folder, SOURCE: about}
        sandbox = open_sandbox(self.workspace.cache, readable={inside: at for inside, at in shown.items() if at})
        place = f"cd {SOURCE}; " if about else ""
        script = f'input="$PWD/request.json"; {place}{self.program.command} <"$input"'
        files = [FileSpec("request.json", request_line("request", request) + b"\n")]
        outcome = sandbox.run(script, files, LIMITS)
        problem = what_failed(outcome)
        try:
            return [] if problem else read_answer(outcome.stdout, "its answer")
        except BadFile as error:
            problem = error.message
            return []
        finally:
            if problem:
                self.notes.append(f"{self.program.name}: {short(request.text)}: {problem}")


def find_program(given: str) -> Program:
    """ "cmd:./mine/run.py --fast" -> what is run, and the digest of everything that it may read."""
    try:
        words = shlex.split(given.removeprefix(PREFIX))
    except ValueError as error:
        raise UserError(f"{given} cannot be read as a command: {error}", "quote it as for a shell") from error
    if not words:
        raise UserError(f"{given} names no program", "give one: --system cmd:./my-system")
    first, arguments = words[0], shlex.join(words[1:])
    if "/" not in first:
        found = shutil.which(first, path=SYSTEM_PATH)
        if found is None:
            raise UserError(
                f"there is no program {first} in {SYSTEM_PATH}", f"give its path, for example {PREFIX}./{first}"
            )
        folder, command, digest = None, first, hashlib.sha256(Path(found).read_bytes()).hexdigest()
    else:
        path = Path(first).expanduser().absolute()
        if not path.is_file():
            raise UserError(f"there is no program {first}", "give the path of a program")
        if not os.access(path, os.X_OK):
            raise UserError(f"{first} cannot be executed", f"chmod +x {first}")
        folder, command = path.parent, shlex.quote(f"{PROGRAM}/{path.name}")
        digest = folder_digest(folder)
    name = checked(f"cmd-{Path(first).name.partition('.')[0]}")
    whole = hashlib.sha256(f"{digest}\0{arguments}".encode()).hexdigest()
    return Program(name, f"{command} {arguments}".rstrip(), folder, whole)


def open_program(program: Program, task: Task, workspace: Workspace) -> System:
    if workspace.sandbox is None:
        raise UserError(
            "a program of somebody else's runs in the sandbox only", "leave out --no-sandbox, or see doctor"
        )
    return System(ProgramTranslator(program, task, workspace), bundle=program.digest)


def folder_digest(folder: Path) -> str:
    """Of names, contents, where links lead, and what can be executed; a socket or device in it is refused."""
    digest, size = hashlib.sha256(), 0
    paths = sorted(path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    if len(paths) > MOST_FILES:
        raise UserError(
            f"{folder} holds {len(paths)} files, and all of them would be shown to the program",
            f"put the program into a folder of its own, of at most {MOST_FILES} files",
        )
    for path in paths:
        name = str(path.relative_to(folder)).encode(errors="surrogateescape")
        if path.is_symlink():
            digest.update(b"link\0" + name + b"\0" + os.fsencode(path.readlink()) + b"\0")
            continue
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UserError(
                f"{path} is no plain file, and all of its folder would be shown to the program",
                "put the program into a folder of its own",
            )
        size += found.st_size
        if size > MOST_BYTES:
            raise UserError(
                f"{folder} holds more than {MOST_BYTES >> 20} MiB, and all of it would be shown to the program",
                "put the program into a folder of its own",
            )
        digest.update(name + (b"\0x\0" if found.st_mode & 0o111 else b"\0-\0"))
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def what_failed(outcome: Outcome) -> str:
    """ "" where the program ended well; else why it did not, in one line."""
    if outcome.stopped:
        return f"stopped: its limit of {outcome.stopped} was reached"
    if outcome.exit_code:
        words = outcome.stderr.decode(errors="replace").strip().splitlines()
        return f"exit code {outcome.exit_code}" + (f": {short(words[-1])}" if words else "")
    return ""


def read_answer(printed: bytes, place: str) -> list[Candidate]:
    """Candidates by score where it is JSON of that shape; the whole text as one otherwise; nothing is nothing."""
    text = printed.decode(errors="replace").strip("\n")
    if not text.strip():
        return []
    try:
        row = parse_json(text.encode()) if text.lstrip().startswith("{") else None
    except ValueError:
        row = None  # a script may begin with a brace
    if isinstance(row, dict) and "candidates" in row:
        found = parse_prediction({**row, "id": "request"}, place).candidates
        return sorted(found, key=lambda candidate: -candidate.score)
    return [Candidate(text, 1.0)]


def short(text: str, most: int = 80) -> str:
    """One line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
