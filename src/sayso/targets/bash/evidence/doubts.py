"""What speaks against a command beside what `check` finds: constants left out, words misread, deeds unasked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.types import Doubt, Request
from sayso.targets.bash.evidence.lost_words import lost_words
from sayso.targets.bash.evidence.other_order import other_order
from sayso.targets.bash.evidence.other_sense import other_senses
from sayso.targets.bash.evidence.plausible import is_file, plausibility_doubts
from sayso.targets.bash.request.constants_used import constants_of, is_used
from sayso.targets.bash.safety.sweeping import sweeping
from sayso.targets.bash.safety.taken_words import taken_over
from sayso.targets.bash.safety.unasked_deeds import unasked

UNUSED, SWAPPED, UNNAMED = 0.85, 0.6, 0.55
MOST_COUNTED = 3
PLAIN_PATH = re.compile(r"(?<![\w*$%@:.-])~?(?:[\w.-]*/)*[\w-]+\.[A-Za-z]\w{0,4}(?![\w/*])")


def doubts(request: Request, text: str) -> Iterator[Doubt]:
    """The `doubts` of the target: all constants used, none in their place, and is it asked for?"""
    yield from taken_over(request.text, text)
    constants = constants_of(request)
    unused = [token for token in constants if not is_used(token, text)]
    files = [token for token in constants if is_file(token)]
    for at, token in enumerate(unused[:MOST_COUNTED]):
        unnamed = not at and files and all(file in unused for file in files)
        reason = f"does not use {token.text}"
        yield Doubt(UNNAMED, reason, "unfit") if unnamed else Doubt(UNUSED, reason)
    if any(token.kind in ("file", "path", "url", "user_host") for token in unused):
        foreign = [word for word in PLAIN_PATH.findall(text) if word not in request.text]
        if foreign:
            yield Doubt(SWAPPED, f"has {foreign[0]}, which the request does not name")
    yield from plausibility_doubts(request.text, constants, text)
    yield from other_order(request.text, text)
    yield from lost_words(request.text, text)
    yield from other_senses(request.text, text)
    yield from unasked(request.text, text)
    yield from sweeping(request.text, text)
