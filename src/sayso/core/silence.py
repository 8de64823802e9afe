"""Libraries that would call home or download by themselves, and the switches that keep them from it: the one list.

Most read their switch when they are imported, so `silence` stands before every import of one of them. It sets variables
and reads none but those it sets; `as_found` gives a command of the user's the environment as the user had it.
docs/concepts/silence.md says what each library does.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Library → its switches.
SWITCHES: dict[str, dict[str, str]] = {
    "onnxruntime": {"ORT_DISABLE_TELEMETRY": "1"},
    "transformers": {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "TRANSFORMERS_OFFLINE": "1"},
    # Its helper processes inherit them. A cluster reports even that it is switched off: to the discard port, then.
    "ray": {"RAY_USAGE_STATS_ENABLED": "0", "RAY_USAGE_STATS_REPORT_URL": "http://127.0.0.1:9/"},
    "selenium": {"SE_AVOID_STATS": "true", "SE_OFFLINE": "true"},
}
FOUND: dict[str, str | None] = {}
"""What a variable held before it was set here, None for nothing: the environment belongs to the whole process."""


def silence(library: str) -> None:
    """Set the switches of a library, whatever the user's shell says of them; worker processes inherit them."""
    for name, value in SWITCHES[library].items():
        put(name, value)


def keep_matplotlib_in(folder: str) -> None:
    """matplotlib keeps its list of fonts in that folder, where the user has not chosen one for it."""
    if not os.environ.get("MPLCONFIGDIR"):
        put("MPLCONFIGDIR", folder)


def keep_numpy_to_one_thread() -> None:
    """Before numpy: its products of small matrices take longer to hand to threads than to make, far longer on a busy
    machine. Who chose a number keeps it."""
    if not os.environ.get("OPENBLAS_NUM_THREADS"):
        put("OPENBLAS_NUM_THREADS", "1")


def put(name: str, value: str) -> None:
    FOUND.setdefault(name, os.environ.get(name))
    os.environ[name] = value


def as_found() -> dict[str, str]:
    """The environment as it was before anything was set here."""
    before: Mapping[str, str | None] = {**os.environ, **FOUND}
    return {name: value for name, value in before.items() if value is not None}
