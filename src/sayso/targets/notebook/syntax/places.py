"""Where the nodes of a tree stand in the text of a cell, in characters."""

from __future__ import annotations

import ast
import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


class Places:
    """Of one text; a line of the tree is the same line of the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = [found.span() for found in _LINE.finditer(text)]

    def at(self, line: int, column: int) -> int:
        """A line from 1 and a column in UTF-8 bytes, as the tree has them -> a character; inside the text always."""
        if not 1 <= line <= len(self.lines):
            return len(self.text)
        start, end = self.lines[line - 1]
        content = self.text[start:end].rstrip("\r\n")
        if content.isascii():
            return start + max(0, min(column, len(content)))
        before = content.encode("utf-8", "surrogatepass")[: max(column, 0)]
        return start + len(before.decode("utf-8", "ignore"))

    def of(self, node: ast.AST) -> tuple[int, int]:
        """Start and end; (-1, -1) where the node has no place."""
        line = getattr(node, "lineno", None)
        if line is None:
            return -1, -1
        start = self.at(line, getattr(node, "col_offset", 0))
        end = self.at(getattr(node, "end_lineno", line), getattr(node, "end_col_offset", 0))
        return start, max(start, end)
