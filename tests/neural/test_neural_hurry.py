"""A trunk in a hurry says the first answers of one that takes its time, in fewer steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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


LIMITS = Beam(width=3, n_best=5, longest=48, margin=3.0, behind=2.5, floor=0.25)


def test_it_gives_up_sooner_and_knows_the_floor() -> None:
    whole = searching(Beam(width=4, n_best=8, longest=64, margin=5.0, length_power=0.5))
    hasty = cast(Any, hurried(whole, LIMITS))
    assert hasty.beam == replace(LIMITS, length_power=0.5)
    assert hasty.trunk is whole.trunk and whole.beam.floor == 0.0


@pytest.mark.parametrize(
    ("field", "strict"),
    [("width", 2), ("n_best", 2), ("margin", 1.0), ("behind", 0.5), ("longest", 12), ("floor", 0.5)],
)
def test_what_a_bundle_holds_tighter_stays(field: str, strict: Any) -> None:
    beam = Beam(**{field: strict})
    assert getattr(cast(Any, hurried(searching(beam), LIMITS)).beam, field) == strict


def test_what_is_no_trunk_stays_as_it_is() -> None:
    echo = Echo()
    assert hurried(echo, LIMITS) is echo
