"""Learn the grammar of an api task from its train part, or rename every word of SCAN to see that none is known before.

python -m sayso.experiments.induced learn api/scan-mcd1 --data DATA --seed 0 --out FOLDER
python -m sayso.experiments.induced rename --data DATA --seed 0 --out OTHER_DATA
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import random
import string
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from sayso.core.errors import SaysoError
from sayso.core.files import write_atomically
from sayso.core.packed import read_packed_lines
from sayso.core.types import Candidate, Example, Task, Workspace
from sayso.induction import Grammar, save_grammar
from sayso.targets import find_task
from sayso.targets.api.corpus.okapi import SCAN_SPLITS
from sayso.targets.api.systems.induced import Induced, learn_task

LETTERS = 6
Counts = dict[str, int]


def learn(args: argparse.Namespace) -> None:
    """Write the bundle, and print what was learned with what it says of dev, which is no part of train."""
    task, workspace = find_task(args.task), Workspace(args.data, args.out)
    begun = time.process_time()
    grammar = learn_task(task, workspace, args.seed)
    seconds = time.process_time() - begun
    name = task.name.replace("/", "-")
    save_grammar(args.out, grammar, name=name if args.seed == 0 else f"{name}-seed{args.seed}", target=task.target.name)
    dev = list(task.load(workspace, "dev"))
    begun = time.process_time()
    answers = Induced(grammar).translate([one.request for one in dev])
    each = (time.process_time() - begun) / max(1, len(dev))
    open_gate = Induced(Grammar(grammar.spelt, grammar.weights, 0.0, grammar.longest))
    said = {
        "task": task.name,
        "seed": args.seed,
        "rules": len(grammar.rules),
        "sure": None if math.isinf(grammar.sure) else grammar.sure,
        "learned_s": round(seconds, 1),
        "request_ms": round(1000 * each, 2),
        "dev": counts(task, workspace, dev, answers),
        "dev_without_gate": counts(task, workspace, dev, open_gate.translate([one.request for one in dev])),
    }
    sys.stdout.write(json.dumps(said) + "\n")


def counts(task: Task, workspace: Workspace, examples: Sequence[Example], answers: Sequence[list[Candidate]]) -> Counts:
    metric = task.metrics(workspace)[0]
    right = [metric.measure(one, found) for one, found in zip(examples, answers, strict=True)]
    return {"n": len(examples), "answered": sum(map(bool, answers)), "right": sum(one == 1 for one in right)}


def rename(args: argparse.Namespace) -> None:
    """Copy SCAN's files with each word, of commands and of actions, replaced by letters drawn at random."""
    draw = random.Random(args.seed)
    names: dict[str, str] = {"IN:": "IN:", "OUT:": "OUT:"}
    for split in SCAN_SPLITS:
        for part in ("train", "test"):
            file = f"tasks_{part}_{split}.txt.xz"
            lines = read_packed_lines(args.data / "scan" / file, "scan", "get it with `sayso data get scan`")
            for word in (word for line in lines for word in line.split()):
                if word not in names:
                    names[word] = fresh_word(draw, set(names.values()))
            text = "".join(" ".join(names[word] for word in line.split()) + "\n" for line in lines)
            with write_atomically(args.out / "scan" / file) as out:
                out.write(lzma.compress(text.encode()))


def fresh_word(draw: random.Random, taken: set[str]) -> str:
    while (word := "".join(draw.choices(string.ascii_lowercase, k=LETTERS))) in taken:
        pass
    return word


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.induced",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("learn")
    one.set_defaults(run=learn)
    one.add_argument("task")
    two = commands.add_parser("rename")
    two.set_defaults(run=rename)
    for command in (one, two):
        command.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
        command.add_argument("--seed", type=int, default=0)
        command.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    try:
        args.run(args)
    except SaysoError as error:
        sys.stderr.write(error.told() + "\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
