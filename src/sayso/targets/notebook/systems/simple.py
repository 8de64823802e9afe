"""Ret-Train and Ret-Context (JuICe §6.1), the nearest code cell above, and other people's submissions (§8).

Each finds code and says it in the form that the task asks for. What they say is the corpus's, so predictions keep the
id of a train example or a digest, never the text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from pathlib import Path

from sayso.core.errors import BadFile
from sayso.core.files import write_atomically
from sayso.core.given import parse_json, read_plain
from sayso.core.types import Candidate, Example, Piece, Request, System, Workspace, within_ref
from sayso.targets.notebook.metrics.frame import NOBODY
from sayso.targets.notebook.metrics.text import paper_form
from sayso.targets.notebook.syntax.calls import api_sequence
from sayso.targets.notebook.systems import tfidf

VERSION = 2
"""Of the index in the cache."""
LARGEST = 1 << 30
GIVEN = "boilerplate"
"""The name of a piece that stood in the target's cell."""

Form = Callable[[str], str]
"""From the code of a cell to an answer of the task."""


def as_written(code: str) -> str:
    """A cell that runs: scores of text put it into the paper's form themselves, and tests need its strings."""
    return code


@lru_cache(maxsize=1 << 14)
def code_answer(code: str) -> str:
    return paper_form(code)


@lru_cache(maxsize=1 << 14)
def api_answer(code: str) -> str:
    """d = Tree()⏎d.fit(X) -> "Tree fit", of the paper's form of the cell."""
    return " ".join(api_sequence(paper_form(code)))


def within_code(example: Example) -> Iterator[str]:
    """Code that an example itself holds: the cells above, and other submissions to its prompt."""
    yield from (piece.text for piece in example.request.context if piece.kind == "code")
    yield from submissions(example)


def submissions(example: Example) -> list[str]:
    """What other people handed in and was accepted, in an order that says nothing."""
    rows = json.loads(example.meta.get("submissions", "[]"))
    return [row["runnable"] for row in sorted(rows, key=lambda row: within_ref(row["id"]))]


def ranked(codes: Iterable[tuple[str, float]], form: Form, k: int) -> list[Candidate]:
    """The first k answers, each once; a cell that is all comments is none, one without a call has no calls to say."""
    best: dict[str, float] = {}
    for code, score in codes:
        if len(best) == k:
            break
        if code_answer(code):
            best.setdefault(form(code), score)
    return [Candidate(text, score) for text, score in best.items()]


@dataclass(frozen=True)
class Train:
    """The requests of the training part, indexed, with ids and code by row."""

    index: tfidf.Index
    ids: Sequence[str]
    codes: Sequence[str]


def train_part(workspace: Workspace) -> Train:
    """From the cache, or made there."""
    return _train_part(workspace.data, workspace.cache)


@lru_cache(maxsize=1)
def _train_part(data: Path, cache: Path) -> Train:
    from sayso.targets.notebook.corpus.prepared import prepared

    workspace = Workspace(data, cache)
    folder = prepared(workspace)
    arrays, texts = folder / f"tfidf-{VERSION}.npz", folder / f"tfidf-{VERSION}.json"
    if not (arrays.is_file() and texts.is_file()):
        _make(workspace, arrays, texts)
    try:
        rows = parse_json(read_plain(texts, LARGEST))
        return Train(tfidf.load(arrays), rows["ids"], rows["codes"])
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise BadFile(f"{texts} is no list of cells: {error}", f"remove it: rm {texts}") from error


def _make(workspace: Workspace, arrays: Path, texts: Path) -> None:
    from sayso.targets.notebook.corpus.prepared import examples

    ids: list[str] = []
    codes: list[str] = []

    def requests() -> Iterator[str]:
        for example in examples(workspace, "train"):
            ids.append(example.id)
            codes.append(example.meta["runnable"])
            yield example.request.text

    tfidf.save(tfidf.build(requests()), arrays)
    with write_atomically(texts) as file:
        file.write(json.dumps({"ids": ids, "codes": codes}).encode())


