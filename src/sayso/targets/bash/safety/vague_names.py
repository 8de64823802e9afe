"""Words that say which and name nothing, taken for a name: "delete everything old", rm old; "drop user data", deluser.

Whoever has a file called old says so: it is quoted, "called old", or "the folder old".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.core.types import Asked, Evidence
from sayso.english.constants import word_set
from sayso.english.words import listed
from sayso.targets.bash.syntax.called import Called

VAGUE = listed("vague.words")
"""Words that tell old from new, good from bad, and stand for no file."""
THINGS = listed("vague.things")
"""What people have, behind "user" and "group": no account is called so."""
REMOVERS = frozenset(("rm", "rmdir", "unlink", "shred", "trash", "xargs"))
ACCOUNTS = word_set("deluser userdel delgroup groupdel adduser useradd addgroup groupadd usermod groupmod passwd chage")
BEFORE = frozenset(("sudo", "time", "nice", "command"))


def vague(asked: Asked, commands: Sequence[Called]) -> Iterator[Evidence]:
    """A bar for what would lose, or make, something by a name that is none."""
    for command in commands:
        words = [word for word in command.words if word not in BEFORE]
        tool = words[0] if words else ""
        unnamed = VAGUE if tool in REMOVERS else THINGS if tool in ACCOUNTS else frozenset()
        for word in words[1:]:
            if word.strip("/").lower() in unnamed and not is_named(asked.request.text, word.strip("/")):
                yield Evidence("vague", f"takes {word} for a name")
                return


def is_named(text: str, word: str) -> bool:
    """Whether a request says that this is a name."""
    name = re.escape(word)
    kinds = r"(?:folder|directory|dir|file|account|user(?:name)?|group)"
    return (
        re.search(
            rf"[\"'`/]{name}|{name}/|\b(?:called|named)\s+{name}\b|\b(?:the|a)\s+{kinds}\s+{name}\b(?!\s+\w)"
            rf"|\b{name}\s+(?:folder|directory|dir)\b|\brm\s",
            text,
            re.I,
        )
        is not None
    )
