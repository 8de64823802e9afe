"""What is known of an option beside the others before anybody runs it: the columns that the reranker weighs.

Parses, flags, constants, risk (as `against.py` has them), the trunk's probability and how many of its other
answers agree, and what the words of the request call for (`evidence/hints.py`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.answer.weigh import KNOWN, SHARE, SPELLINGS
from sayso.core.types import Asked, Draft, Request
from sayso.english.constants import word_set
from sayso.english.tokens import CONSTANT_KINDS, Token, tokenise
from sayso.targets.bash.evidence.hints import Called, Hints, labels_in
from sayso.targets.bash.forms.likeness import command_score
from sayso.targets.bash.language import Parsed, parsed
from sayso.targets.bash.request.constants_used import forms, is_used
from sayso.targets.bash.safety.unasked_deeds import misdeeds, unasked

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
class Words:
    """The words of a request as the columns need them, for all drafts."""

    low: str
    constants: tuple[Token, ...]
    numbers: frozenset[str]
    called: Called


def read(request: Request, hints: Hints) -> Words:
    constants = tuple(token for token in tokenise(request.text) if token.kind in CONSTANT_KINDS - {"option"})
    said = {form for token in constants for form in forms(token) if form.isdigit()}
    numbers = frozenset(said | set(DIGITS.findall(request.text)))
    return Words(request.text.lower(), constants, numbers, hints.read(request.text))


def rows(asked: Asked, drafts: Sequence[Draft], hints: Hints) -> list[list[float]]:
    """One row of `NAMES` for each draft."""
    words = read(asked.request, hints)
    trees = [parsed(draft) for draft in drafts]
    labels = [labels_in(tree.parts) for tree in trees]
    said = [draft.scores.get(SHARE, 0.0) for draft in drafts]
    total = sum(said) or 1.0
    shares = [share / total for share in said]
    best = max(said, default=0.0)
    likely = [words.called.likelihood(names) for names in labels]
    order = sorted(range(len(drafts)), key=lambda at: -shares[at])
    alike = likenesses(drafts)
    found = []
    for at, (draft, tree) in enumerate(zip(drafts, trees, strict=True)):
        log_share = math.log(said[at] + LEAST_SHARE)
        same = [other for other, one in enumerate(trees) if one.template == tree.template]
        beside = [other for other, one in enumerate(trees) if one.tools == tree.tools]
        found.append(
            [
                log_share,
                log_share - math.log(best + LEAST_SHARE),
                math.log(1 + order.index(at)),
                math.log(1 + draft.scores.get(SPELLINGS, 0)),
                sum(shares[other] for other in same),
                sum(shares[other] for other in beside),
                sum(share * like for share, like in zip(shares, alike[at], strict=True)),
                draft.scores.get(KNOWN, 0.0),
                *of_text(asked, words, draft),
                likely[at] / 10,
                likely[at] - max(likely),
                *of_labels(words, tree, labels[at]),
            ]
        )
    return found


def of_text(asked: Asked, words: Words, draft: Draft) -> Iterator[float]:
    found = () if draft.problem else draft.findings
    unheard = sum(not finding.known for finding in found)
    yield float(bool(draft.problem))
    yield float(min(MOST, len(found) - unheard))
    yield float(min(MOST, unheard))
    unused = sum(not is_used(token, draft.text) for token in words.constants)
    yield float(min(MOST, unused))
    yield 1 - unused / len(words.constants) if words.constants else 1.0
    arguments = [part.text for part in parsed(draft).parts if part.kind == "argument"]
    foreign = [word for text in arguments for word in WORD.findall(text.lower()) if word not in words.low]
    yield float(min(MOST, len({word for word in foreign if word not in USUAL})))
    yield float(min(MOST, len({one for text in arguments for one in DIGITS.findall(text)} - words.numbers)))
    yield float(min(MOST, sum(len(text) > 1 and text.lower() not in words.low for text in arguments)))
    yield float(any(True for of in (unasked, misdeeds) for _ in of(asked, draft.text, draft.risk)))


def of_labels(words: Words, tree: Parsed, labels: frozenset[str]) -> Iterator[float]:
    called = words.called
    yield max(-6.0, called.least(labels))
    yield max(-6.0, called.missing(labels))
    yield float(min(MOST, sum(name not in called.odds for name in labels)))
    yield len(tree.text.split()) / 10
    yield float(min(4, len(tree.tools)))
    yield float("sudo" in labels and "sudo" not in words.low and "root" not in words.low)


def likenesses(drafts: Sequence[Draft]) -> list[list[float]]:
    """How NLC2CMD would score each draft (row) where another (column) is right: -1 to 1."""
    tools = [parsed(draft).tools for draft in drafts]
    return [[command_score(one, other) for other in tools] for one in tools]
