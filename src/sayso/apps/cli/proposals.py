"""How commands that were edited or repaired are shown: as an answer with risks, and with the menu in a terminal."""

from __future__ import annotations

import time
from pathlib import Path

from sayso.apps import settings
from sayso.apps.cli import output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from sayso.apps.cli.choose import Choice
    from sayso.core.types import Candidate, Target


PREFIX = "api:"
"""Before the path of a description, where the target of an answer is named."""


def target_named(name: str) -> Target:
    """A target, or that of a described API: `api:` and the path of its description."""
    from sayso.targets import find_target

    if name.startswith(PREFIX):
        return find_target("api").made_from["spec"](Path(name.removeprefix(PREFIX)))
    return find_target(name)


def shape(name: str, request: str, candidates: Sequence[Candidate], **more: object) -> dict[str, Any]:
    """The request shape of the JSON interface for a target; `more` is what the command adds to it."""
    target = target_named(name)
    risks = [target.risk(one.text) for one in candidates]
    return {
        "target": name,
        "request": request,
        **{name: value for name, value in more.items() if value != ""},
        "candidates": [
            {"text": one.text, "score": one.score, "risk": risk.level, "risky": list(risk.words), "why": list(one.why)}
            for one, risk in zip(candidates, risks, strict=True)
        ],
        "abstained": not candidates,
    }


def show(answer: dict[str, Any], as_json: bool, taken: Callable[[Choice], None] | None, start: float) -> int:
    """Print it; in a terminal, unless `taken` is None, the menu follows, in which only `r` can run something."""
    from sayso.apps.cli import api, api_requests, api_spec
    from sayso.apps.cli.bash import in_terminal

    if answer["target"].startswith(PREFIX) and answer["candidates"]:
        spec = api_spec.opened(answer["target"].removeprefix(PREFIX))
        answer["requests"] = spec.shapes(answer["candidates"][0]["text"])
    elif answer["target"] == "api" and answer["candidates"]:
        answer["requests"] = api_requests.requests_of(answer["candidates"][0]["text"], api_requests.clock_of("", ""))
    if as_json:
        answer["seconds"] = round(time.perf_counter() - start, 4)
        output.print_json(answer)
        return 0
    coloured = output.colours(settings.load().colour)
    if answer["abstained"]:
        print(f"# {output.comment(str(answer['reason']))}")
        return 0
    if answer["target"] == "api" or answer["target"].startswith(PREFIX):
        lines = api.first_lines(answer["candidates"][0], answer, coloured, api_requests.SHAPES[0])
    else:
        lines = output.answer_lines(answer, coloured)
    print("\n".join(lines))
    if taken is None or not in_terminal():
        return 0
    from sayso.apps.cli.choose import Menu

    return Menu(answer, coloured, taken).ask()
