"""Our system for notebook cells: a trunk that has read the notebook draws several cells; those and copies are weighed.

The trunk's weights come with a distribution of their own. What was read of a notebook is kept, so that the next answer
costs what is new. What is known of each cell is in `columns`; the weights are part of the bundle.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakValueDictionary

from sayso.answer.weigh import log_trust
from sayso.answer.weighing import Weighing, weighing_from
from sayso.core.types import Candidate, Draft, Evidence, Request, System, Workspace, within_ref
from sayso.english.cells import BOILERPLATE
from sayso.targets.notebook import language
from sayso.targets.notebook.review import bars, evidence, read
from sayso.targets.notebook.systems.columns import COLUMNS, Option, columns, copies
from sayso.targets.notebook.systems.simple import Form, api_answer, code_answer

NAME = "notebook-trunk"
BARRED = 30.0
"""What is taken from the score of a cell that destroys unasked: more than all columns together can give."""
FITTED = ("undefined", "lacking")
"""Evidence of cells that cannot be run: a weight of its own, or none, was fitted for it."""
MOST_COPIED = 8192
"""Enough for a run; a process that answers for days forgets."""
CUT = "what is asked is too long: only its end was read"


class Model(Protocol):
    """A trunk that draws cells: `neural.cells`, or a scripted one in tests."""

    def options(self, request: Request) -> tuple[list[Option], bool]:
        """The cells that it draws for a request, and whether what is asked was too long for it."""
        ...


def weighing_of(settings: Mapping[str, Any]) -> Weighing:
    """As a bundle has it; its columns must be those that are filled here."""
    return weighing_from(settings.get("weighing", {}), COLUMNS)


def seen(
    request: Request, options: Sequence[Option]
) -> tuple[list[Draft], list[tuple[Evidence, ...] | None], list[bool]]:
    """The drafts of options, what speaks against each (None where it does not parse), and which are barred."""
    drafts = language.drafts([option.text for option in options])
    whole = [draft for draft in drafts if not draft.problem]
    # What the asked cell holds already is no cell above: it mostly does not parse, and would excuse every name.
    cells = tuple(piece for piece in request.context if piece.name != BOILERPLATE)
    asked = read(replace(request, context=cells))
    against = iter(evidence(asked, whole))
    barred = iter(bars(asked, whole))
    found = [None if draft.problem else next(against) for draft in drafts]
    return drafts, found, [False if draft.problem else bool(next(barred)) for draft in drafts]


@dataclass(frozen=True)
class Cells:
    """Translator: options of the trunk and copies, best first; what destroys unasked never comes first."""

    model: Model
    weighing: Weighing
    copied: set[str] = field(default_factory=set, compare=False, repr=False)
    """Cells that were given as they stand in a request: predictions keep their digests."""

    def source_of(self, text: str) -> str | None:
        return within_ref(text) if text in self.copied else None

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._answer(request, k) for request in requests]

    def _answer(self, request: Request, k: int) -> list[Candidate]:
        if not request.text.strip() or k < 1:
            return []
        drawn, is_cut = self.model.options(request)
        there = copies(request)
        if len(self.copied) > MOST_COPIED:
            self.copied.clear()
        self.copied.update(option.text for option in there)
        options = once([*drawn, *there])
        why = (CUT,) if is_cut else ()
        best: dict[str, Candidate] = {}
        for option, score, reasons in self.weighed(request, options):
            if code_answer(option.text):
                best.setdefault(option.text, Candidate(option.text, score, (*why, *reasons)))
        return list(best.values())[:k]

    def weighed(self, request: Request, options: Sequence[Option]) -> list[tuple[Option, float, tuple[str, ...]]]:
        """Best first, with the share that each is believed to be the best."""
        if not options:
            return []
        drafts, against, barred = seen(request, options)
        rows = columns(request, options, against)
        live = any(piece.kind == "names" for piece in request.context)
        scores = [
            self.weighing.score(row) - BARRED * bar + log_trust(certain(one, live))
            for row, bar, one in zip(rows, barred, against, strict=True)
        ]
        top = max(scores)
        odds = [math.exp(score - top) for score in scores]
        told = [
            (f"does not parse: {draft.problem}",) if one is None else tuple(each.reason for each in one)
            for draft, one in zip(drafts, against, strict=True)
        ]
        order = sorted(range(len(options)), key=lambda place: -scores[place])
        return [(options[place], odds[place] / sum(odds), told[place]) for place in order]


@dataclass(frozen=True)
class Calls:
    """The same asked for API calls: those that enough of the options make, as they are believed; then each cell's."""

    cells: Cells
    least: float = 0.4
    """The share of belief that a call must have."""

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._answer(request, k) for request in requests]

    def _answer(self, request: Request, k: int) -> list[Candidate]:
        if not request.text.strip() or k < 1:
            return []
        drawn, is_cut = self.cells.model.options(request)
        weighed = self.cells.weighed(request, once([*drawn, *copies(request)]))
        belief: dict[str, float] = {}
        for option, share, _ in weighed:
            for call in dict.fromkeys(api_answer(option.text).split()):
                belief[call] = belief.get(call, 0.0) + share
        voted = " ".join(call for call, share in belief.items() if share >= self.least)
        best = {voted: Candidate(voted, 1.0, (CUT,) if is_cut else ())} if weighed else {}
        for option, share, _ in weighed:
            text = api_answer(option.text)
            best.setdefault(text, Candidate(text, share))
        return list(best.values())[:k]


def certain(against: Sequence[Evidence] | None, is_live: bool) -> list[Evidence]:
    """What counts beside the columns: all that a live kernel tells, and what no column is fitted on."""
    return [one for one in against or () if is_live or one.name not in FITTED]


def once(options: Iterable[Option]) -> list[Option]:
    """Of options that read the same the first, which the trunk finds likelier."""
    best: dict[str, Option] = {}
    for option in options:
        best.setdefault(option.text.strip(), option)
    return list(best.values())


def cells_system(form: Form, workspace: Workspace) -> System:
    from sayso.neural.installed import open_bundle

    system = open_bundle(NAME, opened)
    return System(Calls(system.translator) if form is api_answer else system.translator, bundle=system.bundle)


@dataclass(frozen=True)
class Opened:
    translator: Cells
    bundle: str


@dataclass(frozen=True, eq=False)
class Loaded:
    model: Any
    bundle: Any


LOADED: WeakValueDictionary[Path, Loaded] = WeakValueDictionary()
"""One trunk for all tasks of a process, for as long as one of them holds it: who drops the last has its memory back."""


def opened(folder: Path) -> Opened:
    from sayso.neural.cells import load_cells

    loaded = LOADED.get(folder)
    if loaded is None:
        loaded = LOADED[folder] = Loaded(*load_cells(folder))
    return Opened(Cells(Drawn(loaded.model, held=loaded), weighing_of(loaded.bundle.settings)), loaded.bundle.signature)


@dataclass(frozen=True)
class Drawn:
    """The trunk as a model of options."""

    cells: Any
    held: Loaded | None = None
    """What it was read from, which others find loaded as long as it is held."""

    def options(self, request: Request) -> tuple[list[Option], bool]:
        row, answers = self.cells.answer(request)
        return [
            Option(one.text, "trunk", one.log_prob, one.ids, place == 0, one.is_ended)
            for place, one in enumerate(answers)
        ], row.is_cut
