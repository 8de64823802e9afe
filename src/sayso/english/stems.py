"""Stems, stop words and the key under which requests that say the same thing are grouped (NL2Bash §3.4, §6.1).

The authors print neither their stop words nor their tokeniser. Both were fitted here until the published split falls
into the 7,340, 549 and 547 groups of the paper's table 6; docs/concepts/text.md has the counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

from sayso.english.tokens import Token, tokenise
from sayso.english.words import listed

# Only words without which a command stays the same. Prepositions, "not", "all", "or", "each" and "a" choose flags and
# order arguments, and the published vocabulary keeps them too.
STOP_WORDS = listed("stems.stop_words")

# "regular/normal files" says one thing twice.
_REGULAR = {"regular", "normal"}

_ASIDE = re.compile(r"\([^()]*\)")


@cache
def misspellings() -> dict[str, str]:
    """Typing mistakes seen again and again in requests, and what was meant."""
    lines = (Path(__file__).parent / "data" / "misspellings.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


@cache
def _stemmer() -> Callable[[str], str]:
    from snowballstemmer import stemmer  # here because it loads thirty languages

    stem_word: Callable[[str], str] = stemmer("english").stemWord
    return stem_word


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The Snowball (English) stem of a word in lower case: "directories" -> "directori"."""
    return _stemmer()(word)


def normalised_tokens(text: str) -> list[str]:
    """The parts of the key. "List the 2 files/folders (big ones) in /Tmp" -> list 2 file and folder in /Tmp"""
    tokens = tokenise(_ASIDE.sub(" ", text)) or tokenise(text)
    return list(_parts(tokens, STOP_WORDS)) or list(_parts(tokens, frozenset()))


def normalise_request(text: str) -> str:
    """Lower case, stems, no stop words, no asides in brackets; constants keep their case (NL2Bash §6.1)."""
    return " ".join(normalised_tokens(text))


def group_requests(texts: Iterable[str]) -> dict[str, list[int]]:
    """Key -> positions of the texts that share it, in order of first appearance (the clusters of NL2Bash §3.4)."""
    groups: dict[str, list[int]] = {}
    for position, text in enumerate(texts):
        groups.setdefault(normalise_request(text), []).append(position)
    return groups


def _parts(tokens: Sequence[Token], stop_words: frozenset[str]) -> Iterator[str]:
    for at, token in enumerate(tokens):
        if token.kind == "word":
            if not _is_doubled(tokens, at):
                yield from _word(token.text.lower(), stop_words)
        elif token.kind == "mark":
            if token.text == "&" or _joins_words(tokens, at):
                yield "and"
        elif token.kind == "number" and token.text.lower() == "one":
            yield "one"  # as often a pronoun as a number, so both are written alike
        elif token.kind in ("number", "size", "timespan"):
            yield token.value
        else:
            yield " ".join(token.text.split())


def _word(word: str, stop_words: frozenset[str]) -> Iterator[str]:
    word = word.replace("’", "'")
    word = misspellings().get(word, word)
    owner = word.removesuffix("'s")
    if owner not in stop_words:
        yield stem(owner)
    if owner != word:
        yield "'s"


def _joins_words(tokens: Sequence[Token], at: int) -> bool:
    """Whether the mark is the slash of "files/directories", which says "and"."""
    if tokens[at].text != "/" or not 0 < at < len(tokens) - 1:
        return False
    around = (tokens[at - 1], tokens[at + 1])
    return all(token.kind == "word" for token in around) and {token.text.lower() for token in around} != _REGULAR


def _is_doubled(tokens: Sequence[Token], at: int) -> bool:
    if tokens[at].text.lower() != "normal":
        return False
    for slash, other in ((at - 1, at - 2), (at + 1, at + 2)):
        if min(slash, other) >= 0 and max(slash, other) < len(tokens) and tokens[slash].text == "/":
            return tokens[other].text.lower() == "regular"
    return False
