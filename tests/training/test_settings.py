"""Settings refuse what makes no sense, in a line that names the field; they need no torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from sayso.core.errors import UserError
from sayso.training.settings import Decoding, Encoding, Training


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Training(batch=0), "training.batch must be 1 or more, not 0"),
        (lambda: Training(rate=0.0), "training.rate must be above 0"),
        (lambda: Training(rate=float("nan")), "training.rate must be above 0"),
        (lambda: Training(beta2=1.0), "training.beta2 must be at least 0 and below 1"),
        (lambda: Training(clip=-1.0), "training.clip must be 0 or more"),
        (
            lambda: Training(schedule=cast(Any, "linear")),
            "training.schedule must be constant or inverse-sqrt or",
        ),
        (lambda: Training(schedule="cosine"), "training.schedule=cosine needs an end"),
        (lambda: Training(speed=cast(Any, "warp")), "training.speed must be auto or eager or compile or graphs"),
        (lambda: Encoding(grain=cast(Any, "word")), "encoding.grain must be char or token or subtoken"),
        (lambda: Encoding(source_minimum=0), "encoding.source_minimum must be 1 or more"),
        (lambda: Decoding(beam=2, k=5), r"decoding.k is 5, above decoding.beam \(2\)"),
        (lambda: Decoding(alpha=-0.5), "decoding.alpha must be 0 or more"),
        (lambda: Decoding(alphas=(0.5, -0.5)), "decoding.alphas must be 0 or more"),
    ],
)
def test_nonsense_is_refused_by_name(make: Callable[[], object], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        make()
    assert "--set" in caught.value.hint


def test_equal_encodings_share_a_folder_and_others_do_not() -> None:
    encodings = [Encoding(), Encoding("char"), Encoding(copies=True), Encoding(source_minimum=4)]
    assert len({one.key for one in encodings}) == len(encodings)
    assert Encoding("subtoken", 4, 1, True).key == "subtoken-copy-4-1-400-400"
