"""A real llama.cpp server on loopback as the user's own model: what it says is heard, and never believed unseen."""

from __future__ import annotations

import pytest
from benchmarks.llama_server import found_model, missing, serving

from sayso.apps.model_server import proposals
from sayso.apps.settings import Settings

pytestmark = [pytest.mark.slow, pytest.mark.network]
REASON = missing(found_model())


@pytest.mark.skipif(bool(REASON), reason=REASON or "it is here")
def test_a_real_server_is_asked_and_answers() -> None:
    notes: list[str] = []
    with serving(found_model()) as url:
        chosen = Settings({"model_url": url, "model_seconds": 60.0})
        heard = proposals("list files", {"candidates": [], "abstained": True}, chosen, notes.append)
    assert notes == []
    assert heard and all(text.strip() and "\n" not in text for text in heard)
