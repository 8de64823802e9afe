"""Which way a sort goes, written in full, so that it is a slot of every recipe that sorts and not only of those that
turn it round: `sort_values("km")` is `sort_values("km", ascending=True)`, and `sorted(words)` has `reverse=False`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

FAMILY = "order"
"""Of deeds: "True" ascends."""
FLIPPED = {"True": "False", "False": "True"}
ASCENDING, REVERSE = "ascending=", "reverse="
METHODS = {"sort_values": ASCENDING, "sort_index": ASCENDING, "sort": REVERSE}
USUAL = (f"{ASCENDING}True", f"{REVERSE}False")


def in_full(code: str) -> str:
    """The same cell with the direction of every sort that leaves it out; as it stands where it does not parse."""
    if "\r" in code:
        return code
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return code
    text, starts = code.encode(), [0]
    for line in text.split(b"\n"):  # as the parser counts them: a form feed in a text begins none
        starts.append(starts[-1] + len(line) + 1)
    for number, column, word in sorted(((*place, word) for place, word in unsaid(tree)), reverse=True):
        at = starts[number - 1] + column
        text = text[:at] + word.encode() + text[at:]
    return text.decode()


def unsaid(tree: ast.AST) -> Iterator[tuple[tuple[int, int], str]]:
    """Where a direction is missing, and the words for it."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) if name in METHODS:
                word = METHODS[name]
            case ast.Call(func=ast.Name(id="sorted"), args=[_, *_]):
                word = REVERSE
            case _:
                continue
        given = [*node.args, *(one.value for one in node.keywords)]
        if word.rstrip("=") in {one.arg for one in node.keywords} or None in {one.arg for one in node.keywords}:
            continue
        usual = next(one for one in USUAL if one.startswith(word))
        if not given:
            yield (node.end_lineno or 0, (node.end_col_offset or 0) - 1), usual
        elif not any(isinstance(one, ast.GeneratorExp | ast.Starred) for one in given):
            last = max(given, key=lambda one: (one.end_lineno or 0, one.end_col_offset or 0))
            yield (last.end_lineno or 0, last.end_col_offset or 0), f", {usual}"


def as_usual(code: str) -> str:
    """Without the direction that goes without saying."""
    for one in USUAL:
        code = code.replace(f", {one})", ")").replace(f"({one})", "()")
    return code


def goes(code: str, deed: str) -> bool:
    """Whether a cell, written in full, sorts that way."""
    return f"{ASCENDING}{deed}" in code or f"{REVERSE}{FLIPPED[deed]}" in code
