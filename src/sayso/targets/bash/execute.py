"""How one command is run: in a sandbox, among the files that the request came with, and nowhere else."""

from __future__ import annotations

from sayso.core.types import FileSpec, Limits, Outcome, Request, Sandbox


def run(command: str, request: Request, sandbox: Sandbox) -> Outcome:
    """The outcome of a command; pieces of kind "file" lie in its folder under their names."""
    files = [FileSpec(piece.name, piece.text.encode()) for piece in request.context if piece.kind == "file"]
    return sandbox.run(command, files, Limits())
