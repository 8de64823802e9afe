"""Requests to web API calls with the embedded parsers: one at a time, as `sayso api` asks, and in one batch."""

from __future__ import annotations

import statistics
import time

from benchmarks import Row
from sayso.core.types import Request
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
        Row("CPU of a warm api request, three domains", statistics.median(times), "ms", ALONE, limit=30.0),
        # 500 a second on two cores are 4 ms of CPU each.
        Row("CPU of an api request in a batch", each, "ms", BATCH, limit=4.0),
    ]
