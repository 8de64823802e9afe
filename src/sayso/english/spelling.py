"""A probabilistic spelling corrector after Norvig, over `pyspellchecker` and words of our own (NL2Bash §3.2).

It changes plain words only: never a constant, a name after "user" or "named", a word of the terminal, or one that an
English word list knows. Case and spacing stay as they are. The word list is read on the first correction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.english.stems import misspellings
from sayso.english.tokens import Token, tokenise
from sayso.english.words import listed

if TYPE_CHECKING:
    from spellchecker import SpellChecker

# What follows one of these is somebody's choice of name.
_NAME_CUES = listed("spelling.name_cues")
_NAME_STARTS = listed("spelling.name_starts")
_NAME_ENDS = listed("spelling.name_ends")
_ENDINGS = ("", "s", "es", "d", "ed", "ing")
_OWNER_VERBS = listed("spelling.owner_verbs")

# Sightings in the word list: "the" has 76 million, "find" 2 million, "directory" 1,524 (films speak of none).
_DOMAIN_SIGHTINGS = 2_000_000
# A correction to a word outside the domain has to be to a common one; long words have fewer neighbours to fear.
_COMMON, _COMMON_LONG, _LONG = 50_000, 2_000, 7
# Shorter words have too many neighbours, longer ones are no words, and two slips are believed in long words only.
_SHORTEST, _SHORTEST_FOR_TWO, _LONGEST = 4, 6, 24
# Norvig's error model in four numbers: a swap is the likeliest slip, a wrong first letter the least likely.
_SWAP, _SAME_END, _WRONG_START, _SECOND_SLIP = 4.0, 3.0, 0.01, 0.01


class Speller:
    """Corrects requests; `known_words` are left alone and preferred, on top of the domain's own."""

    def __init__(self, known_words: Iterable[str] = ()) -> None:
        self._known = domain_words() | {word.lower() for word in known_words}

    @cached_property
    def _english(self) -> SpellChecker:
        return _word_list()

    def correct(self, text: str) -> str:
        """ "fidn all direcotries" -> "find all directories" """
        tokens = tokenise(text)
        shouts = text.isupper()
        pieces: list[str] = []
        done = 0
        for at, token in enumerate(tokens):
            typed = token.text.lower()
            if _may_change(tokens, at, shouts) and (meant := self.correct_word(typed)) != typed:
                pieces += [text[done : token.start], _cased(meant, token.text)]
                done = token.end
        return "".join(pieces) + text[done:]

    def correct_word(self, word: str) -> str:
        """One word in lower case; itself where it is known or nothing likely is near."""
        if word in self._known:
            return word
        if word in misspellings():
            return misspellings()[word]
        if not _SHORTEST <= len(word) <= _LONGEST or self._is_word(word) or self._is_made_name(word):
            return word
        return self._likeliest(word)

    def _is_word(self, word: str) -> bool:
        return self._english.word_frequency[word] > 0 or self._is_known(word)

    def _is_made_name(self, word: str) -> bool:
        """ "myfile", "oldlogs", "testdir": two words without a blank are what people call their things."""
        return any(
            (word[:cut] in _NAME_STARTS or word[:cut] in self._known)
            and (len(word) - cut > 3 or word[cut:] in _NAME_ENDS)
            and self._is_known(word[cut:])
            for cut in range(2, len(word) - 2)
        )

    def _is_known(self, word: str) -> bool:
        return not word.endswith("sss") and any(word.removesuffix(ending) in self._known for ending in _ENDINGS)

    @lru_cache(maxsize=10_000)  # noqa: B019 - a speller lives as long as its process
    def _likeliest(self, word: str) -> str:
        guesses = self._english.edit_distance_1(word)
        scores = {guess: self._sightings(guess) * likelihood(word, guess) for guess in guesses}
        if len(word) >= _SHORTEST_FOR_TWO:
            for guess in self._known:
                if guess not in scores and slips(word, guess) == 2:
                    scores[guess] = _DOMAIN_SIGHTINGS * likelihood(word, guess) * _SECOND_SLIP
        enough = _COMMON_LONG if len(word) >= _LONG else _COMMON
        likely = {
            guess: score
            for guess, score in scores.items()
            if self._sightings(guess) >= enough and (len(word) >= _SHORTEST_FOR_TWO or likelihood(word, guess) >= 1)
        }
        return max(sorted(likely), key=likely.__getitem__) if likely else word

    def _sightings(self, word: str) -> int:
        seen = int(self._english.word_frequency[word])
        return seen + (_DOMAIN_SIGHTINGS if word in self._known or (seen and self._is_known(word)) else 0)


@cache
def domain_words() -> frozenset[str]:
    """Words of the terminal: utilities, what they work on and what they do to it."""
    lines = (Path(__file__).parent / "data" / "domain_words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def _word_list() -> SpellChecker:
    from spellchecker import SpellChecker  # here because reading its list takes a fifth of a second

    return SpellChecker(language="en", distance=1)


def _may_change(tokens: Sequence[Token], at: int, shouts: bool) -> bool:
    token = tokens[at]
    if token.kind != "word" or not (token.text.isascii() and token.text.isalpha()):
        return False
    if not shouts and at and not token.text.islower():
        return False  # a capital inside a sentence begins a name
    before = [other.text.lower() for other in tokens[max(0, at - 2) : at]]
    if before and (before[-1] in _NAME_CUES or tokens[at - 1].text in ("-", "/", "=", "@", "$", "\\", "_", "*")):
        return False
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after and after.start == token.end and after.text[0] in "`'’-_@=\\":
        return False  # half of "doesn`t" or of something longer
    return not (len(before) == 2 and before[1] == "by" and before[0] in _OWNER_VERBS)


def _cased(word: str, model: str) -> str:
    """The word in the case of the one it replaces."""
    if model.isupper():
        return word.upper()
    return word.capitalize() if model[0].isupper() else word


def likelihood(typed: str, meant: str) -> float:
    """How likely a slip of the fingers is, up to a constant."""
    swapped = len(typed) == len(meant) and sorted(typed) == sorted(meant)
    start = 1.0 if swapped or typed[0] == meant[0] else _WRONG_START
    return start * (_SWAP if swapped else 1.0) * (_SAME_END if typed[-1] == meant[-1] else 1.0)


def slips(typed: str, meant: str) -> int:
    """Insertions, deletions, replacements and swaps of neighbours between two words; 3 stands for more than two."""
    if abs(len(typed) - len(meant)) > 2:
        return 3
    older: list[int] = []
    old = list(range(len(meant) + 1))
    for i, letter in enumerate(typed, 1):
        row = [i]
        for j, other in enumerate(meant, 1):
            cost = min(old[j] + 1, row[j - 1] + 1, old[j - 1] + (letter != other))
            if older and j > 1 and letter == meant[j - 2] and typed[i - 2] == other:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > 2:
            return 3
        older, old = old, row
    return min(old[-1], 3)
