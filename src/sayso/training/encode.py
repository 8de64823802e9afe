"""From examples to ids: what a request is cut into, the two vocabularies, and the arrays that a machine trains on.

Knows no instruction language: a `Target` brings its own `split`. The preparation of requests is NL2Bash §6.1's: stems,
lower case, no stop words; constants as they are written. Others take words as they are, and context before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from sayso.core.errors import BadFile, RunFailed
from sayso.core.types import Example, Grain, Piece, Request, Target
from sayso.english.context import Marked, fit
from sayso.english.grains import to_subtokens
from sayso.english.stems import STOP_WORDS, stem
from sayso.english.tokens import tokenise
from sayso.english.vocabulary import (
    BOS,
    EOS,
    UNK,
    ExtendedVocabulary,
    Vocabulary,
    build_vocabulary,
    load_vocabulary,
)
from sayso.training.arrays import Encoded, encoded
from sayso.training.encode_pieces import all_pieces, cut_reference, cut_text, cut_words
from sayso.training.settings import Encoding

MARKS = {"text": "CELL_TEXT", "code": "CELL_CODE", "file": "CELL_FILE"}
LINE = "\n"
SOURCE, TARGET = "source.vocabulary.json", "target.vocabulary.json"


@dataclass(frozen=True)
class Vocabularies:
    """`source` is for what a network reads, `target` for what it writes; copying adds ids after `target`."""

    source: Vocabulary
    target: Vocabulary

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.source.save(folder / SOURCE)
        self.target.save(folder / TARGET)

    @property
    def digests(self) -> dict[str, str]:
        return {SOURCE: self.source.digest, TARGET: self.target.digest}


def load_vocabularies(folder: Path, digests: dict[str, str] | None = None) -> Vocabularies:
    """What `save` wrote; with `digests`, only the very words that a network was trained with."""
    found = Vocabularies(load_vocabulary(folder / SOURCE), load_vocabulary(folder / TARGET))
    for name, digest in (digests or {}).items():
        if found.digests.get(name) != digest:
            raise BadFile(
                f"{folder / name} is not the vocabulary that this network was trained with: "
                f"digest {found.digests.get(name, '')[:12]} instead of {digest[:12]}",
                "use the folder that `sayso encode` or `sayso train` wrote for this run",
            )
    return found


def request_parts(request: Request, encoding: Encoding) -> list[str]:
    """ "List the files in /tmp/a1" -> list file in /tmp/a1, or list file in SUB_START / tmp / a 1 SUB_END

    Context comes first, each piece after a mark of its kind (JuICe §6.2). What is too long loses the far end of its
    context, and never the request, unless that is too long by itself (`english/context.py`).
    """

    def read(piece: Piece, room: int) -> Marked[str]:
        cut = _cut(piece.text, encoding) if piece.kind == "text" else _cut_lines(piece.text, encoding)
        return Marked([MARKS[piece.kind]], cut[: encoding.context_longest])

    known = [piece for piece in request.context if piece.kind in MARKS]
    context = known[-encoding.context :] if encoding.context else []
    own = _cut(request.text, encoding)
    return fit(context, own, MARKS["text"], encoding.source_longest, read, lambda part: part.startswith(LINE)).parts


def reference_parts(text: str, request: Request, target: Target, encoding: Encoding) -> list[str]:
    """What a network says, part by part; in word pieces only what the request says too."""
    if encoding.pieces and encoding.shared:
        return cut_text(text, encoding.pieces, special=False)
    parts = target.split(text, encoding.grain)
    return cut_reference(parts, request_parts(request, encoding), encoding.pieces) if encoding.pieces else parts


def _cut(text: str, encoding: Encoding) -> list[str]:
    if encoding.pieces and encoding.shared:
        return cut_text(text, encoding.pieces)
    if encoding.pieces:
        return list(cut_words(list(_plain(text, "token")), encoding.pieces).parts)
    if encoding.grain == "char":
        return list(" ".join(text.split()))
    if encoding.words == "plain":
        return list(_plain(text, encoding.grain))
    parts = list(_words(text, encoding.grain, STOP_WORDS))
    return parts or list(_words(text, encoding.grain, frozenset()))


def _cut_lines(text: str, encoding: Encoding) -> list[str]:
    """Code and files, whose white space means something: if x:⏎    y() -> if x : "⏎    " y ( )

    Words stay as they are written. A line break is one part with the indentation after it.
    """
    if encoding.grain == "char":
        return list(text)
    as_written = replace(encoding, words="plain")
    parts: list[str] = []
    for number, line in enumerate(text.split("\n")):
        indentation = line[: len(line) - len(line.lstrip())].replace("\r", "")
        if number or indentation:
            parts.append(LINE + indentation)
        if line.strip():
            parts += _cut(line, as_written)
    return parts


def _plain(text: str, grain: Grain) -> Iterator[str]:
    for token in tokenise(text):
        if grain == "token" or token.kind in ("word", "mark"):
            yield token.text
        else:
            yield from to_subtokens([token.text])


def _words(text: str, grain: Grain, stop_words: frozenset[str]) -> Iterator[str]:
    for token in tokenise(text):
        if token.kind == "word":
            word = token.text.lower()
            if word not in stop_words:
                yield stem(word)
        elif token.kind == "mark" or grain == "token":
            yield token.text
        else:
            yield from to_subtokens([token.text])


def build_vocabularies(examples: Sequence[Example], target: Target, encoding: Encoding) -> Vocabularies:
    """Words of train that are frequent enough."""
    if not examples:
        raise RunFailed("there are no examples to train on", "`sayso data check` looks at the corpora")
    sources = (request_parts(example.request, encoding) for example in examples)
    targets = (
        reference_parts(text, example.request, target, encoding) for example in examples for text in example.references
    )
    if encoding.pieces and encoding.shared:
        return Vocabularies(all_pieces(encoding.pieces), all_pieces(encoding.pieces))
    if encoding.pieces:
        return Vocabularies(all_pieces(encoding.pieces), build_vocabulary(targets, encoding.target_minimum))
    if encoding.shared:
        both = build_vocabulary(chain(sources, targets), encoding.source_minimum)
        return Vocabularies(both, both)
    return Vocabularies(
        build_vocabulary(sources, encoding.source_minimum), build_vocabulary(targets, encoding.target_minimum)
    )


@dataclass(frozen=True)
class Row:
    """One request as ids, and what its extended ids stand for."""

    source: list[int]
    source_extended: list[int]
    extra: tuple[str, ...]


def encode_request(request: Request, vocabularies: Vocabularies, encoding: Encoding) -> Row:
    """`source_extended` are ids of the target vocabulary, or extended ones: where a copied part would stand."""
    parts = request_parts(request, encoding)
    if encoding.pieces and not encoding.shared:
        words = list(_plain(request.text, "token"))
        source = list(cut_words(words, encoding.pieces).ids)[: encoding.source_longest]
    else:
        source = vocabularies.source.encode(parts) or [UNK]
    if not encoding.copies:
        return Row(source, source, ())
    extended = vocabularies.target.extend(parts)
    return Row(source, extended.encode(parts) or [UNK], extended.extra)


def encode_target(parts: Sequence[str], row: Row, vocabularies: Vocabularies) -> list[int]:
    """BOS … EOS, in extended ids where the row has some."""
    return [BOS, *ExtendedVocabulary(vocabularies.target, row.extra).encode(parts), EOS]


def encode_train(
    examples: Iterable[Example], target: Target, vocabularies: Vocabularies, encoding: Encoding
) -> tuple[Encoded, dict[str, int]]:
    """Every reference of every example, and how many were left out for which reason."""
    rows: list[tuple[Row, list[int]]] = []
    dropped = {"reference too long": 0}
    for example in examples:
        row = encode_request(example.request, vocabularies, encoding)
        for text in example.references:
            parts = reference_parts(text, example.request, target, encoding)
            if len(parts) > encoding.target_longest:
                dropped["reference too long"] += 1
            else:
                rows.append((row, encode_target(parts, row, vocabularies)))
    if not rows:
        raise RunFailed("no example is left to train on", "raise encoding.target_longest")
    return pack(rows, encoding), {reason: n for reason, n in dropped.items() if n}


def encode_dev(examples: Iterable[Example], target: Target, vocabularies: Vocabularies, encoding: Encoding) -> Encoded:
    """One row an example, with its first reference, cut where it is too long; the order of the examples is kept."""
    rows = []
    for example in examples:
        row = encode_request(example.request, vocabularies, encoding)
        parts = reference_parts(example.references[0], example.request, target, encoding)[: encoding.target_longest]
        rows.append((row, encode_target(parts, row, vocabularies)))
    return pack(rows, encoding)


def encode_requests(requests: Iterable[Request], vocabularies: Vocabularies, encoding: Encoding) -> Encoded:
    """Requests alone, as they are decoded; what they should be answered with does not travel."""
    return pack([(encode_request(request, vocabularies, encoding), []) for request in requests], encoding)


def pack(rows: Sequence[tuple[Row, list[int]]], encoding: Encoding) -> Encoded:
    return encoded(
        [row.source for row, _ in rows],
        [row.source_extended for row, _ in rows] if encoding.copies else None,
        [ids for _, ids in rows],
        [len(row.extra) for row, _ in rows],
    )
