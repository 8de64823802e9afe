"""Words of a request that its call does not use though they look like values: `dentist`, in a call for next month.

A reader sees at once what was dropped; the chance of being right alone does not tell.
"""

from __future__ import annotations

from collections.abc import Mapping

from sayso.targets.api.request.words import looks, split_words

HARDLY = 3
"""A word that train has less often than this outside of values is most likely one."""


def left_out(text: str, call: str, counts: Mapping[str, int]) -> list[str]:
    """Each once, in order; `counts` say how often train has a word outside of values."""
    said = call.casefold()
    found = [
        word.text
        for word in split_words(text)
        if len(word.text) > 1
        and word.text.isalpha()
        and counts.get(looks(word.text), 0) < HARDLY
        and looks(word.text) not in said
    ]
    return list(dict.fromkeys(found))
