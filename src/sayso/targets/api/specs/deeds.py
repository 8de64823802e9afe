"""What an operation does to what it speaks of: read, create, update or delete."""

from __future__ import annotations

from sayso.english.stems import stem
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.words import name_words

DEEDS = {"get": "read", "head": "read", "post": "create", "put": "update", "patch": "update", "delete": "delete"}


def deed_of(operation: Operation) -> str:
    """What an operation does: by its method, or by its first word where that says another thing."""
    words = name_words(operation.id)
    kind = DEEDS.get(operation.method, "read")
    if operation.method in ("post", "put") and words:
        first = stem(words[0])
        if first in ("get", "list", "search", "find", "fetch", "queri", "calcul", "check", "retriev", "comput"):
            return "read"
        for other in ("delete", "update"):
            if first in map(
                stem,
                (
                    ["delete", "remove", "cancel"]
                    if other == "delete"
                    else ["update", "edit", "modify", "change", "set"]
                ),
            ):
                return other
    return kind
