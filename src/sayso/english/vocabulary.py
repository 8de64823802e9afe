"""Words and their ids, with a frequency cut-off, and ids for one request's unknown words, which is all copying needs.

Ids 0 to 3 are the specials; a word that is spelled like a special is still a word. Plain Python, no arrays.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sayso.core.errors import BadFile
from sayso.core.files import write_atomically

PAD, BOS, EOS, UNK = range(4)
SPECIALS = ("<pad>", "<bos>", "<eos>", "<unk>")


@dataclass(frozen=True)
class Vocabulary:
    """`words[i]` has the id `i + len(SPECIALS)`."""

    words: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.words)) != len(self.words):
            twice = next(word for word, n in Counter(self.words).items() if n > 1)
            raise BadFile(f'the word "{twice}" stands twice in a vocabulary', "build it with build_vocabulary")

    def __len__(self) -> int:
        return len(SPECIALS) + len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words, len(SPECIALS))}

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the words in order."""
        return hashlib.sha256(json.dumps(self.words).encode()).hexdigest()

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """Unknown tokens become UNK; no BOS or EOS is added."""
        return [self._ids.get(token, UNK) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Stops at the first EOS, leaves PAD and BOS out, and shows UNK as <unk>."""
        return ExtendedVocabulary(self, ()).decode(ids)

    def extend(self, source: Sequence[str]) -> ExtendedVocabulary:
        """This vocabulary for one request: its unknown tokens get ids from len(self) on, in order of appearance."""
        return ExtendedVocabulary(self, tuple(dict.fromkeys(token for token in source if token not in self._ids)))

    def save(self, path: Path) -> None:
        """Write JSON with the digest; a reader never sees half a file."""
        with write_atomically(path) as file:
            file.write(json.dumps({"digest": self.digest, "words": self.words}).encode("ascii") + b"\n")


@dataclass(frozen=True)
class ExtendedVocabulary:
    """A vocabulary with the unknown tokens of one request after it (pointer and copy models)."""

    known: Vocabulary
    extra: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.known) + len(self.extra)

    @cached_property
    def _extra_ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.extra, len(self.known))}

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """UNK only for what is neither in the vocabulary nor in the request."""
        tokens = list(tokens)
        ids = self.known.encode(tokens)
        return [self._extra_ids.get(token, UNK) if i == UNK else i for token, i in zip(tokens, ids, strict=True)]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Stops at the first EOS, leaves PAD and BOS out; raises IndexError for an id that nothing has."""
        tokens: list[str] = []
        for i in ids:
            if i == EOS:
                break
            if i in (PAD, BOS):
                continue
            if not 0 <= i < len(self):
                raise IndexError(f"id {i} is outside a vocabulary of {len(self)}")
            tokens.append(self._word(i))
        return tokens

    def _word(self, i: int) -> str:
        if i == UNK:
            return SPECIALS[UNK]
        words = self.known.words
        place = i - len(SPECIALS)
        return words[place] if place < len(words) else self.extra[place - len(words)]


def build_vocabulary(token_lists: Iterable[Iterable[str]], minimum: int = 1, limit: int | None = None) -> Vocabulary:
    """Tokens seen at least `minimum` times, the most frequent first and ties in alphabetical order, `limit` at most.

    NL2Bash §6.1 drops natural-language tokens seen fewer than four times: minimum=4.
    """
    counts = Counter(token for tokens in token_lists for token in tokens)
    kept = sorted((word for word, n in counts.items() if n >= minimum), key=lambda word: (-counts[word], word))
    return Vocabulary(tuple(kept[:limit]))


def load_vocabulary(path: Path) -> Vocabulary:
    """Read what `save` wrote; raises BadFile where it was cut short or altered."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        digest, words = content["digest"], content["words"]
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise TypeError("words")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(
            f"{path} cannot be read as a vocabulary: {error}", "make it again from the training data"
        ) from error
    vocabulary = Vocabulary(tuple(words))
    if vocabulary.digest != digest:
        raise BadFile(f"{path} was altered: its words do not have the digest it names", "restore it or make it again")
    return vocabulary
