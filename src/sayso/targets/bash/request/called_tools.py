"""Words of a request that may be the names of tools, and whether it says that they are: "with tr", "use zdump"."""

from __future__ import annotations

import re
from collections.abc import Iterator

WORD = re.compile(r"[A-Za-z0-9_][\w.+-]*\w|\w")
CUE = re.compile(r"(?:use|using|with|via|by|through|run|running|ask|call|calling|tool|command|utility|program)")
CUE_AFTER = re.compile(r"(?:command|tool|program|utility|on|of|for|from|-\S+)")


def called_words(text: str) -> Iterator[tuple[int, str, bool]]:
    """The place, each word, and whether the request says that it is a tool."""
    words = [found[0] for found in WORD.finditer(text.replace("'", " "))]
    for at, word in enumerate(words):
        is_cued = bool(at and CUE.fullmatch(words[at - 1].lower()))
        yield at, word, is_cued or (at == 0 and bool(CUE_AFTER.fullmatch((words[1:] or [""])[0])))
