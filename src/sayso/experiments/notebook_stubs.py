"""What a cell looks like before somebody fills it in: lines taken out of it at random, with a word that says so.

JuICe §3.2 puts what an exercise gives into the context; the training part has hardly any exercises, so they are made.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

COMMENTS = (
    "# YOUR CODE HERE", "# your code here", "# Your code here", "# TODO", "# TODO: your code", "# Write your code here",
    "# write your code here", "### START CODE HERE ###", "# complete", "# Complete this", "# add code here", "# ...",
    "# FILL IN", "# fill in", "# Type your solution here", "# your answer", "# solution", "# Insert code here", "#",
)  # fmt: skip
STATEMENTS = ("pass", "...", "raise NotImplementedError()", "raise NotImplementedError", "return None", "return")
VALUES = ("...", "None", "___", "____", "??", "# complete", "# TODO", "# your code here", "", "# FILL IN")
LOADED = "# %load solutions/{}.py"
HEAD = re.compile(r"^(\s*)(def|class|async def)\b")
ASSIGNED = re.compile(r"^(\s*[\w.\[\]'\", ]+?\s*[-+*/]?=(?!=))\s*(.+)$")
CALLED = re.compile(r"^(\s*[\w.]+\()(.+)$")


def stub(code: str, draw: random.Random) -> str:
    """A cell as an exercise would give it, or "" where nothing of it is left to give."""
    lines = code.strip("\n").split("\n")
    ways: Sequence[tuple[Callable[[list[str], random.Random], list[str]], float]] = (
        (nothing, 3.0), (comments_alone, 1.5), (first_lines, 1.5), (last_lines, 0.8), (span, 3.0), (values, 2.5),
        (scattered, 1.0), (bodies, 3.0 if any(map(HEAD.match, lines)) else 0.0),
    )  # fmt: skip
    way = draw.choices([one for one, _ in ways], [weight for _, weight in ways])[0]
    made = "\n".join(way(lines, draw)).strip("\n")
    return "" if made.strip() == code.strip() else made


def indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def marker(draw: random.Random, before: str = "") -> list[str]:
    """How the place is shown: a comment, a statement, both, or not at all."""
    shown = draw.random()
    if shown < 0.55:
        return [before + draw.choice(COMMENTS)]
    if shown < 0.75:
        return [before + draw.choice(STATEMENTS)]
    return [before + draw.choice(COMMENTS), before + draw.choice(STATEMENTS)] if shown < 0.9 else []


def nothing(lines: list[str], draw: random.Random) -> list[str]:
    if draw.random() < 0.3:
        return [LOADED.format(draw.randint(1, 40))]
    return [draw.choice(COMMENTS)]


def comments_alone(lines: list[str], draw: random.Random) -> list[str]:
    kept = [line for line in lines if line.lstrip().startswith("#")]
    return kept if kept else nothing(lines, draw)


def first_lines(lines: list[str], draw: random.Random) -> list[str]:
    kept = draw.randint(1, max(1, len(lines) - 1))
    return [*lines[:kept], *(marker(draw, indent(lines[kept - 1])) if draw.random() < 0.6 else [])]


def last_lines(lines: list[str], draw: random.Random) -> list[str]:
    gone = draw.randint(1, max(1, len(lines) - 1))
    return [*marker(draw), *lines[gone:]]


def span(lines: list[str], draw: random.Random) -> list[str]:
    """One to three stretches of lines, each shown by a mark where it began."""
    kept = list(lines)
    for _ in range(draw.choice((1, 1, 2, 3))):
        if len(kept) < 2:
            break
        start = draw.randrange(len(kept))
        end = min(len(kept), start + draw.randint(1, max(1, len(kept) // 2)))
        kept[start:end] = marker(draw, indent(kept[start]))
    return kept


def values(lines: list[str], draw: random.Random) -> list[str]:
    """What is assigned or given to a call is left out of some lines."""
    share, shown = draw.uniform(0.3, 0.9), draw.choice(VALUES)
    made = []
    for line in lines:
        found = ASSIGNED.match(line) or CALLED.match(line)
        if found and draw.random() < share:
            made.append(f"{found[1]} {shown}".rstrip() if shown else found[1])
        else:
            made.append(line)
    return made


def scattered(lines: list[str], draw: random.Random) -> list[str]:
    """Some lines are left out without a word."""
    share = draw.uniform(0.2, 0.7)
    return [line for line in lines if draw.random() > share]


def bodies(lines: list[str], draw: random.Random) -> list[str]:
    """Functions keep their first lines and what describes them; what follows them stays."""
    made: list[str] = []
    inside = ""
    quoted = False
    for place, line in enumerate(lines):
        if inside:
            is_within = not line.strip() or len(indent(line)) >= len(inside)
            marks = line.count('"""') + line.count("'''")
            if is_within and (quoted or marks or line.lstrip().startswith("#")):
                quoted = quoted != (marks % 2 == 1)
                made.append(line)
                continue
            if is_within:
                continue
            inside = ""
        made.append(line)
        if HEAD.match(line) and line.rstrip().endswith(":") and not line.lstrip().startswith("class"):
            following = next((one for one in lines[place + 1 :] if one.strip()), "")
            inside = indent(following) or indent(line) + "    "
            made += marker(draw, inside) if draw.random() < 0.9 else []
    return made
