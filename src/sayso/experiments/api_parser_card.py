"""Model cards of the API parsers, with what was measured: n, interval and the command that measures it again.

A task's figures are the last of each split in the ledger of results. Known only after the bundle is signed, they
stand beside it (`FIGURES.md`, not in the manifest). Those of `sayso api` are measured on dev, and stand in the card:
`python -m sayso.experiments.api_parser_card length-email --results results --bundle FOLDER`
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sayso.core.files import write_atomically
from sayso.experiments.api_parser_command import card, load
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.targets.api.language import fold
from sayso.targets.api.systems.storing import KIND, open_parser

CARD, BESIDE, MEASURED = "MODEL_CARD.md", "FIGURES.md", "## Measured"
NAMES = {"exact": "exact match, order-free, case ignored", "exact_cased": "the same, cased", "clause_f1": "clause F1"}
Z = 1.96


def of_task(task: str, ledger: Path) -> list[str]:
    """The last figures of each split in the ledger, and how often test was run."""
    rows = [json.loads(line) for line in ledger.read_text(encoding="utf-8").splitlines()]
    name = f"api/{task}"
    runs = [
        row
        for row in rows
        if (row["kind"], row["task"], row["system"]) == ("eval", name, "default") and not row["settings"]["partial"]
    ]
    lines = []
    for split in ("dev", "test"):
        found = [row for row in runs if row["split"] == split]
        if not found:
            continue
        again = f"; test was run {len(found)} times, this is the last" if split == "test" and len(found) > 1 else ""
        lines.append(
            f"`sayso eval {name} --split {split} --system default` (bundle {found[-1]['bundle'][:8]}{again}):\n"
        )
        lines += [told(one, task) for one in found[-1]["scores"] if one["name"] in NAMES]
        lines.append("")
    return lines


def told(score: Mapping[str, Any], task: str) -> str:
    """One figure; where all are right a bootstrap has no width, so that Wilson's interval stands for it."""
    name = "exact match" if task.startswith("scan") and score["name"] == "exact" else NAMES[score["name"]]
    low, high = score["low"], score["high"]
    if low == high and score["name"] != "clause_f1":
        low, high = wilson(round(score["value"] * score["n"]), score["n"])
    return f"- {name}: {100 * score['value']:.1f} % ({100 * low:.1f}–{100 * high:.1f}), n {score['n']:,}"


def of_union(domain: str, data: Path, folder: Path) -> list[str]:
    """Exact match on the dev parts, measured now."""
    parser = open_parser(load_bundle(folder))
    lines = ["`python -m sayso.experiments.api_parser_command score TASK --data DATA --bundle FOLDER --split dev`:\n"]
    for task in (f"length-{domain}", f"program-{domain}"):
        pairs = load(task, data, "dev")
        answers = parser.parse([request for request, _ in pairs])
        right = sum(fold(str(one)) == fold(str(call)) for one, (_, call) in zip(answers, pairs, strict=True))
        low, high = wilson(right, len(pairs))
        lines.append(
            f"- {task}, {NAMES['exact']}: {100 * right / len(pairs):.1f} % ({100 * low:.1f}–{100 * high:.1f}), "
            f"n {len(pairs):,}"
        )
    return [*lines, "", "Not scored on test: what one split has there, the other may have in train.", ""]


def wilson(right: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share: (8, 10) -> .49 to .94"""
    share, spread = right / n, Z * Z / n
    middle = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    return middle - half, middle + half


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.api_parser_card", description=__doc__)
    parser.add_argument("task")
    parser.add_argument("--bundle", type=Path, required=True)
    parser.add_argument("--results", type=Path, help="folder of the ledger, for the bundle of a task")
    parser.add_argument("--data", type=Path, help="the corpora, for a bundle of `sayso api`")
    parser.add_argument("--short", type=int, default=0, help="made requests it was trained on")
    parser.add_argument("--also", action="append", default=[], metavar="LINE", help="a figure measured elsewhere")
    args = parser.parse_args(argv)
    bundle = load_bundle(args.bundle)
    page = "scan" if args.task.startswith("scan") else "okapi-parser"
    end = ["", f"More: docs/papers/{page}.md.", ""]
    if args.results:
        figures = of_task(args.task, args.results / "ledger.jsonl")
        head = f"# {bundle.name}, measured\n\nIn brackets 95 % intervals."
        with write_atomically(args.bundle / BESIDE) as file:
            file.write("\n".join([head, "", *figures]).rstrip().encode() + "\n".join(["", *end]).encode())
        return 0
    figures = of_union(args.task.partition("-")[2], args.data, args.bundle) if args.data else []
    figures += [f"- {line}" for line in args.also]
    head = bundle.read(CARD).decode().partition(MEASURED)[0].rstrip()
    if bundle.kind == KIND:
        head = card(args.task, bundle.settings["seeds"], args.short).rstrip()
    text = "\n".join([head, "", MEASURED, "", "In brackets 95 % intervals.", "", *figures]).rstrip()
    again = write_bundle(
        args.bundle,
        name=bundle.name,
        target=bundle.target,
        kind=bundle.kind,
        settings=dict(bundle.settings),
        files={
            **{name: bundle.read(name) for name in bundle.files},
            CARD: (text + "\n".join(["", *end])).encode(),
        },
        licence=bundle.licence,
    )
    sys.stdout.write(json.dumps({"bundle": again.name, "was": bundle.signature, "is": again.signature}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
