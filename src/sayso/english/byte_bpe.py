"""Byte-level BPE as `tokenizers` defines it in a trunk's tokenizer.json, in plain Python for whoever only asks.

The package itself brings an HTTP client and 60 MB along, which a tool that never reaches the network can do without.
Read here: digits one by one, GPT-2's split into words, merges by rank; no normaliser, no added tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any
from unicodedata import category

from sayso.core.errors import BadFile, BadRequest
from sayso.core.given import parse_json
from sayso.english.prompt import FIRST_WORD
from sayso.english.vocabulary import EOS

# Unicode's white space; Python's \s also takes the four separators from U+001C on.
BLANK = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
# A letter is what \w leaves without the underscore: there are no numbers in what this splits.
WORD = re.compile(
    rf"'(?:s|t|re|ve|m|ll|d)| ?[^\W_]+| ?(?:[^\w{BLANK}]|_)+|[{BLANK}]+(?![^{BLANK}])|[{BLANK}]+",
)
EXPECTED = [
    {"type": "Digits", "individual_digits": True},
    {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
]
MOST_REMEMBERED = 20_000


def alphabet() -> dict[int, str]:
    """GPT-2's printable character for every byte: itself where it can be seen, else the next one from U+0100 on."""
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [one for one in range(256) if one not in seen]
    return {one: chr(one) for one in seen} | {one: chr(0x100 + i) for i, one in enumerate(hidden)}


@dataclass(frozen=True)
class ByteBpe:
    """Any text in, ids from FIRST_WORD on, the same text back."""

    ids: Mapping[str, int]
    ranks: Mapping[tuple[str, str], int]
    letters: Mapping[int, str] = field(default_factory=alphabet)
    remembered: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    def encode(self, text: str) -> list[int]:
        """No special ids are added, and none can be made from text."""
        try:
            text.encode()
        except UnicodeEncodeError as error:
            hint = "send text that is valid UTF-8"
            raise BadRequest(f"character {error.start} is half a surrogate pair", hint) from error
        return [one for word in words(text) for one in self.word(word)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text again, up to the first EOS and without other specials."""
        bytes_of = self._bytes
        parts: list[bytes] = []
        for one in ids:
            if one == EOS:
                break
            if one >= FIRST_WORD:
                parts.append(bytes_of[one])
        return b"".join(parts).decode("utf-8", "replace")

    def word(self, word: str) -> tuple[int, ...]:
        found = self.remembered.get(word)
        if found is None:
            found = tuple(self.ids[part] for part in merge([self.letters[one] for one in word.encode()], self.ranks))
            if len(self.remembered) < MOST_REMEMBERED:
                self.remembered[word] = found
        return found

    @cached_property
    def _bytes(self) -> dict[int, bytes]:
        back = {letter: one for one, letter in self.letters.items()}
        return {one: bytes(back[letter] for letter in part) for part, one in self.ids.items() if one >= FIRST_WORD}


def words(text: str) -> list[str]:
    """What is merged apart: "rm a12" -> ["rm", " a", "1", "2"]"""
    found: list[str] = []
    start = 0
    for place, letter in enumerate(text):
        if category(letter)[0] == "N":
            found += WORD.findall(text[start:place])
            found.append(letter)
            start = place + 1
    return found + WORD.findall(text[start:])


def merge(parts: list[str], ranks: Mapping[tuple[str, str], int]) -> list[str]:
    """Join neighbours, the pair that was learnt first before all others, until none is left that was learnt."""
    never = len(ranks)
    while len(parts) > 1:
        best = min(pairwise(parts), key=lambda pair: ranks.get(pair, never))
        if best not in ranks:
            break
        joined: list[str] = []
        place = 0
        while place < len(parts):
            if place + 1 < len(parts) and (parts[place], parts[place + 1]) == best:
                joined.append(parts[place] + parts[place + 1])
                place += 2
            else:
                joined.append(parts[place])
                place += 1
        parts = joined
    return parts


def read_bpe(definition: bytes) -> ByteBpe:
    """A tokenizer.json; raises BadFile where it asks for something that is not read here."""
    try:
        content: dict[str, Any] = parse_json(definition)
        model = content["model"]
        asked = content["pre_tokenizer"]
        steps = asked["pretokenizers"] if asked["type"] == "Sequence" else [asked]
        is_plain = not content.get("normalizer") and not content.get("added_tokens") and model["type"] == "BPE"
        if not is_plain or steps != EXPECTED:
            raise BadFile("this tokenizer is not the byte-level BPE of a trunk", "use the tokenizer of the trunk")
        pairs = [tuple(one.split(" ")) if isinstance(one, str) else tuple(one) for one in model["merges"]]
        vocabulary: dict[str, int] = model["vocab"]
        if not all(len(pair) == 2 and all(isinstance(part, str) for part in pair) for pair in pairs):
            raise TypeError("merges")
        if missing := [letter for letter in alphabet().values() if letter not in vocabulary]:
            raise BadFile(
                f"this tokenizer has no id for {len(missing)} of the 256 bytes", "use the tokenizer of the trunk"
            )
        if sorted(vocabulary.values()) != list(range(len(vocabulary))):
            raise ValueError("ids that are not counted from 0")
        letters = frozenset(alphabet().values())
        for part, one in vocabulary.items():
            if type(one) is not int or (one >= FIRST_WORD and not letters.issuperset(part)):
                raise ValueError(f"{part[:20]!r} is no piece of bytes")
        if any(first + second not in vocabulary for first, second in pairs):
            raise ValueError("a merge makes a piece without an id")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        why = error.reason if isinstance(error, UnicodeDecodeError) else str(error)[:160]
        raise BadFile(f"this tokenizer cannot be read: {type(error).__name__} {why}", "get the trunk again") from error
    return ByteBpe(vocabulary, {(first, second): rank for rank, (first, second) in enumerate(pairs)})
