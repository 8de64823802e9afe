"""A command line as a tree: words, quotes, utilities with their flags and operands, and edits of a line."""

from __future__ import annotations

from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Operand, Script, commands

__all__ = ["Operand", "Script", "commands", "parse"]
