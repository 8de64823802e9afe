"""A call that cannot follow from its request is found, one that can is left alone."""

from __future__ import annotations

import pytest

from sayso.targets.api.lessons.construct import Plan, draw_calls
from sayso.targets.api.lessons.mistakes import KINDS, annotation_mistakes
from sayso.targets.api.lessons.utterance import canonical_sentence
from sayso.targets.api.syntax.calls import parse_call
from sayso.targets.api.syntax.schema import DOMAINS


@pytest.mark.parametrize(
    ("request_text", "call", "kinds"),
    [
        ("mails from bruno keller", "GET message FILTER message.from eq Bruno Keller", []),
        ("mails from bruno kellar", "GET message FILTER message.from eq Bruno Keller", ["value misspelt"]),
        ("mails from Bruno", "GET message FILTER message.from eq Bruno Keller", ["value cut"]),
        ("mails from Ada", "GET message FILTER message.from eq Bruno Keller", ["value absent"]),
        ("the any day folder", "GET message FILTER message.categories eq AnyDay", []),
        ("new mails", "GET message FILTER message.isRead eq False", []),
        ("mails of Ada", "GET message FILTER message.from eq Ada FILTER message.isRead eq True", ["clause not named"]),
        ("mails with attachments", "GET message FILTER message.hasAttachments eq False", ["clause not named"]),
        ("mails lacking attachments", "GET message FILTER message.hasAttachments eq False", []),
        ("with attachments", "GET message FILTER message.importance eq High", ["clause not named", "clause left out"]),
        ("how many came in today", "GET message FILTER message.receivedDateTime eq today", ["clause left out"]),
        ("which came in today", "GET message FILTER message.receivedDateTime eq today COUNT", ["clause not named"]),
        ("the twenty five newest", "GET message ORDERBY message.receivedDateTime desc TOP 25", []),
        ("the twenty newest", "GET message ORDERBY message.receivedDateTime desc TOP 25", ["value absent"]),
        ("the newest mail", "GET message ORDERBY message.receivedDateTime desc TOP 1", []),
        ("files changed an hour ago", "GET drive.root.children FILTER file.lastModifiedDateTime eq one hour ago", []),
        ("of last Sunday", "GET drive.root.children FILTER file.createdDateTime eq last Saturday", ["value absent"]),
        ("files of Ada", "GET drive.sharedWithMe FILTER file.createdBy eq Ada", ["clause not named"]),
    ],
)  # fmt: skip
def test_each_kind(request_text: str, call: str, kinds: list[str]) -> None:
    found = [one.kind for one in annotation_mistakes(request_text, parse_call(call))]
    assert found == kinds
    assert set(found) <= set(KINDS)


@pytest.mark.parametrize("domain", DOMAINS)
def test_canonical_sentences_are_never_mistakes(domain: str) -> None:
    for call in draw_calls(domain, Plan(4), 400):
        assert annotation_mistakes(canonical_sentence(call), call) == [], canonical_sentence(call)
