"""Evidence only ever lowers, reasons stay text, and nothing that is barred comes first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.answer.weigh import LEFT, RISKS, SCORE, Weighed, best_first, fitted, log_trust, look, lowered
from sayso.core.types import LEFT_OPEN, Asked, Draft, Evidence, Request, Risk, Target

EVIDENCE = st.lists(st.builds(Evidence, st.sampled_from(sorted(LEFT)), st.just("x")), max_size=5).map(tuple)
DRAFTS = st.lists(st.tuples(st.floats(-9, 9), st.sampled_from(RISKS), EVIDENCE), min_size=1, max_size=6)


def draft(text: str, score: float = 0.0, level: str = "reads") -> Draft:
    return Draft(text, text, Risk(level), scores={SCORE: score})  # type: ignore[arg-type]


@given(st.floats(-9, 9), EVIDENCE)
def test_evidence_never_raises_a_score(score: float, evidence: tuple[Evidence, ...]) -> None:
    assert lowered(score, evidence) <= score + 1e-9
    assert log_trust(evidence) <= 0


@given(st.lists(st.tuples(st.floats(-9, 9), st.booleans()), max_size=8))
def test_what_is_barred_is_never_first_and_ties_stay(rows: list[tuple[float, bool]]) -> None:
    given = [Weighed(draft(str(at)), worth, barred=barred) for at, (worth, barred) in enumerate(rows)]
    found = best_first(given)
    assert not found or not found[0].barred
    assert bool(found) == any(not one.barred for one in given)
    if found:
        assert sorted(map(id, found)) == sorted(map(id, given))
        good = [one for one in found if not one.barred]
        assert good == sorted((one for one in given if not one.barred), key=lambda one: -one.worth)


def test_what_has_a_finding_stands_behind_what_has_none() -> None:
    found = [Evidence("finding", "ls has no flag --magic")]
    given = [Weighed(draft("ls --magic"), 0.9, against=tuple(found)), Weighed(draft("ls"), 0.1)]
    assert [one.draft.text for one in best_first(given)] == ["ls", "ls --magic"]


def test_a_command_with_gaps_is_shown_only_where_it_is_the_best() -> None:
    gap = replace(draft("cp FILE x"), why=(f"{LEFT_OPEN}FILE",))
    whole = Weighed(draft("cp a x"), 0.5)
    assert [one.draft.text for one in best_first([whole, Weighed(gap, 0.4)])] == ["cp a x"]
    assert [one.draft.text for one in best_first([whole, Weighed(gap, 0.6)])] == ["cp FILE x", "cp a x"]


def test_of_what_does_not_parse_nothing_else_is_said(target: Target) -> None:
    drafts = target.draft(["list (--magic", "list --magic", "delete"])
    broken, odd, barred = look(target, Asked(Request("old x.txt")), drafts)
    assert [one.name for one in broken.evidence] == ["unparsable"] and broken.barred
    assert [one.name for one in odd.evidence] == ["finding", "unused"] and not odd.barred
    assert [one.name for one in barred.evidence] == ["unused", "unasked_destruction"] and barred.barred


@given(DRAFTS)
def test_nothing_riskier_than_the_best_takes_its_place_on_this_machine(
    rows: list[tuple[float, str, tuple[Evidence, ...]]],
) -> None:
    drafts = [draft(str(at), score, level) for at, (score, level, _) in enumerate(rows)]
    found = fitted(drafts, [evidence for *_, evidence in rows])
    assert sorted(one.text for one in found) == sorted(one.text for one in drafts)
    assert RISKS.index(found[0].risk.level) <= RISKS.index(drafts[0].risk.level)


def test_where_nothing_speaks_against_any_the_order_stays() -> None:
    drafts = [draft("own", 0.8), draft("other", 0.9)]
    assert fitted(drafts, [(), ()]) == drafts


@pytest.mark.parametrize("name", sorted(LEFT))
def test_evidence_always_leaves_less(name: str) -> None:
    assert 0 < LEFT[name] < 1
