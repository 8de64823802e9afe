"""What docs/concepts/text.md says about kinds, keys, grains and ids is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sayso.core.types import Piece
from sayso.english.context import Marked, fit
from sayso.english.grains import to_subtokens
from sayso.english.stems import normalise_request
from sayso.english.tokens import CONSTANT_KINDS, tokenise
from sayso.english.vocabulary import Vocabulary

PAGE = (Path(__file__).parents[2] / "docs" / "concepts" / "text.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (\w+) \| (`.*) \|$", PAGE, re.MULTILINE))


def test_every_kind_has_a_row() -> None:
    assert set(ROWS) == CONSTANT_KINDS


@pytest.mark.parametrize(("kind", "examples"), ROWS.items())
def test_examples_have_their_kind_and_value(kind: str, examples: str) -> None:
    for example, value in re.findall(r"(?<!→ )`([^`]+)`(?: → `([^`]+)`)?", examples):
        assert [(token.kind, token.value) for token in tokenise(example)] == [(kind, value or example)], example


def blocks() -> list[list[str]]:
    return [
        [line.strip() for line in block.strip().split("\n")]
        for block in re.findall(r"(?:^    .*\n)+", PAGE, re.MULTILINE)
    ]


def test_key_grain_and_copy_examples_hold() -> None:
    (request, key), (grain,), (_, copied), _ = blocks()
    assert normalise_request(request) == key
    token, parts = grain.split("  ->  ")
    assert to_subtokens([token]) == parts.split()
    source, _, ids = copied.partition("  ->  ")
    tokens = source.split()
    extended = Vocabulary(("list", "files")).extend(tokens)
    assert [str(i) for i in extended.encode(tokens)] == ids.split("   ")[0].split()


def test_the_example_of_too_much_holds() -> None:
    *_, (example,) = blocks()
    asked, _, answer = example.partition("  ->  ")
    most, far, near, own = (int(number) for number in re.findall(r"\d+", asked))
    context = (Piece("code", "f" * (far - 1)), Piece("code", "n" * (near - 1)))
    found = fit(
        context, "r" * own, "#", most, lambda one, room: Marked("FN"["f" not in one.text], one.text), "|".__eq__
    )
    counts = ["".join(found.parts).lower().count(letter) for letter in "fn#r"]
    assert counts == [int(number) for number in re.findall(r"\d+", answer)] and sum(counts) == most
