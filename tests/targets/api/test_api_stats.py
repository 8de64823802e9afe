"""The tables of Okapi: counts, divergence and similarity do what their names say."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.api.corpus.divergence import atom_divergence, compound_divergence, compounds
from sayso.targets.api.corpus.stats import corpus_stats, grams, jaccard, same_template_similarity
from sayso.targets.api.syntax.calls import parse_call
from sayso.targets.api.syntax.stiff_english import canonical_utterance, edit_distance

ONE = parse_call("GET message FILTER message.isRead eq True COUNT")
OTHER = parse_call("GET message FILTER message.isRead eq False ORDERBY message.sentDateTime asc TOP 2")


def test_equal_parts_do_not_diverge_and_disjoint_ones_diverge_fully() -> None:
    assert atom_divergence([ONE, OTHER], [OTHER, ONE]) == pytest.approx(0)
    assert compound_divergence([ONE], [ONE]) == pytest.approx(0)
    assert atom_divergence([parse_call("GET event COUNT")], [parse_call("GET event SEARCH x")]) == 1
    assert 0 < compound_divergence([ONE], [OTHER]) < 1


def test_compounds_are_subsets_of_clauses_without_values() -> None:
    assert len(list(compounds(OTHER))) == 2**3 - 1
    assert set(compounds(ONE)) == set(compounds(parse_call("GET message COUNT FILTER message.isRead eq False")))


def test_questions_of_one_template_are_compared_with_each_other_alone() -> None:
    pairs = [("show read mail", ONE), ("show read mail now", ONE), ("something else entirely", OTHER)]
    assert same_template_similarity(pairs) == pytest.approx(2 / 3)


def test_a_canonical_utterance_says_every_clause() -> None:
    assert (
        canonical_utterance(OTHER)
        == "Request: your emails. is read: False. order by: sent date time, ascending. top: 2."
    )


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_edit_distance_is_a_distance(one: str, other: str) -> None:
    found = edit_distance(one, other)
    assert found == edit_distance(other, one) and (found == 0) == (one == other)
    assert abs(len(one) - len(other)) <= found <= max(len(one), len(other))


def test_jaccard() -> None:
    assert jaccard(grams("a b c", 2), grams("a b d", 2)) == pytest.approx(1 / 3)
    assert jaccard(grams("", 1), grams("", 1)) == 1


@pytest.mark.slow
def test_the_tables_of_the_release(corpora: Path) -> None:
    stats = corpus_stats(corpora)
    assert stats.tables["table 2"]["questions"] == {"ours": 21_699, "paper": 22_628}
    assert stats.tables["table 6"]["document, test"] == {"ours": 1_589, "paper": 1_589}
    assert stats.tables["table 4"]["document, dev, 4 parameters"] == {"ours": 64, "paper": 64}
    email = stats.tables["table 5"]["email, train"]
    assert email == {"ours": 92, "paper": 96}
    assert sum(stats.figures["figure 4 document train"].values()) == 2_245
    assert "SELECT" not in str(stats.figures["figure 3 email"])
