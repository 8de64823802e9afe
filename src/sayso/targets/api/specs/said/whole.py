"""What stands between two blanks is one value where its marks are none of prose: `a&b=c` is no `c`, `$(id)` no id.

What a call names in its path is read, changed or deleted, so that a part of such a word may not stand there for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from sayso.targets.api.specs.said.span import Span, covered
from sayso.targets.api.specs.words import Token

BETWEEN = re.compile(r"[^\s—–…]+")
OPENS, ENDS = "\"'“‘«([{#@", "\"'”’»)]}.,;:!?"
PAIRS = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "(": ")", "[": "]", "{": "}", "`": "`"}
ENDING = ".,;:!?"
LABEL = re.compile(r"(\w+)[=:]")


def wholes(text: str, words: Sequence[Token], inside: Collection[int]) -> Iterator[Span]:
    """Words with marks within that no prose has, each as one value."""
    for one in BETWEEN.finditer(text):
        value = bare(one[0])
        start = one.start() + one[0].index(value) if value else 0
        there = covered(words, start, start + len(value)) if value else []
        if len(there) > 1 and not any(at in inside for at in there) and any(map(str.isalnum, value)):
            yield Span(there[0], there[-1] + 1, "id", value, value)


def bare(word: str) -> str:
    """Without what ends a sentence, and without quotes and brackets around all of it: `(a-17),` -> `a-17`"""
    word = word.rstrip(ENDING)
    while len(word) > 2 and PAIRS.get(word[0]) == word[-1]:
        word = word[1:-1]
    return word


def is_torn(text: str, start: int, end: int, names: Collection[str] = ()) -> bool:
    """Whether a stretch begins or ends in the middle of a word; behind a name and its sign, `id=17`, it does not."""
    before = re.search(r"[^\s—–…]*\Z", text[:start])
    behind = re.match(r"[^\s—–…]*", text[end:])
    left, right = before[0] if before else "", behind[0] if behind else ""
    left, right = left.lstrip("`") if right.startswith("`") else left, right.lstrip("`") if "`" in left else right
    label = LABEL.fullmatch(left)
    if label and label[1].casefold() in names:
        left = ""
    right = re.sub(r"^['’]s\b", "", right)
    return bool(left.strip(OPENS) or right.strip(ENDS))
