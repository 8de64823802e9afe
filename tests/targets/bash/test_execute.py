"""Running a command: only in the sandbox, with the files of the request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sayso.core.types import FileSpec, Layer, Limits, Outcome, Piece, Request
from sayso.targets.bash.execute import run


class Recorder:
    """A sandbox that only writes down what it is asked to run."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[FileSpec], Limits]] = []

    def run(
        self, script: str, files: Sequence[FileSpec], limits: Limits, layers: Sequence[Layer] = (), **more: Any
    ) -> Outcome:
        self.asked.append((script, list(files), limits))
        return Outcome(0, b"ok", b"")

    def layer(
        self, script: str, files: Sequence[FileSpec], limits: Limits, layers: Sequence[Layer] = (), **more: Any
    ) -> Layer:
        raise NotImplementedError


def test_a_command_runs_among_the_files_of_its_request() -> None:
    sandbox = Recorder()
    context = (Piece("text", "ignored"), Piece("file", "a\nb\n", "notes.txt"))
    outcome = run("wc -l notes.txt", Request("count lines", context), sandbox)
    assert outcome.stdout == b"ok"
    assert sandbox.asked == [("wc -l notes.txt", [FileSpec("notes.txt", b"a\nb\n")], Limits())]
    assert not sandbox.asked[0][2].network
