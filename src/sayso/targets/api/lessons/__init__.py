"""Requests made from calls, as Okapi was made, and what is wrong with those that people wrote."""

from __future__ import annotations

from sayso.targets.api.lessons.construct import Plan, constructed
from sayso.targets.api.lessons.mistakes import mistake_report
from sayso.targets.api.lessons.quality import quality_report

__all__ = ["Plan", "constructed", "mistake_report", "quality_report"]
