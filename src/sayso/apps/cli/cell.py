"""`sayso cell NOTEBOOK [REQUEST]`: the next cell of a notebook or a percent script, printed or put into the file."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.parser import whole_number
from sayso.apps.requests import read_request
from sayso.core.errors import BadFile, MachineError, UserError
from sayso.core.files import write_atomically
from sayso.core.given import read_plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sayso.core.types import Request

FAILED, DESTROYS = "it failed in the sandbox", "destroys"
LARGEST = 64 << 20
"""Bytes of a notebook; more than that is output."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "notebook",
        metavar="FILE",
        type=Path,
        help="a notebook (.ipynb) or a script with # %% marks (.py)".replace("%", "%%"),
    )
    parser.add_argument(
        "request",
        nargs="*",
        metavar="REQUEST",
        help="what the cell should do; - reads it from standard input; without it the text cell directly above says it",
    )
    parser.add_argument(
        "--at", type=whole_number(0), metavar="N", help="how many cells stand above the new one (all of them)"
    )
    parser.add_argument(
        "-k", type=whole_number(1, settings.MOST_CANDIDATES), metavar="N", help="candidates (3, or k in config.toml)"
    )
    parser.add_argument(
        "--pick", type=whole_number(1), metavar="N", help="with --insert or --check: the N-th candidate alone"
    )
    parser.add_argument("--imports", action="store_true", help="begin the cell with the imports that it lacks")
    parser.add_argument(
        "--insert", action="store_true", help="write it into the file as a new cell; every other byte stays"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="run it below the cells above it, in a kernel in the sandbox; those that fail there come last",
    )
    parser.add_argument(
        "--no-daemon", action="store_true", help="answer in this process; neither ask nor start the daemon"
    )
    parser.epilog = (
        "Below each cell stand, as comments, its risk (reads, writes, destroys, unknown), the imports that it lacks "
        "and names that nothing above gives. Nothing is run unless --check says so, and then only in the sandbox, with "
        "the files beside the notebook that the cells name: one candidate after the other until one runs, which comes "
        "first; with --insert it is the one that is written, and none is where all fail. "
        'Examples: `sayso cell prices.ipynb "plot the price by day"`; `sayso cell prices.ipynb --at 4 --insert`; '
        '`sayso cell report.py --check --imports "mean price of each month"`. In a notebook itself: '
        "`%load_ext sayso`, then `%sayso plot the price by day` (docs/guide/notebook.md)."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.targets.notebook.hand import read_document

    start = time.perf_counter()
    content = read_given(args.notebook)
    document = read_document(content, args.notebook.name)
    at = document.place(args.at)
    words = read_request(args.request) if args.request else ""
    request = document.request(at, words, args.notebook.resolve().parent)
    chosen = settings.load()
    k = max(chosen.k if args.k is None else args.k, args.pick or 1)
    answer = answered(request, k, not args.no_daemon and chosen.idle_minutes > 0)
    answer = {**answer, "at": at}
    code = 0
    if args.insert or args.check:
        code = done(args, answer, request, document, content)
    if args.json:
        output.print_json({**answer, "seconds": round(time.perf_counter() - start, 4)})
    else:
        print("\n".join(lines_of(answer, output.colours(chosen.colour), args.imports)))
        tell(args, answer)
    return code


def read_given(path: Path) -> bytes:
    try:
        return read_plain(path, LARGEST)
    except FileNotFoundError as error:
        raise UserError(f"there is no {path}", "give a notebook (.ipynb) or a script (.py)") from error
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}", "give a readable file") from error


def answered(request: Request, k: int, with_daemon: bool) -> dict[str, Any]:
    from sayso.apps.cells import Cells, through_daemon

    found = through_daemon(request, k, output.note) if with_daemon else None
    return found or Cells(settings.workspace()).answer(request, k)


def done(args: argparse.Namespace, answer: dict[str, Any], request: Request, document: Any, content: bytes) -> int:
    """What --check and --insert ask for; the exit code. A cell that fails in the sandbox is not written."""
    from sayso.apps.cli.unseen import refuse_unseen

    answer["inserted"] = False
    found = [] if answer["abstained"] else answer["candidates"]
    if not found:
        return 0
    if args.pick and args.pick > len(found):
        raise UserError(f"there are {len(found)} candidates: none is number {args.pick}", "leave --pick out")
    one = found[(args.pick or 1) - 1]
    if args.check:
        one, answer["check"] = first_that_runs([one] if args.pick else found, request, args)
        if answer["check"]["status"] == "failed":
            return 1
        if not args.pick:
            answer["candidates"] = sorted(found, key=lambda other: place(other, one))
            answer["missing_imports"] = one["missing_imports"]
    text = inserted_text(one, args)
    refuse_unseen(text)
    if args.insert:
        write(args.notebook, content, document.splice(answer["at"], text).content())
        answer["inserted"] = True
    return 0


