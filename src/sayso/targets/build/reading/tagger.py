"""A tag for every line of a document: step, condition, alternative or none.

Three taggers, each a chain over the lines that are not blank: `weak` learnt from commands that a machine marked, `hand`
from what readers said, and `both`, which reads lines as `hand` does and knows what `weak` thinks of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from sayso.targets.build.reading.crf import Crf, read_crfs
from sayso.targets.build.reading.line_features import line_features
from sayso.targets.build.reading.markup import Line

TAGS = ("step", "condition", "alternative", "none")
WEIGHTS = Path(__file__).parent.parent / "data" / "lines.json.gz"
LEAST = 0.3
"""How likely a line must be an instruction, chosen on train packages in four folds and on dev."""
NEVER = frozenset({"blank", "fence"})
"""Forms that are no instruction whatever they say (the guidelines)."""
HEADED = 0.5
"""How likely a heading must be one: what looks like a heading is at times "Then install it:", or `# make`."""

Tagger = Literal["weak", "hand", "both"]


def tags_of(path: str, lines: Sequence[Line], tagger: Tagger = "hand") -> list[str]:
    """One for every line."""
    taggers = read_crfs(WEIGHTS)
    filled = [at for at, line in enumerate(lines) if line.form != "blank"]
    features = line_features(path, lines)
    rows = [features[at] for at in filled]
    if tagger == "both":
        rows = with_weak(rows, taggers["weak"])
    found = ["none"] * len(lines)
    for at, chances in zip(filled, taggers[tagger].chances(rows), strict=True):
        found[at] = decided(taggers[tagger].tags, chances, lines[at].form)
    return found


def decided(tags: Sequence[str], chances: Sequence[float], form: str) -> str:
    """The likeliest tag that is not none, where it is likely enough that a line of that form is some instruction."""
    none = tags.index("none")
    if form in NEVER or 1 - chances[none] < (HEADED if form == "heading" else LEAST):
        return "none"
    return tags[max(set(range(len(chances))) - {none}, key=chances.__getitem__)]


def with_weak(rows: Sequence[Sequence[str]], weak: Crf) -> list[list[str]]:
    """Features, and those of what the weak tagger thinks of a line and of its neighbours."""
    step = weak.tags.index("step")
    chances = [one[step] for one in weak.chances(rows)]
    found = []
    for at, row in enumerate(rows):
        around = [f"weak{distance:+} {chance_bin(chances, at + distance)}" for distance in (-1, 0, 1)]
        found.append([*row, *around])
    return found


def chance_bin(chances: Sequence[float], at: int) -> str:
    return str(int(5 * min(0.999, chances[at]))) if 0 <= at < len(chances) else "edge"


def step_chances(path: str, lines: Sequence[Line]) -> list[float]:
    """Of every line that may be one and is no heading, how likely it is a step."""
    chain = read_crfs(WEIGHTS)["hand"]
    filled = [at for at, line in enumerate(lines) if line.form != "blank"]
    features = line_features(path, lines)
    step = chain.tags.index("step")
    chances = chain.chances([features[at] for at in filled])
    return [one[step] for at, one in zip(filled, chances, strict=True) if lines[at].form not in (*NEVER, "heading")]
