"""Count the lines of hand-written English by which Bash requests are read, outside follow-ups, repair and safety.

`python -m benchmarks.english_lines [--json]`. Counted are the lines of every module-level statement that holds English:
an expression for `re.compile`, a word list, a table of words; a statement is English where its strings hold a word of
three letters or more that is no tool's name. To these come the lines of `words.toml` that say
something. `modules` counts every line of the modules with such a statement, which is how the house was first measured.
Recipes, prepared knowledge of tools and what the judge reads are data of other kinds and are not counted.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sayso.targets.bash.knowledge.utilities import find_utility

SOURCE = Path(__file__).parents[1] / "src" / "sayso"
ROOMS = ("english", "cookbook", "answer", *(f"targets/bash/{name}" for name in ("request", "systems", "evidence")))
APART = ("targets/bash/follow_up", "targets/bash/repair", "targets/bash/safety")
"""Counted for themselves: the table is the feature there, or a bar."""
WORDS = "english/data/words.toml"
LETTERS = re.compile(r"[a-z]{3,}")
MAKERS = ("compile", "word_set", "listed", "text_of", "frozenset", "frozendict")
FEWEST = 3
"""Words that make a table without a maker one of words, and not the name of a file."""
MOST = 3_000


def strings(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def holds_english(statement: ast.stmt) -> bool:
    """Whether an assignment is an expression or a list of words: `X = re.compile("the (?:old|new)")`."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return False
    value = statement.value
    called = value.func if isinstance(value, ast.Call) else None
    maker = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    is_table = isinstance(value, ast.Dict | ast.Tuple | ast.List | ast.Set | ast.Constant | ast.JoinedStr | ast.BinOp)
    if maker not in MAKERS and not is_table:
        return False
    words = {word for text in strings(value) for word in LETTERS.findall(text) if find_utility(word) is None}
    return len(words) >= (1 if maker in MAKERS else FEWEST)


def counted(path: Path) -> int:
    """Lines of the statements of a module that hold English."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return sum((one.end_lineno or one.lineno) - one.lineno + 1 for one in tree.body if holds_english(one))


def said(path: Path) -> int:
    """Lines of a table that are neither blank nor a comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in lines)


def measured() -> dict[str, Any]:
    rooms: dict[str, int] = {}
    modules = 0
    for room in (*ROOMS, *APART):
        paths = [path for path in sorted((SOURCE / room).rglob("*.py")) if counted(path)]
        rooms[room] = sum(map(counted, paths))
        if room in ROOMS:
            modules += sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)
    words = said(SOURCE / WORDS)
    total = words + sum(rooms[room] for room in ROOMS)
    apart = {room: rooms[room] for room in APART}
    return {
        "lines": total,
        "most": MOST,
        "words.toml": words,
        "rooms": {room: rooms[room] for room in ROOMS},
        "modules": modules + words,
        "apart": apart,
    }


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.english_lines", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    found = measured()
    print(json.dumps(found, indent=None if parser.parse_args(argv).json else 1))
    return 1 if found["lines"] > MOST else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
