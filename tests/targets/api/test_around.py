"""Negation, comparison and times that no parser was taught: taken out, read, and said by operators of the call."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from importlib.resources import files

import pytest

from sayso.targets.api.language import check, fold
from sayso.targets.api.request.around import lift
from sayso.targets.api.request.said_directly import take_direct
from sayso.targets.api.syntax.calls import Filter, OrderBy, Search, Select
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.asking import Asked, ask
from sayso.targets.api.systems.shipped import domain_parser

AROUND = files("sayso.targets.api") / "data" / "around"
KNOWN = frozenset({"today", "yesterday", "monday", "last week", "next week", "one hour ago"})


def asked(text: str) -> Asked:
    return ask(text, "", 2, {domain: domain_parser(domain) for domain in DOMAINS})


def test_sixty_requests_written_beforehand_are_read() -> None:
    content = (AROUND / "requests.jsonl").read_bytes()
    digests = json.loads((AROUND / "DIGESTS.json").read_text())
    assert hashlib.sha256(content).hexdigest() == digests["requests.jsonl"]
    right: Counter[str] = Counter()
    for line in content.decode().splitlines():
        row = json.loads(line)
        found = asked(row["text"])
        call = None if found.abstained else found.candidates[0].text
        right[row["kind"]] += call == row["call"] or bool(call and row["call"] and fold(call) == fold(row["call"]))
        assert found.abstained or check(found.candidates[0].text) == []
    assert right["time"] >= 19 and right["negation"] >= 20 and right["comparison"] >= 19


@pytest.mark.parametrize(
    ("text", "call"),
    [
        (
            "emails received yesterday before noon",
            "GET message FILTER message.receivedDateTime ge yesterday "
            "FILTER message.receivedDateTime lt yesterday at noon",
        ),
        (
            "meetings between 2pm and 4pm tomorrow",
            "GET event FILTER event.start ge 2pm tomorrow FILTER event.start le 4pm tomorrow",
        ),
        ("how many meetings did I have in February", "GET event FILTER event.start eq last February COUNT"),
        (
            "mail from Samir or Yuki this week",
            "GET message FILTER message.from eq Samir or Yuki FILTER message.receivedDateTime eq this week",
        ),
        (
            "mails to Ingrid that I wrote in June",
            "GET message FILTER message.sentDateTime eq June FILTER message.to eq Ingrid",
        ),
        ("online meetings next week", "GET event FILTER event.isOnlineMeeting eq True FILTER event.start eq next week"),
        ("emails from May Parker", "GET message FILTER message.from eq May Parker"),
        ("emails in the 2002 category", "GET message FILTER message.categories eq 2002"),
        ("meetings in Conf Room 2023", "GET event FILTER event.location eq Conf Room 2023"),
        ("files called 2023", "GET drive.root.children FILTER file.name eq 2023"),
        ("emails that are not read", "GET message FILTER message.isRead eq False"),
        (
            "events with O'Brien & co tomorrow",
            "GET event FILTER event.organizer eq O'Brien & co FILTER event.start eq tomorrow",
        ),
        ("files by D'Arcy & Partners", "GET drive.root.children FILTER file.createdBy eq D'Arcy & Partners"),
        (
            "subject and sender of unread mails",
            "GET message FILTER message.isRead eq False SELECT message.from SELECT message.subject",
        ),
        (
            "my meetings tomorrow, show start and location",
            "GET event FILTER event.start eq tomorrow SELECT event.location SELECT event.start",
        ),
    ],
)
def test_what_is_said_around_is_read_and_names_stay_names(text: str, call: str) -> None:
    found = asked(text)
    assert not found.abstained and fold(found.candidates[0].text) == fold(call)


@pytest.mark.parametrize(
    "text",
    [
        "emails not about cake",
        "events whose title contains tea or cake",
        "meetings not organized by me",
        "unread or important mails",
        "everything from Carla except newsletters",
        "meetings longer than an hour",
        "emails larger than 5 MB",
    ],
)
def test_what_cannot_be_said_so_is_not_answered(text: str) -> None:
    assert asked(text).abstained


@pytest.mark.parametrize("text", ["unread mails from Bo", "files created last week", "mails without attachments", "x"])
def test_a_request_without_such_words_comes_back_as_it_is(text: str) -> None:
    for domain in DOMAINS:
        lifted = lift(text, domain, KNOWN)
        assert (lifted.base, lifted.clauses, lifted.phrases) == (text, (), ())


def test_a_phrase_is_said_plainly_and_the_rest_without_it() -> None:
    lifted = lift("unread mails not from Bo since May", "email", KNOWN)
    assert lifted.base == "unread mails"
    negated, dated = lifted.phrases
    assert (negated.plainly, negated.compared) == ("unread mails from Bo", ())
    assert (dated.plainly, dated.compared, dated.said) == ("unread mails today", (("ge", "May"),), "since May")


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("mails older than 30 days", (("lt", "last 30 days"),)),
        ("mails no older than march", (("ge", "march"),)),
        ("mails older than a year", (("lt", "last 1 year"),)),
        ("mails from July on", (("ge", "July"),)),
        ("mails on or after 2024-02-01", (("ge", "2024-02-01"),)),
        ("files not modified since 2020", (("lt", "2020"),)),
        ("mails between 1 and 5 May", (("ge", "1 May"), ("le", "5 May"))),
        ("mails until Friday", (("le", "Friday"),)),
        ("mails from 1 jan to 31 march 2026", (("ge", "1 jan 2026"), ("le", "31 march 2026"))),
        ("mails not in 2023", (("ne", "2023"),)),
        ("december mails", (("eq", "december"),)),
        ("mails since the start of the year", (("ge", "start of the year"),)),
    ],
)
def test_words_before_a_time_compare_it(text: str, compared: tuple[tuple[str, str], ...]) -> None:
    (phrase,) = lift(text, "email", KNOWN).phrases
    assert phrase.compared == compared


@pytest.mark.parametrize(
    ("text", "domain", "rest", "clauses"),
    [
        ('files whose name contains "a, b"', "document", "files", [Filter("file.name", "contains", "a, b")]),
        (
            "mails with tax in the subject from Bo",
            "email",
            "mails from Bo",
            [Filter("message.subject", "contains", "tax")],
        ),
        ("mails with the word kayak in it", "email", "mails", [Search("kayak")]),
        ("files over 2.5 MB in size", "document", "files", [Filter("file.size", "gt", "2.5 MB")]),
        ("mails over 2 MB", "email", "mails over 2 MB", []),
        ("zip archives by Bo", "document", "by Bo", [Filter("file.fileType", "eq", "zip")]),
        ("files that are not zips", "document", "files", [Filter("file.fileType", "ne", "zip")]),
        ("the file called notes txt", "document", "the file called notes txt", []),
        (
            "list subject and date of mails",
            "email",
            "mails",
            [Select("message.subject"), Select("message.receivedDateTime")],
        ),
        (
            "show only the subject and sender of mails",
            "email",
            "mails",
            [Select("message.subject"), Select("message.from")],
        ),
        (
            "meetings, title and place only",
            "calendar",
            "meetings,",
            [Select("event.subject"), Select("event.location")],
        ),
        ("mails sorted by sender, descending", "email", "mails", [OrderBy("message.from", "desc")]),
        ("mails sorted by date", "email", "mails sorted by date", []),
        ("files whose name contains a or b", "document", "files whose name contains a or b", []),
    ],
)
def test_some_phrases_are_clauses_by_themselves(text: str, domain: str, rest: str, clauses: list[object]) -> None:
    left, found = take_direct(text, domain)
    assert (" ".join(left.split()), found) == (rest, clauses)


def test_hostile_words_do_not_hang_or_break() -> None:
    start = time.process_time()
    words = "not from a since may with x in the name " * 1000
    assert lift(words, "email", KNOWN).base == words
    for text in (
        "not " * 200,
        "since " * 200,
        "between " * 100 + "and",
        "only the " * 200,
        "a or " * 200,
        "%s\x00'\"" * 50,
    ):
        for domain in DOMAINS:
            lift(text, domain, KNOWN)
    assert time.process_time() - start < 5
