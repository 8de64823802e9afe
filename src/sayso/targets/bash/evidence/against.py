"""What speaks against a command beside what `check` finds: constants left out or swapped, deeds left undone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.core.types import Asked, Constant, Draft, Evidence
from sayso.targets.bash.request.constants_used import is_used
from sayso.targets.bash.safety.unasked_deeds import misdeeds

MOST_COUNTED = 3
PLAIN_PATH = re.compile(r"(?<![\w*$%@:.-])~?(?:[\w.-]*/)*[\w-]+\.[A-Za-z]\w{0,4}(?![\w/*])")
NO_FILES = frozenset((".", "..", "/", "~", "/dev/null"))


def evidence(asked: Asked, drafts: Sequence[Draft]) -> list[tuple[Evidence, ...]]:
    """The `evidence` of the target."""
    return [(*left_out(asked, draft.text), *misdeeds(asked, draft.text, draft.risk)) for draft in drafts]


def left_out(asked: Asked, text: str) -> Iterator[Evidence]:
    """Constants of the request that a command does not use, and a file that stands where a named one should."""
    unused = [constant for constant in asked.constants if not is_used(constant, text)]
    files = [constant for constant in asked.constants if is_file(constant)]
    for at, constant in enumerate(unused[:MOST_COUNTED]):
        is_unnamed = not at and files and all(file in unused for file in files)
        yield Evidence("unnamed" if is_unnamed else "unused", f"does not use {constant.text}")
    if any(constant.kind in ("file", "path", "url", "user_host") for constant in unused):
        foreign = [word for word in PLAIN_PATH.findall(text) if word not in asked.request.text]
        if foreign:
            yield Evidence("swapped", f"has {foreign[0]}, which the request does not name")


def is_file(constant: Constant) -> bool:
    """Whether a constant is surely a file or folder: date/time is none."""
    if constant.kind == "path":
        return constant.value[0] in "/~." and constant.value not in NO_FILES and "$" not in constant.value
    return constant.kind == "file" and "$" not in constant.value