@dataclass(frozen=True)
class FromTrain:
    """The code below the request of train that is most like the one asked."""

    train: Train
    form: Form

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._answer(request.text, k) for request in requests]

    def _answer(self, text: str, k: int) -> list[Candidate]:
        nearest = self.train.index.nearest(text, max(tfidf.LOOKED_AT, 4 * k))
        return ranked(((self.train.codes[row], score) for row, score in nearest), self.form, k)

    @cached_property
    def sources(self) -> Mapping[str, str]:
        """Answer -> the first train example that gives it."""
        pairs = zip(self.train.codes, self.train.ids, strict=True)
        return {self.form(code): name for code, name in reversed(list(pairs))}

    def source_of(self, text: str) -> str | None:
        return self.sources.get(text)


@dataclass(frozen=True)
class FromContext:
    """The code below the text cell above that is most like the request."""

    index: tfidf.Index
    form: Form

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [ranked(self._found(request), self.form, k) for request in requests]

    def _found(self, request: Request) -> Iterator[tuple[str, float]]:
        asked = self.index.vector(request.text)
        found = [
            (self._cosine(asked, text), place, code) for place, (text, code) in enumerate(described(request.context))
        ]
        # Of those that are as like, the nearest.
        for score, _, code in sorted(found, reverse=True):
            if score > 0:
                yield code, score

    def _cosine(self, asked: Mapping[str, float], text: str) -> float:
        other = self.index.vector(text)
        return round(sum(value * other.get(word, 0.0) for word, value in asked.items()), 6)

    def source_of(self, text: str) -> str | None:
        return within_ref(text)


def described(context: Sequence[Piece]) -> Iterator[tuple[str, str]]:
    """Text cells with the code cell directly below each; what was given in the target's own cell is no cell."""
    for one, below in pairwise(context):
        if one.kind == "text" and below.kind == "code" and below.name != GIVEN:
            yield one.text, below.text


@dataclass(frozen=True)
class Above:
    """The nearest code cell, then the one above it."""

    form: Form

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [ranked(self._found(request), self.form, k) for request in requests]

    def _found(self, request: Request) -> Iterator[tuple[str, float]]:
        codes = (piece.text for piece in reversed(request.context) if piece.kind == "code")
        return ((code, 1 / (1 + place)) for place, code in enumerate(codes))

    def source_of(self, text: str) -> str | None:
        return within_ref(text)


@dataclass(frozen=True)
class Human:
    """What other people handed in to the same prompt; `NOBODY`, which is unscored, where there is no other."""

    others: Mapping[Request, Sequence[str]]
    form: Form

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._answer(request, k) for request in requests]

    def _answer(self, request: Request, k: int) -> list[Candidate]:
        others = self.others.get(request, ())
        found = ranked(((code, -float(place)) for place, code in enumerate(others)), self.form, k)
        return found or [Candidate(NOBODY, 0.0)]

    def source_of(self, text: str) -> str | None:
        return None if text == NOBODY else within_ref(text)


def ret_train(form: Form, workspace: Workspace) -> System:
    return System(FromTrain(train_part(workspace), form))


def ret_context(form: Form, workspace: Workspace) -> System:
    """Words weigh as they do in the training part: a context alone is too small to tell a rare word."""
    return System(FromContext(train_part(workspace).index, form))


def copy_above(form: Form, workspace: Workspace) -> System:
    return System(Above(form))


def human(form: Form, workspace: Workspace) -> System:
    from sayso.targets.notebook.corpus.prepared import examples

    both = chain(examples(workspace, "dev"), examples(workspace, "test"))
    return System(Human({one.request: submissions(one) for one in both if "submissions" in one.meta}, form))


SIMPLE: Mapping[str, Callable[[Form, Workspace], System]] = {
    "ret-train": ret_train,
    "ret-context": ret_context,
    "copy-above": copy_above,
    "human": human,
}
