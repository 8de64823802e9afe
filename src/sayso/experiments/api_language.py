"""A parser of API calls for another language than English, from its wordings alone, and its score on requests of ours.

Learnt from are enumerated calls said in the wordings of `data/utterance/LANGUAGE.toml`, and the half of
`data/LANGUAGE/requests.jsonl` that is there for it; scored are the other half, and `blind.jsonl`, written when the
wordings were done.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from random import Random

from sayso.core.errors import UnknownName
from sayso.core.progress import Progress, silent
from sayso.core.types import Candidate, Example, Request, Score, Workspace
from sayso.experiments.api_parser import Pair, ParserSettings, Trained, fit, make_parser
from sayso.metrics.significance import score_with_interval
from sayso.targets.api.lessons.construct import Plan, draw_calls
from sayso.targets.api.lessons.utterance import in_call_words, languages, phrase
from sayso.targets.api.metrics import okapi_metrics
from sayso.targets.api.syntax.calls import parse_call
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.mistakes import mistake

FILES = ("requests.jsonl", "blind.jsonl")
SCORED = ("test", "blind")
ENGLISH_LINKS = 0.0
"""Requests joined from two are linked with English words: other languages have long calls among the enumerated ones."""


@dataclass(frozen=True)
class LanguageSettings:
    short: int = 600
    """Calls of up to three parameters a domain."""
    long: int = 900
    """Calls of up to five."""
    ways: int = 2
    """Wordings drawn of each call."""
    repeated: int = 12
    """How often each written request stands among the made ones."""
    epochs: int = 12


@dataclass(frozen=True)
class Answered:
    example: Example
    domain: str
    answer: str
    kind: str
    """What is wrong with it; "" where it is right."""


def written(name: str, part: str) -> list[Example]:
    """The requests of ours in this language; part is train, test or blind."""
    folder = files("sayso.targets.api") / "data" / name
    if name not in languages() or not folder.is_dir():
        known = [one for one in languages() if (files("sayso.targets.api") / "data" / one).is_dir()]
        raise UnknownName("language with requests of ours", name, known)
    lines = [line for one in FILES for line in (folder / one).read_text(encoding="utf-8").splitlines()]
    return [
        Example(row["id"], Request(row["text"]), (row["call"],), {"domain": row["domain"]})
        for row in map(json.loads, lines)
        if row["part"] == part
    ]


def pairs_to_learn(name: str, domain: str, settings: LanguageSettings, seed: int, with_written: bool) -> list[Pair]:
    """Requests with numbers and dates as calls write them, beside their calls."""
    random = Random(f"{name} {domain} {seed}")
    calls = [*draw_calls(domain, Plan(3, seed=seed, values=name), settings.short)]
    calls += draw_calls(domain, Plan(5, seed=seed + 1, values=name), settings.long)
    found = [(in_call_words(phrase(call, name, random), name), call) for call in calls for _ in range(settings.ways)]
    if with_written:
        own = [one for one in written(name, "train") if one.meta["domain"] == domain]
        found += settings.repeated * [
            (in_call_words(one.request.text, name), parse_call(one.references[0])) for one in own
        ]
    return found


def learn(
    name: str,
    domain: str,
    settings: LanguageSettings,
    seed: int = 0,
    with_written: bool = True,
    progress: Progress = silent,
) -> Trained:
    pairs = pairs_to_learn(name, domain, settings, seed, with_written)

    def told(epoch: int, _: Trained) -> None:
        progress(f"{domain}: epochs", epoch, settings.epochs)

    return fit(domain, pairs, ParserSettings(epochs=settings.epochs, joined=ENGLISH_LINKS), seed, told)


def answer(name: str, trained: Mapping[str, Sequence[Trained]], part: str) -> list[Answered]:
    """Each request of a part given to the parser of its domain."""
    found = []
    for domain in DOMAINS:
        parser = make_parser(trained[domain], [])
        examples = [one for one in written(name, part) if one.meta["domain"] == domain]
        calls = parser.parse([in_call_words(one.request.text, name) for one in examples])
        for example, call in zip(examples, map(str, calls), strict=True):
            found.append(Answered(example, domain, call, mistake(example.references[0], call)))
    return found


def measured(answered: Sequence[Answered]) -> list[Score]:
    """The scores of Okapi, with bootstrap intervals; rows of ours stand there once, so the raw score says nothing."""
    found = []
    for metric in okapi_metrics(Workspace(Path(), Path())):
        stats = [metric.measure(one.example, [Candidate(one.answer, 1.0)]) for one in answered]
        score = score_with_interval(metric, stats)
        if score.name != "exact_raw":
            found.append(score)
    return found


def kinds(answered: Sequence[Answered]) -> dict[str, int]:
    return dict(Counter(one.kind for one in answered if one.kind).most_common())
