"""Requests and references in the word pieces of a pretrained folder (its `tokenizer.json`): what its encoder reads.

A piece that does not begin a word is written with ## before it, whatever the tokeniser itself marks, so pieces are put
together without it. Of a reference only what the request says is cut (it may be copied); names of a schema stay whole.
With one vocabulary for both sides (`encoding.shared`, for T5) whole texts are cut as the folder itself does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile, MissingData, MissingPart
from sayso.english.vocabulary import SPECIALS, Vocabulary

FILE = "tokenizer.json"
GOES_ON = "##"


@dataclass(frozen=True)
class Cut:
    """Words in pieces: `parts` to be copied, `ids` for the encoder (ours: the folder's + 4); special ones included."""

    parts: tuple[str, ...]
    ids: tuple[int, ...]


@cache
def open_tokeniser(folder: str) -> Any:
    """The tokeniser of a folder; raises MissingPart, MissingData or BadFile with what to do."""
    path = Path(folder) / FILE
    try:
        tokenizers = import_module("tokenizers")
    except ImportError as error:
        raise MissingPart("word pieces need the package tokenizers", 'pip install "sayso[train]"') from error
    if not path.is_file():
        raise MissingData(f"no word pieces: {path} is not there", "name the folder of the weights")
    try:
        found = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises the bare class
        raise BadFile(f"{path} cannot be read as a tokeniser: {error}", "get the folder again") from error
    found.no_padding()
    found.no_truncation()
    return found


def cut_words(words: Sequence[str], folder: str) -> Cut:
    """show konrad -> [CLS] show ko ##nrad [SEP]"""
    found = open_tokeniser(folder).encode(list(words), is_pretokenized=True)
    parts, last = [], None
    for token, place, (start, end) in zip(found.tokens, found.word_ids, found.offsets, strict=True):
        surface = token if place is None else words[place][start:end] or token
        parts.append(GOES_ON + surface if place is not None and place == last else surface)
        last = place
    return Cut(tuple(parts), tuple(len(SPECIALS) + one for one in found.ids))


def cut_reference(parts: Sequence[str], request: Sequence[str], folder: str) -> list[str]:
    """eq konrad -> eq ko ##nrad, where the request's own pieces have all of them; else the word stays whole."""
    known = set(request)
    found: list[str] = []
    for part in parts:
        pieces = inner_pieces(part, folder)
        found += pieces if len(pieces) > 1 and known.issuperset(pieces) else [part]
    return found


@cache
def inner_pieces(word: str, folder: str) -> tuple[str, ...]:
    """The pieces of one word, without what a tokeniser puts around a text."""
    encoded = open_tokeniser(folder).encode([word], is_pretokenized=True, add_special_tokens=False)
    pieces = [word[start:end] for start, end in encoded.offsets]
    return tuple(GOES_ON + one if at else one for at, one in enumerate(pieces))


def put_together(parts: Iterable[str]) -> list[str]:
    """ko ##nrad eq -> konrad eq"""
    found: list[str] = []
    for part in parts:
        if part.startswith(GOES_ON) and len(part) > len(GOES_ON) and found:
            found[-1] += part[len(GOES_ON) :]
        else:
            found.append(part)
    return found


def cut_text(text: str, folder: str, *, special: bool = True) -> list[str]:
    """A whole text in the folder's own pieces, as a trunk reads and writes it that says nothing but pieces (T5)."""
    tokens: list[str] = open_tokeniser(folder).encode(text, add_special_tokens=special).tokens
    return tokens


def whole_text(pieces: Sequence[str], folder: str) -> str:
    """The inverse of `cut_text`, as far as the tokeniser has one."""
    tokeniser = open_tokeniser(folder)
    ids = [one for one in map(tokeniser.token_to_id, pieces) if one is not None]
    text: str = tokeniser.decode(ids)
    return text


def all_pieces(folder: str) -> Vocabulary:
    """Every piece of the folder, in its order: piece t has the id t + 4."""
    tokeniser = open_tokeniser(folder)
    return Vocabulary(tuple(tokeniser.id_to_token(one) for one in range(tokeniser.get_vocab_size())))


def special_ids(folder: str) -> dict[str, int]:
    """start, end and unknown of the folder, under the names that BERT, RoBERTa and T5 have for them."""
    tokeniser = open_tokeniser(folder)
    names = {"start": ("[CLS]", "<s>", "<pad>"), "end": ("[SEP]", "</s>"), "unknown": ("[UNK]", "<unk>")}
    found = {}
    for ours, theirs in names.items():
        ids = [one for one in map(tokeniser.token_to_id, theirs) if one is not None]
        if not ids:
            raise BadFile(f"{Path(folder) / FILE} has none of {', '.join(theirs)}", "use a BERT or T5 folder")
        found[ours] = ids[0]
    return found
