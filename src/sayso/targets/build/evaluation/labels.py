"""A label: a build script, and what it says must be installed before it runs.

A script says so in a comment, `# needs: NAME NAME`; an empty list is a claim too. Where it says nothing, the
maintainers' dependencies hold: then the script alone is under test.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NEEDS = re.compile(r"^# needs:[ \t]*(?P<names>[^\n]*)\n?", re.M)


@dataclass(frozen=True)
class Label:
    """`needs` is None where nothing is said of it. A script without a word is the null label (§6)."""

    script: str
    needs: tuple[str, ...] | None = None


NULL = Label("")


def read_label(text: str) -> Label:
    """ "# needs: a b" and a script -> Label(script, ("a", "b")); ":" and text of comments alone are null."""
    found = NEEDS.search(text)
    script = NEEDS.sub("", text).strip("\n")
    needs = tuple(found["names"].split()) if found else None
    return NULL if is_null(script) else Label(script, needs)


def write_label(label: Label) -> str:
    """The inverse of `read_label`."""
    head = "" if label.needs is None else f"# needs: {' '.join(label.needs)}".rstrip() + "\n"
    return head + (label.script or ":")


def is_null(script: str) -> bool:
    """Whether a script has no action."""
    lines = (line.strip() for line in script.splitlines())
    return all(line in ("", ":", "true") or line.startswith("#") for line in lines)
