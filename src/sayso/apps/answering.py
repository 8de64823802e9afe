"""From a request to the JSON object that every face of sayso shows: in this process, with the models kept loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sayso.apps.history_store import with_history
from sayso.apps.requests import clean
from sayso.apps.settings import MOST_CANDIDATES
from sayso.core.errors import BadRequest, UnknownName
from sayso.core.types import Request, System, Workspace
from sayso.runs.requests import parse_request


def bash_question(readings: list[tuple[str, float]], request: str) -> dict[str, Any] | None:
    from sayso.targets.bash.systems import question_for

    found = question_for(readings, request)
    if found is None:
        return None
    return {"text": found.text, "choices": [{"label": label, "text": text} for label, text in found.choices]}


# Target → what it would ask back where two readings are close, as `{"text", "choices": [{"label", "text"}]}`.
QUESTIONS = {"bash": bash_question}
# Target → the task whose `default` system answers single requests.
ANSWERED_BY = {"bash": "bash/command"}


class Answerer:
    """Keeps each system that it has loaded, so that only the first answer pays for loading."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.systems: dict[str, System] = {}

    def reply(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """`{"target", "text", "k", "context"?}` -> the request shape of the JSON interface, less `seconds`."""
        target = str(question.get("target"))
        if question.get("do") == "warm":
            self.system(target)
            return {"target": target}
        k = question.get("k")
        if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= MOST_CANDIDATES:
            raise BadRequest(f"k must be a whole number from 1 to {MOST_CANDIDATES}, not {k!r}")
        _, request = parse_request({**question, "id": ""}, "the question")
        return self.answer(target, Request(clean(request.text), request.context), k)

    def answer(self, target: str, request: Request, k: int) -> dict[str, Any]:
        from sayso.answer.answer import answer
        from sayso.targets import find_target

        system = self.system(target)
        found = answer(find_target(target), system, request, k)
        shape: dict[str, Any] = {
            "target": target,
            "request": request.text,
            "candidates": [
                {
                    "text": one.text,
                    "score": one.score,
                    "risk": one.risk.level,
                    "risky": list(one.risk.words),
                    "why": list(one.why),
                }
                for one in found.candidates
            ],
            "abstained": found.abstained,
        }
        if found.abstained:
            shape["nearest"] = list(found.nearest)
        elif question := QUESTIONS[target]([(one.text, one.score) for one in found.candidates], request.text):
            shape["question"] = question
        return with_history(shape, k)

    def system(self, target: str) -> System:
        from sayso.apps.leftovers import remove_once
        from sayso.targets import find_task

        if target not in ANSWERED_BY:
            raise UnknownName("target", target, ANSWERED_BY)
        if target not in self.systems:
            remove_once()
            task = find_task(ANSWERED_BY[target])
            if "default" not in task.systems:
                raise UnknownName(f"system of {task.name}", "default", task.systems)
            self.systems[target] = task.systems["default"](self.workspace)
        return self.systems[target]
