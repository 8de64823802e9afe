"""Questions as JSON, from whoever speaks to the background process: answered, or refused with what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sayso.apps.answering import Answerer
from sayso.core.errors import UserError
from sayso.core.types import Request, Workspace
from sayso.runs.evaluate import predict

QUESTION = {"do": "answer", "target": "bash", "text": " list files ", "k": 2}


@pytest.fixture
def answerer(tmp_path: Path) -> Answerer:
    return Answerer(Workspace(tmp_path, tmp_path))


def test_a_question_is_answered_with_its_context_and_models_stay_loaded(answerer: Answerer) -> None:
    answer = answerer.reply({**QUESTION, "context": [{"kind": "code", "text": "x = 1"}]})
    assert answer["request"] == "list files" and len(answer["candidates"]) == 2
    loaded = answerer.systems["bash"]
    assert answerer.reply({"do": "warm", "target": "bash"}) == {"target": "bash"}
    assert answerer.systems["bash"] is loaded


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"target": "bsh"}, 'unknown target "bsh"'),
        ({"k": 0}, "k must be a whole number from 1 to 50, not 0"),
        ({"k": True}, "k must be a whole number"),
        ({"text": 7}, "the question: no text"),
        ({"text": " "}, "the request is empty"),
        ({"text": "a\0b"}, "control character"),
        ({"context": "x"}, "the context is not a list"),
        ({"tools": ["sed"]}, "tools must say of each whether it is bsd or busybox"),
        ({"tools": {"sed": "mine"}}, "tools must say of each"),
        ({"context": [{"kind": "image", "text": "x"}]}, "a piece of context is not a kind"),
    ],
)
def test_a_bad_question_is_refused(answerer: Answerer, change: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError) as caught:
        answerer.reply({**QUESTION, **change})
    assert says in caught.value.message


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("bash", "which log files were deleted last week"),
        ("bash", "show files larger than 10 MB in /var"),
        ("bash", "sing me a song"),
        ("bash", "list files"),
        ("api", "unread mails from Anna"),
        ("api", "delete all my mail"),
        ("api", "emails and events from last week"),
        ("api", "recently used files, largest first"),
    ],
)
def test_what_is_scored_is_what_is_shown(answerer: Answerer, target: str, text: str) -> None:
    shown = answerer.reply({**QUESTION, "target": target, "text": text, "k": 5})
    (scored,) = predict(answerer.system(target), [("1", Request(text))], 5)
    assert [one.text for one in scored.candidates] == [one["text"] for one in shown["candidates"]]
    assert scored.abstained == shown["abstained"]
