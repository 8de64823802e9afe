"""Okapi and SCAN: rows, splits, statistics, divergence."""

from __future__ import annotations

from sayso.targets.api.corpus.okapi import OKAPI_SPLITS, okapi_rows

__all__ = ["OKAPI_SPLITS", "okapi_rows"]
