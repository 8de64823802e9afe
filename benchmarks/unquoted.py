"""How many NL2Bash matches are lost to quotes around a variable alone, which safety wants and references seldom have.

`python -m benchmarks.unquoted PREDICTIONS DATA [--split dev]` prints the first and the first three that match a
reference, as scored and with `"$x"` read as `$x` on both sides.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from sayso.core.errors import BadInstruction
from sayso.core.types import Workspace
from sayso.runs.predictions import read_predictions
from sayso.targets.bash.language import normalise
from sayso.targets.bash.tasks import COMMAND

VARIABLE = re.compile(r'"([\w./:-]*\$\{?\w+\}?[\w./:-]*)"')


def form(text: str, unquoted: bool) -> str:
    text = VARIABLE.sub(r"\1", text) if unquoted else text
    try:
        return normalise(text)
    except BadInstruction:
        return text


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unquoted", description=__doc__)
    parser.add_argument("predictions", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    args = parser.parse_args(argv)
    said = {one.id: [candidate.text for candidate in one.candidates[:3]] for one in read_predictions(args.predictions)}
    examples = [one for one in COMMAND.load(Workspace(args.data, args.data), args.split) if one.id in said]
    for unquoted in (False, True):
        hits = [
            [form(text, unquoted) in {form(one, unquoted) for one in example.references} for text in said[example.id]]
            for example in examples
        ]
        row = {"n": len(hits), "first": sum(any(hit[:1]) for hit in hits), "of three": sum(map(any, hits))}
        print(json.dumps({"quotes around a variable": "ignored" if unquoted else "as scored", **row}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
