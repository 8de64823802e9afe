"""An action on a list instead of on what it lists: "list them in old.txt and delete them", rm old.txt.

Who says "them" behind a file that holds a list means what is listed. A command that reads the list is no such action.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from sayso.core.types import Asked, Evidence
from sayso.english.constants import word_set
from sayso.targets.bash.syntax.called import Called

LISTED = re.compile(
    r"\b(?:list|write|save|put|print|note|record|dump|store|collect|log)\b[^.;]*?\b(?:in|into|to)\s+(?:(?:a|the)\s+)?"
    r"(?:file\s+)?(?:called\s+|named\s+)?[\"'`]?(?P<file>[\w./~-]*\w\.\w{1,5})[\"'`]?(?=[\s,;]|$)"
    r"(?P<then>[\s,;]+(?:and|then|,|;|\s)*\w+\s+(?:(?:all|each|every one)\s+(?:of\s+)?)?(?:them|those|these)\b)",
    re.I,
)
ACTS = word_set("rm unlink shred mv cp gzip bzip2 xz zstd truncate chmod chown chgrp trash scp rsync")
BEFORE = frozenset(("sudo", "time", "nice", "command"))


def on_the_list(asked: Asked, commands: Sequence[Called]) -> Iterator[Evidence]:
    """A bar for what is done to the file that the request fills with names."""
    found = LISTED.search(asked.request.text)
    name = found["file"].rpartition("/")[2] if found else ""
    for command in commands if name else ():
        words = [word for word in command.words if word not in BEFORE]
        if not words:
            continue
        if words[0] == "find":
            places = list(takewhile(lambda word: not word.startswith(("-", "!", "(")), words[1:]))
        else:
            places = Called(tuple(words), False).operands if words[0] in ACTS else []
        if any(place.rpartition("/")[2] == name for place in places):
            yield Evidence("vague", f"{words[0]} is done to {name}, and not to what it lists")
            return
