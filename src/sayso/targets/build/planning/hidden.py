"""What nobody sees in a document, taken out before it is read, and told: comments and unseen characters."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
FOLDED = re.compile(r"^\[(?://|comment)\]:\s*#.*$", re.M | re.I)
UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0000-\U000e0fff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)
BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
MARKED_UP = (".md", ".markdown", ".html", ".htm", ".mkd", ".rst", ".txt", "")


@dataclass(frozen=True)
class Hidden:
    """`what` names the kind; lines are those of the file as it is."""

    file: str
    line: int
    what: str


def seen_text(path: str, text: str) -> tuple[str, list[Hidden]]:
    """The text without what is hidden, every line still at its place."""
    found: list[Hidden] = []

    def drop(match: re.Match[str]) -> str:
        found.append(Hidden(path, text.count("\n", 0, match.start()) + 1, "an HTML comment"))
        return "\n" * match[0].count("\n")

    kept = COMMENT.sub(drop, text) if "<!--" in text else text
    if kept.startswith("\ufeff"):
        kept = kept[1:]  # a mark of the encoding, at its place
    lines = kept.split("\n") if not kept.isascii() or UNSEEN.search(kept) else []
    for number, line in enumerate(lines, 1):
        unseen = UNSEEN.findall(line)
        if not unseen:
            continue
        if any(BIDI.match(one) for one in unseen):
            found.append(Hidden(path, number, "text that changes its direction"))
        elif any(
            unicodedata.category(one) in ("Cf", "Cc", "Lo", "Mn") and one not in "\ufe0e\ufe0f\f" for one in unseen
        ):
            found.append(Hidden(path, number, "characters that nobody sees"))
        lines[number - 1] = UNSEEN.sub("", line)
    return ("\n".join(lines) if lines else kept), found
