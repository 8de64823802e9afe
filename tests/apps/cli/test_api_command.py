"""`sayso api`: one line where a call is wrong, a call where the request is clear."""

from __future__ import annotations

import ast
import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.apps.conftest import Run

from sayso.apps import history_store
from sayso.apps.cli.main import main
from sayso.targets.api.requests.odata import read_url


@pytest.fixture(autouse=True)
def in_this_process() -> None:
    """Without the background process; the last test asks one."""
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "sayso" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text("idle_minutes = 0\n")


def test_a_call_is_checked_and_shown_in_one_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "--check", "GET message COUNT FILTER message.form eq Bo"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "GET message FILTER message.form eq Bo COUNT"
    assert "no property message.form; did you mean message.from" in out[1] and len(out) == 2


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ("GET message FILTER message.from eq", "FILTER needs a property, an operator and a value"),
        ("message TOP 5", "a call starts with GET"),
        ("GET message SEARCH", "SEARCH needs the words to look for"),
        ("", "an empty call"),
    ],
)
def test_a_malformed_call_gets_one_clear_line(call: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "--check", call]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and line in captured.err.splitlines()[0]


def test_a_call_in_place_of_a_request_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "GET message FILTER"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    line = captured.err.splitlines()[0]
    assert "this is a call, not a request" in line and "FILTER needs a property, an operator and a value" in line
    assert main(["api", "GET event COUNT FILTER event.start gt banana"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[0] == "GET event FILTER event.start gt banana COUNT"
    assert "compared with a time" in captured.out and "a call already" in captured.err
    assert main(["api", "GET messages from Bo"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "# GET message FILTER message.from eq Bo"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("how long was the call with Anna", "it cannot say how long"),
        ("what is the weather", "this does not ask for files, emails, events"),
        ("emails not about cake", 'no call can leave this out ("not about cake")'),
        ("emails in the folder Archive", "no call knows of folders"),
        ("meetings after banana", "banana is no time"),
        ("meetings in 10 minutes", "10 Minutes is a time"),
    ],
)
def test_what_no_call_can_say_is_not_answered(text: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", text]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("# I don't know: ") and reason in line


def test_a_property_of_another_domain_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "--json", "--check", "GET message FILTER event.location eq town hall"]) == 0
    shape = json.loads(capsys.readouterr().out)
    assert [one["message"] for one in shape["findings"]] == [
        "emails have no property event.location; that is a property of events"
    ]


def test_an_unknown_domain_and_an_empty_request_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "--domain", "mail", "show my mail"]) == 2
    assert "known: calendar, document, email" in capsys.readouterr().err
    assert main(["api", " "]) == 2
    assert "the request is empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("request_text", "domain", "call"),
    [
        (
            "show my five most recent unread mails from Anna",
            "email",
            "GET message FILTER message.from eq Anna FILTER message.isRead eq False "
            "ORDERBY message.receivedDateTime desc TOP 5",
        ),
        (
            "how many events do I have next week without attachments?",
            "calendar",
            "GET event FILTER event.hasAttachments eq False FILTER event.start eq next week COUNT",
        ),
        (
            "pdf files created by Bo Ek last month",
            "document",
            "GET drive.root.children FILTER file.createdBy eq Bo Ek FILTER file.createdDateTime eq last month "
            "FILTER file.fileType eq pdf",
        ),
    ],
)
def test_a_request_becomes_a_call(
    request_text: str, domain: str, call: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["api", "--json", request_text]) == 0
    shape = json.loads(capsys.readouterr().out)
    assert (shape["domain"], shape["candidates"][0]["text"]) == (domain, call)
    assert not shape["abstained"] and shape["candidates"][0]["risk"] == "reads"


def test_what_no_domain_knows_gets_no_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "boil two potatoes until tender"]) == 0
    assert capsys.readouterr().out.startswith("# I don't know")


@pytest.mark.parametrize(
    ("request_text", "line"),
    [
        ("create an event", "# These calls only read: they cannot create."),
        ("send an email to Bob", "# These calls only read: they cannot send."),
    ],
)
def test_a_deed_gets_one_line(request_text: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", request_text]) == 0
    assert capsys.readouterr().out.splitlines() == [line]


def test_a_deed_is_answered_with_the_call_that_finds_the_things(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "delete all my mail"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("# These calls only read: they cannot delete. To find what is meant (")
    assert line.endswith("email): GET message")


def test_a_deed_has_a_field_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "--json", "mark all unread mail from Anna as read"]) == 0
    shape = json.loads(capsys.readouterr().out)
    assert (shape["deed"], shape["abstained"], shape["domain"]) == ("mark", True, "email")
    wanted = "GET message FILTER message.from eq Anna FILTER message.isRead eq False"
    assert shape["candidates"][0]["text"] == wanted
    assert main(["api", "--json", "show deleted mail"]) == 0
    assert json.loads(capsys.readouterr().out)["deed"] == ""


