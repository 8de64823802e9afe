"""What a trunk reads before its answer, in ids: the target's tag, context, the request, BOS; the answer ends in EOS.

One function for training and for use, and as few ids as can be: each costs time. No special id is made from text,
so a request cannot end itself, speak for another target, or pass for a piece of context.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sayso.core.errors import BadFile, BadRequest, MissingData, MissingPart, UnknownName
from sayso.core.types import Piece, Request
from sayso.english.context import Marked, fit
from sayso.english.vocabulary import BOS, EOS

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# Ids of a trunk before this one are its specials: PAD, BOS, EOS, UNK as everywhere, the rest for us to give a meaning.
FIRST_WORD = 17
CONTEXT = 5
"""Stands between a context and the request."""
TAGS = {"bash": 15, "notebook": 11, "api": 7, "build": 8}
MARKS = {"text": 12, "code": 13, "file": 6}
"""Stands before a piece of context. In pretraining 11 began a notebook, 12 its text, 13 its code, 6 a file's name."""
MOST = 10_000
LETTERS = 16
"""Characters to an id beyond which a piece is not looked at: code has three or four."""


class Tokens(Protocol):
    """Text to ids from FIRST_WORD on and back: `TrunkTokens`, or `ByteBpe` without the package."""

    def encode(self, text: str) -> list[int]: ...

    def decode(self, ids: Iterable[int]) -> str: ...


@dataclass(frozen=True)
class TrunkTokens:
    """A trunk's tokenizer (`tokenizer.json`): any text in, ids from FIRST_WORD on, the same text back."""

    definition: str

    @cached_property
    def _engine(self) -> Tokenizer:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingPart("a trunk needs the package tokenizers", "pip install tokenizers") from error
        try:
            return Tokenizer.from_str(self.definition)
        except Exception as error:  # the package raises bare Exception for JSON that it cannot use
            raise BadFile(f"this tokenizer cannot be read: {error}", "get the trunk again") from error

    def __len__(self) -> int:
        return int(self._engine.get_vocab_size())

    def encode(self, text: str) -> list[int]:
        """No special ids are added."""
        try:
            text.encode()
        except UnicodeEncodeError as error:
            hint = "send text that is valid UTF-8"
            raise BadRequest(f"character {error.start} is half a surrogate pair", hint) from error
        return list(self._engine.encode(text, add_special_tokens=False).ids)

    def decode(self, ids: Iterable[int]) -> str:
        """The text again, up to the first EOS and without other specials."""
        words: list[int] = []
        for one in ids:
            if one == EOS:
                break
            if one >= FIRST_WORD:
                words.append(one)
        return str(self._engine.decode(words, skip_special_tokens=False))


def load_trunk_tokens(path: Path) -> TrunkTokens:
    try:
        return TrunkTokens(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise MissingData(f"no tokenizer: {path} is not there", "get the trunk again") from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} cannot be read: {error}", "get the trunk again") from error


@dataclass(frozen=True)
class Prompt:
    """All ids up to the first of the answer, and what of the request they hold."""

    ids: list[int]
    pieces: int
    """How many of the context are read, the nearest ones."""
    is_cut: bool
    """Whether the request is too long by itself, so that only its beginning is read."""


def read_prompt(tokens: Tokens, request: Request, target: str = "bash", most: int = MOST) -> Prompt:
    """Tag, pieces of context each after a mark of its kind, CONTEXT, the request, BOS: `most` ids at most.

    The request's white space is folded; that of its context is kept, and its name, if any, is its first line.
    """
    if target not in TAGS:
        raise UnknownName("target of a trunk", target, TAGS)

    def read(piece: Piece, room: int) -> Marked[int]:
        name = tokens.encode(f"{piece.name}\n") if piece.name else []
        end = piece.text[-LETTERS * room :] if room > 0 else ""
        return Marked([MARKS[piece.kind], *name], tokens.encode(end), len(end) == len(piece.text))

    own = tokens.encode(" ".join(request.text.split()))
    known = [piece for piece in request.context if piece.kind in MARKS]
    found = fit(known, own, CONTEXT, most - 2, read, lambda one: "\n" in tokens.decode([one]))
    return Prompt([TAGS[target], *found.parts, BOS], found.pieces, found.is_cut)


def request_ids(
    tokens: Tokens, request: str, target: str = "bash", context: Sequence[Piece] = (), most: int = MOST
) -> list[int]:
    """What is read before BOS, which counts among the `most` ids."""
    return read_prompt(tokens, Request(request, tuple(context)), target, most).ids[:-1]


def told_ids(tokens: Tokens, instruction: str, target: str = "bash", most: int = MOST) -> list[int]:
    """What is read before BOS where a trunk is to say what an instruction is for: it as context, and no request."""
    return request_ids(tokens, "", target, (Piece("code", instruction),), most)


def answer_ids(tokens: Tokens, answer: str) -> list[int]:
    """What is learnt after the request: BOS, the answer, EOS."""
    return [BOS, *tokens.encode(answer), EOS]
