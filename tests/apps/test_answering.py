"""Questions as JSON, from whoever speaks to the background process: answered, or refused with what is wrong."""

from __future__ import annotations

import weakref
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.answering import DROPPED_AFTER, Answerer
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


def test_what_an_answer_needed_for_a_while_goes_back_once_nobody_asks(
    answerer: Answerer, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_back: list[bool] = []
    monkeypatch.setattr("sayso.apps.memory.give_back", lambda: given_back.append(True))
    answerer.drop_idle()
    assert given_back == []
    answerer.reply(QUESTION)
    answerer.drop_idle()
    answerer.drop_idle()
    assert given_back == [True] and answerer.loaded() == ["bash"]


def test_the_trunk_of_cells_is_shared_while_held_and_dropped_when_idle(tmp_path: Path) -> None:
    """Two trunks live in the background process: the second one goes, memory and all, when nobody asks for it."""
    pytest.importorskip("sayso_notebook")
    from sayso.neural.installed import find_bundle
    from sayso.targets import find_task
    from sayso.targets.notebook.systems import cells

    now = [0.0]
    workspace = Workspace(tmp_path, tmp_path)
    answerer = Answerer(workspace, clock=lambda: now[0])
    answerer.systems["notebook"] = find_task("notebook/everyday").systems["default"](workspace)
    answerer.used["notebook"] = now[0]
    folder = find_bundle(cells.NAME)
    trunk = weakref.ref(cells.opened(folder).translator.model.cells)  # type: ignore[attr-defined]
    translator: Any = answerer.systems["notebook"].translator
    assert translator.trunk.cells is trunk(), "one trunk for all tasks of the process"
    del translator
    now[0] += DROPPED_AFTER
    answerer.drop_idle()
    assert answerer.loaded() == [] and trunk() is None and folder not in cells.LOADED
