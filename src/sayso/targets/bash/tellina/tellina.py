"""Tellina (Lin et al., 2017; NL2Bash §6): constants to types, templates translated, slots filled and rewritten.

A network says which templates a request without its constants may mean; the constants are put back here, by the learned
alignment. No torch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sayso.core.types import Candidate, Example, Request, Translator
from sayso.english.constants import kind_of
from sayso.english.tokens import CONSTANT_KINDS, tokenise
from sayso.targets.bash.forms.skeleton import SLOT, Argument, Habit, filled, skeleton
from sayso.targets.bash.tellina.alignment import Alignment, constants, habits_of, learn
from sayso.targets.bash.tellina.reformat import written

# A flag that the request names is no constant.
ABSTRACTED = CONSTANT_KINDS - {"option"}
# How much the fit of the constants counts beside the log-probability of the template; chosen on dev.
FIT = 0.75


def abstracted(text: str) -> str:
    """'find "*.c" in /src changed 5 days ago' -> find slotglob in slotpath changed slottimespand ago"""
    return " ".join(_abstracted(text))


def _abstracted(text: str) -> Iterator[str]:
    for token in tokenise(text):
        if token.kind not in ABSTRACTED:
            yield token.text
            continue
        kind = token.kind
        if kind == "string":
            kind = kind_of(token.value) or "string"
        # -mtime or -mmin depends on the unit.
        unit = token.value.lstrip("0123456789.+-") if kind == "timespan" else ""
        yield f"slot{kind.replace('_', '')}{unit}"


def template_example(example: Example, habits: Collection[Habit]) -> Example:
    """The example as the template network sees it."""
    templates = (skeleton(reference, habits).template for reference in example.references)
    return replace(example, request=template_request(example.request), references=tuple(dict.fromkeys(templates)))


def template_request(request: Request) -> Request:
    return Request(abstracted(request.text))


@dataclass(frozen=True)
class Tellina:
    """Templates from `templates`, filled; `pool` of them are looked at for k answers."""

    templates: Translator
    alignment: Alignment
    pool: int = 10

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        found = self.templates.translate(requests, max(k, self.pool))
        return [self.fill(request, candidates)[:k] for request, candidates in zip(requests, found, strict=True)]

    def fill(self, request: Request, templates: Iterable[Candidate]) -> list[Candidate]:
        said = constants(request.text)
        best: dict[str, Candidate] = {}
        for template in templates:
            slots = template_slots(template.text)
            values, fit = self.alignment.fill(said, slots)
            texts = [written(value, slot.type) for value, slot in zip(values, slots, strict=True)]
            one = Candidate(filled(template.text, texts), template.score + FIT * fit)
            if one.text not in best or best[one.text].score < one.score:
                best[one.text] = one
        return sorted(best.values(), key=lambda one: -one.score)


def template_slots(template: str) -> list[Argument]:
    """The slots of a template with what stands before each, as its filled-in form is read."""
    slots = list(SLOT.finditer(template))
    marks = {"Number": "7", "Size": "7k", "Timespan": "7", "Permission": "755", "Fields": "7", "Signal": "9"}
    texts = [marks.get(slot[1], "x7") for slot in slots]
    known = {one.start: one for one in skeleton(filled(template, texts)).arguments}
    found, moved = [], 0
    for slot, text in zip(slots, texts, strict=True):
        one = known.get(slot.start() + moved)
        moved += len(text) - len(slot[0])
        owner, flag = (one.owner, one.flag) if one else before(template[: slot.start()])
        found.append(Argument(slot.start(), slot.end(), slot[1], slot[0], owner, flag))
    return found


def before(text: str) -> tuple[str, str]:
    """The utility and the flag that a slot follows, by the words alone: "find . -name " -> (find, -name)"""
    words = text.split()
    flag = words[-1].rstrip("=+-/") if words and words[-1].startswith("-") else ""
    names = [word for at, word in enumerate(words) if at == 0 or words[at - 1] in ("|", "-exec", "xargs", "$(")]
    return (names[-1] if names else "", flag)


def learn_tellina(examples: Sequence[Example]) -> Alignment:
    return learn(examples, habits_of(examples))
