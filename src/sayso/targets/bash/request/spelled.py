"""Requests as they were meant to be spelt, for a model that has seen few typing mistakes; names are left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from sayso.core.types import Candidate, Request, Translator
from sayso.english.spelling import Speller, domain_words
from sayso.english.tokens import tokenise
from sayso.english.words import listed

SHORTEST = 5
"""Shorter words that nobody knows are names more often than mistakes."""
NAMED_AFTER = listed("spelled.named_after")
"""What stands right behind one of these is somebody's name for something."""


@dataclass(frozen=True)
class Spelled:
    """A translator that is asked in the right spelling."""

    translator: Translator

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return self.translator.translate([replace(one, text=spelled(one.text)) for one in requests], k)


def spelled(text: str) -> str:
    """ "renmae all exectuable files" -> "rename all executable files"; only words of the terminal are believed."""
    pieces: list[str] = []
    done = 0
    before = ""
    for token in tokenise(text):
        word = token.text
        is_plain = token.kind == "word" and word.isascii() and word.isalpha() and word.islower()
        if is_plain and len(word) >= SHORTEST and before not in NAMED_AFTER and (meant := meant_by(word)):
            pieces += [text[done : token.start], meant]
            done = token.end
        before = word.lower()
    return "".join(pieces) + text[done:]


@cache
def speller() -> Speller:
    return Speller()


@lru_cache(maxsize=10_000)
def meant_by(word: str) -> str:
    """The word of the terminal that a misspelling stands for, "" for all others."""
    if word in domain_words():
        return ""
    meant = speller().correct_word(word)
    return meant if meant != word and meant in domain_words() and meant[0] == word[0] else ""
