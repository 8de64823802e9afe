"""Commands inside what a program is given as text: sed's `e`, awk's `system`, `perl -e`, `ssh host "…"`, `sh -c "…"`.

Quotes hide no deletion: where a line may do anything, what looks like one in any of its texts is held to the same bars.
What a line that is known to read or to write has in quotes (`echo "rm -rf ~"`) is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sayso.core.types import Asked, Evidence, Risk
from sayso.targets.bash.effects.risk import risk_of
from sayso.targets.bash.safety.unasked_deeds import is_told
from sayso.targets.bash.syntax.called import Called

LOSING = re.compile(
    r"(?<![\w.$-])(?:sudo\s+)?(?:/(?:usr/)?s?bin/)?"
    r"(?P<run>(?:rm|rmdir|unlink|shred|find|dd|mkfs\S*|wipefs|truncate|mv)\s+[^;|&\"'`)\\\n]*)"
)
RUNNERS = frozenset(("-c", "-e", "-lc", "-ic", "eval", "ssh", "watch"))
"""Words behind which a text is run, whatever else the line does."""


def quoted_commands(commands: Sequence[Called], risk: Risk) -> list[Called]:
    """What looks like a command that loses something in the texts of a line."""
    if risk.level not in ("unknown", "destroys"):
        return []
    texts = [
        word
        for command in commands
        for before, word in pairwise(command.words)
        if " " in word and (risk.level == "unknown" or before in RUNNERS or command.words[0] in RUNNERS)
    ]
    plain = (text.replace("\\/", "/") for text in texts)  # as sed's own slashes are written
    return [Called(tuple(found["run"].split()), False) for text in plain for found in LOSING.finditer(text)]


def unasked_in_quotes(asked: Asked, text: str, inside: Sequence[Called]) -> Iterator[Evidence]:
    """Bars: a text that deletes when it is run, where nobody told to."""
    if asked.request.text.strip() == text:
        return
    for command in inside:
        # `system("rm " $1)`: what it takes is put behind it later.
        risk = risk_of(" ".join(command.words if len(command.words) > 1 else (*command.words, "it")))
        if risk.level == "destroys" and not is_told(asked, risk):
            yield Evidence("unasked_destruction", f"has {' '.join(command.words)} in quotes, which nobody asked for")
            return