def test_two_domains_in_one_request_are_asked_about(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "emails and events from last week"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "# I don't know: it speaks of emails and events."
    assert second == "# Is this about emails or events?"


def test_a_word_that_the_call_does_not_use_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    from sayso.apps.cli.api import answer_lines

    call = {"text": "GET event FILTER event.start eq next month", "score": 0.67, "why": []}
    shape = {"domain": "calendar", "candidates": [call], "abstained": False, "question": "", "deed": ""}
    lines = answer_lines({**shape, "requests": {}, "unused": ["dentist"]}, False)
    assert lines == ["# GET event FILTER event.start eq next month", "# 67% sure, calendar; not used: dentist"]
    assert main(["api", "--json", "show my five most recent unread mails from Anna"]) == 0
    assert json.loads(capsys.readouterr().out)["unused"] == []


def test_what_was_kept_answers_first_but_never_a_deed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAYSO_SESSION", "one")
    assert main(["history", "on"]) == 0
    assert main(["api", "show my mail"]) == 0
    assert main(["history", "keep", "GET message ORDERBY message.receivedDateTime desc TOP 9"]) == 0
    history_store.record("show my mail", "ls ~/mail")
    history_store.record("delete all my mail", "GET message", target="api")
    capsys.readouterr()
    assert main(["api", "show my mail"]) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("curl ") and first.endswith("/me/messages?$orderby=receivedDateTime%20desc&$top=9'")
    assert (second, third) == ("# GET message ORDERBY message.receivedDateTime desc TOP 9", "# from your history")
    assert main(["api", "--json", "delete all my mail"]) == 0
    shape = json.loads(capsys.readouterr().out)
    assert shape["abstained"] and shape["deed"] == "delete" and shape["candidates"][0]["why"] == []


def test_what_is_said_next_is_asked_together_or_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAYSO_SESSION", "one")
    assert main(["api", "unread mails"]) == 0
    capsys.readouterr()
    assert main(["then", "--json", "from Anna"]) == 0
    shape = json.loads(capsys.readouterr().out)
    wanted = "GET message FILTER message.from eq Anna FILTER message.isRead eq False"
    assert (shape["target"], shape["candidates"][0]["text"]) == ("api", wanted)
    assert shape["candidates"][0]["why"] == ['asked anew as "unread mails from Anna"']
    assert "isRead%20eq%20false" in shape["requests"]["url"]
    assert main(["then", "oldest first"]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("curl ") and second.startswith("# GET message FILTER message.isRead eq False ORDERBY")
    assert main(["then", "delete them"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("# this answer cannot be edited by what is said after it")
    assert main(["then", "--target", "api", "only five"]) == 2
    assert "--target is for --after" in capsys.readouterr().err


def test_a_call_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--target", "api", "GET message TOP 5"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split(maxsplit=2)[2] == "asks for your emails" and "risk: reads" in out


def test_the_background_process_gives_the_same_answer(
    sayso: Run, running: Callable[[], list[int]], capsys: pytest.CaptureFixture[str]
) -> None:
    requests = (
        "show my five most recent unread mails from Anna",
        "emails and events from last week",
        "create an event",
    )
    for text in requests:
        assert main(["api", "--json", text]) == 0
    here = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (Path(os.environ["XDG_CONFIG_HOME"]) / "sayso" / "config.toml").unlink()
    there = [json.loads(sayso("api", "--json", text).stdout) for text in requests]
    assert len(running()) == 1
    for one in (*here, *there):
        del one["seconds"]
    assert here == there
    refused = sayso("api", "--domain", "mail", "show my mail")
    assert refused.returncode == 2 and "known: calendar, document, email" in refused.stderr


ANNA = "show my five most recent unread mails from Anna"


def test_the_first_line_runs_and_the_rest_are_comments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", ANNA]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    words = shlex.split(first)
    assert words[:4] == ["curl", "-sS", "-H", "Authorization: Bearer $GRAPH_TOKEN"] and len(words) == 5
    assert read_url(words[4]).top == 5
    assert rest[0].startswith("# GET message FILTER") and all(line.startswith("# ") for line in rest)


@pytest.mark.parametrize("shape", ["url", "curl", "httpie", "python", "json", "call"])
def test_a_request_is_shown_as_wanted(shape: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "--as", shape, ANNA]) == 0
    out = capsys.readouterr().out
    if shape == "json":
        assert json.loads(out)["options"]["$top"] == "5"
    elif shape == "python":
        assert isinstance(ast.parse(out), ast.Module) and "os.environ" in out
    else:
        begins = {"url": "https://graph.microsoft.com/v1.0/me/messages?", "httpie": "http ", "call": "GET message "}
        assert out.startswith(begins.get(shape, shape))
    assert main(["api", "--as", "telegram", ANNA]) == 2


def test_json_has_the_request_in_every_shape(capsys: pytest.CaptureFixture[str]) -> None:
    zone = ["--now", "2026-11-16T10:00", "--tz", "Europe/Berlin"]
    assert main(["api", "--json", *zone, "pdf files created by Bo Ek last month"]) == 0
    shape = json.loads(capsys.readouterr().out)
    assert {"url", "curl", "httpie", "python"} <= set(shape["requests"])
    assert shape["requests"]["url"] == "https://graph.microsoft.com/v1.0/me/drive/root/children"
    told = "\n".join(shape["requests"]["said"])
    assert "last month is 2026-10-01 00:00 to 2026-11-01 00:00 (Europe/Berlin)" in told and "on this side" in told
    assert "2026-09-30t22:00:00z" in shape["requests"]["python"]


@pytest.mark.parametrize("flags", [["--now", "soon"], ["--tz", "Mars/North"], ["--tz", "../etc"]])
def test_a_clock_that_is_none_is_one_line(flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", *flags, ANNA]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and flags[1] in captured.err.splitlines()[0]


def test_a_call_that_no_service_answers_has_no_request(capsys: pytest.CaptureFixture[str]) -> None:
    from sayso.apps.cli.api import answer_lines
    from sayso.apps.cli.api_requests import clock_of, requests_of

    call = "GET event FILTER event.start eq spring"
    made = requests_of(call, clock_of("2026-11-16T10:00+01:00", ""))
    assert set(made) == {"said"}
    shape = {"domain": "calendar", "candidates": [{"text": call, "score": 0.9, "why": []}], "abstained": False}
    lines = answer_lines({**shape, "question": "", "deed": "", "unused": [], "requests": made}, False)
    assert lines[0] == f"# {call}" and "'spring' is no time that can be told exactly" in lines[2]
