"""What a trunk reads before its answer, in ids: a tag for the target, the request, BOS; the answer ends in EOS.

One function for training and for use, and as few ids as can be: each costs time. No special id is made from text,
so a request cannot end itself or speak for another target.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.core.errors import BadFile, BadRequest, MissingData, MissingPart, UnknownName
from sayso.text.vocabulary import BOS, EOS

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# Ids of a trunk before this one are its specials: PAD, BOS, EOS, UNK as everywhere, the rest for us to give a meaning.
FIRST_WORD = 17
CONTEXT = 5
"""Stands between a context and the request."""
TAGS = {"bash": 15, "notebook": 13, "api": 7, "build": 8}


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


def request_ids(tokens: TrunkTokens, request: str, target: str = "bash", context: str = "") -> list[int]:
    """What is read before BOS: tag, context if there is one, request with its white space folded."""
    if target not in TAGS:
        raise UnknownName("target of a trunk", target, TAGS)
    before = [*tokens.encode(context), CONTEXT] if context else []
    return [TAGS[target], *before, *tokens.encode(" ".join(request.split()))]


def prompt_ids(tokens: TrunkTokens, request: str, target: str = "bash", context: str = "") -> list[int]:
    """Everything up to the first id of the answer."""
    return [*request_ids(tokens, request, target, context), BOS]


def answer_ids(tokens: TrunkTokens, answer: str) -> list[int]:
    """What is learnt after the request: BOS, the answer, EOS."""
    return [BOS, *tokens.encode(answer), EOS]
