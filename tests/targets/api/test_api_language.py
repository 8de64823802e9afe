"""Calls are read and printed exactly, compared without order, and what is wrong with one is said in a line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadInstruction
from sayso.targets.api import language
from sayso.targets.api.corpus.okapi import OKAPI_SPLITS, okapi_rows
from sayso.targets.api.syntax.calls import (
    DIRECTIONS,
    OPERATORS,
    Call,
    Clause,
    Count,
    Filter,
    OrderBy,
    Search,
    Select,
    Top,
    canonical_call,
    parse_call,
)
from sayso.targets.api.syntax.schema import DOMAINS, domain_of, schema

UNREAD = (
    "GET message FILTER message.isRead eq False FILTER message.from eq Anna Berg "
    "ORDERBY message.receivedDateTime desc TOP 5"
)

names = st.sampled_from([name for domain in DOMAINS for name in schema(domain).properties])
values = st.lists(st.text(alphabet="abcXYZ019'-.é", min_size=1, max_size=8), min_size=1, max_size=4).map(" ".join)
clauses: st.SearchStrategy[Clause] = st.one_of(
    st.builds(Filter, names, st.sampled_from(OPERATORS), values),
    st.builds(Search, values),
    st.builds(OrderBy, names, st.sampled_from(DIRECTIONS)),
    st.builds(Select, names),
    st.just(Count()),
    st.builds(Top, st.integers(0, 10**9 - 1)),
)
calls = st.builds(Call, st.sampled_from(["message", "event", "drive.recent"]), st.lists(clauses, max_size=6).map(tuple))


@given(calls)
def test_a_printed_call_is_read_back(call: Call) -> None:
    assert parse_call(str(call)) == call


@given(calls, st.randoms(use_true_random=False))
def test_the_canonical_form_forgets_order_and_repetition(call: Call, random: st.RandomGenerator) -> None:  # type: ignore[name-defined]
    shuffled = [*call.clauses, *call.clauses[:2]]
    random.shuffle(shuffled)
    again = Call(call.resource, tuple(shuffled))
    assert canonical_call(again) == canonical_call(call)
    assert language.template(str(again)) == language.template(str(call))


@given(calls, calls)
def test_different_sets_of_clauses_stay_apart(one: Call, other: Call) -> None:
    same = one.resource == other.resource and set(one.clauses) == set(other.clauses)
    assert (language.normalise(str(one)) == language.normalise(str(other))) == same


def test_values_may_hold_keywords() -> None:
    assert parse_call("GET event SEARCH TOP 32").clauses == (Search("TOP 32"),)
    assert parse_call("GET event SEARCH TOP secret COUNT").clauses == (Search("TOP secret"), Count())
    found = parse_call("GET event FILTER event.categories eq SEARCH and RESCUE TOP 3 COUNT").clauses
    assert found == (Filter("event.categories", "eq", "SEARCH and RESCUE"), Top(3), Count())


def test_a_template_leaves_the_values_out() -> None:
    assert language.template(UNREAD) == (
        "GET message FILTER message.from _ FILTER message.isRead _ ORDERBY message.receivedDateTime _ TOP _"
    )
    assert language.template(UNREAD) == language.template(UNREAD.replace("Anna Berg", "Bo").replace("5", "9"))


def test_case_is_folded_in_values_alone() -> None:
    assert language.fold(UNREAD) == language.fold(UNREAD.replace("Anna Berg", "anna BERG"))
    assert language.fold(UNREAD) != language.fold(UNREAD.replace("desc", "asc"))
    assert language.normalise(UNREAD) != language.normalise(UNREAD.replace("Anna", "anna"))


@pytest.mark.parametrize(
    ("text", "says", "at"),
    [
        ("", "empty", 0),
        ("POST message", "starts with GET", 0),
        ("GET", "without a resource", 3),
        ("GET message WHERE x", "opens no clause", 12),
        ("GET message FILTER message.from eq", "a property, an operator and a value", 12),
        ("GET message FILTER message.from like Bo", "cannot compare with 'like'", 12),
        ("GET message SEARCH", "needs the words", 12),
        ("GET message ORDERBY message.sentDateTime up", "asc or desc", 12),
        ("GET message TOP five", "one whole number", 12),
        ("GET message TOP " + "9" * 5000, "one whole number", 12),
        ("GET message COUNT all", "takes nothing", 12),
        ("GET message SELECT", "one property", 12),
    ],
)
def test_a_call_that_cannot_be_read_says_where(text: str, says: str, at: int) -> None:
    with pytest.raises(BadInstruction) as caught:
        parse_call(text)
    assert says in caught.value.message and caught.value.offset == at
    assert "\n" not in caught.value.message and len(caught.value.message) < 120
    assert language.risk(text).level == "unknown"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("GET mesage", "did you mean message?"),
        ("GET message FILTER message.form eq Bo", "did you mean message.from"),
        ("GET message FILTER file.name eq report", "a property of files"),
        ("GET event FILTER message.importance eq High", "did you mean event.importance?"),
        ("GET message TOP 5", "TOP without ORDERBY"),
        ("GET message ORDERBY message.sentDateTime asc TOP 0", "TOP 0 asks for nothing"),
        ("GET message ORDERBY message.sentDateTime asc TOP 1 TOP 2", "a second TOP"),
        (
            "GET message ORDERBY message.isRead asc",
            "cannot be sorted by message.isRead; they can by message.sentDateTime",
        ),
        ("GET message FILTER message.isRead eq maybe", "one of True, False, not maybe"),
        (
            "GET message FILTER message.from gt Bo",
            "compares with eq or ne or contains or lacks or startswith or endswith, not with gt",
        ),
        ("GET drive.recent FILTER file.size contains 3", "compares with eq or ne or gt"),
        ('GET message FILTER message.from eq ""', "message.from is compared with an empty value"),
        ('GET message SEARCH ""', "its value is empty"),
        ("GET qqq", "there are drive.root.children, "),
    ],
)
def test_what_is_wrong_with_a_call_is_pointed_at(text: str, says: str) -> None:
    findings = language.check(text)
    assert [one for one in findings if says in one.message], findings
    assert all(text[one.start : one.end] for one in findings)


def test_a_sound_call_has_no_findings_and_every_clause_is_explained() -> None:
    assert language.check(UNREAD) == []
    assert language.check("GET message FILTER message.isRead eq false SELECT message.from COUNT") == []
    glosses = [note.gloss for note in language.explain(UNREAD)]
    assert len(glosses) == 5
    assert glosses[2] == "keeps those whose sender is Anna Berg"
    assert language.risk(UNREAD).level == "reads"


def test_every_resource_belongs_to_one_domain() -> None:
    owners = [domain_of(resource) for domain in DOMAINS for resource in schema(domain).resources]
    assert owners == ["document"] * 3 + ["email", "calendar"]
    assert domain_of("mesage") == ""


@pytest.mark.slow
def test_all_released_rows_are_read_printed_back_and_sound(corpora: Path) -> None:
    rows = odd = 0
    for split in OKAPI_SPLITS:
        for domain in DOMAINS:
            calls = [call for part in ("train", "dev", "test") for _, call in okapi_rows(corpora, split, domain, part)]
            rows += len(calls)
            for call in set(calls):
                assert str(parse_call(call)) == call
                findings = [one.message for one in language.check(call)]
                odd += any("TOP without ORDERBY" not in message for message in findings)
    assert rows == 112_041
    assert odd == 0
