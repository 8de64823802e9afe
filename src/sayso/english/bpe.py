"""Byte-level BPE, trained and applied by the `tokenizers` package: any text in, ids out, the same text back.

Ids 0 to 3 are the specials of `vocabulary`; they are never made from text, whatever the text says.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from sayso.core.errors import BadFile, BadRequest, MissingPart
from sayso.core.files import write_atomically
from sayso.english.vocabulary import EOS, SPECIALS

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_BYTES = 256


@dataclass(frozen=True)
class BytePairs:
    """Merges learned from text. `definition` is the JSON of the `tokenizers` package."""

    definition: str

    @cached_property
    def _engine(self) -> Tokenizer:
        package = _package()
        try:
            engine: Tokenizer = package.Tokenizer.from_str(self.definition)
        except Exception as error:  # the package raises bare Exception for JSON that it cannot use
            raise BadFile(f"these BPE merges cannot be read: {error}", "train them again") from error
        return engine

    def __len__(self) -> int:
        return int(self._engine.get_vocab_size()) + len(SPECIALS)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the definition."""
        return hashlib.sha256(self.definition.encode()).hexdigest()

    def encode(self, text: str) -> list[int]:
        """Ids from len(SPECIALS) on; no BOS or EOS is added."""
        try:
            text.encode()
        except UnicodeEncodeError as error:
            hint = "send text that is valid UTF-8"
            raise BadRequest(f"character {error.start} is half a surrogate pair", hint) from error
        ids: list[int] = self._engine.encode(text, add_special_tokens=False).ids
        return [i + len(SPECIALS) for i in ids]

    def decode(self, ids: Iterable[int]) -> str:
        """The text again, up to the first EOS and without the other specials."""
        plain: list[int] = []
        for i in ids:
            if i == EOS:
                break
            if i >= len(SPECIALS):
                plain.append(i - len(SPECIALS))
        text: str = self._engine.decode(plain, skip_special_tokens=False)
        return text

    def save(self, path: Path) -> None:
        """Write JSON with the digest; a reader never sees half a file."""
        with write_atomically(path) as file:
            file.write(json.dumps({"digest": self.digest, "definition": self.definition}).encode("ascii") + b"\n")


def train_byte_pairs(texts: Iterable[str], size: int) -> BytePairs:
    """Merges for `size` ids, specials and single bytes included; the same texts give the same merges."""
    if size < _BYTES + len(SPECIALS):
        raise BadRequest(f"{size} ids are too few", f"byte-level BPE needs at least {_BYTES + len(SPECIALS)}")
    package = _package()
    from tokenizers import decoders, models, pre_tokenizers, trainers

    engine = package.Tokenizer(models.BPE())
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    engine.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size - len(SPECIALS),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    engine.train_from_iterator(texts, trainer)
    return BytePairs(engine.to_str())


def load_byte_pairs(path: Path) -> BytePairs:
    """Read what `save` wrote; raises BadFile where it was cut short or altered."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        pairs, digest = BytePairs(str(content["definition"])), content["digest"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(f"{path} cannot be read as BPE merges: {error}", "train them again") from error
    if pairs.digest != digest:
        raise BadFile(f"{path} was altered: its merges do not have the digest it names", "restore it or train again")
    return pairs


def _package() -> ModuleType:
    try:
        import tokenizers
    except ImportError as error:
        raise MissingPart("byte-level BPE needs the package tokenizers", "pip install 'sayso[train]'") from error
    return tokenizers
