"""The bars of Bash: what a request orders is read once, and no command that may lose more than that comes first.

What holds a name of the request in a damaged form is not shown at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sayso.core.types import Asked, Draft, Evidence, Request
from sayso.targets.bash.language import parsed
from sayso.targets.bash.request.constants_used import constants_of
from sayso.targets.bash.request.mangled import mangled
from sayso.targets.bash.safety.in_quotes import quoted_commands, unasked_in_quotes
from sayso.targets.bash.safety.list_file import on_the_list
from sayso.targets.bash.safety.sweeping import limit_of, spares, sweeping
from sayso.targets.bash.safety.taken_words import taken_over
from sayso.targets.bash.safety.unasked_deeds import is_question, ordered_deeds, smuggles, spoken_words, unasked
from sayso.targets.bash.safety.vague_names import vague


def read(request: Request) -> Asked:
    """The `read` of the target."""
    text = request.text
    words, asks = spoken_words(text), is_question(text)
    deeds = ordered_deeds(text, words, asks)
    return Asked(request, constants_of(request), deeds, asks, smuggles(text), limit_of(words), spares(text))


def bars(asked: Asked, drafts: Sequence[Draft]) -> list[tuple[Evidence, ...]]:
    """The `bars` of the target: unasked deeds, all gone where some were meant, words for names, a request that acts,
    names in pieces."""
    return [tuple(barred(asked, draft)) for draft in drafts]


def barred(asked: Asked, draft: Draft) -> Iterator[Evidence]:
    words = parsed(draft).words
    inside = quoted_commands(words, draft.risk)
    yield from unasked(asked, draft.text, draft.risk)
    yield from unasked_in_quotes(asked, draft.text, inside)
    yield from sweeping(asked, draft.text, [*words, *inside])
    yield from vague(asked, [*words, *inside])
    yield from on_the_list(asked, words)
    yield from taken_over(asked.request.text, draft.text, script=parsed(draft).script)
    yield from (Evidence("mangled", f"has {word} for {name}") for name, word in mangled(asked, draft.text))
