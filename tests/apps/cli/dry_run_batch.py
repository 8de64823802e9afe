"""Rehearse many commands in one process, whoever runs it: a program for tests. Commands come as JSON on stdin.

One sandbox serves all that see the same folders: its start is most of what a dry run costs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sayso.sandbox
from sayso.apps.cli import dry_run
from sayso.core.types import Sandbox


def main() -> None:
    opened: dict[tuple[str, ...], Sandbox] = {}
    start = sayso.sandbox.open_sandbox

    def open_once(cache: Path, overlaid: Mapping[str, Path] | None = None) -> Sandbox:
        key = tuple(overlaid or ())
        if key not in opened:
            opened[key] = start(cache, overlaid=overlaid)
        return opened[key]

    sayso.sandbox.open_sandbox = open_once  # type: ignore[assignment]
    answers: dict[str, dict[str, Any]] = {}
    for command in json.load(sys.stdin):
        found = dry_run.rehearse(command)
        answers[command] = {"text": "\n".join(dry_run.lines(found, False)), **dry_run.as_json(found)}
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
