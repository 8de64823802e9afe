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

from sayso.apps.cli.index_man import man_folders
from sayso.core.files import write_atomically
from sayso.targets.bash.knowledge.dialects import in_dialects
from sayso.targets.bash.knowledge.utilities import DATA
from sayso.targets.bash.manual.index import Unreadable, find_pages, read_source
from sayso.targets.bash.manual.merge import Row, merged, row_from
from sayso.targets.bash.manual.pages import Page, read_manual


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.apps.knowledge", description=__doc__.partition("\n")[0])
    parser.add_argument("utility", nargs="*", help="read the pages of these")
    parser.add_argument(
        "--pages", action="append", type=Path, default=[], help="a further folder that holds man1, man8"
    )
    parser.add_argument("--write", action="store_true", help="change the file; without it, only say what would change")
    parser.add_argument("--json", action="store_true", help="print the changed lines themselves")
    args = parser.parse_args(argv)
    pages = find_pages([*man_folders(), *args.pages])
    rows: dict[str, Row] = {row["name"]: row for row in map(json.loads, DATA.read_text(encoding="utf-8").splitlines())}
    named = {name: page for name in args.utility if (page := read(name, pages))}
    every = dict.fromkeys([*rows, *args.utility])
    changed = {name: row for name in every if (row := grown(name, rows, named.get(name))) != rows.get(name)}
    for name, row in changed.items():
        before, after = (len(r.get("flags", [])) if r else 0 for r in (rows.get(name), row))  # type: ignore[arg-type]
        print(json.dumps(row, ensure_ascii=False) if args.json else f"{name}: {before} -> {after} flags")
    if args.write:
        rows |= {name: row for name, row in changed.items() if row}
        with write_atomically(DATA) as file:
            file.writelines(json.dumps(rows[name], ensure_ascii=False).encode() + b"\n" for name in sorted(rows))
    return 0


def grown(name: str, rows: dict[str, Row], page: Page | None) -> Row | None:
    """The line of a utility with what its page and the table of dialects add; None where nothing is known of it."""
    row = rows.get(name)
    if row is None:
        row = row_from(page) | {"name": name} if page and page.options else None
    elif page:
        parent = rows.get(str(row.get("like", "")), {})
        inherited = frozenset(n for flag in parent.get("flags", []) for n in flag["names"])  # type: ignore[attr-defined]
        row = merged(row, page, inherited)
    if row is None:
        return None
    return row | {"flags": [in_dialects(name, flag) for flag in row["flags"]]}  # type: ignore[attr-defined]


def read(name: str, pages: dict[str, Path]) -> Page | None:
    path = pages.get(name.replace(" ", "-"))
    if path is None:
        return None
    try:
        return read_manual(read_source(path), path.name.split(".")[0])
    except Unreadable as error:
        print(f"{path}: {error}", file=sys.stderr)
        return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
