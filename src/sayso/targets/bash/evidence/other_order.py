"""Commands that sort the other way round: descending for ascending, small to big for big to small."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.types import Doubt
from sayso.targets.bash.evidence.lost_words import QUOTED

HALF, SOME = 0.45, 0.65

# Three ways to say it: a word or what comes first,
DOWNWARDS = re.compile(
    r"\b(?:descending|decreasing|desc|(?:largest|biggest|highest|newest|latest|heaviest|longest|most \w+"
    r"|greatest) first)\b",
    re.I,
)
UPWARDS = re.compile(r"\b(?:ascending|increasing|(?:smallest|lowest|oldest|shortest|least \w+|fewest) first)\b", re.I)
# from what to what,
UP_TO = re.compile(r"\bfrom (?:the )?(?:small|low|short|old|light|least|cheap)\w* to\b", re.I)
DOWN_TO = re.compile(r"\bfrom (?:the )?(?:big|large|high|long|new|heav|most|great)\w* to\b", re.I)
# what comes last.
NEWEST_LAST = re.compile(
    r"\b(?:newest|latest|most recent|largest|biggest)(?: ones?| files?)? (?:at the |come |comes )*(?:last|bottom|end)\b"
    r"|\b(?:oldest|smallest)(?: ones?| files?)? (?:first|on top|at the top)\b",
    re.I,
)

SORTS = re.compile(r"(?<![\w-])sort(?P<flags>(?: +-\S+| +\d\S*)*)")
DOWN_SOMEHOW = re.compile(r"reverse| -[A-Za-z]*r|-k ?\S*r|--reverse|--sort=-|\btac\b|\bls -\w*[St]|> ?\w*\[?max|>max")
SORTS_DOWN = re.compile(r"\bsort(?: +\S+)*? +-\w*r|\bsort.*-k ?\S*r")
NEWEST_FIRST = re.compile(r"\bls (?!(?:-\S+ )*-\w*r)(?:-\S+ )*-\w*[tS]")
REASON = "sorts the other way round"


def other_order(asked: str, text: str) -> Iterator[Doubt]:
    """What speaks against a command that sorts, because the request names the other direction."""
    plain = " ".join(QUOTED.sub(" X ", asked).split())
    if DOWNWARDS.search(plain) and SORTS.search(text) and not DOWN_SOMEHOW.search(text):
        yield Doubt(SOME, REASON, "unfit")
    if UPWARDS.search(plain) and has_reversing_flag(text):
        yield Doubt(SOME, REASON, "unfit")
    if UP_TO.search(asked) and SORTS_DOWN.search(text):
        yield Doubt(HALF, REASON, "unfit")
    if DOWN_TO.search(asked) and re.search(r"\bsort\b", text) and not SORTS_DOWN.search(text):
        yield Doubt(HALF, REASON, "unfit")
    if NEWEST_LAST.search(asked) and NEWEST_FIRST.search(text):
        yield Doubt(HALF, REASON, "unfit")


def has_reversing_flag(text: str) -> bool:
    """sort -k2,2nr -> True"""
    found = SORTS.search(text)
    return found is not None and re.search(r"-\w*r|\dn?r", found["flags"]) is not None
