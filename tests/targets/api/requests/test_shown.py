"""Requests as text: a shell and Python read in it exactly the URL that was meant, and nothing is ever sent."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import subprocess
import typing
import urllib.request
from datetime import UTC, datetime

import pytest

from sayso.targets.api.requests import Clock
from sayso.targets.api.requests.client import done
from sayso.targets.api.requests.odata import Query, query_of, read_url, url_of
from sayso.targets.api.requests.planner import Plan, plan
from sayso.targets.api.requests.shown import SHAPES, as_curl, as_httpie, as_json, as_python, shell_word
from sayso.targets.api.requests.tree import Compare

CLOCK = Clock(datetime(2026, 11, 16, 11, 30, tzinfo=UTC), UTC)
HOSTILE = (
    "O'Hara",
    'a"b',
    "$(touch x)",
    "`id`",
    "a&b;c|d",
    "x\ny",
    "\\",
    "!!",
    "Zoë 🦊",
    "../..",
    "$GRAPH_TOKEN",
    "%s",
)


def test_a_shell_reads_one_url_and_one_header() -> None:
    """One bash for all values: each command's words are printed with a NUL behind each."""
    plans = [plan(Query("/me/messages", Compare("subject", "eq", value), search="")) for value in HOSTILE]
    texts = [as_curl(one) for one in plans] + [as_httpie(one) for one in plans]
    script = (
        "export GRAPH_TOKEN=key; curl() { printf '%s\\0' \"$@\"; }; http() { printf '%s\\0' \"$@\"; }\n"
        + "\n".join(texts)
    )
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    words = ran.stdout.split("\0")[:-1]
    assert ran.stderr == "" and len(words) == len(plans) * (4 + 4)
    curls, https = words[: 4 * len(plans)], words[4 * len(plans) :]
    assert curls[:3] == ["-sS", "-H", "Authorization: Bearer key"] and https[3] == "Authorization:Bearer key"
    for at, (one, value) in enumerate(zip(plans, HOSTILE, strict=True)):
        assert curls[4 * at + 3] == https[4 * at + 2] == url_of(one.server)
        assert read_url(curls[4 * at + 3]).filter == Compare("subject", "eq", value)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_word_of_a_shell_is_one_word(text: str) -> None:
    import shlex

    assert shlex.split(shell_word(text)) == [text]


@pytest.mark.parametrize("value", HOSTILE)
def test_python_reads_the_url_and_the_values_as_they_are(value: str) -> None:
    query = Query("/me/drive/recent", Compare("name", "eq", value))
    tree = ast.parse(as_python(plan(query)))
    (url,) = [one.value for one in tree.body if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "url"]
    assert ast.literal_eval(url) == "https://graph.microsoft.com/v1.0/me/drive/recent"
    literals = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert value.casefold() in literals


def test_no_shape_holds_a_key_and_json_says_what_is_left() -> None:
    planned = plan(query_of("GET event SEARCH tax TOP 2", CLOCK))
    assert all("GRAPH_TOKEN" in shape(planned) for name, shape in SHAPES.items() if name != "url")
    shape = json.loads(as_json(planned))
    assert shape["then"][0].startswith("keep what has 'tax' in subject") and shape["then"][1] == "take the first 2"


ROWS = [
    {
        "id": str(at),
        "subject": subject,
        "bodyPreview": "",
        "from": {"emailAddress": {"name": name, "address": "a@b"}},
        "categories": categories,
        "isRead": at % 2 == 0,
        "sentDateTime": f"2026-11-{10 + at}T08:00:00Z",
        "receivedDateTime": f"2026-11-{10 + at}T08:00:00Z",
        "start": {"dateTime": f"2026-11-{10 + at}T08:00:00.0000000"},
        "name": f"{subject}.docx",
        "size": 100 - at,
        "createdBy": {"user": {"displayName": name}},
        "lastModifiedDateTime": None if at == 3 else f"2026-11-{10 + at}T08:00:00Z",
    }
    for at, (subject, name, categories) in enumerate(
        [("Tax", "Bo Ek", []), ("tax due", "Ann", ["Red"]), ("x", "Bo Ek", ["red"]), ("TAX", "Cy", []), ("y", "Bo", [])]
    )
]


@pytest.mark.parametrize(
    "call",
    [
        "GET message FILTER message.from ne Bo Ek SEARCH tax ORDERBY message.sentDateTime desc TOP 2",
        "GET message FILTER message.categories eq red SEARCH a COUNT",
        "GET message FILTER message.receivedDateTime gt 2026-11-11 FILTER message.isRead eq True SEARCH x",
        "GET event SEARCH tax FILTER event.start lt 2026-11-13 SELECT event.subject",
        "GET drive.recent FILTER file.fileType eq doc FILTER file.name contains ta ORDERBY file.size asc",
        "GET drive.recent ORDERBY file.lastModifiedDateTime desc FILTER file.createdBy ne Bo TOP 3",
        "GET drive.recent FILTER file.name lacks tax FILTER file.size ge 97",
    ],
)
def test_the_program_does_what_the_plan_says(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run with pages that it is given; the network is never reached."""
    planned = plan(query_of(call, CLOCK))
    text = as_python(planned)
    assert planned.client
    printed = run_with(text, planned, monkeypatch)
    rows, count = done(planned.client, ROWS)
    if count is not None:
        assert printed == count
    else:
        assert [row.get("subject", row.get("name")) for row in printed] == [row["subject"] for row in rows]
        assert rows or "ge 97" not in call


def run_with(text: str, planned: Plan, monkeypatch: pytest.MonkeyPatch) -> typing.Any:
    root = "https://graph.microsoft.com/more"

    def give(opener: object, request: urllib.request.Request) -> io.BytesIO:
        assert request.headers == {"Authorization": "Bearer key"}
        if request.full_url == root:
            return io.BytesIO(json.dumps({"value": ROWS[3:]}).encode())
        assert request.full_url == url_of(planned.server)
        return io.BytesIO(json.dumps({"value": ROWS[:3], "@odata.nextLink": root}).encode())

    monkeypatch.setenv("GRAPH_TOKEN", "key")
    monkeypatch.setattr(urllib.request.OpenerDirector, "open", give)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, "shown", "exec"), {})
    return json.loads(out.getvalue())


def test_a_next_page_elsewhere_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def give(opener: object, request: urllib.request.Request) -> io.BytesIO:
        asked.append(request.full_url)
        return io.BytesIO(json.dumps({"value": [], "@odata.nextLink": "https://evil.example/"}).encode())

    monkeypatch.setenv("GRAPH_TOKEN", "key")
    monkeypatch.setattr(urllib.request.OpenerDirector, "open", give)
    with pytest.raises(AssertionError, match="evil"):
        exec(compile(as_python(plan(query_of("GET message", CLOCK))), "shown", "exec"), {})
    assert asked == ["https://graph.microsoft.com/v1.0/me/messages"]
