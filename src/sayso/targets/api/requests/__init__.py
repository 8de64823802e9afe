"""Calls as requests that a service answers: OData queries and URLs, what a server refuses, and how they are shown."""

from __future__ import annotations

from sayso.targets.api.requests.clock import Clock, Interval, interval_of
from sayso.targets.api.requests.odata import Query, query_of, read_url, times_told, url_of
from sayso.targets.api.requests.planner import Plan, Restrictions, graph_restrictions, plan
from sayso.targets.api.requests.shown import SHAPES

__all__ = [
    "SHAPES",
    "Clock",
    "Interval",
    "Plan",
    "Query",
    "Restrictions",
    "graph_restrictions",
    "interval_of",
    "plan",
    "query_of",
    "read_url",
    "times_told",
    "url_of",
]
