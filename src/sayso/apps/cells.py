"""The next cell of a notebook, as `sayso cell` and `%sayso` give it: the answer, what it lacks, who answered."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sayso.apps.answering import Answerer
from sayso.apps.requests import clean
from sayso.core.errors import DaemonFailed, MissingData, MissingPart, SaysoError
from sayso.core.types import Candidate, Piece, Request, System, Workspace

TARGET, TASK = "notebook", "notebook/everyday"
"""The task of what people type: its systems answer them."""
SAID_APART = re.compile(r"is given nowhere in this cell$|^nothing above gives ")
"""Reasons that `missing_imports` and `unknown_names` tell better, since they know the cells above."""
LOOKED_AT = 8
"""Cells asked for where fewer are shown: those that do not parse come last, and must not be all that there is."""
LONGEST_HALF = 20_000
"""Characters at both ends of a cell that are read."""
NO_MODEL = "no trained model of notebook cells is installed, so recipes answer alone: pip install sayso-notebook"
ONLY_REPAIRS = (
    "no trained model of notebook cells is installed, so only repairs by rule are shown: pip install sayso-notebook"
)


def best_system_at_hand(workspace: Workspace) -> tuple[System, str]:
    """`default` of the task; where its weights are not installed, recipes, and a line that says so."""
    from sayso.targets import find_task

    makers = find_task(TASK).systems
    try:
        if "default" in makers:
            return makers["default"](workspace), ""
    except (MissingPart, MissingData):
        pass  # a damaged bundle is told; one that was never installed is no mistake
    return makers["recipes"](workspace), NO_MODEL


def shortened(request: Request) -> Request:
    """A request that is fit to be read; of a cell as long as a file its beginning, with the imports, and its end."""
    context: list[Piece] = []
    for piece in request.context:
        if piece.kind == "file" or len(piece.text) <= 2 * LONGEST_HALF:
            context.append(piece)
            continue
        head, tail = piece.text[:LONGEST_HALF], piece.text[-LONGEST_HALF:]
        context.append(Piece(piece.kind, head[: head.rfind("\n") + 1] or head, piece.name))
        context.append(Piece(piece.kind, tail[tail.find("\n") + 1 :], piece.name))
    return Request(clean(request.text), tuple(context))


class Cells:
    """Answers in this process; the system is loaded with the first."""

    def __init__(self, workspace: Workspace) -> None:
        self.answerer = Answerer(workspace)
        self.note = ""

    def answer(self, request: Request, k: int) -> dict[str, Any]:
        """The request shape of the JSON interface, with what each cell lacks, and `note`."""
        if TARGET not in self.answerer.systems:
            self.answerer.systems[TARGET], self.note = best_system_at_hand(self.answerer.workspace)
        asked = shortened(request)
        found = self.answerer.answer(TARGET, asked, max(k, LOOKED_AT))
        return {**with_needs(first_of(found, k), asked), "note": self.note}

    def repaired(self, request: Request, mended: Sequence[Candidate], k: int) -> dict[str, Any]:
        """Repairs first, with their risk, then what a model says; without a model a cell above mends nothing."""
        from sayso.targets import find_target

        request = shortened(request)
        found = self.answer(request, k)
        drafts = find_target(TARGET).draft([one.text for one in mended])
        first = [
            {
                "text": one.text,
                "score": round(one.score, 4),
                "risk": draft.risk.level,
                "risky": list(draft.risk.words),
                "why": list(one.why),
            }
            for one, draft in zip(mended, drafts, strict=True)
        ]
        texts = {one["text"] for one in first} | {piece.text for piece in request.context if piece.kind == "code"}
        others = [] if self.note else [one for one in found["candidates"] if one["text"] not in texts]
        others = [] if found["abstained"] else others
        shown = (first + others)[:k]
        note = ONLY_REPAIRS if self.note else ""
        shape = {**found, "candidates": shown, "abstained": not shown, "note": note}
        return with_needs(shape, request)


def first_of(shape: dict[str, Any], k: int) -> dict[str, Any]:
    return {**shape, "candidates": shape["candidates"][:k]}


def with_needs(shape: dict[str, Any], request: Request) -> dict[str, Any]:
    """Each candidate with the imports that it lacks and the names that nothing gives; the first one's beside it."""
    from sayso.targets.notebook.hand import needs_of

    for one in shape["candidates"]:
        needs = needs_of(one["text"], request)
        one["missing_imports"], one["unknown_names"] = list(needs.imports), list(needs.unknown)
        one["why"] = [why for why in one["why"] if not SAID_APART.search(why)]
    first = shape["candidates"][:1]
    return {**shape, "missing_imports": first[0]["missing_imports"] if first else []}


def through_daemon(request: Request, k: int, say: Callable[[str], None]) -> dict[str, Any] | None:
    """The background process's answer, which keeps what it read; None where this process has to answer."""
    from sayso.apps.daemon import client, wire
    from sayso.targets import find_target

    if not find_target(TARGET).answered_by:
        return None
    request = shortened(request)
    context = [{"kind": one.kind, "text": one.text, "name": one.name} for one in request.context]
    question = {"do": "answer", "target": TARGET, "text": request.text, "k": max(k, LOOKED_AT), "context": context}
    if len(json.dumps(question)) > wire.LONGEST_LINE - 1024:
        return None
    try:
        return {**with_needs(first_of(client.ask(question, say), k), request), "note": ""}
    except DaemonFailed as error:
        say(f"{error.message}; answering without it ({error.hint})")
    except SaysoError as error:
        if error.exit_code != MissingPart.exit_code:
            raise
    return None


def with_imports(one: dict[str, Any]) -> str:
    """The cell with the imports that it lacks above it."""
    text: str = one["text"]
    if not one["missing_imports"] or text.lstrip().startswith("%%"):
        return text
    return "\n".join([*one["missing_imports"], "", text])


def named_files(request: Request, text: str, folder: Path) -> Request:
    """The request with the files that its cells name, for a run in the sandbox."""
    from sayso.targets.notebook.hand import files_named

    codes = [*(piece.text for piece in request.context if piece.kind == "code"), text]
    files: tuple[Piece, ...] = files_named(codes, folder)
    return Request(request.text, (*request.context, *files))
