"""docs/papers/bash-commands.md: commands of every kind with their tree, types and risk, made from the code itself."""

from __future__ import annotations

from pathlib import Path

from sayso.targets.bash.effects.risk import risk_of
from sayso.targets.bash.forms.outline import outline
from sayso.targets.bash.forms.template import template_of
from sayso.targets.bash.syntax.parser import parse

EXAMPLES = Path(__file__).parents[1] / "data" / "examples.txt"
HEAD = """<!-- made by `make docs`; do not edit -->

# Bash commands as they are read

Tree: commands and connectives in round brackets, flags in square ones, redirects and assignments in braces.
Types: the template of NL2Bash §3.3. Risk: the level, and the words that make it so.

| command | tree | types | risk |
| --- | --- | --- | --- |
"""


def examples() -> list[str]:
    return EXAMPLES.read_text(encoding="utf-8").splitlines()


def page() -> str:
    return HEAD + "".join(f"{_row(command)}\n" for command in examples())


def _row(command: str) -> str:
    script = parse(command)
    risk = risk_of(command)
    why = f" ({', '.join(map(_code, risk.words))})" if risk.words else ""
    cells = [_code(command), _code(outline(script)), _code(template_of(script)), risk.level + why]
    return f"| {' | '.join(cells)} |"


def _code(text: str) -> str:
    """Code in a table cell: a pipe would end the cell, a back quote the code."""
    fence = "``" if "`" in text else "`"
    blank = " " if "`" in text else ""
    return fence + blank + text.replace("|", "\\|") + blank + fence
