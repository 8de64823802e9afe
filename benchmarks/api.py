"""Requests to web API calls with the embedded parsers: one at a time, as `sayso api` asks, and in one batch."""

from __future__ import annotations

import statistics
import time

from benchmarks import Row
from sayso.core.types import Example, Request
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.asking import ask
from sayso.targets.api.systems.shipped import domain_parser

REQUESTS = (
    "show my five most recent unread mails from Anna",
    "how many meetings do I have next week without attachments?",
    "the ten largest pdf files that Bo Ek changed yesterday, sorted by size",
    "events at the town hall organised by Ines Falk that start after Monday in my work calendar",
    "mails in the travel category with high importance that I received today, oldest first",
    "what are the files shared with specific users that were made last month?",
)
ALONE, BATCH = 60, 600


CALLS = (
    "GET message FILTER message.from eq Anna FILTER message.isRead eq False ORDERBY message.sentDateTime desc TOP 5",
    "GET event FILTER event.start eq next week FILTER event.hasAttachments eq False COUNT",
    "GET drive.recent FILTER file.lastModifiedBy eq Bo Ek FILTER file.fileType eq pdf ORDERBY file.size desc TOP 10",
    "GET event FILTER event.location eq hall FILTER event.start gt Monday FILTER event.calendar eq Work SEARCH tax",
)


def judged() -> Row:
    """Calls and calls that differ from them in one clause, as `executed` asks for both."""
    from benchmarks.call_mutants import mutants
    from sayso.targets.api.executed.judge import Judge, asked_reference

    texts = {call: [one.text for one in mutants(call)[:20]] for call in CALLS}
    start = time.process_time()
    for call, others in texts.items():
        for other in others:
            # One at a time and nothing kept: the dearest way.
            asked_reference.cache_clear()
            Judge()(Example("", Request(""), (call,)), [other])
    n = sum(map(len, texts.values()))
    return Row(
        "CPU of a call judged by its answers", 1000 * (time.process_time() - start) / n / 2, "ms", 2 * n, limit=20.0
    )


def run() -> list[Row]:
    parsers = {domain: domain_parser(domain) for domain in DOMAINS}
    times = []
    for at in range(ALONE):
        start = time.process_time()
        ask(REQUESTS[at % len(REQUESTS)], "", 3, parsers)
        times.append(1000 * (time.process_time() - start))
    requests = [Request(REQUESTS[at % len(REQUESTS)]) for at in range(BATCH)]
    start = time.process_time()
    parsers["email"].translate(requests)
    each = 1000 * (time.process_time() - start) / BATCH
    return [
        judged(),
        Row("CPU of a warm api request, three domains", statistics.median(times), "ms", ALONE, limit=30.0),
        # 500 a second on two cores are 4 ms of CPU each.
        Row("CPU of an api request in a batch", each, "ms", BATCH, limit=4.0),
    ]
