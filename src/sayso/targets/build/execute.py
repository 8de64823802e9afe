"""How one script is run: in a sandbox, and nowhere else, in a folder with the files that the request came with.

That is a trial of one script. README-EVAL's builds, over a root and what other packages left, are `builds/`.
"""

from __future__ import annotations

from sayso.core.types import FileSpec, Limits, Outcome, Request, Sandbox

LIMITS = Limits(cpu_seconds=120, wall_seconds=900, memory_mb=2048, processes=256, disk_mb=1024)


def run(script: str, request: Request, sandbox: Sandbox) -> Outcome:
    """The outcome of a script whose first failing command ends it, as in a build."""
    files = [FileSpec(piece.name, piece.text.encode()) for piece in request.context if piece.kind == "file"]
    return sandbox.run(f"set -e\n{script}\n", files, LIMITS)
