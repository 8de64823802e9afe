"""Equal instructions of several sources are one; what comes late is unlike what came before."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.answer.combine import known_score, merge, share, spellings, spread
from sayso.answer.weigh import KNOWN, SHARE, STEPS
from sayso.core.types import Candidate, Target


def test_spellings_of_one_instruction_add_up(target: Target) -> None:
    said = [Candidate("list b", 0.4), Candidate("list a", 0.3), Candidate(" list a", 0.2)]
    found = {draft.canonical: draft for draft in merge(target.draft, said, [])}
    assert list(found) == ["list b", "list a"]
    assert share(found["list a"]) == pytest.approx(0.5)
    assert (spellings(found["list a"]), found["list a"].text) == (2, "list a")


def test_a_known_instruction_keeps_its_score_reasons_and_spelling(target: Target) -> None:
    known = [Candidate("list a", 0.6, ("like a",)), Candidate("show", 0.1)]
    found = merge(target.draft, [Candidate(" list a", 0.3)], known)
    assert [(one.text, share(one), known_score(one), one.why) for one in found] == [
        ("list a", 0.3, 0.6, ("like a",)),
        ("show", 0.0, 0.1, ()),
    ]


def test_every_source_keeps_its_own_score(target: Target) -> None:
    sources = [Candidate("list a", 0.3)], [Candidate("list a", 0.6)], [Candidate("list a", 0.9, ("step 1",))]
    (found,) = merge(target.draft, *sources)
    assert [found.scores[name] for name in (SHARE, KNOWN, STEPS)] == [0.3, 0.6, 0.9]
    assert found.why == ("step 1",)


def test_what_does_not_parse_is_known_by_its_text(target: Target) -> None:
    found = merge(target.draft, [Candidate("list (", 0.25), Candidate("list ( ", 0.125)], [])
    assert [(one.canonical, one.problem, share(one)) for one in found] == [("list (", "a bracket", 0.375)]


def alike(texts: Sequence[str]) -> list[list[float]]:
    return [[1.0 if one == other else 0.5 if one[0] == other[0] else -1.0 for other in texts] for one in texts]


def test_behind_the_kept_ones_another_kind_comes_first() -> None:
    texts, shares = ["a1", "a2", "a3", "b1"], [0.5, 0.2, 0.2, 0.1]
    assert spread(alike(texts), shares, keep=1, k=4) == [0, 3, 1, 2]
    assert spread(alike(texts), shares, keep=3, k=3) == [0, 1, 2]


@given(
    st.lists(st.tuples(st.sampled_from(["a1", "a2", "b1", "c1"]), st.floats(0, 1)), max_size=7),
    st.integers(0, 4),
    st.integers(0, 8),
)
def test_a_spread_is_a_choice_of_different_places(rows: list[tuple[str, float]], keep: int, k: int) -> None:
    found = spread(alike([text for text, _ in rows]), [likely for _, likely in rows], keep, k)
    assert len(set(found)) == len(found) == min(len(rows), max(k, min(keep, len(rows))))
    assert found[: min(keep, len(rows))] == list(range(min(keep, len(rows))))
