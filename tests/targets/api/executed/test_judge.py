"""The judge behind `executed` sees every clause, minds no order of clauses, and blames no call for the service."""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("odata_query")
pytest.importorskip("sqlalchemy")
pytest.importorskip("starlette")

from benchmarks.call_mutants import mutants, reordered, train_calls

from sayso.core.errors import BadInstruction, MissingPart, SandboxFailed
from sayso.core.types import Candidate, Example, Outcome, Request, Unscored, Workspace
from sayso.sandbox.fake import ScriptedSandbox
from sayso.targets import TASKS
from sayso.targets.api import execute
from sayso.targets.api.executed.judge import CLOCKS, Judge, Reference, asked_reference
from sayso.targets.api.executed.seeding import seeded, shapes
from sayso.targets.api.metrics import okapi_metrics
from sayso.targets.api.requests.odata import query_of
from sayso.targets.api.service.calling import Answer, Client
from sayso.targets.api.service.model import graph_model
from sayso.targets.api.syntax.calls import OrderBy, Top, parse_call

CALLS = (
    "GET message",
    "GET message FILTER message.from eq Ada Ek FILTER message.isRead eq False ORDERBY message.sentDateTime desc TOP 1",
    "GET message SEARCH annual plan of May FILTER message.categories eq Work trips COUNT",
    "GET event FILTER event.start gt now FILTER event.end eq today FILTER event.hasAttachments eq True",
    "GET event FILTER event.start lt next Tuesday ORDERBY event.start asc TOP 1",
    "GET event FILTER event.calendar eq Work FILTER event.location eq Ada's office SEARCH budget TOP 12",
    "GET drive.sharedWithMe FILTER file.name eq tax plan FILTER file.fileType eq pdf FILTER file.sharedWith eq anyone",
    "GET drive.recent FILTER file.createdBy eq Bo FILTER file.lastModifiedDateTime eq this Wednesday TOP 2",
    "GET message FILTER message.to eq Bo Ek FILTER message.flag eq True",
    "GET event FILTER event.attendees ne bo@example.org FILTER event.isAllDay eq False",
    "GET drive.root.children ORDERBY file.size desc TOP 5",
)


def ready(call: str) -> Reference:
    found = asked_reference(call)
    assert isinstance(found, Reference), found
    return found


@pytest.mark.parametrize("call", CALLS)
def test_every_changed_clause_is_seen_and_no_other_order_is(call: str) -> None:
    reference = ready(call)
    kinds = {type(clause) for clause in parse_call(call).clauses}
    same = [one for one in mutants(call) if reference.answers_like(one.text)]
    # Where nothing is sorted or cut, an order of one's own is no other answer.
    left_open = [one for one in same if one.what == "add ORDERBY" and not kinds & {OrderBy, Top}]
    assert [one.text for one in same if one not in left_open] == []
    assert reference.answers_like(reordered(call, Random(1)))


def test_case_is_not_told_apart_and_a_broken_call_is_wrong() -> None:
    reference = ready("GET message FILTER message.from eq Ines Falk")
    assert reference.agrees("GET message FILTER message.from eq INES falk")
    assert reference.answers_like("GET message FILTER message.from eq INES falk")
    for text in ("", "GET", "GET message FILTER message.colour eq red", "GET message FILTER message.isRead eq maybe"):
        assert not reference.agrees(text)


@pytest.mark.parametrize("call", CALLS)
def test_rows_are_the_same_every_time_and_witnesses_among_them(call: str) -> None:
    for shape in shapes(query_of(call, CLOCKS[0])):
        query = query_of(call, CLOCKS[0])
        rows = seeded(query, graph_model(), CLOCKS[0].now, shape)
        assert not isinstance(rows, Unscored) and rows == seeded(query, graph_model(), CLOCKS[0].now, shape)
        own = rows[query.path.strip("/")]
        assert len({row["id"] for row in own}) == len(own) and all(set(row) == set(own[0]) for row in own)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("PUT message", "does not parse"),
        ("GET message FILTER message.receivedDateTime eq soonish", "is no request"),
        ("GET mailbox", "is no request"),
        ("GET message TOP 100000", "asks for too many"),
        ("GET event FILTER event.start lt yesterday FILTER event.start gt tomorrow", "no row can meet it"),
        ("GET message TOP 0", "finds nothing"),
    ],
)
def test_a_reference_that_cannot_be_asked_is_unscored_by_reason(call: str, reason: str) -> None:
    example = Example("x", Request("x"), (call,))
    assert Judge()(example, [call]) == Judge()(example, []) == Unscored(reason)
    both = Example("x", Request("x"), (call, "GET event COUNT"))
    assert Judge()(both, ["GET event COUNT", call]) == [True, False], "one that can be asked is enough"


def test_a_service_that_breaks_is_unscored_and_never_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = ready("GET message FILTER message.isRead eq True")
    monkeypatch.setattr(Client, "get", lambda self, url: Answer(500, b"{}"))
    with pytest.raises(SandboxFailed) as caught:
        reference.agrees("GET message FILTER message.isRead eq False")
    assert caught.value.reason == "service failed"


def test_the_score_stands_beside_exact_and_travels(tmp_path: Path) -> None:
    metric = next(one for one in okapi_metrics(Workspace(tmp_path, tmp_path)) if one.name == "executed")
    example = Example("x", Request("x"), ("GET message FILTER message.isRead eq True TOP 3",))
    there = pickle.loads(pickle.dumps(metric))
    texts = ("GET message TOP 3 FILTER message.isRead eq true", "GET message TOP 3", "")
    assert [there.measure(example, [Candidate(text, 0.0)]) for text in texts] == [1, 0, 0]
    assert metric.signature == there.signature and "odata-seeded" in metric.signature


def test_without_the_packages_the_score_is_absent_with_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute, "SERVICE", ("odata_query", "no_such_package"))
    workspace = Workspace(tmp_path, tmp_path)
    for name in ("api/length-email", "api/free"):
        assert "executed" not in [metric.name for metric in TASKS[name].metrics(workspace)]
        (note,) = TASKS[name].absent(workspace)
        assert "no_such_package" in note and "pip install 'sayso[api]'" in note
    with pytest.raises(MissingPart, match="no_such_package"):
        execute.run("GET message", Request("mail"), ScriptedSandbox())


def test_a_call_runs_on_rows_made_for_it() -> None:
    outcome = execute.run("GET message FILTER message.from eq Ines Falk TOP 2", Request("mail"), ScriptedSandbox())
    assert isinstance(outcome, Outcome) and outcome.exit_code == 0 and outcome.stdout.count(b'"name":"Ines Falk"') == 2
    with pytest.raises(BadInstruction):
        execute.run("GET mailbox", Request("mail"), ScriptedSandbox())


def test_real_calls_are_told_from_their_mutants(corpora: Path) -> None:
    """The whole check is `python -m benchmarks.call_mutants`."""
    random = Random(3)
    for call in train_calls(corpora, 12):
        reference = ready(call)
        assert reference.answers_like(reordered(call, random))
        some = [one for one in mutants(call) if one.what in ("drop FILTER", "drop COUNT", "resource", "top")]
        assert not [one for one in random.sample(some, min(6, len(some))) if reference.agrees(one.text)]
