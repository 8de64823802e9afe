"""What the system of notebook cells says where a trunk's answers come from elsewhere: a file of predictions to score.

    python -m sayso.experiments.notebook_replayed ANSWERS BUNDLE TASK SPLIT OUT --data DIR --cache DIR

The answers are those that training/trunk_streams sent home: drawn on a GPU under the rounding that ships. All else is
the system itself, so that `sayso score` tells what it is worth long before one CPU could have asked it everything.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sayso.core.files import write_atomically
from sayso.core.types import Request, Workspace
from sayso.english.prompt import Tokens, load_trunk_tokens
from sayso.experiments.notebook_weighing import options_of
from sayso.neural.bundle import load_bundle
from sayso.neural.translator import TOKENIZER
from sayso.targets import TASKS
from sayso.targets.notebook.systems.cells import Calls, Cells, weighing_of
from sayso.targets.notebook.systems.columns import Option

SETS = {
    "notebook/code": "{split}", "notebook/apis": "{split}", "notebook/assignments": "assignments",
    "notebook/everyday": "everyday",
}  # fmt: skip


@dataclass(frozen=True)
class Replayed:
    """A model that was asked already."""

    answers: Mapping[Request, Sequence[Any]]
    tokens: Tokens

    def options(self, request: Request) -> tuple[list[Option], bool]:
        return options_of(self.answers[request], self.tokens), False


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.notebook_replayed", description=__doc__)
    for name in ("answers", "bundle"):
        parser.add_argument(name, type=Path)
    parser.add_argument("task", choices=SETS)
    parser.add_argument("split", choices=("dev", "test"))
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("-k", type=int, default=5)
    args = parser.parse_args(argv)
    bundle = load_bundle(args.bundle)
    said = json.loads(lzma.decompress(args.answers.read_bytes()))
    examples = list(TASKS[args.task].load(Workspace(args.data, args.cache), args.split))
    prefix = SETS[args.task].format(split=args.split)
    tokens = load_trunk_tokens(args.bundle / TOKENIZER)
    model = Replayed({one.request: said[f"{prefix} {one.id}"] for one in examples}, tokens)
    cells = Cells(model, weighing_of(bundle.settings))
    translator = Calls(cells) if args.task == "notebook/apis" else cells
    found = translator.translate([one.request for one in examples], args.k)
    with write_atomically(args.out) as file:
        for one, each in zip(examples, found, strict=True):
            candidates = [{"text": candidate.text, "score": candidate.score} for candidate in each]
            file.write(json.dumps({"id": one.id, "candidates": candidates, "abstained": False}).encode() + b"\n")
    sys.stdout.write(json.dumps({"n": len(examples), "bundle": bundle.signature}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
