"""A request as terms that can be compared: stems under one canonical word each, typed constants, named places.

The word lists are a target's data; this module only knows how to apply them. Misspellings are guessed at against the
words of the known requests, so that a typo costs little and a name that we never saw stays a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sayso.english.constants import Token
from sayso.english.naming import SHORT, request_tokens
from sayso.english.stems import stem as snowball

MOST_TERMS = 80
"""A longer request is cut: nobody says a command in more words, and a pasted page must not be slow."""

MOST_STEMS = 20_000
"""A process that answers for weeks must not remember every word that it was ever asked."""

LONGEST_PHRASE = 4
SHORTEST_GUESS = 5


SEVERAL = re.compile(r"(?:jpe?g|png|gif|svg|mp3|mp4|pdf|csv|txt|json|xml|html|wav|mov|mkv|avi|docx|xlsx)s")
"""Files of a kind, which nobody calls a file or folder by,"""
FOLDER_NEXT = frozenset(("to", "into", "called", "named", "folder", "directory"))
"""unless one of these stands before."""
INSIDE = frozenset(("in", "under", "inside", "into", "within"))
PLACES_TOO = {
    "archive": INSIDE | {"to"},
    "archives": INSIDE | {"to"},
    "backup": INSIDE,
    "backups": INSIDE,
    "build": INSIDE,
}
"""Words for deeds that name a folder after one of these: "in archive" packs nothing."""


class Term(NamedTuple):
    """One word or constant of a request. `stem` is canonical; `kind` is a token kind, or "place" for a named folder."""

    text: str
    stem: str
    kind: str
    value: str
    start: int
    end: int


@dataclass(frozen=True)
class Lexicon:
    """Word lists of a target. `stop` words mean nothing, `light` ones little; `stems` begins with fixed ones."""

    stop: frozenset[str]
    light: frozenset[str]
    names: frozenset[str]
    canonical: Mapping[str, str]
    phrases: Mapping[str, Sequence[str]]
    places: Mapping[str, str]
    extensions: Mapping[str, str]
    ordinals: Mapping[str, str]
    characters: Mapping[str, str]
    stems: dict[str, str] = field(default_factory=dict, repr=False)

    def stem(self, word: str) -> str:
        """The canonical stem of a word in lower case: "folders" -> "directori". A stop word is its own stem."""
        found = self.stems.get(word)
        if found is None:
            # Kept apart from stop words both ways: "terminal" must not hide "terminate", nor "do" hide "doing".
            plain = word if word in self.stop or not word.isalpha() else snowball(word)
            found = word if plain in self.stop else self.canonical.get(plain, plain)
            if len(self.stems) < MOST_STEMS:
                self.stems[word] = found
        return found

    def read(self, text: str) -> list[Term]:
        """The terms of a request; marks are dropped, spans index into the text."""
        return list(self._terms(request_tokens(text)[:MOST_TERMS]))

    def words(self, text: str) -> list[str]:
        """The canonical stems of a plain phrase, as the phrasings of a recipe are read; stop words stay in."""
        # The dot of ".{ext}" is no word.
        words = [
            SHORT.get(word.lower(), word) for word in re.findall(r"[^\s,;:!?()]+", text) if word not in (".", "*.")
        ]
        tokens = [Token(word, "word", 0, 0, word) for word in words]
        return [term.stem for term in self._terms(tokens)]

    def _terms(self, tokens: Sequence[Token]) -> Iterator[Term]:
        words = [plain(token) for token in tokens]
        at = 0
        while at < len(tokens):
            for size in range(min(LONGEST_PHRASE, len(tokens) - at), 0, -1):
                key = " ".join(words[at : at + size])
                first, last = tokens[at], tokens[at + size - 1]
                if key in self.places and last.kind != "variable":
                    yield Term(key, f"<{self.places[key]}>", "place", self.places[key], first.start, last.end)
                elif key in self.phrases:
                    for stem in self.phrases[key]:
                        yield Term(key, stem, "word", key, first.start, last.end)
                elif size > 1 and key in self.characters:  # a question mark
                    yield Term(key, self.stem(words[at]), "word", key, first.start, last.end)
                else:
                    continue
                break
            else:
                size = 1
                token = tokens[at]
                if token.kind in ("word", "name") and are_several(words, at):
                    one = words[at][:-1]
                    yield Term(one, self.stem(one), "word", one, token.start, token.end)
                    yield Term("files", self.stem("files"), "word", "files", token.start, token.end)
                    at += size
                    continue
                is_place = words[at] in PLACES_TOO and at and words[at - 1] in PLACES_TOO[words[at]]
                stem, kind = (words[at], "name") if is_place else (self.stem(words[at]), token.kind)
                yield Term(token.text, stem, kind, token.value, token.start, token.end)
            at += size

    def is_stop(self, term: Term) -> bool:
        return term.kind == "sign" or (term.kind == "word" and term.text.lower() in self.stop)


def are_several(words: Sequence[str], at: int) -> bool:
    """jpgs are jpg files, but for a folder of that name."""
    return SEVERAL.fullmatch(words[at]) is not None and (not at or words[at - 1] not in FOLDER_NEXT)


def plain(token: Token) -> str:
    """The word in lower case, without a final 's: "Today's" -> "today"."""
    text = token.text.lower().replace("’", "'")
    return text[:-2] if text.endswith("'s") and len(text) > 3 and text not in ("what's", "it's", "let's") else text


def lexicon_from(tables: Mapping[str, Any]) -> Lexicon:
    """A lexicon from the tables of a words file: stop, synonyms, phrases, places, extensions, ordinals, characters."""
    canonical: dict[str, str] = {}
    for chief, others in tables["synonyms"].items():
        head = snowball(chief)
        for word in [chief, *others.split()]:
            canonical.setdefault(snowball(word), head)
    lexicon = Lexicon(
        stop=frozenset(tables["stop"].split()),
        light=frozenset(tables["light"].split()),
        names=frozenset(tables["names"].split()),
        canonical=canonical,
        phrases={},
        places=dict(tables["places"]),
        extensions=dict(tables["extensions"]),
        ordinals={key: str(value) for key, value in tables["ordinals"].items()},
        characters=dict(tables["characters"]),
        stems=dict(tables["exact"]),
    )
    phrases = {key: [lexicon.stem(word) for word in value.split()] for key, value in tables["phrases"].items()}
    return Lexicon(**{**lexicon.__dict__, "phrases": phrases})


def guess(word: str, known: Collection[str]) -> str:
    """The known word that a misspelling stands for, "" where none is near enough: "serch" -> "search"."""
    size = len(word)
    if size < SHORTEST_GUESS or not word.isalpha():
        return ""
    if word.startswith("re") and word[2:] in known:
        return word[2:]
    allowed = 1 if size < 10 else 2
    best, best_distance = "", allowed + 1
    for candidate in known:
        if candidate[0] != word[0] or abs(len(candidate) - size) > allowed or len(candidate) < SHORTEST_GUESS - 1:
            continue
        distance = edits(word, candidate, best_distance)
        if distance < best_distance or (distance == best_distance <= allowed and candidate < best):
            best, best_distance = candidate, distance
    return best


def edits(left: str, right: str, limit: int) -> int:
    """Edits between two words, a swap of neighbours being one; more than `limit` is given as limit + 1."""
    previous: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, previous, row = previous, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]
