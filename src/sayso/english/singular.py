"""Whether a request with a superlative asks for one thing: "the newest file", "which user has the most processes"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sayso.english.phrases import NUMBER_WORDS
from sayso.english.words import listed

# Words in -est that compare nothing, and superlatives that are not written so.
COMPARE_NOTHING = listed("singular.compare_nothing")
OTHER_MOST = listed("singular.other_most")
NOUNS = listed("singular.nouns")
ONE_OF = re.compile(
    r"\b(?:which|what)(?: one)? of (?:(?:my|the|these|those|all|our) )*\w+ (?:is|was|has|takes|uses) (?:the "
    r"|\w+ the )?(?:most|least|\w{2,}est)\b",
    re.I,
)
REACH = 3
"""So many words after a superlative or "which" the thing itself is said."""
NOT_BETWEEN = listed("singular.not_between")


def asks_for_one(text: str) -> bool:
    """True for "the largest file here" and "which ip made the most requests?", not for "largest files"."""
    words = re.findall(r"[a-z0-9_./*-]+", text.lower().replace("'s", " is"))
    if ONE_OF.search(text):
        return True
    most = [at for at, word in enumerate(words) if is_superlative(word)]
    if not most:
        return False
    for at, word in enumerate(words):
        if word in ("which", "what", "whose") and (found := thing(words, at + 1)) and most[-1] > at:
            return found == "one"
    return any(thing(words, at + 1) == "one" and not is_counted(words, at) for at in most)


def is_superlative(word: str) -> bool:
    return word in OTHER_MOST or (word.endswith("est") and len(word) > 4 and word not in COMPARE_NOTHING)


def thing(words: Sequence[str], at: int) -> str:
    """ "one" or "many", as the noun that stands next is; "" where none does."""
    for number in range(at, min(at + REACH, len(words))):
        word = words[number]
        if word in NOT_BETWEEN or is_number(word):
            return ""
        if word in NOUNS:
            following = words[number + 1] if number + 1 < len(words) else ""
            if following in NOUNS or following.rstrip("s") in NOUNS:
                continue  # a log file, the process names
            return "" if following in ("first", "last") else "one"
        if word.endswith("s") and (word[:-1] in NOUNS or word[:-2] in NOUNS or f"{word[:-3]}y" in NOUNS):
            return "many"
    return ""


def is_counted(words: Sequence[str], at: int) -> bool:
    return any(is_number(word) for word in words[max(0, at - 1) : at + 2])


def is_number(word: str) -> bool:
    return word.isdigit() or (word in NUMBER_WORDS and word != "one")
