"""A real background process whose answers are scripted, for tests of what a terminal shows: run as a program."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from sayso.apps.daemon import wire
from sayso.apps.daemon.__main__ import main


class AnyBuild(str):
    """Fits every client: a source file that is saved while the tests run must not replace the scripted process."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = str.__hash__


KNOWN: dict[str, list[tuple[str, str, list[str], list[str]]]] = {
    "show notes.txt": [
        ("cat notes.txt", "reads", [], ["from the request: FILE notes.txt"]),
        ("head -n 10 notes.txt", "reads", [], ["assumed: NUMBER 10"]),
        ("tail notes.txt", "reads", [], []),
    ],
    "remove notes.txt": [("rm notes.txt", "destroys", ["rm"], ['like "remove FILE"'])],
    "fail": [("awk 'BEGIN{exit 7}'", "reads", [], [])],
    "all notes": [("cat *.txt", "reads", [], [])],
    "wait": [("sleep 60", "reads", [], [])],
    "tidy up": [
        (
            "rm -r old && mkdir new && echo hi > new/a.txt; echo more >> notes.txt; ln -s a.txt new/l; "
            "chmod 700 run.sh; touch /tmp/elsewhere; touch ~/up; echo done; echo bad >&2; (exit 4)",
            "destroys",
            ["rm"],
            [],
        )
    ],
    "look": [("ls -R", "reads", [], [])],
    "fetch": [("curl -s http://localhost:1/x -o x; sudo cat /etc/fstab /etc/shadow", "writes", ["-o"], [])],
    "loop": [("yes > big", "writes", [">"], [])],
    "names": [("find . -printf '%f\\n'", "reads", [], []), ("find . -name '*'", "reads", [], [])],
}


UNSURE: dict[str, list[dict[str, Any]]] = {
    "nothing sure": [
        {"text": "wc -l notes.txt", "score": 0.31, "risk": "reads", "risky": [], "why": []},
        {"text": "rm -rf /", "score": 0.2, "risk": "destroys", "risky": ["rm -rf"], "why": [], "barred": True},
        {"text": "wc -w notes.txt", "score": 0.12, "risk": "reads", "risky": [], "why": []},
    ]
}


def answering(question: Mapping[str, Any]) -> dict[str, Any]:
    text = str(question.get("text", "")).strip()
    shape = {"target": "bash", "request": text, "candidates": [], "abstained": text.startswith("nothing")}
    if "after" in question:  # a further act: none is known but this
        command = f"{question['after']['command']} && cd new"
        row = {"text": command, "score": 0.9, "risk": "writes", "risky": [], "why": ["then, go into new: cd new"]}
        return {**shape, "candidates": [row] if text == "go into new" else [], "abstained": text != "go into new"}
    if shape["abstained"]:
        return {**shape, "candidates": UNSURE.get(text, []), "nearest": ["list all files"]}
    quoted = shlex.quote(text)
    echo: list[tuple[str, str, list[str], list[str]]] = [
        (f"echo {quoted}", "reads", [], []),
        (f"printf %s {quoted}", "reads", [], []),
    ]
    found = KNOWN.get(text, echo)[: int(question["k"])]
    rows = [
        {"text": command, "score": round(0.97 - 0.2 * n, 2), "risk": risk, "risky": risky, "why": why}
        for n, (command, risk, risky, why) in enumerate(found)
    ]
    tools = question.get("tools")
    return {**shape, "candidates": heeding(tools, rows, int(question["k"])) if tools else rows}


def heeding(tools: Mapping[str, str], rows: list[dict[str, Any]], k: int) -> list[dict[str, Any]]:
    """The rows as the real line puts them in order for a machine with these tools."""
    from functools import partial

    from sayso.answer.answer import answer
    from sayso.core.types import Candidate, Request, System
    from sayso.targets.bash.evidence import tools_lack
    from sayso.targets.bash.tasks import BASH

    class Rows:
        def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
            return [[Candidate(row["text"], row["score"], tuple(row["why"])) for row in rows]]

    found = answer(BASH, System(Rows()), Request("x"), k, here=partial(tools_lack, tools)).candidates
    by_text = {row["text"]: row for row in rows}
    return [{**by_text[one.text], "score": one.score, "why": list(one.why)} for one in found]


if __name__ == "__main__":
    wire.build = AnyBuild
    sys.exit(main(sys.argv[1:], answering))
