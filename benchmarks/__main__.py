"""`python -m benchmarks [NAME …] [--json]`: run them, print a table or one JSON object; only --page writes."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import Row
from benchmarks.figures import last_figures
from benchmarks.progress import Made, Measured, begun, forget, keep
from sayso.core.errors import BadFile, SaysoError
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
# Those that are quick, or need all their rounds; the others can do with fewer: their `run` takes how many.
WHOLE = ("scale", "sandbox", "one_answer", "training", "decoding", "runtime", "api", "readme_eval")
IN_ROUNDS = tuple(name for name in BENCHMARKS if name not in WHOLE)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(BENCHMARKS)} (all)")
    parser.add_argument("--device", default="auto", help=f"auto, cpu or cuda, for {' and '.join(ON_DEVICES)} (auto)")
    parser.add_argument(
        "--page",
        type=Path,
        metavar="FILE",
        help="also write the table there as it comes, with the commit; the same command goes on where one broke off",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument(
        "--fewer", action="store_true", help=f"fewer rounds, as in the tests, of {', '.join(IN_ROUNDS)}"
    )
    args = parser.parse_args(argv)
    unknown = [name for name in args.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
    made = Made(*provenance.commit(), fewer=args.fewer, device=args.device)
    try:
        found = begun(args.page, made) if args.page else []
    except BadFile as error:
        print(error.told(), file=sys.stderr)
        return error.exit_code
    for one in found:
        print(f"{one.name} was measured before, at this commit", file=sys.stderr)
    failed: list[str] = []
    for name in [name for name in args.names or BENCHMARKS if name not in {one.name for one in found}]:
        start = time.monotonic()
        try:
            rows = measure(name, args)
        except SaysoError as error:
            print(error.told(), file=sys.stderr)
            failed.append(f"{name} failed: {error}; {error.hint}" if error.hint else f"{name} failed: {error}")
        except Exception as error:  # half an hour of others must not be lost with one
            traceback.print_exc()
            failed.append(f"{name} failed: {error}")
        else:
            found.append(Measured(name, time.monotonic() - start, tuple(rows)))
            print(f"{name}: {found[-1].seconds:.0f} s", file=sys.stderr)
        if args.page:  # as they come, for the same reason
            keep(args.page, made, found)
            write_page(args.page, made, found, failed)
    found.sort(key=lambda one: BENCHMARKS.index(one.name))
    kept = [row.as_row() for row in last_figures() if row.part in {one.name for one in found}]
    if args.page:
        write_page(args.page, made, found, failed, kept)
        if not failed and len(found) == len(BENCHMARKS):
            forget(args.page)
    by_name = {one.name: one.rows for one in found} | ({"last GPU": tuple(kept)} if kept else {})
    if args.json:
        print(json.dumps({name: [{**asdict(row), "kept": row.kept} for row in rows] for name, rows in by_name.items()}))
    else:
        print("\n".join(table([row for rows in by_name.values() for row in rows])))
    return 1 if failed else 0


def measure(name: str, args: argparse.Namespace) -> list[Row]:
    module = importlib.import_module(f"benchmarks.{name}")
    told = [args.device] if name in ON_DEVICES else [module.FEWEST] if args.fewer and name in IN_ROUNDS else []
    rows: list[Row] = module.run(*told)
    return rows


def write_page(
    path: Path, made: Made, found: Sequence[Measured], failed: Sequence[str], more: Sequence[Row] = ()
) -> None:
    """What was measured, when, on which code, how long each took, and what is not there yet."""
    code = f"{made.commit[:12] or 'no commit'}{' and changes to it' if made.changed else ''}"
    rounds = ", with fewer rounds" if made.fewer else ""
    took = ", ".join(f"{one.name} {one.seconds:.0f}" for one in found)
    empty = ", ".join(one.name for one in found if not one.rows)
    known = {one.name for one in found} | {line.partition(" ")[0] for line in failed}
    missing = ", ".join(name for name in BENCHMARKS if name not in known)
    lines = ["# Benchmarks", "", f"Made by `python -m benchmarks` on {now()[:10]} at {code}{rounds}.", "", "```"]
    lines += [*table([*(row for one in found for row in one.rows), *more]), *failed, "```", ""]
    lines += [f"Seconds that each took: {took}.", *([f"Not to be had on that machine: {empty}."] if empty else [])]
    lines += [f"Not measured yet: {missing}."] if missing else []
    with write_atomically(path) as file:
        file.write("\n".join(lines).encode() + b"\n")


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
