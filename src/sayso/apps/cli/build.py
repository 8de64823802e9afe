"""`sayso build`: how a source tree is built, from its own documents and build files; tried in the sandbox on demand."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.parser import whole_number

if TYPE_CHECKING:
    from sayso.targets.build.handing import Answer

FORMS = ("sh", "dockerfile", "debian", "rpm", "cyclonedx", "github-actions")
MOST_SHOWN = 20
MOST_TRIES = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="a folder or an archive of sources (.)")
    parser.add_argument(
        "--check", action="store_true", help="what this machine lacks for it, and the line that installs it"
    )
    parser.add_argument("--format", choices=FORMS, metavar="FORM", help=f"print it as {', '.join(FORMS)}")
    parser.add_argument(
        "--try", dest="tried", action="store_true", help="build and install it in the sandbox; 1 where it fails"
    )
    parser.add_argument(
        "--tries", type=whole_number(1, MOST_TRIES), default=MOST_TRIES, metavar="N", help="with --try: how often (4)"
    )
    parser.add_argument(
        "--fetch", action="store_true", help="let steps and the sandbox reach the network; never without"
    )
    parser.add_argument("--quiet", action="store_true", help="with --try: without the log of the build")
    parser.epilog = (
        "Nothing is run without --try, and then only in the sandbox, below /usr/local there. Each step is followed by "
        "the line that it rests on. Hidden text in documents is left out and told; commands that reach outside the "
        "tree, use the network or ask for root are never planned. Examples: `sayso build`; `sayso build "
        "adder-1.0.tar.gz --check`; `sayso build . --try` as a test of your README; `sayso build . --format "
        "dockerfile > Dockerfile`."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.targets.build.handing import FORMATS, answer_for, as_json, missing_here

    cache = settings.workspace().cache
    hear = None if args.quiet or args.json or not args.tried else print_log
    answer = answer_for(Path(args.path), cache, args.tries if args.tried else 0, args.fetch, hear)
    for warning in answer.survey.warnings[:MOST_SHOWN]:
        if not args.json:
            output.note(warning)
    found = as_json(answer)
    missing = missing_here(answer) if args.check else None
    if missing is not None:
        found["missing"] = {"programs": missing.programs, "packages": missing.packages, "install": missing.install}
    failure = found["failed"]
    if args.format:
        found["format"], found["text"] = args.format, FORMATS[args.format](answer)
    if args.json:
        output.print_json(found)
    elif args.format:
        print(found["text"], end="")
    else:
        print("\n".join(lines_of(answer, found)))
    if not answer.plan.steps:
        print("sayso: nothing here says how it is built\n", file=sys.stderr)
        print("hint: give the folder or archive that holds its README or build files", file=sys.stderr)
        return 1
    if failure and not args.json:
        print(f"sayso: {output.visible(failure)}", file=sys.stderr)
        if hint := hint_for(found["tried"]["tries"][0]["failure"] or {}):
            print(f"\nhint: {output.visible(hint)}", file=sys.stderr)
    if missing is not None and missing.install and not args.tried:
        return 1
    return 1 if failure else 0


def hint_for(failure: Mapping[str, str]) -> str:
    """What to do where a program was not found: the sandbox shows the system's programs and nothing of one's home."""
    tool = failure.get("what", "") if failure.get("kind") == "missing tool" else ""
    if not tool:
        return ""
    place = shutil.which(tool) or ""
    if place.startswith(("/usr/", "/bin/", "/sbin/")):
        return ""  # it is there, and something else is amiss
    if place:
        return f"the sandbox does not show {place}: run the script yourself, or install {tool} for all users"
    return f"{tool} is not on this machine: `sayso build --check` says what to install"


def print_log(piece: str) -> None:
    print(output.visible(piece), end="", file=sys.stderr, flush=True)


def lines_of(answer: Answer, found: dict[str, Any]) -> list[str]:
    """The script, each step above the line that it rests on; then what it needs, as comments."""
    lines: list[str] = []
    for step in found["plan"]:
        lines.append(output.visible(step["command"]))
        evidence = step["evidence"]
        said = (
            f"{evidence['file']}:{evidence['line']}"
            if evidence and evidence["line"]
            else (evidence or {}).get("file", "")
        )
        text = evidence["text"] if evidence and evidence["line"] and evidence["text"] else ""
        parts = [said + (f": {text}" if text else ""), step["why"], step["outcome"]]
        lines.append(output.comment("#   " + "; ".join(one for one in parts if one)))
    lines += [output.comment(f"# not {one['what']}: {one['why']}") for one in found["alternatives"]]
    lines += [output.comment(f"# {note}") for note in found["notes"]]
    for label in ("build", "run"):
        needs = [one for one in found["depends"] if one["label"] == label]
        if needs:
            lines.append(f"# to {label}:")
        for one in needs[:MOST_SHOWN]:
            where = one["evidence"]
            line = f":{where['line']}" if where and where["line"] else ""
            at = f" ({where['file']}{line})" if where and where["file"] else ""
            lines.append(output.comment(f"#   {one['package'] or one['name']}: {one['kind']} {one['name']}{at}"))
    if "missing" in found:
        install = found["missing"]["install"]
        lines.append(f"# missing here: {install}" if install else "# nothing is missing here")
    if answer.tried:
        lines += tried_lines(found["tried"])
    return lines


def tried_lines(tried: dict[str, Any]) -> list[str]:
    """A line for each try. What fails after something was built was only to add what that lacks: nothing is broken."""
    lines = []
    lacked: list[str] = []
    for number, one in enumerate(tried["tries"], 1):
        failure, lacking = one["failure"], " and ".join(one["lacking"])
        if failure and lacked:
            said = f"no way found to add {' and '.join(lacked)}; left as built before"
        elif failure:
            said = f"failed ({failure['kind']}): {failure['line']}{', without ' + lacking if lacking else ''}"
        else:
            said = f"built{', without ' + lacking if lacking else ''}"
            lacked = one["lacking"]
        lines.append(output.comment(f"# try {number}: {said}, {one['cpu_seconds']:.1f} CPU-s"))
    lines += [output.comment(f"# installed: {path}") for path in tried["installed"][:MOST_SHOWN]]
    if len(tried["installed"]) > MOST_SHOWN:
        lines.append(f"# and {len(tried['installed']) - MOST_SHOWN} more files")
    return lines
