"""What is known of an option beside the others before anybody runs it: the columns that one weighing counts.

What each source says (recipes, steps, like requests, the trunk, its commands agreeing), constants, acts left out, what
the words call for (`hints.py`), length. What speaks against an option (`against.py`) is no column: it keeps recipes
from answering alone, and is shown. How well the request is told back is filled in later, for the best alone
(`answer/rerank.py`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.answer.rerank import TOLD_BEHIND
from sayso.answer.weigh import KNOWN, RECALLED, SHARE, SPELLINGS, STEPS
from sayso.core.types import Asked, Draft
from sayso.english.acts import acts
from sayso.english.constants import word_set
from sayso.english.tokens import CONSTANT_KINDS, Token, tokenise
from sayso.targets.bash.evidence.hints import Called, Hints, labels_in
from sayso.targets.bash.forms.likeness import command_score
from sayso.targets.bash.language import Parsed, parsed
from sayso.targets.bash.request.constants_used import is_used

SOURCES = (
    "is_known", "known", "behind_known", "is_step", "step", "is_recalled", "is_said", "is_both", "described_known",
)  # fmt: skip
TRUNK = ("log_share", "behind", "place", "spellings", "same_template", "agreement")
OF_TEXT = (
    "unused", "used", "foreign_words", "foreign_strings", "likelihood", "likely_behind", "least", "missing",
    "unlabelled", "words", "utilities",
)  # fmt: skip
OF_REQUEST = ("acts_left_out", "acts_added", "destroys")
NAMES = (*SOURCES, *TRUNK, *OF_TEXT, *OF_REQUEST, TOLD_BEHIND)
LEAST_SHARE = 1e-7
MOST = 3
MANY = 3
WORD = re.compile(r"[A-Za-z]{2,}")
# Words that commands hold and no request says: programs in awk or printf, places that are nowhere.
USUAL = word_set("print dev null bin etc home usr tmp awk begin end next nr nf ls rf txt")


@dataclass(frozen=True)
class Words:
    """The words of a request as the columns need them, for all drafts."""

    low: str
    constants: tuple[Token, ...]
    called: Called
    acts: int


def read(asked: Asked, hints: Hints) -> Words:
    text = asked.request.text
    constants = tuple(token for token in tokenise(text) if token.kind in CONSTANT_KINDS - {"option"})
    return Words(text.lower(), constants, hints.read(text), len(acts(text)))


def rows(asked: Asked, drafts: Sequence[Draft], described: float, hints: Hints) -> list[list[float]]:
    """One row of `NAMES` for each draft; `described`: how much the request reads like a description of a command."""
    words = read(asked, hints)
    trees = [parsed(draft) for draft in drafts]
    labels = [labels_in(tree.parts) for tree in trees]
    likely = [words.called.likelihood(names) for names in labels]
    told = zip(drafts, trees, labels, likely, of_sources(drafts, described), of_trunk(drafts), strict=True)
    return [
        [
            *sources,
            *trunk,
            *of_text(words, draft),
            chance / 10,
            chance - max(likely),
            *of_labels(words, tree, names),
            *of_request(words, draft, tree),
            0.0,
        ]
        for draft, tree, names, chance, sources, trunk in told
    ]


def of_sources(drafts: Sequence[Draft], described: float) -> Iterator[list[float]]:
    """What recipes and steps say of each, and who says it at all."""
    best = max((draft.scores.get(KNOWN, 0.0) for draft in drafts), default=0.0)
    for draft in drafts:
        known, step, said, recalled = (name in draft.scores for name in (KNOWN, STEPS, SHARE, RECALLED))
        score = draft.scores.get(KNOWN, 0.0)
        yield [
            float(known),
            score,
            best - score if known else 0.0,
            float(step),
            draft.scores.get(STEPS, 0.0),
            float(recalled),
            float(said),
            float(known and said),
            described if known else 0.0,
        ]


def of_trunk(drafts: Sequence[Draft]) -> Iterator[list[float]]:
    """How probable the trunk finds each, and how much of its belief agrees; where it was not asked, nothing."""
    said = [draft.scores.get(SHARE, 0.0) for draft in drafts]
    best, total = max(said, default=0.0), sum(said) or 1.0
    shares = [share / total for share in said]
    order = sorted(range(len(drafts)), key=lambda at: -shares[at])
    trees, alike = [parsed(draft) for draft in drafts], likenesses(drafts)
    for at, (draft, tree) in enumerate(zip(drafts, trees, strict=True)):
        log_share = math.log(said[at] + LEAST_SHARE) if said[at] else 0.0
        yield [
            log_share,
            log_share - math.log(best + LEAST_SHARE) if said[at] else 0.0,
            math.log(1 + order.index(at)) if said[at] else 0.0,
            math.log(1 + draft.scores.get(SPELLINGS, 0)),
            sum(share for share, one in zip(shares, trees, strict=True) if one.template == tree.template),
            sum(share * like for share, like in zip(shares, alike[at], strict=True)),
        ]


def of_text(words: Words, draft: Draft) -> Iterator[float]:
    unused = sum(not is_used(token, draft.text) for token in words.constants)
    yield float(min(MOST, unused))
    yield 1 - unused / len(words.constants) if words.constants else 1.0
    arguments = [part.text for part in parsed(draft).parts if part.kind == "argument"]
    foreign = [word for text in arguments for word in WORD.findall(text.lower()) if word not in words.low]
    yield float(min(MOST, len({word for word in foreign if word not in USUAL})))
    yield float(min(MOST, sum(len(text) > 1 and text.lower() not in words.low for text in arguments)))


def of_labels(words: Words, tree: Parsed, labels: frozenset[str]) -> Iterator[float]:
    called = words.called
    yield max(-6.0, called.least(labels))
    yield max(-6.0, called.missing(labels))
    yield float(min(MOST, sum(name not in called.odds for name in labels)))
    yield len(tree.text.split()) / 10
    yield float(min(4, len(tree.tools)))


def of_request(words: Words, draft: Draft, tree: Parsed) -> Iterator[float]:
    """Acts of a request of several that no command can be doing, or more commands than it has acts, and risk."""
    commands = commands_in(tree)
    yield float(min(MOST, max(0, words.acts - commands)))
    yield float(min(MOST, max(0, commands - words.acts)))
    yield float(draft.risk.level == "destroys")


def commands_in(tree: Parsed) -> int:
    return sum(part.kind in ("utility", "name") for part in tree.parts)


def does_all(asked: Asked, draft: Draft) -> bool:
    """Whether it has a command for every act of a request of three or more; two are often one, as in `sort -u`."""
    count = len(acts(asked.request.text))
    return count < MANY or commands_in(parsed(draft)) >= count


def has_several_acts(asked: Asked) -> bool:
    return len(acts(asked.request.text)) > 1


def likenesses(drafts: Sequence[Draft]) -> list[list[float]]:
    """How NLC2CMD would score each draft (row) where another (column) is right: -1 to 1."""
    tools = [parsed(draft).tools for draft in drafts]
    return [[command_score(one, other) for other in tools] for one in tools]
