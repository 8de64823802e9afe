"""Whether a system answers, and how often it is right when it does: the flag counts, not the candidates it keeps."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.core.types import Candidate, Example, MeasuresAnswers, Request, Unscored
from sayso.metrics.coverage import ABSTAINED, Answered, RightOfAnswered
from sayso.metrics.match import Match
from sayso.runs.predictions import Prediction
from sayso.runs.scoring import measure

EXAMPLE = Example("toy:1", Request("list files"), ("ls",))
RIGHT, WRONG = (Candidate("ls", 0.9),), (Candidate("rm", 0.9), Candidate("ls", 0.1))


def compare(example: Example, texts: Sequence[str]) -> list[bool] | Unscored:
    return Unscored("missing program") if "docker" in texts else [text in example.references for text in texts]


RIGHT_OF = RightOfAnswered("right_of_answered", compare, "text")


def test_abstained_candidates_are_no_answer() -> None:
    assert Answered().measure_answer(EXAMPLE, RIGHT, True) == 0
    assert Answered().measure_answer(EXAMPLE, WRONG, False) == 1
    assert Answered().measure(EXAMPLE, ()) == 0


def test_only_the_first_candidate_of_an_answer_can_be_right() -> None:
    assert RIGHT_OF.measure_answer(EXAMPLE, RIGHT, False) == 1
    assert RIGHT_OF.measure_answer(EXAMPLE, WRONG, False) == 0


def test_what_is_not_answered_says_nothing_of_what_is() -> None:
    stats = [RIGHT_OF.measure_answer(EXAMPLE, RIGHT, abstained) for abstained in (False, True, True)]
    assert stats[1:] == [ABSTAINED, ABSTAINED] and RIGHT_OF.measure(EXAMPLE, ()) == ABSTAINED
    score = RIGHT_OF.reduce(stats)
    assert (score.value, score.n, score.unscored) == (1.0, 1, {"abstained": 2})
    assert RIGHT_OF.measure_answer(EXAMPLE, (Candidate("docker", 1.0),), False) == Unscored("missing program")


def test_a_run_hands_the_flag_to_those_who_ask_for_it() -> None:
    metrics = (Answered(), Match("match@1", 1, str.strip, "strip"))
    assert isinstance(metrics[0], MeasuresAnswers) and not isinstance(metrics[1], MeasuresAnswers)
    found = measure(metrics, [EXAMPLE], [Prediction("toy:1", RIGHT, abstained=True)])
    assert found.statistics == ((0,), (1,))
