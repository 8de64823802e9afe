"""Calls as requests that a service answers: OData queries and URLs, what a server refuses, and how they are shown."""

from __future__ import annotations

from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.requests.shown import every_shape

__all__ = ["Clock", "every_shape"]
