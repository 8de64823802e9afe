"""Grammar-aware decoding (JuICe §2), tried: a beam that says nothing which Python's grammar could not go on from.

`python -m benchmarks.notebook_grammar BUNDLE --examples 120`: BLEU, exact match and the share of answers that parse,
with and without, over a seeded draw of dev. The grammar is parso's, walked one token at a time: a state is a stack of
its automata, so that the prefixes of a beam share what they have in common. Needs parso (IPython brings it).
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from parso.grammar import load_grammar
from parso.python.token import PythonTokenTypes as Kind
from torch import Tensor

from sayso.core.types import Candidate, Example
from sayso.english.merges import END
from sayso.english.vocabulary import EOS, SPECIALS
from sayso.targets.notebook.syntax.tokens import DEDENT, INDENT, NEWLINE

Stack = tuple[Any, ...]
"""States of parso's automata, the innermost last."""
WORD = re.compile(r"[^\W\d]\w*")
NUMBER = re.compile(r"\d|\.\d")
STRING = re.compile(r"[rbuRBU]{0,2}['\"]")
LAYOUT = {NEWLINE: Kind.NEWLINE, INDENT: Kind.INDENT, DEDENT: Kind.DEDENT}


class Grammar:
    """Which tokens of a notebook's code may follow which."""

    def __init__(self) -> None:
        self.tables = load_grammar()._pgen_grammar
        self.start: Stack = (self.tables.nonterminal_to_dfas["file_input"][0],)

    def label(self, token: str) -> Any:
        """What the grammar calls a token; None where it knows none like it."""
        if token in LAYOUT:
            return LAYOUT[token]
        if token in self.tables.reserved_syntax_strings:
            return self.tables.reserved_syntax_strings[token]
        for pattern, kind in ((WORD, Kind.NAME), (STRING, Kind.STRING), (NUMBER, Kind.NUMBER)):
            if pattern.match(token):
                return kind
        return None

    def after(self, stack: Stack, label: Any) -> Stack | None:
        """The state one token on; None where that token cannot come here."""
        for depth in range(len(stack), 0, -1):
            state = stack[depth - 1]
            plan = state.transitions.get(label)
            if plan is not None:
                return (*stack[: depth - 1], plan.next_dfa, *plan.dfa_pushes)
            if not state.is_final:
                return None
        return None

    def labels(self, stack: Stack) -> frozenset[Any]:
        """All that may come next."""
        found: set[Any] = set()
        for state in reversed(stack):
            found |= set(state.transitions)
            if not state.is_final:
                break
        return frozenset(found)

    def is_whole(self, stack: Stack, depth: int) -> bool:
        """Whether code may end here: its last line is closed, and then every block."""
        found: Stack | None = stack
        for label in (Kind.NEWLINE, *[Kind.DEDENT] * depth, Kind.ENDMARKER):
            found = self.after(found, label) if found is not None else None
        return found is not None


@dataclass(frozen=True)
class Place:
    """Where a prefix stands: a state, the blocks that are open, and the beginning of a word that is not at its end."""

    stack: Stack
    depth: int = 0
    begun: str = ""