def inserted_text(one: dict[str, Any], args: argparse.Namespace) -> str:
    from sayso.apps.cells import with_imports

    return with_imports(one) if args.imports else str(one["text"])


def first_that_runs(
    found: Sequence[dict[str, Any]], request: Request, args: argparse.Namespace
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Runs one after the other until one does not fail, and notes of those that did why; where all fail the first."""
    from sayso.apps.cli.unseen import refuse_unseen

    tried = []
    for one in found:
        if one["risk"] == DESTROYS and one is not found[0]:
            continue  # that it runs is no reason to put it first
        text = inserted_text(one, args)
        refuse_unseen(text)
        tried.append(checked(text, request, args.notebook))
        if tried[-1]["status"] != "failed":
            return one, tried[-1]
        one["why"] = [*one["why"], FAILED, *tried[-1]["said"][-1:]]
    return found[0], tried[0]


def place(one: Mapping[str, Any], first: Mapping[str, Any]) -> int:
    """The one that ran, those that were not tried, those that failed."""
    return 0 if one is first else 2 if FAILED in one["why"] else 1


def write(path: Path, before: bytes, after: bytes) -> None:
    """The file, or its target where it is a link, in one step; what somebody else wrote meanwhile is not lost."""
    real = path.resolve()
    if read_given(real) != before:
        raise MachineError(f"{path} was changed by another program meanwhile", "run the same command again")
    with write_atomically(real, real.stat().st_mode & 0o7777) as file:
        file.write(after)


def checked(text: str, request: Request, path: Path) -> dict[str, Any]:
    """What happened in the sandbox; where no kernel starts there that is said, and is no verdict."""
    from sayso.apps.cells import TARGET, named_files
    from sayso.core.errors import MissingPart, SandboxFailed
    from sayso.sandbox import open_sandbox
    from sayso.targets import find_target

    try:
        sandbox = open_sandbox(settings.workspace().cache)
        outcome = find_target(TARGET).run(text, named_files(request, text, path.resolve().parent), sandbox)
    except (SandboxFailed, MissingPart) as error:
        return {"status": "not run", "said": [f"{error.message} ({error.hint})"], "text": ""}
    said = outcome.stderr.decode("utf-8", "replace").splitlines()
    shown = outcome.stdout.decode("utf-8", "replace")
    return {"status": "failed" if outcome.exit_code else "ran", "said": said, "text": shown}


def lines_of(answer: Mapping[str, Any], coloured: bool, imports: bool) -> list[str]:
    """Each cell as it stands, then comments; a blank line between two."""
    from sayso.apps.cells import with_imports

    if answer["abstained"] or not answer["candidates"]:
        why = f": {output.comment(str(answer['reason']))}" if answer.get("reason") else ""
        return [f"# I don't know{why}."]
    lines: list[str] = []
    for one in answer["candidates"]:
        text = with_imports(one) if imports else one["text"]
        why = f": {'; '.join(one['why'])}" if one["why"] else ""
        risk = output.paint(
            output.comment(output.risk_of(one)), output.RISK_COLOUR.get(one["risk"], output.YELLOW), coloured
        )
        lines += ["", output.paint(output.visible(text), output.BOLD, coloured)]
        lines.append(
            f"{output.paint('#', output.DIM, coloured)} {risk}{output.paint(output.comment(why), output.DIM, coloured)}"
        )
        said = [f"lacks: {line}" for line in one["missing_imports"] if not imports]
        if one["unknown_names"]:
            said.append(f"nothing above gives {', '.join(one['unknown_names'])}")
        lines += [output.paint(f"# {output.comment(line)}", output.DIM, coloured) for line in said]
    if "check" in answer:
        lines += [f"# {line}" for line in check_lines(answer["check"])]
    return lines[1:]


def check_lines(check: Mapping[str, Any]) -> list[str]:
    """In the sandbox it ran, and what it showed."""
    words = {"ran": "it ran in the sandbox", "failed": FAILED, "not run": "it was not tried"}
    shown = check["text"].strip().splitlines()[:8]
    return [output.comment(line) for line in (words[check["status"]], *check["said"], *(f"> {line}" for line in shown))]


def tell(args: argparse.Namespace, answer: Mapping[str, Any]) -> None:
    if answer["note"]:
        output.note(answer["note"])
    if not args.insert:
        return
    if answer["inserted"]:
        ran = "" if args.check else "; nothing was run"
        output.note(f"put into {args.notebook} as cell {answer['at'] + 1}{ran}")
    else:
        output.note(f"{args.notebook} is as it was")
