"""`sayso explain COMMAND`: what each word does, what is put at risk, what looks wrong."""

from __future__ import annotations

import argparse
from pathlib import Path

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.requests import read_request


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "command", nargs="*", metavar="COMMAND", help="the command, in single quotes; - reads it from standard input"
    )
    parser.add_argument("--target", default="bash", help="the language it is written in (bash)")
    parser.add_argument("--spec", metavar="FILE", help="a call of the API that this describes")


def run(args: argparse.Namespace) -> int:
    from sayso.targets import find_target

    target = find_target("api").made_from["spec"](Path(args.spec)) if args.spec else find_target(args.target)
    if "machine" in target.made_from:  # what was read of this machine's manual pages
        from sayso.apps.man_pages import refresh

        refresh()
        target = target.made_from["machine"](settings.workspace().cache)
    command = read_request(args.command, "command")
    target.normalise(command)  # raises BadInstruction, which points at the character
    notes = target.explain(command)
    risk = target.risk(command)
    findings = target.check(command)
    if target.name == "bash":
        from sayso.apps.cli.local_tools import as_here

        findings = as_here(command, findings)
    if args.json:
        output.print_json(
            {
                "target": target.name,
                "command": command,
                "words": [{"text": one.text, "gloss": one.gloss, "start": one.start, "end": one.end} for one in notes],
                "risk": risk.level,
                "risky": list(risk.words),
                "findings": [{"message": one.message, "start": one.start, "end": one.end} for one in findings],
            }
        )
        return 0
    coloured = output.colours(settings.load().colour)
    width = min(max((len(one.text) for one in notes), default=0), 30)
    for one in notes:
        word = output.visible(one.text.replace("\n", " "))
        print(f"{output.paint(f'{word:<{width}}', output.BOLD, coloured)}  {output.visible(one.gloss)}")
    words = f" ({', '.join(risk.words)})" if risk.words else ""
    print(f"risk: {output.paint(output.visible(risk.level + words), output.RISK_COLOUR[risk.level], coloured)}")
    for finding in findings:
        place = f" (at character {finding.start})" if finding.start >= 0 else ""
        print(f"check: {output.visible(finding.message)}{place}")
    return 0
