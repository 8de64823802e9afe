"""Make the shipped knowledge base again from manual pages (for contributors): what it lacks is added, nothing changed.

    python -m sayso.apps.knowledge [--pages FOLDER]... [--write] [UTILITY]...

The flags of each named utility (`git`, or `"git commit"`) come from its page; every line gets the dialects of
data/dialects.toml. Says what would change; glosses are then written by hand into data/utilities.jsonl.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from sayso.apps.man_pages import man_folders
from sayso.targets.bash.manual import find_pages, grown_knowledge


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.apps.knowledge", description=__doc__.partition("\n")[0])
    parser.add_argument("utility", nargs="*", help="read the pages of these")
    parser.add_argument(
        "--pages", action="append", type=Path, default=[], help="a further folder that holds man1, man8"
    )
    parser.add_argument("--write", action="store_true", help="change the file; without it, only say what would change")
    parser.add_argument("--json", action="store_true", help="print the changed lines themselves")
    args = parser.parse_args(argv)
    growth = grown_knowledge(find_pages([*man_folders(), *args.pages]), args.utility)
    for message in growth.unreadable:
        print(message, file=sys.stderr)
    for name, row in growth.changed.items():
        before, after = (len(r.get("flags", ())) for r in (growth.before.get(name, {}), row))  # type: ignore[arg-type]
        print(json.dumps(row, ensure_ascii=False) if args.json else f"{name}: {before} -> {after} flags")
    if args.write:
        growth.write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
