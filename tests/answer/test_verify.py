"""What a careful reader would object to moves a candidate down, with the reason, in any instruction language."""

from __future__ import annotations

from dataclasses import replace

from sayso.answer.verify import verify
from sayso.core.types import Candidate, Request, Target, nothing_seen


def ranked(target: Target, text: str, *candidates: str, scores: tuple[float, ...] = ()) -> list[Candidate]:
    given = [Candidate(one, score) for one, score in zip(candidates, scores or (0.8,) * len(candidates), strict=True)]
    return verify(target, Request(text), given)


def test_good_candidates_keep_their_order_and_scores(target: Target) -> None:
    found = ranked(target, "list x.txt", "list x.txt", "show x.txt", scores=(0.7, 0.6))
    assert [(one.text, one.score, one.why) for one in found] == [("list x.txt", 0.7, ()), ("show x.txt", 0.6, ())]


def test_what_does_not_parse_goes_last(target: Target) -> None:
    found = ranked(target, "list x.txt", "list (x.txt", "list x.txt", scores=(0.9, 0.1))
    assert [one.text for one in found] == ["list x.txt", "list (x.txt"]
    assert found[1].why == ("does not parse: a bracket",)


def test_what_does_not_parse_is_not_proposed_alone(target: Target) -> None:
    assert ranked(target, "list x.txt", "list (x.txt") == []


def test_an_unknown_flag_costs_a_quarter(target: Target) -> None:
    found = ranked(target, "list x.txt", "list --magic x.txt")[0]
    assert (round(found.score, 9), found.why) == (0.6, ("no flag --magic",))


def test_what_the_target_has_not_heard_of_costs_next_to_nothing(target: Target) -> None:
    found = ranked(target, "list x.txt", "conjure x.txt")[0]
    assert (round(found.score, 9), found.why) == (0.784, ("no word conjure",))


def test_evidence_of_the_target_lowers_the_score_and_is_told(target: Target) -> None:
    found = ranked(target, "delete it", "list it", "delete it", scores=(0.9, 0.5))
    assert [one.text for one in found] == ["delete it", "list it"]
    assert (round(found[1].score, 9), found[1].why) == (0.36, ("only looks, where a deed was asked for",))


def test_nothing_is_proposed_where_only_what_is_barred_is_left(target: Target) -> None:
    assert ranked(target, "which files are old?", "delete it", "delete x", scores=(0.95, 0.9)) == []


def test_what_is_barred_comes_last_whatever_its_score(target: Target) -> None:
    found = ranked(target, "which files are old?", "delete it", "list --magic it", scores=(0.99, 0.01))
    assert [one.text for one in found] == ["list --magic it", "delete it"]


def test_a_target_that_sees_nothing_of_its_own_is_verified_by_parse_and_check(target: Target) -> None:
    plain = replace(target, evidence=nothing_seen, bars=nothing_seen)
    found = ranked(plain, "which files are old?", "delete it", "list --magic it", scores=(0.9, 0.8))
    assert [(one.text, round(one.score, 9)) for one in found] == [("delete it", 0.9), ("list --magic it", 0.6)]


def test_negative_scores_go_down_as_well(target: Target) -> None:
    found = ranked(target, "list x.txt", "list --magic x.txt", "list x.txt", scores=(-1.5, -1.8))
    assert [(one.text, round(one.score, 9)) for one in found] == [("list x.txt", -1.8), ("list --magic x.txt", -2.0)]
