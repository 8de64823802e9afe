"""The noise that §4 names: Markdown that speaks of the cell above it, so that it does not ask for the one below.

A rule over its words, measured against reading (docs/papers/juice.md); training runs with and without what it finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sayso.core.types import Example

SHOWN = r"(?:plot|figure|graph|chart|output|table|result|code|cell|histogram|matrix|image|map|query|score|value)s?"
TELLS = r"(?:shows?|tells?|indicates?|suggests?|means?|looks?|seems?|confirms?|demonstrates?|is|are|was|were|has|have)"
BACK = (
    r"as (?:you|we|one) (?:can )?(?:saw|seen?|notice|observe)",
    r"(?:you|we|one) (?:can )?(?:clearly |now )?(?:see|saw|observe|notice) (?:that|how|the|from|in|a|here|above)",
    rf"{SHOWN} above",
    rf"above (?:{SHOWN}|shows?)",
    rf"(?:this|these|the) {SHOWN} {TELLS}",
    rf"from the {SHOWN}",
    r"as expected",
    r"(?:looks|seems) (?:like|that|to)",
)
"""Words that tell what was just seen."""
FORTH = r"let['’]?s|let us|below|following|next|(?:we|you|i)(?:['’]ll| will)|exercise|todo|here (?:we|is|are)|how to"
"""Words that announce something."""
LOOKS_BACK = re.compile(rf"\b(?:{'|'.join(BACK)})\b", re.I)
LOOKS_FORTH = re.compile(rf"\b(?:{FORTH})\b|[?:]\s*$", re.I)
HEADING = re.compile(r"^\s*#{1,6}\s*\S", re.M)
WORD = re.compile(r"[A-Za-z][a-z]{3,}|[A-Z]{4,}")
STEM = 4
"""Letters by which two words are the same: plot, plotting; community, communities."""


def speaks_of_above(request: str, target: str) -> bool:
    """Whether Markdown tells what was just seen, and announces nothing, and shares no word with the cell below it."""
    return (
        LOOKS_BACK.search(request) is not None
        and LOOKS_FORTH.search(request) is None
        and HEADING.search(request) is None
        and stems(request).isdisjoint(stems(target.replace("jupyter_string", "")))
    )


def stems(text: str) -> set[str]:
    """Also of the words inside of names: read_csvFile -> read, file"""
    return {word[:STEM].lower() for word in WORD.findall(text)}


def without_noise(examples: Iterable[Example]) -> Iterator[Example]:
    """The examples whose request may be about its target."""
    return (one for one in examples if not speaks_of_above(one.request.text, one.references[0]))
