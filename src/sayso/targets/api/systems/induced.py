"""The grammar half of the api tasks' `default`: learned from a task's train part, the same way for all ten of them.

Nothing here knows a word of any corpus. What the grammar does not derive surely is left to the task's other system.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Example, Request, System, Task, Translator, Workspace
from sayso.induction import Grammar, Settings, learn, load_grammar
from sayso.neural.bundle import Bundle, load_bundle
from sayso.targets.api.corpus.okapi import SCAN_SPLITS
from sayso.targets.api.language import normalise

BUNDLES = Path(__file__).parents[3] / "bundles"
WORD = re.compile(r"\w+|[^\w\s.,!?]")


def said(text: str) -> str:
    """A request as the grammar reads it: "Show me Anna's mail!" -> show me anna ' s mail"""
    return " ".join(WORD.findall(text.casefold()))


def meant(text: str) -> str:
    """A call with its clauses in one order; what is no call stays as it is, word by word."""
    try:
        return normalise(text)
    except BadInstruction:
        return " ".join(text.split())


def pairs_of(examples: Iterable[Example]) -> list[tuple[str, str]]:
    return [(said(one.request.text), meant(one.references[0])) for one in examples]


def learn_task(task: Task, workspace: Workspace, seed: int = 0) -> Grammar:
    """The grammar of the train part alone."""
    return learn(pairs_of(task.load(workspace, "train")), Settings(), seed)


@dataclass(frozen=True)
class Induced:
    """Translator: the grammar's answer where it is sure, else what the other one says."""

    grammar: Grammar
    other: Translator | None = None

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        found = self.grammar.translate([Request(said(request.text)) for request in requests], k)
        if self.other is None:
            return found
        left = [at for at, answers in enumerate(found) if not answers]
        for at, answers in zip(left, self.other.translate([requests[at] for at in left], k), strict=True):
            found[at] = answers
        return found


def open_induced(bundle: Bundle, workspace: Workspace) -> System:
    """A bundle of kind "induced" as a system."""
    return System(Induced(load_grammar(bundle)), bundle=bundle.signature)


def open_embedded(name: str, workspace: Workspace) -> System:
    return open_induced(load_bundle(BUNDLES / name), workspace)


SYSTEMS = {f"scan-{split}": partial(open_embedded, f"api-scan-{split}") for split in SCAN_SPLITS}
"""Task -> what opens the grammar that is embedded for it."""
