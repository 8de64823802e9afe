"""How one command is run: in a sandbox, and nowhere else.

Its files are those that the request came with; where it came with none, a tree in which the constants of the request
exist, since at that time nothing else is known.
"""

from __future__ import annotations

import time
from dataclasses import replace

from sayso.core.types import FileSpec, Limits, Outcome, Request, Sandbox


def run(command: str, request: Request, sandbox: Sandbox) -> Outcome:
    """The outcome of a command; pieces of kind "file" lie in its folder under their names."""
    files = [FileSpec(piece.name, piece.text.encode()) for piece in request.context if piece.kind == "file"]
    return sandbox.run(command, files, Limits()) if files else run_on_fixture(command, request.text, sandbox)


def run_on_fixture(command: str, request: str, sandbox: Sandbox) -> Outcome:
    """The outcome among made-up files; it starts in the folder `work` of the home folder."""
    # Building trees needs the parser, which an answer that runs nothing does without.
    from sayso.targets.bash.executed.facts import HERE
    from sayso.targets.bash.executed.fixture import STDIN
    from sayso.targets.bash.executed.fixtures import build
    from sayso.targets.bash.executed.grounding import ground_request
    from sayso.targets.bash.executed.running import LIMITS

    fixture = build(ground_request(request), "rich", request, float(int(time.time())))
    script = f"{fixture.prelude()}cd {HERE}; exec < {STDIN}\n{command}\n"
    outcome = sandbox.run(script, list(fixture.files.values()), LIMITS)
    # Large files are made by the prelude, and would be taken for the command's doing.
    own = (change for change in outcome.changes if change.how == "removed" or not fixture.is_made(change.path))
    return replace(outcome, changes=tuple(own))
