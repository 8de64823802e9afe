"""ONNX Runtime, silent: the only place that imports it.

Its Linux packages from 1.29 on keep a device id under the user's cache and send events to their maker. The variable
keeps all of that from starting if it is set before the import; the library's own switch comes too late for the id.
"""

from __future__ import annotations

from typing import Any

from sayso.core.silence import silence

CHECKED_BELOW = (1, 32)
"""Versions whose silence was checked; pyproject.toml allows no other. `tests/apps/test_silence.py` checks a new one."""


def load_onnxruntime() -> Any:
    """The package, with its telemetry off; raises ImportError where it is not installed."""
    silence("onnxruntime")
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime


def is_checked(version: str) -> bool:
    """ "1.31.1" -> True"""
    parts = version.split(".")[:2]
    return all(part.isdigit() for part in parts) and tuple(map(int, parts)) < CHECKED_BELOW
