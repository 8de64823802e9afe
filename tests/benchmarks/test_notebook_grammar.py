"""A beam held to Python's grammar: what is cut off is what could not go on."""

from __future__ import annotations

import ast

import pytest

pytest.importorskip("torch")
pytest.importorskip("parso")

import torch
from benchmarks.notebook_grammar import Constraint, Grammar, parses

from sayso.english.merges import END
from sayso.english.vocabulary import BOS, EOS, SPECIALS
from sayso.targets.notebook.syntax import code_tokens

pytestmark = pytest.mark.torch

CELLS = (
    "if a:\n    b = 2\nelse:\n    c",
    "def f(x, *a, y=1):\n    return [i for i in x if i]\n\nprint(f(2))",
    "@d\nclass A(B):\n    def f(self):\n        pass",
    "with open('x') as f:\n    for l in f:\n        print(l, end='')\nz[1:2, ::3] = -y ** 2",
    "import numpy as np\nassert not a in b, lambda: f'{x}'",
    "print 'x'",
    "x = = 2",
    "if a:\nb",
)


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar()


@pytest.mark.parametrize("cell", CELLS)
def test_what_parses_is_what_python_parses(grammar: Grammar, cell: str) -> None:
    try:
        ast.parse(cell)
        good = True
    except SyntaxError:
        good = False
    assert parses(grammar, code_tokens(cell)) == good


def test_every_prefix_of_a_cell_may_go_on_and_ends_where_it_is_whole(grammar: Grammar) -> None:
    tokens = code_tokens(CELLS[1])
    pieces = [*SPECIALS, *(token + END for token in dict.fromkeys(tokens)), "pri", "nt" + END, ")" + END + "x"]
    constraint = Constraint(grammar, pieces)
    ids = [pieces.index(token + END) for token in tokens]
    for length, wanted in enumerate([*ids, EOS]):
        row = constraint(torch.tensor([[BOS, *ids[:length]]]), torch.zeros(1))[0]
        assert row[wanted]
        if length:
            assert bool(row[EOS]) == parses(grammar, tokens[:length])


def test_a_word_that_cannot_stand_here_ends_its_row(grammar: Grammar) -> None:
    pieces = [*SPECIALS, "x" + END, "=" + END, "fo", "r" + END, "o" + END]
    constraint = Constraint(grammar, pieces)
    x, equals, begun, bad, good = range(len(SPECIALS), len(pieces))
    rows = torch.tensor([[BOS, x, equals, begun, bad], [BOS, x, equals, begun, good], [BOS, x, equals, begun, begun]])
    found = constraint(rows, torch.zeros(3))
    assert not found[0].any()
    assert found[1][EOS]
    assert not found[1][x]
    assert not found[2][EOS]
