"""Build scripts read as text (README-EVAL §3): a script is shell, several lines of it, so Bash's language reads it.

Leaves out what Bash has beyond its language: follow-ups, evidence from English, what this machine's manuals say.
"""

from __future__ import annotations

from collections.abc import Sequence

from sayso.core.types import Asked, Draft, Evidence
from sayso.targets.bash.language import (
    check,
    drafts,
    explain,
    join,
    normalise,
    risk,
    split,
    template,
)

__all__ = ["bars", "check", "drafts", "explain", "join", "normalise", "risk", "split", "template", "words"]

NULL = ":"
"""The null label (§6): no action, and it succeeds."""


def bars(asked: Asked, found: Sequence[Draft]) -> list[tuple[Evidence, ...]]:
    """A build adds files: a script that removes or overwrites others is never first, whatever was asked."""
    return [destruction(draft) for draft in found]


def destruction(draft: Draft) -> tuple[Evidence, ...]:
    if draft.risk.level != "destroys":
        return ()
    return (Evidence("unasked_destruction", f"destroys ({', '.join(draft.risk.words)}), and a build only adds"),)


def words(script: str) -> list[str]:
    """The tokens of a script without comments and blanks: `make  # now` -> ["make"]"""
    lines = (line for line in script.splitlines() if not line.lstrip().startswith("#"))
    return [word for line in lines for word in split(line, "token") if word.strip()]