@dataclass
class Constraint:
    """`allowed` of a beam search over pieces of words."""

    grammar: Grammar
    pieces: Sequence[str]
    known: dict[tuple[int, ...], Place | None] = field(default_factory=dict)
    masks: dict[frozenset[Any], NDArray[np.bool_]] = field(default_factory=dict)

    @cached_property
    def ends(self) -> NDArray[np.bool_]:
        """Pieces at the end of a word."""
        return np.array([piece.endswith(END) for piece in self.pieces])

    @cached_property
    def of_piece(self) -> list[Any]:
        """The label of a piece that is a word of its own."""
        return [self.grammar.label(spelt(piece)) if piece.endswith(END) else None for piece in self.pieces]

    def __call__(self, prefixes: Tensor, request: Tensor) -> Tensor:
        rows = [self.row(tuple(ids)) for ids in prefixes[:, 1:].tolist()]
        return torch.from_numpy(np.stack(rows))

    def row(self, ids: tuple[int, ...]) -> NDArray[np.bool_]:
        place = self.place(ids)
        if place is None:
            return np.zeros(len(self.pieces), bool)
        if place.begun:  # what the word becomes is seen at its end
            may = np.ones(len(self.pieces), bool)
            may[EOS] = False
            return may
        labels = self.grammar.labels(place.stack)
        if labels not in self.masks:
            self.masks[labels] = np.array([label in labels for label in self.of_piece]) | ~self.ends
        may = self.masks[labels].copy()
        may[EOS] = not ids or self.grammar.is_whole(place.stack, place.depth)
        return may

    def place(self, ids: tuple[int, ...]) -> Place | None:
        if not ids:
            return Place(self.grammar.start)
        if ids not in self.known:
            before = self.place(ids[:-1])
            self.known[ids] = None if before is None else self.moved(before, self.pieces[ids[-1]])
        return self.known[ids]

    def moved(self, place: Place, piece: str) -> Place | None:
        if not piece.endswith(END):
            return replace(place, begun=place.begun + piece)
        word = spelt(place.begun + piece)
        label = self.grammar.label(word)
        stack = self.grammar.after(place.stack, label) if label is not None else None
        return stack if stack is None else Place(stack, place.depth + (word == INDENT) - (word == DEDENT))


def spelt(piece: str) -> str:
    """Bytes as text, without the mark at the end."""
    return piece.removesuffix(END).encode("latin-1", "replace").decode(errors="replace")


def parses(grammar: Grammar, tokens: Iterable[str]) -> bool:
    """Whether these tokens are a whole cell."""
    stack: Stack | None = grammar.start
    depth = 0
    for token in tokens:
        stack = grammar.after(stack, grammar.label(token)) if stack is not None else None
        depth += (token == INDENT) - (token == DEDENT)
    return stack is not None and (stack == grammar.start or grammar.is_whole(stack, depth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", type=Path, help="a network for notebook/code that `sayso collect` kept")
    parser.add_argument("--examples", type=int, default=120, metavar="N", help="of dev (120)")
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args()
    from sayso.apps import settings
    from sayso.models.search import SearchSettings, beam_search
    from sayso.neural.bundle import load_bundle
    from sayso.runs.subject import load_examples
    from sayso.targets import find_task
    from sayso.targets.notebook.metrics.text import code_metrics
    from sayso.targets.notebook.syntax import code_tokens
    from sayso.training.batches import CPU, decoding_batches
    from sayso.training.encode_cells import encode_some, say
    from sayso.training.translator import open_network_bundle

    task = find_task("notebook/code")
    opened = open_network_bundle(load_bundle(args.bundle), task.target.join, words=code_tokens)
    every = load_examples(task, "dev", settings.workspace())
    rows = np.sort(np.random.default_rng(args.seed).permutation(len(every))[: args.examples])
    examples: list[Example] = [every[row] for row in rows]
    whole = encode_some([one.request for one in examples], opened.vocabularies, opened.encoding, code_tokens)
    grammar = Grammar()
    pieces = [*SPECIALS, *opened.vocabularies.target.words]
    wanted = SearchSettings(opened.decoding.beam, 1, opened.decoding.longest, opened.decoding.alpha)
    metrics = code_metrics(settings.workspace())[:2]
    network: Any = opened.network
    for name, allowed in {"free": None, "by grammar": Constraint(grammar, pieces)}.items():
        began, found = time.process_time(), [""] * len(examples)
        said: list[list[str]] = [[]] * len(examples)
        for places, batch in decoding_batches(whole, 40, CPU):
            for place, answers in zip(places, beam_search(network, batch, wanted, allowed), strict=True):
                said[place] = say(answers[0].ids, opened.vocabularies) if answers else []
                found[place] = opened.join(said[place], "token")
        scores = {
            metric.name: metric.reduce(
                [metric.measure(one, [Candidate(text, 0.0)]) for one, text in zip(examples, found, strict=True)]
            ).value
            for metric in metrics
        }
        good = sum(parses(grammar, tokens) for tokens in said) / len(said)
        empty = sum(not tokens for tokens in said)
        seconds = time.process_time() - began
        print(json.dumps({"beam": name, "n": len(said), **scores, "parses": good, "empty": empty, "cpu": seconds}))


if __name__ == "__main__":
    main()
