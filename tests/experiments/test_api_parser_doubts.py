"""Fitting doubts: a doubt that goes with wrong answers takes off, one that goes with right ones does not."""

from __future__ import annotations

from sayso.experiments.api_parser_doubts import fit, requests
from sayso.targets.api.request.beyond import DOUBTS, doubted

Row = tuple[float, tuple[float, ...], bool]


def rows(chance: float, doubts: tuple[float, ...], right: bool, n: int) -> list[Row]:
    return [(chance, doubts, right)] * n


def test_a_doubt_that_goes_with_wrong_answers_takes_their_chance_away() -> None:
    plain, doubtful = (0.0, 0.0, 0.0), (1.0, 1.0, 0.0)
    found = fit([rows(0.9, plain, True, 50), rows(0.9, doubtful, False, 50)])
    assert doubted(0.9, plain, found) == 0.9 and doubted(0.9, doubtful, found) < 0.35
    assert set(found) == set(DOUBTS)


def test_a_doubt_that_goes_with_right_answers_adds_nothing() -> None:
    found = fit([rows(0.6, (1.0, 2.0, 1.0), True, 50), rows(0.6, (0.0, 0.0, 0.0), False, 50)])
    assert set(found.values()) == {0.0}


def test_a_group_counts_as_much_as_another_however_large() -> None:
    one = fit([rows(0.7, (1.0, 0.0, 0.0), True, 5), rows(0.7, (1.0, 0.0, 0.0), False, 500)])
    other = fit([rows(0.7, (1.0, 0.0, 0.0), True, 500), rows(0.7, (1.0, 0.0, 0.0), False, 5)])
    assert one == other


def test_the_half_to_fit_on_is_not_the_half_to_report() -> None:
    fitted, reported = ({row["text"] for row in requests("beyond", part)} for part in ("fit", "check"))
    assert len(fitted) == len(reported) == 82 and not fitted & reported
