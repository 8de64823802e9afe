"""A trunk in a hurry says the first answers of one that takes its time, in fewer steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import pytest

from sayso.core.types import Candidate, Request
from sayso.english.byte_bpe import ByteBpe
from sayso.neural.beam import Beam
from sayso.neural.runtime import Trunk
from sayso.neural.translator import NeuralTranslator, hurried


@dataclass(frozen=True)
class Echo:
    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [[Candidate(request.text, 1.0)] for request in requests]


def searching(beam: Beam) -> NeuralTranslator:
    return NeuralTranslator(cast(Trunk, object()), cast(ByteBpe, object()), beam, "bash")


def test_it_gives_up_sooner_and_knows_the_floor() -> None:
    whole = searching(Beam(width=4, n_best=8, longest=64, margin=5.0))
    hasty = cast(Any, hurried(whole, 0.25))
    assert (hasty.beam.width, hasty.beam.n_best, hasty.beam.floor) == (4, 8, 0.25)
    assert hasty.beam.margin < whole.beam.margin and hasty.beam.longest < whole.beam.longest
    assert hasty.beam.behind < whole.beam.behind
    assert hasty.trunk is whole.trunk and whole.beam.floor == 0.0


@pytest.mark.parametrize(("field", "strict"), [("margin", 1.0), ("behind", 0.5), ("longest", 12)])
def test_what_a_bundle_holds_tighter_stays(field: str, strict: Any) -> None:
    beam = Beam(**{field: strict})
    assert getattr(cast(Any, hurried(searching(beam), 0.0)).beam, field) == strict


def test_what_is_no_trunk_stays_as_it_is() -> None:
    echo = Echo()
    assert hurried(echo, 0.5) is echo
