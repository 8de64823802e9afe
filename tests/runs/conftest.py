"""A toy target, task and scripted systems: requests are words, the right instruction is the word reversed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from sayso.core.types import (
    Candidate,
    Draft,
    Example,
    Grain,
    Metric,
    Outcome,
    Request,
    Risk,
    Sandbox,
    Score,
    Split,
    System,
    Target,
    Task,
    Unscored,
    Workspace,
)
from sayso.runs.scoring import Bootstrap
from sayso.runs.store import Results
from sayso.runs.subject import Settings, Subject

WORDS = [
    "stone",
    "river",
    "candle",
    "mirror",
    "lantern",
    "basket",
    "garden",
    "window",
    "kettle",
    "ladder",
    "hammer",
    "saddle",
]


@dataclass(frozen=True)
class Hit:
    """1 when one of the first k candidates is a reference; a request named in `broken` is unscored."""

    k: int
    broken: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"hit@{self.k}"

    @property
    def signature(self) -> str:
        return f"hit|k:{self.k}|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        if example.request.text in self.broken:
            return Unscored("sandbox failed")
        return int(any(candidate.text in example.references for candidate in candidates[: self.k]))

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        scored = [stat for stat in stats if not isinstance(stat, Unscored)]
        lost = Counter(stat.reason for stat in stats if isinstance(stat, Unscored))
        value = sum(scored) / len(scored) if scored else float("nan")
        return Score(self.name, value, len(scored), dict(lost), self.signature)


@dataclass
class Reverser:
    """Reverses a word, but for every `wrong`-th one, which comes second; `before` is called before each batch."""

    wrong: int = 3
    before: Callable[[int], None] = lambda batch: None
    seen: list[str] = field(default_factory=list)

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        self.before(len(self.seen))
        answers = []
        for request in requests:
            self.seen.append(request.text)
            right, wrong = Candidate(request.text[::-1], 0.5), Candidate(request.text, 0.25)
            first_wrong = WORDS.index(request.text) % self.wrong == 0 if request.text in WORDS else False
            answers.append(([wrong, right] if first_wrong else [right, wrong])[:k])
        return answers


@dataclass(frozen=True)
class Parrot:
    """Answers every request with the reference of one train example."""

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [[Candidate("elbat", 1.0)] for _ in requests]

    def source_of(self, text: str) -> str | None:
        return {"elbat": "toy:train:0"}.get(text)


def load(workspace: Workspace, split: Split) -> Iterable[Example]:
    words = ["table", "bottle"] if split == "train" else WORDS if split == "dev" else WORDS[::-1]
    for index, word in enumerate(words):
        yield Example(f"toy:{split}:{index}", Request(word), (word[::-1],))


def same(text: str) -> str:
    return text


def split_characters(text: str, grain: Grain) -> list[str]:
    return list(text)


def join_characters(parts: Sequence[str], grain: Grain) -> str:
    return "".join(parts)


def harmless(text: str) -> Risk:
    return Risk("reads")


def nothing(text: str) -> list[Any]:
    return []


def never_run(text: str, request: Request, sandbox: Sandbox) -> Outcome:
    raise NotImplementedError


def drafts(texts: Sequence[str]) -> list[Draft]:
    return [Draft(text, text, Risk("reads")) for text in texts]


TARGET = Target("toy", same, same, split_characters, join_characters, harmless, nothing, nothing, never_run, drafts)


def metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    return Hit(1), Hit(2)


@dataclass(frozen=True)
class Toy:
    """Everything that a test of runs needs."""

    task: Task
    workspace: Workspace
    results: Results
    settings: Settings
    reverser: type[Reverser]
    parrot: type[Parrot]
    hit: type[Hit]

    def subject(self, system: str = "reverser", split: Split = "dev") -> Subject:
        return Subject(self.task, split, system)


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    systems = {
        "default": lambda workspace: System(Reverser()),
        "careless": lambda workspace: System(Reverser(wrong=2)),
        "parrot": lambda workspace: System(Parrot()),
        "shy": lambda workspace: System(Reverser(), abstain_below=0.4),
    }
    return Toy(
        Task("toy/reverse", TARGET, load, metrics, systems),
        Workspace(tmp_path / "data", tmp_path / "cache"),
        Results(tmp_path / "results"),
        Settings(k=2, batch=4, bootstrap=Bootstrap(resamples=50)),
        Reverser,
        Parrot,
        Hit,
    )
