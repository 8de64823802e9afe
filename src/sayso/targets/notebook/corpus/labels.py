"""What readers said of 50 dev and 50 train examples (JuICe §4): tables 3, 4 and 5, and which examples can be solved.

`data/labels.jsonl` holds ids, digests and tags, a list for each reader; the examples themselves are the corpus's.
Shares are means over readers; agreement is Krippendorff's alpha over single tags.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.metrics.agreement import alpha

LABELS = Path(__file__).parent.parent / "data" / "labels.jsonl"

TAGS: dict[str, tuple[str, ...]] = {
    "table 3": (
        "NL: high-level declarative",
        "NL: variables or functions named",
        "NL: arguments mentioned",
        "NL: question",
        "NL: line by line",
        "NL: long reference",
        "NL: input and output shown",
        "NL: equation",
    ),
    "table 4": (
        "code: data exploration",
        "code: data wrangling",
        "code: machine learning",
        "code: miscellaneous",
        "code: visualization",
        "code: systems",
    ),
    "table 5": (
        "context: variables or methods above",
        "context: data structures above",
        "context: idioms of the notebook",
        "context: several cells (3 or more)",
    ),
    "solvable": ("solvable from NL and context",),
}
"""The paper's rows in its order; an item of the judge page shows all of them."""
PAPER: dict[str, tuple[float, ...]] = {
    "table 3": (43, 27, 20, 18, 16, 11, 9, 7),
    "table 4": (25, 23, 20, 16, 13, 3),
    "table 5": (48, 39, 25, 23),
}
"""Per cent."""


@dataclass(frozen=True)
class Labelled:
    """One example as readers saw it; `said` has one tuple of tags a reader."""

    id: str
    part: str
    digest: str
    said: tuple[tuple[str, ...], ...]

    def as_json(self) -> dict[str, object]:
        return {"id": self.id, "part": self.part, "digest": self.digest, "said": [list(tags) for tags in self.said]}


def read_labels(path: Path = LABELS) -> tuple[Labelled, ...]:
    """Nothing where nobody has read yet."""
    if not path.exists():
        return ()
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return tuple(
        Labelled(row["id"], row["part"], row["digest"], tuple(tuple(tags) for tags in row["said"])) for row in rows
    )


def share(labels: Sequence[Labelled], part: str, tag: str) -> float:
    """The mean over readers of how many examples of a part have a tag."""
    return mean([tag in tags for one in labels if one.part == part for tags in one.said])


def contextual(labels: Sequence[Labelled]) -> float:
    """Examples with any tag of table 5: the paper's 86 % by hand."""
    wanted = set(TAGS["table 5"])
    return mean([bool(wanted & set(tags)) for one in labels if one.part == "dev" for tags in one.said])


def tag_agreement(labels: Sequence[Labelled], tags: Sequence[str], part: str = "dev") -> float | None:
    """Alpha over (example, tag) units; None where it is not defined: every reader said the same of everything."""
    value = alpha([tag in said for said in one.said] for one in labels if one.part == part for tag in tags)
    return None if math.isnan(value) else value


def label_tables(labels: Sequence[Labelled]) -> Mapping[str, Mapping[str, Mapping[str, float | None]]]:
    """The tables for `sayso stats`, in per cent; empty without labels."""
    if not labels:
        return {}
    tables: dict[str, dict[str, dict[str, float | None]]] = {}
    for name in ("table 3", "table 4", "table 5"):
        rows: dict[str, dict[str, float | None]] = {
            tag: {"ours": 100 * share(labels, "dev", tag), "paper": theirs}
            for tag, theirs in zip(TAGS[name], PAPER[name], strict=True)
        }
        if name == "table 5":
            rows["any of these (contextual, by hand)"] = {"ours": 100 * contextual(labels), "paper": 86}
        rows["alpha of two readers"] = {"ours": tag_agreement(labels, TAGS[name]), "paper": None}
        tables[f"{name} (50 dev examples, by readers, %)"] = rows
    solvable = TAGS["solvable"][0]
    tables["§4 solvable (50 examples each, by readers, %)"] = {
        "train": {"ours": 100 * share(labels, "train", solvable), "paper": 68},
        "dev": {"ours": 100 * share(labels, "dev", solvable), "paper": 96},
        "alpha, train": {"ours": tag_agreement(labels, [solvable], "train"), "paper": None},
        "alpha, dev": {"ours": tag_agreement(labels, [solvable]), "paper": None},
    }
    return tables


def mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else float("nan")
