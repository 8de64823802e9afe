"""What a parser of another language learns from, and how its answers are scored."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sayso.core.errors import UnknownName
from sayso.experiments.api_language import Answered, LanguageSettings, kinds, measured, pairs_to_learn, written
from sayso.targets.api.language import check
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.align import align
from sayso.targets.api.systems.layout import make_layout
from sayso.targets.api.systems.mistakes import mistake

FEW = LanguageSettings(short=60, long=90, ways=2, repeated=3)


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_value_of_a_made_request_can_be_found_in_it(domain: str) -> None:
    usual = LanguageSettings(short=150, long=250, ways=1)
    pairs = pairs_to_learn("german", domain, usual, seed=0, with_written=False)
    assert len(pairs) == usual.ways * (usual.short + usual.long)
    assert pairs == pairs_to_learn("german", domain, usual, seed=0, with_written=False)
    layout = make_layout(domain, pairs)
    rows = [align(layout, request, call) for request, call in pairs]
    assert sum(row.whole for row in rows) >= 0.97 * len(rows)
    assert all(check(str(call)) == [] for _, call in pairs)


def test_only_the_half_that_is_there_for_it_is_learnt_from() -> None:
    pairs = pairs_to_learn("german", "email", FEW, seed=0, with_written=True)
    assert len(pairs) == 300 + 3 * 15
    learnt = {str(call) for _, call in pairs[300:]}
    assert learnt == {one.references[0] for one in written("german", "train") if one.meta["domain"] == "email"}
    held = {one.request.text for one in written("german", "test")}
    assert len(held) == 45 and held.isdisjoint(request for request, _ in pairs)


def test_right_answers_score_one_and_a_wrong_one_has_its_kind() -> None:
    examples = written("german", "test")
    right = [Answered(one, one.meta["domain"], one.references[0], "") for one in examples]
    assert {score.name: score.value for score in measured(right)} == {
        "exact": 1, "exact_cased": 1, "clause_f1": 1, "executed": 1,
    }  # fmt: skip
    bare = "GET drive.root.children COUNT"
    wrong = [replace(right[0], answer=bare, kind=mistake(examples[0].references[0], bare)), *right[1:]]
    exact = next(score for score in measured(wrong) if score.name == "exact")
    assert exact.value == pytest.approx(44 / 45) and exact.low is not None and exact.low < exact.value
    assert sum(kinds(wrong).values()) == 1


def test_a_language_without_requests_of_ours_cannot_be_scored() -> None:
    with pytest.raises(UnknownName) as caught:
        written("english", "test")
    assert "german" in caught.value.hint
