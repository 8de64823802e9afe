"""What is known of an option beside the others before anybody runs it: the columns that the reranker weighs.

Parses, flags, constants, risk (as `doubts.py` has them), the trunk's probability and how many of its other
answers agree, and what the words of the request call for (`evidence/hints.py`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sayso.answer.combine import Option
from sayso.core.errors import BadInstruction
from sayso.core.types import Request, Target
from sayso.english.constants import word_set
from sayso.english.tokens import CONSTANT_KINDS, Token, tokenise
from sayso.targets.bash.evidence.hints import Called, Hints, labels_of
from sayso.targets.bash.forms.likeness import command_score
from sayso.targets.bash.forms.structure import structure, utilities_with_flags
from sayso.targets.bash.request.constants_used import forms, is_used
from sayso.targets.bash.safety.unasked_deeds import unasked

NAMES = (
    "log_share", "behind", "place", "spellings", "same_template", "same_utilities", "agreement", "known",
    "unparsable", "findings", "unheard_of", "unused", "used", "foreign_words", "foreign_numbers", "foreign_strings",
    "unasked", "likelihood", "likely_behind", "least", "missing", "unlabelled", "words", "utilities", "sudo",
)  # fmt: skip
LEAST_SHARE = 1e-7
MOST = 3
WORD, DIGITS = re.compile(r"[A-Za-z]{2,}"), re.compile(r"\d+")
# Words that commands hold and no request says: programs in awk or printf, places that are nowhere.
USUAL = word_set("print dev null bin etc home usr tmp awk begin end next nr nf ls rf txt")


@dataclass(frozen=True)
class Asked:
    """A request read once for all options."""

    request: Request
    low: str
    constants: tuple[Token, ...]
    numbers: frozenset[str]
    called: Called


def read(request: Request, hints: Hints) -> Asked:
    constants = tuple(token for token in tokenise(request.text) if token.kind in CONSTANT_KINDS - {"option"})
    said = {form for token in constants for form in forms(token) if form.isdigit()}
    numbers = frozenset(said | set(DIGITS.findall(request.text)))
    return Asked(request, request.text.lower(), constants, numbers, hints.read(request.text))


def rows(target: Target, request: Request, options: Sequence[Option], hints: Hints) -> list[list[float]]:
    """One row of `NAMES` for each option."""
    asked = read(request, hints)
    total = sum(option.share for option in options) or 1.0
    shares = [option.share / total for option in options]
    best = max((option.share for option in options), default=0.0)
    likely = [asked.called.likelihood(option.text) for option in options]
    order = sorted(range(len(options)), key=lambda at: -shares[at])
    found = []
    for at, option in enumerate(options):
        log_share = math.log(option.share + LEAST_SHARE)
        same = [other for other, _ in enumerate(options) if kind_of(options[other].text) == kind_of(option.text)]
        beside = [other for other, _ in enumerate(options) if tools_of(options[other].text) == tools_of(option.text)]
        found.append(
            [
                log_share,
                log_share - math.log(best + LEAST_SHARE),
                math.log(1 + order.index(at)),
                math.log(1 + option.spellings),
                sum(shares[other] for other in same),
                sum(shares[other] for other in beside),
                sum(share * likeness(option.text, other.text) for share, other in zip(shares, options, strict=True)),
                option.known,
                *of_text(target, asked, option),
                likely[at] / 10,
                likely[at] - max(likely),
                *of_labels(asked, option.text),
            ]
        )
    return found


def of_text(target: Target, asked: Asked, option: Option) -> Iterator[float]:
    found = target.check(option.text) if option.parses else []
    unheard = sum(not finding.known for finding in found)
    yield float(not option.parses)
    yield float(min(MOST, len(found) - unheard))
    yield float(min(MOST, unheard))
    unused = sum(not is_used(token, option.text) for token in asked.constants)
    yield float(min(MOST, unused))
    yield 1 - unused / len(asked.constants) if asked.constants else 1.0
    arguments = [part.text for part in structure(option.text) if part.kind == "argument"]
    foreign = [word for text in arguments for word in WORD.findall(text.lower()) if word not in asked.low]
    yield float(min(MOST, len({word for word in foreign if word not in USUAL})))
    yield float(min(MOST, len({one for text in arguments for one in DIGITS.findall(text)} - asked.numbers)))
    yield float(min(MOST, sum(len(text) > 1 and text.lower() not in asked.low for text in arguments)))
    yield float(any(True for _ in unasked(asked.request.text, option.text)))


def of_labels(asked: Asked, text: str) -> Iterator[float]:
    called, labels = asked.called, labels_of(text)
    yield max(-6.0, called.least(text))
    yield max(-6.0, called.missing(text))
    yield float(min(MOST, sum(name not in called.odds for name in labels)))
    yield len(text.split()) / 10
    yield float(min(4, len(tools_of(text))))
    yield float("sudo" in labels and "sudo" not in asked.low and "root" not in asked.low)


@lru_cache(maxsize=4096)
def kind_of(text: str) -> str:
    """The template; the text where there is none."""
    from sayso.targets.bash.language import template

    try:
        return template(text)
    except BadInstruction:
        return text


@lru_cache(maxsize=4096)
def tools_of(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(utilities_with_flags(text))


def likeness(one: str, other: str) -> float:
    """How NLC2CMD would score the first where the second is right: -1 to 1."""
    return command_score(tools_of(one), tools_of(other))
