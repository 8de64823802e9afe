"""What is told of the files beside the notebooks of the everyday set: their first lines, by running what is hidden.

`python -m sayso.experiments.everyday_tables --packages DIR --cache DIR`
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from sayso.core.files import write_atomically
from sayso.experiments.asked_lessons import file_lines
from sayso.experiments.asked_renamed import Lesson
from sayso.targets.notebook.asked.tried import packages_of, try_settings
from sayso.targets.notebook.everyday.reader import TABLES, entries, folder


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.everyday_tables", description=__doc__)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    args = parser.parse_args(argv)
    settings = list({one.setting.id: one.setting for one in entries()}.values())
    found: dict[str, list[str]] = {}
    for setting, tried in zip(settings, try_settings(settings, packages_of(args.packages), args.cache), strict=True):
        above = tuple(("code", cell) for cell in setting.shown)
        if lines := [*filter(None, file_lines(Lesson(above, "", "", (), tried[0].tables)))]:
            found[setting.id] = lines
    with write_atomically(folder() / TABLES) as file:
        file.write((json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode())
    sys.stdout.write(json.dumps({"settings": len(settings), "with tables": len(found)}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
