"""What a command would change, drawn as a tree of folders: created, changed, deleted, with sizes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from sayso.apps.cli.output import GREEN, RED, YELLOW, paint, visible
from sayso.core.types import Change, FileSpec

MOST_ROWS = 200
WORDS = {"created": "created", "changed": "changed", "removed": "deleted"}
COLOURS = {"created": GREEN, "changed": YELLOW, "removed": RED}
Tree = dict[str, "Tree"]


def tree_lines(top: str, changes: Sequence[Change], coloured: bool) -> list[str]:
    """One row for each path and each folder above one, names first, then what happened in one column."""
    by_path = {change.path.strip("/"): change for change in changes}
    rows = [(top, by_path.pop(".", None)), *rows_below(grown(by_path), by_path, "", "")][: MOST_ROWS + 1]
    width = min(max(len(drawn) for drawn, _ in rows), 60)
    lines = []
    for drawn, change in rows:
        if change is None:
            lines.append(drawn)
            continue
        word = paint(f"{WORDS[change.how]:<7}", COLOURS[change.how], coloured)
        lines.append(f"{drawn:<{width}}  {word}  {detail(change)}".rstrip())
    if len(changes) > MOST_ROWS:
        lines.append(f"… and more: {len(changes)} in all")
    return lines


def grown(paths: dict[str, Change]) -> Tree:
    tree: Tree = {}
    for path in sorted(paths):
        at = tree
        for part in path.split("/"):
            at = at.setdefault(part, {})
    return tree


def rows_below(tree: Tree, changes: dict[str, Change], path: str, indent: str) -> Iterator[tuple[str, Change | None]]:
    fork, last, through, blank = signs()
    for number, (name, below) in enumerate(tree.items(), 1):
        here = f"{path}/{name}" if path else name
        change = changes.get(here)
        is_last = number == len(tree)
        slash = "/" if below or is_folder(change) else ""
        yield f"{indent}{last if is_last else fork}{visible(name.replace(chr(10), ' '))}{slash}", change
        yield from rows_below(below, changes, here, indent + (blank if is_last else through))


def signs() -> tuple[str, str, str, str]:
    """Lines where the terminal can draw them."""
    can_draw = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    return ("├── ", "└── ", "│   ", "    ") if can_draw else ("|-- ", "`-- ", "|   ", "    ")


def is_folder(change: Change | None) -> bool:
    last = (change.after or change.before) if change else None
    return last is not None and last.kind == "dir"


def detail(change: Change) -> str:
    """ "12 B", "10 B → 14 B", "mode 644 → 755", "time"; folders have no size."""
    before, after = change.before, change.after
    if before is None or after is None:
        one = after or before
        if one is None or one.kind in ("dir", "other"):
            return ""
        return f"→ {visible(one.content.decode('utf-8', 'replace'))}" if one.kind == "link" else in_words(size_of(one))
    if before.kind != after.kind:
        return f"{before.kind} → {after.kind}"
    said = []
    if (before.content, size_of(before)) != (after.content, size_of(after)):
        said.append(f"{in_words(size_of(before))} → {in_words(size_of(after))}")
    if before.mode != after.mode:
        said.append(f"mode {before.mode:o} → {after.mode:o}")
    if before.owner != after.owner:
        said.append(f"owner {before.owner or 'you'} → {after.owner or 'you'}")
    return ", ".join(said) or "time"


def size_of(file: FileSpec | None) -> int | None:
    if file is None or file.kind != "file":
        return None
    return file.size if file.size >= 0 else len(file.content)


def in_words(size: int | None) -> str:
    """1536 -> "1.5 kB" """
    if size is None:
        return ""
    number = float(size)
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000 or unit == "GB":
            return f"{number:.0f} {unit}" if unit == "B" or number >= 100 else f"{number:.1f} {unit}"
        number /= 1000
    return ""


def summary(changes: Sequence[Change]) -> str:
    """ "2 created, 1 deleted" """
    counts = {word: sum(change.how == how for change in changes) for how, word in WORDS.items()}
    return ", ".join(f"{count} {word}" for word, count in counts.items() if count)
