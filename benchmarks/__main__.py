"""`python -m benchmarks [NAME …] [--json]`: run them, print a table or one JSON object; only --page writes."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import Row
from benchmarks.figures import last_figures
from sayso.core.files import write_atomically
from sayso.runs import provenance
from sayso.runs.ledger import now

# The modules of this folder that have `run() -> list[Row]`, in the order in which they run.
BENCHMARKS = (
    "startup",
    "scale",
    "sandbox",
    "prove_reads",
    "bash_language",
    "golden",
    "one_answer",
    "training",
    "decoding",
    "executed",
    "grammar",
    "hostile_requests",
    "runtime",
    "api",
    "assignments",
    "everyday_cells",
    "second_solutions",
    "notebook_tests",
    "notebook_cells",
    "mining",
    "load",
    "readme_eval",
    "build_plans",
    "readme_plans",
)
# Those that run on a GPU where there is one; `figures.json` keeps what the last GPU gave.
ON_DEVICES = ("training", "decoding")
# Those that can do with fewer rounds than their figures are published with.
IN_ROUNDS = ("startup",)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(BENCHMARKS)} (all)")
    parser.add_argument("--device", default="auto", help=f"auto, cpu or cuda, for {' and '.join(ON_DEVICES)} (auto)")
    parser.add_argument("--page", type=Path, metavar="FILE", help="also write the table there, with the commit")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument(
        "--fewer", action="store_true", help=f"fewer rounds, as in the tests, of {', '.join(IN_ROUNDS)}"
    )
    args = parser.parse_args(argv)
    unknown = [name for name in args.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
    rows: dict[str, list[Row]] = {}
    failed: list[str] = []
    for name in args.names or BENCHMARKS:
        module = importlib.import_module(f"benchmarks.{name}")
        told = [args.device] if name in ON_DEVICES else [module.FEWEST] if args.fewer and name in IN_ROUNDS else []
        try:
            rows[name] = module.run(*told)
        except Exception as error:  # half an hour of others must not be lost with one
            traceback.print_exc()
            failed.append(f"{name} failed: {error}")
        if args.page:  # as they come, for the same reason
            write_page(args.page, [*table([row for found in rows.values() for row in found]), *failed])
    kept = [row for row in last_figures() if row.part in rows]
    if kept:
        rows["last GPU"] = [row.as_row() for row in kept]
    if args.page:
        write_page(args.page, [*table([row for found in rows.values() for row in found]), *failed])
    if args.json:
        print(json.dumps({name: [{**asdict(row), "kept": row.kept} for row in found] for name, found in rows.items()}))
    else:
        print("\n".join(table([row for found in rows.values() for row in found])))
    return 1 if failed else 0


def write_page(path: Path, lines: Sequence[str]) -> None:
    """What was measured, when, on which code."""
    commit, dirty = provenance.commit()
    made = f"{now()[:10]} at {commit[:12] or 'no commit'}{' and changes to it' if dirty else ''}"
    text = "\n".join(["# Benchmarks", "", f"Made by `python -m benchmarks` on {made}.", "", "```", *lines, "```"])
    with write_atomically(path) as file:
        file.write(text.encode() + b"\n")


def table(rows: Sequence[Row]) -> list[str]:
    head = ("measured", "median", "n", "ratio", "limit")
    cells = [head, *((row.name, f"{row.value:.4g} {row.unit}", str(row.n), ratio(row), limit(row)) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(head))]
    return ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in cells]


def ratio(row: Row) -> str:
    return "" if row.ratio is None else f"{row.ratio:.2f} × {row.against}"


def limit(row: Row) -> str:
    missed = "" if row.kept else ": MISSED"
    if row.at_least is not None:
        return f"at least {row.at_least:g} ×{missed}"
    return "" if row.limit is None else f"{row.limit:g} {row.unit}{missed}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
