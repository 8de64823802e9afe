"""A real background process whose answers are scripted, for tests of what a terminal shows: run as a program."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
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


def answering(question: Mapping[str, Any]) -> dict[str, Any]:
    text = str(question.get("text", "")).strip()
    shape = {"target": "bash", "request": text, "candidates": [], "abstained": text.startswith("nothing")}
    if shape["abstained"]:
        return {**shape, "nearest": ["list all files"]}
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
    return {**shape, "candidates": rows}


if __name__ == "__main__":
    wire.build = AnyBuild
    sys.exit(main(sys.argv[1:], answering))
