"""How far requests are from the canonical utterance of their call (Okapi §3.2), by domain, for any pairs.

The paper's own canonical utterances were not released, so each figure is given for two wordings of ours: the form that
annotators saw (figure 2) and the sentence. Which question paraphrases which was not released either: what is measured
instead is how much the questions of one call share.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from random import Random

from sayso.core.progress import Progress, silent
from sayso.targets.api.lessons.utterance import canonical_sentence
from sayso.targets.api.syntax.calls import Call, canonical_call
from sayso.targets.api.syntax.schema import domain_of
from sayso.targets.api.syntax.stiff_english import canonical_utterance, edit_distance

PAPER: Mapping[str, float] = {
    "1-gram Jaccard": 0.19,
    "2-gram Jaccard": 0.06,
    "edit distance": 60.5,
    "characters of a canonical utterance": 96.0,
    "characters of a question": 83.2,
}
"""§3.2, over all domains; both sides lower-cased."""
ALL = "all"
MOST_DISTANCES = 500
"""Edit distances are measured on so many pairs of a domain, drawn by seed: they cost a millisecond each."""
MOST_OF_CALL = 20
WORD = re.compile(r"\w+(?:['’.@-]\w+)*")


@dataclass(frozen=True)
class Quality:
    """The figures of one domain and one wording."""

    domain: str
    wording: str
    n: int
    distances: int
    figures: Mapping[str, float]


@dataclass(frozen=True)
class QualityReport:
    """What was measured, and what the paper prints."""

    figures: tuple[Quality, ...]
    paper: Mapping[str, float]


def quality_report(
    pairs: Sequence[tuple[str, Call]], language: str = "english", seed: int = 0, progress: Progress = silent
) -> QualityReport:
    return QualityReport(tuple(quality(pairs, language, seed, progress)), PAPER)


def wordings(language: str) -> dict[str, Callable[[Call], str]]:
    """The form is English; another language has its sentence alone."""
    sentence = {"sentence": lambda call: canonical_sentence(call, language)}
    return {"form": canonical_utterance, **sentence} if language == "english" else dict(sentence)


def quality(
    pairs: Sequence[tuple[str, Call]], language: str = "english", seed: int = 0, progress: Progress = silent
) -> list[Quality]:
    """Every domain that has pairs, then all together; for each wording."""
    grouped: dict[str, list[tuple[str, Call]]] = defaultdict(list)
    for text, call in pairs:
        grouped[domain_of(call.resource)].append((text, call))
    if len(grouped) > 1:
        grouped[ALL] = list(pairs)
    ways = wordings(language)
    found = []
    for done, (domain, group) in enumerate(grouped.items()):
        progress("domains measured", done, len(grouped))
        found += [_measure(domain, name, group, said, Random(seed)) for name, said in ways.items()]
    progress("domains measured", len(grouped), len(grouped))
    return found


def _measure(
    domain: str, wording: str, pairs: Sequence[tuple[str, Call]], said: Callable[[Call], str], random: Random
) -> Quality:
    both = [(text.lower(), said(call).lower()) for text, call in pairs]
    drawn = random.sample(both, min(len(both), MOST_DISTANCES))
    figures = {
        "1-gram Jaccard": _mean(jaccard(grams(a, 1), grams(b, 1)) for a, b in both),
        "2-gram Jaccard": _mean(jaccard(grams(a, 2), grams(b, 2)) for a, b in both),
        "edit distance": _mean(edit_distance(a, b) for a, b in drawn),
        "characters of a canonical utterance": _mean(len(b) for _, b in both),
        "characters of a question": _mean(len(a) for a, _ in both),
    }
    between = list(_same_call(pairs))
    if between:
        figures["2-gram Jaccard between questions of one call"] = _mean(between)
    return Quality(domain, wording, len(both), len(drawn), figures)


def _same_call(pairs: Iterable[tuple[str, Call]]) -> Iterable[float]:
    asked: dict[Call, dict[str, None]] = defaultdict(dict)
    for text, call in pairs:
        asked[canonical_call(call)][text.lower()] = None
    for texts in asked.values():
        for one, other in combinations([grams(text, 2) for text in list(texts)[:MOST_OF_CALL]], 2):
            yield jaccard(one, other)


def grams(text: str, n: int) -> frozenset[tuple[str, ...]]:
    """Words without the points around them: `emails.` and emails are one."""
    words = WORD.findall(text)
    return frozenset(pairwise(words)) if n == 2 else frozenset((word,) for word in words)


def jaccard(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0


def _mean(numbers: Iterable[float]) -> float:
    found = list(numbers)
    return round(sum(found) / max(len(found), 1), 3)
