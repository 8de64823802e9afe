"""Lines of documents that are commands, as planning reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.build.planning.plan import Cause, Said

COMMAND = re.compile(
    r"^[\s>*`$%#-]*(?P<command>(?:sudo\s+)?(?:\./configure|configure|cmake|meson|ninja|make|gmake|cd|autoreconf|sh|bash|\./autogen\.sh|\./bootstrap|perl|"
    r"python3?|pip3?|cargo|go|npm|ant|mvn|\./Build)\b[^`]*)`?\s*$"
)
PROSE = re.compile(r"\b(?:the|is|are|you|your|and|this|that|will|sure|it|which|should)\b")


def commands_in(path: str, text: str) -> Iterator[Said]:
    for number, line in enumerate(text.splitlines(), 1):
        found = COMMAND.match(line)
        if found and not PROSE.search(found["command"]):
            yield Said(found["command"].strip(), Cause(path, number, line.strip()))
