"""The parsers that ship: all of them open, are small enough, and say calls that can be read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sayso.core.types import Request, Workspace
from sayso.targets.api.language import check, normalise
from sayso.targets.api.syntax.schema import DOMAINS, domain_of
from sayso.targets.api.systems.asking import ask
from sayso.targets.api.systems.shipped import BUNDLES, SYSTEMS, domain_parser
from sayso.targets.api.tasks import TASKS

MOST_BYTES, ALL_BYTES = 12 * 2**20, 13 * 2**20
"""Of what `sayso api` asks, and of the tasks beside it."""
WORDS, WORDING = "api-words", "api-wording"
"""The word vectors for described APIs, and the reader beside the parsers: each has a limit of its own."""
ASKED = {
    "document": "How many pdf files were created by Mia Holt last week?",
    "email": "List out the unread emails I received from Mia Holt.",
    "calendar": "Which events in my work calendar start before Monday?",
}
WANTED = {
    "document": "GET drive.root.children FILTER file.createdBy eq Mia Holt FILTER file.createdDateTime eq last week "
    "FILTER file.fileType eq pdf COUNT",
    "email": "GET message FILTER message.from eq Mia Holt FILTER message.isRead eq False",
    "calendar": "GET event FILTER event.calendar eq work FILTER event.start lt Monday",
}


def test_together_they_are_small() -> None:
    asked = sum(path.stat().st_size for domain in DOMAINS for path in (BUNDLES / f"api-{domain}").iterdir())
    assert (
        asked <= MOST_BYTES
        and sum(one.stat().st_size for one in BUNDLES.glob("api-*/*") if one.parent.name not in (WORDS, WORDING))
        <= ALL_BYTES
    )
    assert 0 < sum(path.stat().st_size for path in (BUNDLES / WORDING).iterdir()) <= 1 << 20
    assert 0 < sum(path.stat().st_size for path in (BUNDLES / WORDS).iterdir()) <= 2 << 20


@pytest.mark.parametrize("task", sorted(SYSTEMS))
def test_every_okapi_task_has_a_default_that_answers(task: str, tmp_path: Path) -> None:
    domain = task.partition("-")[2]
    system = TASKS[f"api/{task}"].systems["default"](Workspace(tmp_path, tmp_path))
    (found,) = system.translator.translate([Request(ASKED[domain])], 1)
    assert found[0].text.casefold() == WANTED[domain].casefold()
    assert system.bundle


@pytest.mark.parametrize(
    "text", [*ASKED.values(), "", "?", "emails " * 300, "été 数据 files", "GET message TOP 5", "'s"]
)
def test_whatever_is_asked_the_call_can_be_read(text: str) -> None:
    parsers = {domain: domain_parser(domain) for domain in DOMAINS}
    for domain in DOMAINS:
        for one in ask(text, domain, 5, parsers).candidates:
            assert normalise(one.text) == one.text and domain_of(one.text.split()[1]) == domain
            wrong = [
                finding.message
                for finding in check(one.text)
                if not finding.message.startswith("TOP") and "compared with a time" not in finding.message
            ]
            assert not wrong and 0.0 <= one.score <= 1.0


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("meetings with Bob next week", "GET event FILTER event.organizer eq Bob FILTER event.start eq next week"),
        (
            "unread emails from Mia about the budget",
            "GET message FILTER message.from eq Mia FILTER message.isRead eq False SEARCH budget",
        ),
        (
            "how many meetings with Paul tomorrow",
            "GET event FILTER event.organizer eq Paul FILTER event.start eq tomorrow COUNT",
        ),
        ("next 3 meetings", "GET event FILTER event.start gt now ORDERBY event.start asc TOP 3"),
        ("10 newest pdfs by anna", "GET drive.root.children FILTER file.createdBy eq anna FILTER file.fileType eq pdf "
         "ORDERBY file.createdDateTime desc TOP 10"),
    ],
)  # fmt: skip
def test_what_is_typed_in_a_hurry_is_read_whole(text: str, call: str) -> None:
    asked = ask(text, "", 2, {domain: domain_parser(domain) for domain in DOMAINS})
    assert not asked.abstained and normalise(asked.candidates[0].text).casefold() == normalise(call).casefold()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("meetings in the next few days", "is a time, and was read as a person or a place"),
        ("files by Kim or Lee", 'no call can say or ("Kim or Lee")'),
        ("top 0 emails", "TOP 0"),
    ],
)
def test_a_clock_time_is_no_place_and_nothing_is_no_number(text: str, says: str) -> None:
    asked = ask(text, "", 2, {domain: domain_parser(domain) for domain in DOMAINS})
    assert asked.abstained and says in asked.reason


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_dropped_name_costs_each_of_them_confidence(domain: str) -> None:
    parser = domain_parser(domain)
    (best,) = parser.readings([ASKED[domain]], 1)[0]
    assert best.unused == 0
    assert parser.chance(replace(best, unused=1)) < parser.chance(best)
