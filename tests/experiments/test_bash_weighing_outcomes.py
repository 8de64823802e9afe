"""What sources say is kept with what came of it; a request that cannot be judged says why."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from sayso.answer.rerank import Combined
from sayso.core.errors import SandboxFailed
from sayso.core.types import Request, Unscored
from sayso.experiments import weighing_outcomes
from sayso.experiments.weighing_outcomes import Trial, Verdicts, outcome

SAID: dict[str, Any] = {
    "described": 0.25,
    "quick": [["ls", 0.5, []]],
    "steps": [],
    "recalled": [],
    "model": [["ls", 0.75, []], ["du", 0.125, []]],
}


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Combined:
    monkeypatch.setattr(weighing_outcomes, "proposed", lambda system, request: SAID)
    return cast(Combined, SimpleNamespace(tells=None))


def test_every_proposal_is_judged_once(system: Combined) -> None:
    heard: list[str] = []

    def judging(texts: Sequence[str]) -> Verdicts:
        heard.extend(texts)
        return {text: text == "ls" for text in texts}

    found = outcome(system, Trial("a", "list it", judging))
    assert heard == ["ls", "du"]
    assert found == {
        "id": "a", "request": "list it", **SAID, "told": {}, "unscored": "", "verdicts": {"ls": True, "du": False},
    }  # fmt: skip


def test_how_likely_each_text_tells_the_request_back_is_kept(system: Combined) -> None:
    def tells(request: Request, texts: Sequence[str]) -> list[float]:
        return [-float(len(f"{request.text} {text}")) for text in texts]

    telling = cast(Combined, SimpleNamespace(tells=tells))
    found = outcome(telling, Trial("a", "list it", lambda texts: dict.fromkeys(texts, False)))
    assert found["told"] == {"ls": -10.0, "du": -10.0}


def test_what_cannot_be_judged_has_no_verdict(system: Combined) -> None:
    def failing(texts: Sequence[str]) -> Verdicts:
        raise SandboxFailed("no room")

    for judging, reason in ((lambda texts: Unscored("needs a network"), "needs a network"), (failing, "the sandbox")):
        found = outcome(system, Trial("a", "list it", judging))
        assert found["unscored"].startswith(reason) and found["verdicts"] == {}
