"""A decoder for arguments beside one for templates, as NL2Bash §6.3 recommends: separate RNNs for each.

The second network reads the request and a template, and says the arguments in the order of the slots, copying from the
request as it needs. Here is how its examples look and how its answers fill a template; no torch.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from sayso.core.types import Candidate, Example, Request, Translator
from sayso.targets.bash.forms.grains import tokens
from sayso.targets.bash.forms.skeleton import SLOT, Habit, filled, skeleton, slots_of

# Templates looked at for each request, and lists of arguments for each of them.
POOL, LISTS = 3, 1


def with_template(request: Request, template: str) -> Request:
    """Request and template as one text; the words of the template begin with "cmd", so that they are words apart."""
    return Request(f"{request.text} {template_words(template)}".strip())


def template_words(template: str) -> str:
    """`find @Path -name @Regex` -> cmdfind cmdslotpath cmdname cmdslotregex"""
    words = []
    for token in SLOT.sub(lambda slot: f"slot{slot[1].lower()}", template).split():
        letters = re.sub(r"[^A-Za-z]", "", token)
        if letters:
            words.append("cmd" + letters.lower())
    return " ".join(words)


def argument_example(example: Example, habits: Collection[Habit]) -> Example | None:
    """The request with the template of its first reference, and the arguments; None where there is no slot."""
    found = skeleton(example.references[0], habits)
    if not found.arguments:
        return None
    text = " ".join(one.text for one in found.arguments)
    if len(tokens(text)) != len(found.arguments):
        return None
    return replace(example, request=with_template(example.request, found.template), references=(text,))


@dataclass(frozen=True)
class TemplateArgument:
    """The two decoders, one after the other; a candidate's score is the sum of their log-probabilities."""

    templates: Translator
    arguments: Translator

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        pools = self.templates.translate(requests, POOL)
        asked = [
            with_template(request, template.text)
            for request, pool in zip(requests, pools, strict=True)
            for template in pool
        ]
        lists = iter(self.arguments.translate(asked, LISTS))
        return [best([one for template in pool for one in combined(template, next(lists))])[:k] for pool in pools]


def combined(template: Candidate, lists: Sequence[Candidate]) -> list[Candidate]:
    if not slots_of(template.text):
        return [template]
    return [Candidate(filled(template.text, tokens(one.text)), template.score + one.score) for one in lists]


def best(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Each text once, best first."""
    found: dict[str, Candidate] = {}
    for one in sorted(candidates, key=lambda one: -one.score):
        found.setdefault(one.text, one)
    return list(found.values())
