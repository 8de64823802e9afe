"""From a request to the JSON object that every face of sayso shows: in this process, with the models kept loaded."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.apps.history_store import own_commands
from sayso.apps.requests import clean
from sayso.apps.settings import MOST_CANDIDATES, listed_folders, load
from sayso.core.errors import BadRequest, UnknownName, UserError
from sayso.core.types import Draft, Request, System, Target, Workspace
from sayso.runs.requests import parse_request

if TYPE_CHECKING:
    from sayso.answer.answer import Answer

MOST_SAID = 8
"""Proposals of the user's own model for one request."""
SURE_ACT, ACT_READ_AT = 0.5, 3
"""The confidence from which a further act is taken for known, and how many of its answers are looked at."""
DIALECTS = ("bsd", "busybox")
FIRST = "bash"
"""What a background process is started for: its system lives as long as the process would."""
DROPPED_AFTER = 600.0
"""Seconds without a request after which any other target's system is let go."""


class Answerer:
    """Keeps each system that it has loaded, so that only the first answer pays for loading.

    One that nobody asks for is dropped by `drop_idle`, which whoever keeps an answerer for long calls now and then.
    """

    def __init__(
        self, workspace: Workspace, idle_seconds: float = math.inf, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.workspace, self.idle_seconds, self.clock = workspace, idle_seconds, clock
        self.systems: dict[str, System] = {}
        self.used: dict[str, float] = {}
        self.is_tidy = True

    def loaded(self) -> list[str]:
        """The targets whose systems are loaded; any thread may ask."""
        return sorted(list(self.systems))  # noqa: C414 - in one step, while another thread may load one

    def drop_idle(self) -> None:
        """Let go of each system whose time is over; its memory goes back, as does what answers needed for a while."""
        now = self.clock()
        idle = [target for target, used in self.used.items() if now - used >= self.lives(target)]
        for target in idle:
            del self.systems[target], self.used[target]
        if idle or not self.is_tidy:
            from sayso.apps.memory import give_back

            give_back()
            self.is_tidy = True

    def lives(self, target: str) -> float:
        """Seconds that a system is kept after its last answer."""
        return self.idle_seconds if target == FIRST else min(self.idle_seconds, DROPPED_AFTER)

    def reply(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """`{"target", "text", "k", "context"?, "tools"?, "said"?, "calls"?}` -> the JSON shape, less `seconds`."""
        target = str(question.get("target"))
        self.is_tidy = False
        try:
            return self.replied(target, question)
        finally:
            if target in self.systems:
                self.used[target] = self.clock()

    def replied(self, target: str, question: Mapping[str, Any]) -> dict[str, Any]:
        if question.get("do") == "warm":
            self.system(target)
            return {"target": target}
        k = question.get("k")
        if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= MOST_CANDIDATES:
            raise BadRequest(f"k must be a whole number from 1 to {MOST_CANDIDATES}, not {k!r}")
        _, request = parse_request({**question, "id": ""}, "the question")
        asked = Request(clean(request.text), request.context)
        if target == FIRST and "after" in question:
            return self.behind(asked, *read_after(question))
        shape = self.answer(target, asked, k, read_tools(question), read_said(question))
        if target == FIRST and question.get("calls") is True:
            shape["calls"] = calls_of(shape["candidates"])
            shape["named"] = named_in(asked.text)
        return shape

    def answer(
        self,
        target: str,
        request: Request,
        k: int,
        tools: Mapping[str, str] | None = None,
        said: Sequence[str] = (),
    ) -> dict[str, Any]:
        """`tools` says whose each tool here is that is not GNU's; `said` is what the user's own model proposes."""
        from sayso.answer.answer import answer
        from sayso.targets import find_target

        system, language, here = self.system(target), find_target(target), None
        if tools:
            from sayso.targets.bash.evidence import tools_lack

            here = partial(tools_lack, tools)
        found = answer(language, system, request, k, partial(own_commands, language), here)
        if target == FIRST:
            found = self.with_manuals(language, found, request, k)
        if said:
            from sayso.apps.said import with_said

            found = with_said(language, found, request, said, system.abstain_below, k)
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
            mark_barred(language, request, shape["candidates"])
        if found.reason:
            shape["reason"] = found.reason
        if asked := found.question:
            shape["question"] = {
                "text": asked.text,
                "choices": [{"label": label, "text": text} for label, text in asked.choices],
            }
        shape.update(found.facts)
        return shape

    def with_manuals(self, language: Target, found: Answer, request: Request, k: int) -> Answer:
        """What the index of this machine's manual pages adds, where there is one and it is wanted."""
        from sayso.targets.bash.knowledge import MachineIndex

        index = MachineIndex(self.workspace.cache)
        if not (index.exists() and load().man_index):
            return found
        from sayso.apps.installed import with_installed

        return with_installed(language, found, request, index, is_installed, k)

    def behind(self, act: Request, request: str, command: str) -> dict[str, Any]:
        """The last command with one more act behind it, or nothing where that act is not surely known."""
        from sayso.answer.answer import proposed
        from sayso.answer.weigh import look
        from sayso.targets import find_target
        from sayso.targets.bash.offers import behind

        system, language = self.system(FIRST), find_target(FIRST)

        def read(text: str) -> Sequence[Draft]:
            return proposed(language, system, [language.read(Request(text))], ACT_READ_AT)[0]

        found = [one for one in behind(request, command, act.text, read) if one.score >= SURE_ACT]
        drafts = language.draft([one.text for one in found]) if found else []
        whole = language.read(Request(f"{request} {act.text}".strip()))
        rows = [
            {"text": one.text, "score": one.score, "risk": draft.risk.level, "risky": list(draft.risk.words)}
            | {"why": [*one.why, *(each.reason for each in seen.evidence)]}
            for one, draft, seen in zip(found, drafts, look(language, whole, drafts), strict=True)
            if not seen.barred
        ]
        return {"target": FIRST, "request": act.text, "candidates": rows, "abstained": not rows}

    def system(self, target: str) -> System:
        from sayso.apps.leftovers import remove_once
        from sayso.targets import find_task

        if target not in self.systems:
            remove_once()
            task = find_task(answering_task(target))
            if "default" not in task.systems:
                raise UnknownName(f"system of {task.name}", "default", task.systems)
            self.systems[target] = task.systems["default"](self.workspace)
            self.used[target] = self.clock()
        return self.systems[target]


def is_installed(program: str) -> bool:
    """Whether a folder of PATH has it."""
    return any(os.access(Path(folder, program), os.X_OK) for folder in listed_folders("PATH"))


def mark_barred(target: Target, request: Request, rows: list[dict[str, Any]]) -> None:
    """`"barred": true` on what must not be done for this request: no face offers it, not even as a guess."""
    from sayso.answer.weigh import look

    drafts = target.draft([row["text"] for row in rows]) if rows else []
    for row, seen in zip(rows, look(target, target.read(request), drafts), strict=True):
        if seen.barred:
            row["barred"] = True


def answering_task(name: str) -> str:
    """The task whose `default` system answers single requests of a target."""
    from sayso.targets import find_target

    found = find_target(name).answered_by
    if not found:
        raise UserError(
            f"{name} answers no single requests in this build", "`sayso eval` runs the systems of its tasks"
        )
    return found


def read_after(question: Mapping[str, Any]) -> tuple[str, str]:
    """What was asked before, and the command that answered it; BadRequest where that is no two texts."""
    after = question.get("after")
    request, command = (after.get("request"), after.get("command")) if isinstance(after, dict) else (None, None)
    if not (isinstance(request, str) and isinstance(command, str)):
        raise BadRequest("after must hold the request and the command before")
    return clean(request) if request.strip() else "", clean(command, "command")


def read_tools(question: Mapping[str, Any]) -> dict[str, str]:
    """Whose the tools are of who asks; BadRequest where that is no such table."""
    tools = question.get("tools", {})
    if not isinstance(tools, dict) or not all(whose in DIALECTS for whose in tools.values()):
        raise BadRequest(f"tools must say of each whether it is {' or '.join(DIALECTS)}")
    return tools


def read_said(question: Mapping[str, Any]) -> list[str]:
    """What the user's own model proposes; BadRequest where that is no short list of text."""
    said = question.get("said", [])
    if not isinstance(said, list) or len(said) > MOST_SAID or not all(isinstance(one, str) for one in said):
        raise BadRequest(f"said must be a list of at most {MOST_SAID} texts")
    return said


def named_in(request: str) -> dict[str, str]:
    """The programs that a request says to use, with their packages where those are known."""
    from sayso.targets.bash.repair import packages_named

    return packages_named(request)


def calls_of(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """For each candidate of Bash the programs that it calls and their packages: who asks knows which are there."""
    from sayso.targets.bash.repair import programs_called

    return [programs_called(row["text"]) for row in rows]
