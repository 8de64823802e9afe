"""`sayso fix`: what was meant by a command that failed. It proposes; nothing is run, not even to see an error again."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from sayso.apps import settings
from sayso.apps.cli import output, proposals
from sayso.apps.cli.choose import Choice
from sayso.apps.cli.parser import whole_number
from sayso.apps.requests import clean
from sayso.core.errors import UserError

SHELLS = ("bash", "zsh", "fish")
MOST_STDERR = 20_000
"""Characters; the end says most."""
MOST_NAMES = 5_000
MOST_TEXT = 200_000
# Colours and the like, and what a carriage return wrote over: a program that sees a terminal writes them.
CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-_]|[^\n]*\r(?!\n)|[\x00-\x08\x0b-\x1f\x7f]")
MISSING = re.compile(
    r"(?:Cannot find module|can't open file|cannot find or open|No such file or directory:|cannot open) "
    r"['‘\"]?(?P<named>[^\s'’\",]+)|['‘]?(?P<name>[^\s:'‘’]+)['’]?: No such file or directory"
)
WANTED = (
    (re.compile(r"no makefile found|No rule to make target"), ("Makefile", "makefile", "GNUmakefile")),
    (re.compile(r"ENOENT.*package\.json|Could not read package\.json"), ("package.json",)),
    (re.compile(r"no configuration file provided"), ("compose.yaml", "docker-compose.yml", "compose.yml")),
    (re.compile(r"does not appear to contain CMakeLists"), ("CMakeLists.txt",)),
)
"""What a tool says where the file that it begins with is not in this folder."""
READABLE = ("Makefile", "package.json", "/etc/passwd", "/etc/group", ".git/packed-refs", ".git/config")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="COMMAND", help="the command, in single quotes, after --")
    parser.add_argument("--command", metavar="COMMAND", help="the same as an option")
    parser.add_argument("--exit", type=whole_number(0, 255), metavar="N", help="its exit code")
    parser.add_argument("--stderr", metavar="FILE", help="what it wrote to standard error; - reads standard input")
    parser.add_argument(
        "-k", type=whole_number(1, settings.MOST_CANDIDATES), default=3, metavar="N", help="how many candidates (3)"
    )
    parser.add_argument("--no-menu", action="store_true", help="in a terminal: print the candidates and stop")
    parser.add_argument("--fill", action="store_true", help="print the first candidate alone, for the hook and scripts")
    parser.add_argument(
        "--hook", choices=SHELLS, metavar="SHELL", help="print lines for the start-up file of bash, zsh or fish"
    )
    parser.add_argument(
        "--keep-stderr",
        action="store_true",
        help="with --hook bash or zsh: standard error of the last command that failed is kept for `fix`",
    )
    parser.add_argument(
        "--relay",
        type=whole_number(1),
        metavar="PID",
        help="for the hook: keep what commands of this shell say, and print where",
    )
    parser.epilog = (
        "Looks at the text, the exit code, what was said, the names in the folders named and the programs on PATH. "
        "Each candidate is followed by its risk and the reason. Examples: `sayso fix -- 'gti status'`; "
        "`make tset 2> err; sayso fix --exit $? --stderr err -- 'make tset'`; `sayso fix --hook bash >> ~/.bashrc`, "
        "then `fix` after any command that failed."
    )


def run(args: argparse.Namespace) -> int:
    if args.relay is not None:
        from sayso.apps import stderr_relay

        print(stderr_relay.start(args.relay, Path(settings.runtime_folder()) / "stderr"))
        return 0
    if args.keep_stderr and not args.hook:
        raise UserError("--keep-stderr is for --hook", "`sayso fix --hook bash --keep-stderr`")
    if args.hook:
        from sayso.apps.cli.fix_hooks import KEEPING, hook
        from sayso.apps.cli.hotkey import program

        if args.keep_stderr and args.hook not in KEEPING:
            raise UserError(f"{args.hook} cannot keep standard error", "bash and zsh can; leave out --keep-stderr")
        text = hook(args.hook, program(), args.keep_stderr)
        output.print_json({"shell": args.hook, "hook": text}) if args.json else print(text, end="")
        return 0
    start = time.perf_counter()
    command, code = failed_command(args)
    answer = repaired(command, code, read_stderr(args.stderr) if args.stderr else kept_stderr(args), args.k)
    if args.fill:
        first = answer["candidates"][0]["text"] if answer["candidates"] else ""
        print(first if output.visible(first) == first else "")  # nobody could see what stands on the line
        return 0
    return proposals.show(answer, args.json, None if args.no_menu else forget, start)


def forget(choice: Choice) -> None:
    """A repair answers no request in English, so that history has nothing to keep."""


def failed_command(args: argparse.Namespace) -> tuple[str, int | None]:
    """From the arguments, else as the hook of the shell left it."""
    if args.command and args.words:
        raise UserError("the command is given twice", "give it after --, or with --command")
    given = args.command or " ".join(args.words)
    if given:
        return clean(given, "command"), args.exit
    line = settings.personal("SAYSO_LAST_COMMAND")
    if not line:
        raise UserError(
            "no command to repair", "`sayso fix -- 'gti status'`, or install the hook: `sayso fix --hook bash`"
        )
    code = settings.personal("SAYSO_LAST_EXIT")
    return clean(line, "command"), int(code) if args.exit is None and code.isdecimal() else args.exit


def kept_stderr(args: argparse.Namespace) -> str:
    """What the hook kept of the command that it names; "" where it keeps none, or where another was asked about."""
    name = settings.personal("SAYSO_LAST_STDERR")
    if not name or args.command or args.words or not Path(name).is_file():
        return ""
    return CONTROL.sub("", read_stderr(name))


def read_stderr(name: str) -> str:
    hint = "give a file, or - for standard input"
    if name == "-" and sys.stdin is None:
        raise UserError("standard input is closed", hint)
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            raw = ending(file)
    except OSError as error:
        raise UserError(f"{name} cannot be read: {error.strerror}", hint) from error
    return raw.decode("utf-8", "replace")[-MOST_STDERR:]


def ending(file: BinaryIO) -> bytes:
    """The last bytes, of which there may be any number before."""
    kept = b""
    while block := file.read(1 << 20):
        kept = (kept + block)[-4 * MOST_STDERR :]
    return kept


def repaired(command: str, code: int | None, stderr: str, k: int) -> dict[str, Any]:
    from sayso.targets.bash.knowledge import MachineIndex
    from sayso.targets.bash.repair import Failure, Surroundings, repair

    here = Surroundings(programs(), names, text, MachineIndex(settings.workspace().cache).lookup)
    found = repair(Failure(command, code, stderr), here, k)
    reason = "" if found else unknown(stderr)
    return proposals.shape("bash", command, found, exit=code, reason=reason)


def unknown(stderr: str) -> str:
    """Why there is no repair, as far as what the tool said tells it."""
    for said, wanted in WANTED:
        if said.search(stderr) and not any(map(os.path.lexists, wanted)):
            return f"There is no {wanted[0]} in this folder."
    missing = MISSING.search(stderr)
    name = (missing["name"] or missing["named"]).rstrip(".") if missing else ""
    if name and not os.path.lexists(name):
        return f"There is no {output.visible(name)} here, and I found no name like it."
    return "I don't know what was meant."


def programs() -> frozenset[str]:
    """The names of what can be run: all that lies in the folders of PATH."""
    found: set[str] = set()
    for folder in settings.listed_folders("PATH"):
        found.update(name.rstrip("/") for name in names(folder))
    return frozenset(found)


def placed(path: str) -> Path:
    """Where it lies: what git keeps is found from any folder of the repository."""
    if path.startswith(".git/"):
        here = Path.cwd()
        top = next((one for one in (here, *here.parents) if (one / ".git").is_dir()), here)
        return top / path
    return Path(path).expanduser()


def names(folder: str) -> Sequence[str]:
    """The names in a folder, those of folders with a / behind; none where it cannot be read."""
    found = []
    try:
        with os.scandir(placed(folder)) as entries:
            for entry in entries:
                found.append(entry.name + ("/" if entry.is_dir() else ""))
                if len(found) >= MOST_NAMES:
                    break
    except (OSError, ValueError, RuntimeError):
        return []
    return sorted(found)


def text(path: str) -> str:
    """A file that lists names, such as a Makefile; "" for any other."""
    if path not in READABLE:
        return ""
    try:
        with placed(path).open(encoding="utf-8", errors="replace") as file:
            return file.read(MOST_TEXT)
    except OSError:
        return ""
