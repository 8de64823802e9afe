"""Answers frozen in a file, so that a change of the house that should change no answer can be seen to change none.

`python -m benchmarks.golden` asks all 1,000 requests again and prints what differs: texts, scores to four places, risk,
reasons. `--write` freezes what is answered now; do so only after having looked at every difference.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import Row
from sayso.answer.answer import answer
from sayso.core.types import Request, System, Workspace
from sayso.targets.bash.tasks import BASH, COMMAND

FILE = Path(__file__).parents[1] / "tests" / "targets" / "bash" / "golden.jsonl"
SHOWN = 20
FEWEST = 10


def frozen(path: Path = FILE) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def default_system() -> System:
    """The embedded system, in a cache that knows nothing of this machine's manual pages."""
    empty = Path(tempfile.mkdtemp(prefix="sayso-golden-"))
    return COMMAND.systems["default"](Workspace(empty, empty))


def answered(system: System, request: str) -> dict[str, Any]:
    """The row of one request as the file keeps it."""
    found = answer(BASH, system, Request(request), 3)
    shown = [[one.text, round(one.score, 4), one.risk.level, list(one.why)] for one in found.candidates]
    row: dict[str, Any] = {"request": request, "abstained": found.abstained, "candidates": shown}
    return {**row, "nearest": list(found.nearest)} if found.abstained else row


def differences(
    rows: Sequence[Mapping[str, Any]], system: System
) -> Iterator[tuple[Mapping[str, Any], dict[str, Any]]]:
    """Each frozen row whose answer is another now, with the answer of now."""
    for row in rows:
        now = answered(system, row["request"])
        if not is_same(row, now):
            yield row, now


def is_same(row: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Equal but for the last place of a score, which a sum in another order may move."""
    if [row[key] for key in ("request", "abstained")] != [now[key] for key in ("request", "abstained")]:
        return False
    if row.get("nearest") != now.get("nearest") or len(row["candidates"]) != len(now["candidates"]):
        return False
    return all(
        (text, level, why) == (other, now_level, now_why) and abs(score - now_score) <= 1.01e-4
        for (text, score, level, why), (other, now_score, now_level, now_why) in zip(
            row["candidates"], now["candidates"], strict=True
        )
    )


def told(row: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """A difference as a reader wants it: only the lines that are not the same."""
    lines = [row["request"]]
    for sign, mine, other in (("-", row, now), ("+", now, row)):
        if mine["abstained"] != other["abstained"]:
            lines.append(f"  {sign} {'abstains' if mine['abstained'] else 'answers'}")
        lines += [
            f"  {sign} {score:.4f} {level} {text}   # {'; '.join(why)}"
            for text, score, level, why in mine["candidates"]
            if [text, score, level, why] not in [list(one) for one in other["candidates"]]
        ]
    return "\n".join(lines)


def run(most: int | None = None) -> list[Row]:
    rows = frozen()[:most]
    changed = sum(1 for _ in differences(rows, default_system()))
    return [Row("answers that differ from the frozen ones", changed, "answers", len(rows), limit=0)]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.golden", description=__doc__)
    parser.add_argument("--write", action="store_true", help="freeze what is answered now")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask only each Nth request (1)")
    args = parser.parse_args(argv)
    system, rows = default_system(), frozen()[:: args.every]
    if args.write:
        lines = [json.dumps(answered(system, row["request"]), ensure_ascii=False) for row in rows]
        FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0
    found = list(differences(rows, system))
    for row, now in found:
        print(told(row, now))
    first = sum(row["candidates"][:1] != now["candidates"][:1] for row, now in found)
    print(f"{len(found)} of {len(rows)} answers differ, {first} of them in the first candidate", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
