"""Requests with cells above them as ids of byte pairs, every cell encoded once (JuICe §7: one vocabulary for all).

Text is cut by the English tokeniser, code and references by the target's own `words`; a cell of context keeps so many
words, the request's own cell all of its words. The kind of a cell is its first id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from sayso.core.errors import RunFailed
from sayso.core.types import Example, Piece, Request
from sayso.english.merges import Merges, all_pieces, learn_merges, put_together
from sayso.english.tokens import tokenise
from sayso.english.vocabulary import BOS, EOS, SPECIALS, Vocabulary
from sayso.training.arrays import Encoded
from sayso.training.cells import NOTHING, Cells, pack_cells
from sayso.training.encode import MARKS, Vocabularies
from sayso.training.settings import Encoding

Answers = Mapping[str, Sequence[Example]]
"""Task → its examples of one split: the same requests in the same order, with references of its own."""


Words = Callable[[str], list[str]]
"""Code → its words (`Target.words`)."""


LOOKED_AT = 6_000
"""Characters of a cell: more would not be read in any case, and some cells hold megabytes."""


def words_of(piece: Piece, words: Words) -> list[str]:
    text = piece.text[:LOOKED_AT]
    return [token.text for token in tokenise(text)] if piece.kind == "text" else words(text)


@dataclass
class Gathered:
    """Cells by what they hold, with their words."""

    words: Words
    encoding: Encoding
    numbers: dict[tuple[Piece, bool], int] = field(default_factory=dict)
    cells: list[tuple[str, list[str]]] = field(default_factory=list)
    cut: dict[Piece, list[str]] = field(default_factory=dict)

    def row(self, request: Request) -> list[int]:
        """The nearest cells, the farthest first, and the request's own."""
        context = [piece for piece in request.context if piece.kind in MARKS][-self.encoding.stored :]
        row = [NOTHING] * (self.encoding.stored - len(context))
        row += [self.number(piece, False) for piece in context]
        return [*row, self.number(Piece("text", request.text), True)]

    def number(self, piece: Piece, own: bool) -> int:
        key = (piece, own)
        if key not in self.numbers:
            if piece not in self.cut:
                self.cut[piece] = words_of(piece, self.words)
            words = self.cut[piece]
            self.numbers[key] = len(self.cells)
            self.cells.append((piece.kind, words if own else words[: self.encoding.context_longest]))
        return self.numbers[key]


def learn_vocabulary(cells: Iterable[Sequence[str]], merges: int) -> Vocabulary:
    """Marks of cells, single bytes, and what the merges made, in their order."""
    counts = Counter(chain.from_iterable(cells))
    if not counts:
        raise RunFailed("there are no examples to train on", "`sayso data check` looks at the corpora")
    return Vocabulary((*MARKS.values(), *all_pieces(learn_merges(counts, merges))))


@dataclass(frozen=True)
class Speller:
    """Words → ids of their pieces, and back."""

    vocabulary: Vocabulary
    known: dict[str, list[int]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def merges(self) -> Merges:
        return Merges(self.vocabulary.words[len(MARKS) :])

    def ids(self, words: Iterable[str]) -> list[int]:
        found: list[int] = []
        for word in words:
            if word not in self.known:
                self.known[word] = self.vocabulary.encode(self.merges.cut(word))
            found += self.known[word]
        return found

    def cell(self, kind: str, words: Iterable[str], longest: int) -> list[int]:
        """A mark of its kind, and what there is room for."""
        mark = tuple(MARKS).index(kind) + len(SPECIALS)
        return [mark, *self.ids(words)][:longest]


def encode_cells(
    splits: Mapping[str, Answers], words: Words, encoding: Encoding
) -> tuple[Vocabularies, dict[str, Cells], dict[str, dict[str, int]]]:
    """The vocabulary of train, the cells of every split, and by task what was left out of train for which reason.

    Of test the requests alone are encoded; a reference of dev is cut where it is too long, and one of train left out.
    """
    gathered = {name: Gathered(words, encoding) for name in splits}
    rows: dict[str, list[list[int]]] = {}
    for name, answers in splits.items():
        requests = [[example.request for example in examples] for examples in answers.values()]
        if any(others != requests[0] for others in requests[1:]):
            raise RunFailed(f"tasks of one folder must have the same requests, and those of {name} differ")
        rows[name] = [gathered[name].row(request) for request in requests[0]]
    said = {
        name: {task: [words(one.references[0]) for one in examples] for task, examples in answers.items()}
        for name, answers in splits.items()
        if name != "test"
    }
    seen = (words for _, words in gathered["train"].cells)
    vocabulary = learn_vocabulary(chain(seen, *said["train"].values()), encoding.merges)
    speller = Speller(vocabulary)
    dropped: dict[str, dict[str, int]] = {}
    found = {}
    for name, own in gathered.items():
        pool, moved = distinct([speller.cell(kind, words, encoding.source_longest) for kind, words in own.cells])
        targets = {}
        for task, references in said.get(name, {}).items():
            targets[task] = [speller.ids(words) for words in references]
            if name == "train":
                long = sum(len(ids) > encoding.target_longest for ids in targets[task])
                dropped[task] = {"reference too long": long} if long else {}
            targets[task] = [target_of(ids, encoding.target_longest, name == "train") for ids in targets[task]]
        found[name] = pack_cells(pool, [[moved[at] if at >= 0 else at for at in row] for row in rows[name]], targets)
    return Vocabularies(vocabulary, vocabulary), found, dropped


def target_of(ids: list[int], longest: int, drops: bool) -> list[int]:
    """BOS … EOS; nothing where it is too long to learn from."""
    if len(ids) > longest and drops:
        return []
    return [BOS, *ids[:longest], EOS]


def distinct(cells: Sequence[Sequence[int]]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Equal cells once, and where each of the given ones is among them."""
    numbers: dict[tuple[int, ...], int] = {}
    moved = [numbers.setdefault(tuple(cell), len(numbers)) for cell in cells]
    return list(numbers), moved


def encode_some(requests: Iterable[Request], known: Vocabularies, encoding: Encoding, words: Words) -> Encoded:
    """Requests alone, as they are decoded."""
    gathered = Gathered(words, encoding)
    rows = [gathered.row(request) for request in requests]
    speller = Speller(known.source)
    pool = [speller.cell(kind, cell, encoding.source_longest) for kind, cell in gathered.cells]
    return pack_cells(pool, rows, {}).read(encoding, "")


def say(ids: Iterable[int], words: Vocabularies) -> list[str]:
    """Ids → the words that they spell."""
    return put_together(words.target.decode(ids))
