"""Make the corpus of asked cells again of what its writers wrote: run, sift, store; counts are printed, no text.

    python -m sayso.experiments.asked_cells FILE… --packages DIR --data DATA --cache DIR --known FILE [--add]

DATA holds the notebooks, whose dev and test parts, like assignments and the everyday set, no request may be near. What
came of running a setting is kept in the file `--known`, so that only what is new is run. With `--add` what is stored
stays, and what is new is counted beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sayso.core.types import Split, Workspace
from sayso.targets.notebook.asked.sifting import measured, sift
from sayso.targets.notebook.asked.stored import FOLDER, load_asked, load_made, store_asked
from sayso.targets.notebook.asked.tried import packages_of, try_anew
from sayso.targets.notebook.asked.written import read_settings
from sayso.targets.notebook.assignments import assignments
from sayso.targets.notebook.everyday.reader import entries
from sayso.targets.notebook.tasks import load_code

HELD_OUT: tuple[Split, ...] = ("dev", "test")


def measured_by(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Everything that cells are measured by, with its part; the texts are compared and go nowhere."""
    yield from (("assignments", one.request) for one in assignments())
    yield from ((f"everyday {one.half}", phrasing) for one in entries() for phrasing in one.ask.phrasings)
    for split in HELD_OUT:
        yield from ((f"notebooks {split}", one.request.text) for one in load_code(workspace, split))


def together(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Counts of two runs as one; how much is held out is the later one's."""
    counted = {name: dict(Counter(one[name]) + Counter(other[name])) for name in ("read", "dropped", "near")}
    return {"files": one["files"] + other["files"], **counted, "held out": other["held out"]}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.asked_cells", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--packages", type=Path, required=True, help="folder of packages that the cells import")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--known", type=Path, required=True, help="file that keeps what came of running settings")
    parser.add_argument("--add", action="store_true", help="what is stored already stays")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="DIR")
    args = parser.parse_args(argv)
    settings = [one for path in sorted(args.files) for one in read_settings(path)]
    tried = try_anew(settings, packages_of(args.packages), args.cache, args.known)
    held = measured(measured_by(Workspace(args.data, args.cache)))
    sifted = sift(zip(settings, tried, strict=True), held)
    made = {
        "files": len(args.files), "read": dict(sifted.read), "dropped": dict(sifted.dropped),
        "near": dict(sorted(sifted.near.items())), "held out": len(held.parts),
    }  # fmt: skip
    before = load_asked(args.out) if args.add else []
    if args.add:
        made = together(load_made(args.out), made)
    store_asked([*before, *sifted.kept], made, args.out)
    sys.stdout.write(json.dumps(made, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
