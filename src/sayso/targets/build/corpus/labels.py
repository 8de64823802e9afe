"""What readers said of documents and lines (README-EVAL §5, §7): names, digests, line numbers and tags, no text.

Two readers said something of each; a third only of what they differ in. Guidelines: docs/corpora/labels.md.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.metrics.agreement import alpha

LABELS = Path(__file__).parent.parent / "data" / "labels.jsonl"
MORE = LABELS.with_name("more_labels.jsonl")
"""Lines of other train packages, which one reader labelled to learn from: no score rests on them."""
UNSURE = LABELS.with_name("unsure_labels.jsonl")
"""Windows of train packages where a tagger was least sure, read by one reader: they say nothing of whole documents."""
LINE_TAGS = ("step", "condition", "alternative", "none")
NONE = "none"


def text_digest(text: str) -> str:
    """Of what was read: a label holds for no other text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def decided(said: Sequence[str]) -> str:
    """What two say; the last reader's word where all differ."""
    tag, n = Counter(said).most_common(1)[0]
    return tag if n > 1 else said[-1]


@dataclass(frozen=True)
class DocumentLabel:
    """yes or no: whether a document says how to build the source that it came with."""

    package: str
    path: str
    part: str
    digest: str
    said: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return decided(self.said) == "yes"


@dataclass(frozen=True)
class LineLabels:
    """A document with the lines that were read, from 1, and what each reader said of each."""

    package: str
    path: str
    part: str
    digest: str
    said: Mapping[int, tuple[str, ...]]

    @property
    def tags(self) -> dict[int, str]:
        return {line: decided(tags) for line, tags in self.said.items()}


def read_labels(path: Path = LABELS) -> tuple[list[DocumentLabel], list[LineLabels]]:
    documents, lined = [], []
    for row in map(json.loads, path.read_text("utf-8").splitlines()):
        package, _, name = row["id"].partition(":")
        if "lines" in row:
            said = dict(zip(spread(row["lines"]), words(row["said"]), strict=True))
            lined.append(LineLabels(package, name, row["part"], row["digest"], said))
        else:
            documents.append(DocumentLabel(package, name, row["part"], row["digest"], tuple(row["said"])))
    return documents, lined


def write_labels(documents: Iterable[DocumentLabel], lined: Iterable[LineLabels]) -> bytes:
    """The inverse of `read_labels`: lines as ranges, and of each line a letter a reader."""
    rows: list[dict[str, object]] = [
        {"id": f"{one.package}:{one.path}", "part": one.part, "digest": one.digest, "said": list(one.said)}
        for one in documents
    ]
    rows += [
        {
            "id": f"{one.package}:{one.path}",
            "part": one.part,
            "digest": one.digest,
            "lines": ranges(one.said),
            "said": " ".join("".join(tag[0] for tag in one.said[line]) for line in sorted(one.said)),
        }
        for one in lined
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def words(said: str) -> list[tuple[str, ...]]:
    """ "ss nan" -> [("step", "step"), ("none", "alternative", "none")]"""
    letters = {tag[0]: tag for tag in LINE_TAGS}
    return [tuple(letters[letter] for letter in word) for word in said.split()]


def ranges(lines: Iterable[int]) -> list[list[int]]:
    """[1, 2, 3, 7] -> [[1, 3], [7, 7]]"""
    found: list[list[int]] = []
    for line in sorted(lines):
        if found and line == found[-1][1] + 1:
            found[-1][1] = line
        else:
            found.append([line, line])
    return found


def spread(found: Iterable[Sequence[int]]) -> list[int]:
    """The inverse of `ranges`."""
    return [line for first, last in found for line in range(first, last + 1)]


def agreement(units: Iterable[Sequence[str]]) -> float | None:
    """Krippendorff's alpha of the first two readers; None where it is not defined."""
    value = alpha(said[:2] for said in units)
    return None if math.isnan(value) else value
