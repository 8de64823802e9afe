"""Say things after a command (`sayso then`), and count where the first new command is what was meant.

`python -m benchmarks.then [--half dev|test] [--part first|more] [--asked] [--json] [--show]`. Both parts were written
before anything was measured: of the forty of `first`, `dev` is for choosing by and `test` is held out; the 25 of `more`
are of other kinds, all `dev`. `--asked` also asks the system for what is no edit, as the prompt does: the next act.
Right is what fits one of the expressions; nothing is run.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from sayso.apps.answering import Answerer
from sayso.apps.settings import workspace
from sayso.targets.bash.offers import follow

FILES = {
    name: Path(__file__).parent / f"{file}_requests.jsonl" for name, file in (("first", "then"), ("more", "then_more"))
}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.then", description=__doc__)
    parser.add_argument("--half", choices=("dev", "test"), default="dev")
    parser.add_argument("--part", choices=sorted(FILES), default="first")
    parser.add_argument("--asked", action="store_true", help="ask the system for the next act where it is no edit")
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    parser.add_argument("--show", action="store_true", help="print everything that is not right, to stderr")
    args = parser.parse_args(argv)
    rows = [json.loads(line) for line in FILES[args.part].read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["half"] == args.half]
    answerer = Answerer(workspace()) if args.asked else None
    right = wrong = 0
    for row in rows:
        found = follow(row["command"], row["said"], ())
        first = found.candidates[0].text if found.candidates else ""
        if answerer and not first:
            after = {"request": "", "command": row["command"]}
            shape = answerer.reply({"target": "bash", "text": row["said"], "k": 1, "after": after})
            first = shape["candidates"][0]["text"] if shape["candidates"] else ""
        is_right = any(re.search(pattern, first) for pattern in row["right"])
        right, wrong = right + is_right, wrong + (bool(first) and not is_right)
        if args.show and not is_right:
            print(f"{row['id']} {row['command']}  |  {row['said']}\n    {first or found.reason}", file=sys.stderr)
    told = {
        "part": args.part,
        "half": args.half,
        "n": len(rows),
        "right": right,
        "wrong": wrong,
        "not understood": len(rows) - right - wrong,
    }
    print(json.dumps(told, indent=None if args.json else 1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
