"""What answers a person's request for the next cell: recipes, and where its weights are installed a trunk, weighed
together.

Recipes propose in milliseconds and need no network. Alone they are weighed by their own columns; with a trunk, the
score that they get so is one column among those of all options. The score of a candidate is the share of belief that
it does what is asked; what is left is the belief that none does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from sayso.answer.weigh import log_trust
from sayso.answer.weighing import Weighing, weighing_from
from sayso.core.types import Candidate, Request, System, Workspace, within_ref
from sayso.targets.notebook.recipes.known import known_of
from sayso.targets.notebook.recipes.source import COLUMNS as RECIPE_COLUMNS
from sayso.targets.notebook.recipes.source import LONGEST, Proposal, Recipes
from sayso.targets.notebook.recipes.spoken import SPOKEN
from sayso.targets.notebook.recipes.stored import load_recipes
from sayso.targets.notebook.systems.cells import BARRED, CUT, MOST_COPIED, Model, certain, once, seen
from sayso.targets.notebook.systems.columns import COLUMNS, Option, columns, copies
from sayso.targets.notebook.systems.simple import code_answer
from sayso.targets.notebook.systems.without_model import WithoutModel

NAME = "notebook-recipes"
PROPOSED = 12
"""Cells of recipes that are looked at closely."""
JOINT = ("bias", *COLUMNS, *SPOKEN, "recipe", "of_recipe", "of_both")
WORST = -12.0
"""The score of recipes for what they do not propose."""
MADE = "made after a cell that was asked for in like words"


@dataclass(frozen=True)
class Joint:
    """Translator. Without a `trunk`, or without weights for both, recipes answer alone."""

    recipes: Recipes
    alone: Weighing
    joint: Weighing | None = None
    trunk: Model | None = None
    copied: set[str] = field(default_factory=set, compare=False, repr=False)
    held: Opened | None = field(default=None, compare=False, repr=False)
    """What the recipes were read from, which others find loaded as long as it is held."""

    def source_of(self, text: str) -> str | None:
        return within_ref(text) if text in self.copied else None

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._answer(request, k) for request in requests]

    def _answer(self, request: Request, k: int) -> list[Candidate]:
        if not request.text.strip() or k < 1:
            return []
        proposals = self.proposals(request)
        if not proposals and self.trunk is None:
            return WithoutModel().translate([request], k)[0]
        options, why = self.options(request, proposals)
        best: dict[str, Candidate] = {}
        made = {one.text for one in proposals}
        for option, score, reasons in self.weighed(request, options, proposals):
            if code_answer(option.text):
                told = (*why, *((MADE,) if option.text in made else ()), *reasons)
                best.setdefault(option.text, Candidate(option.text, score, told))
        return list(best.values())[:k]

    def proposals(self, request: Request) -> list[Proposal]:
        found = sorted(self.recipes.propose(request), key=lambda one: -self.alone.score(one.row))
        return found[:PROPOSED]

    def options(self, request: Request, proposals: Sequence[Proposal]) -> tuple[list[Option], tuple[str, ...]]:
        """Cells of the trunk first, so that one that both make keeps what the trunk knows of it."""
        own = [Option(one.text, "recipe") for one in proposals]
        if self.trunk is None:
            return once(own), ()
        drawn, is_cut = self.trunk.options(request)
        there = copies(request)
        if len(self.copied) > MOST_COPIED:
            self.copied.clear()
        self.copied.update(option.text for option in there)
        return once([*drawn, *own, *there]), (CUT,) if is_cut else ()

    def rows(self, request: Request) -> tuple[list[Option], list[list[float]]]:
        """All options with the columns that both are weighed by: what is fitted."""
        proposals = self.proposals(request)
        options, _ = self.options(request, proposals)
        _, against, _ = seen(request, options) if options else ([], [], [])
        return options, self.joint_rows(request, options, proposals, against)

    def joint_rows(
        self, request: Request, options: Sequence[Option], proposals: Sequence[Proposal], against: Sequence[Any]
    ) -> list[list[float]]:
        """A row of JOINT for each option."""
        asked = self.recipes.read(request.text, known_of(request)) if len(request.text.split()) <= LONGEST else None
        by_text = {one.text.strip(): one for one in proposals}
        rows = []
        for option, base in zip(options, columns(request, options, against), strict=True):
            made = by_text.get(option.text.strip())
            spoken = self.recipes.spoken(option.text, asked) if asked else [0.0] * len(SPOKEN)
            score = max(WORST, self.alone.score(made.row)) if made else WORST
            both = float(made is not None and option.source == "trunk")
            rows.append([1.0, *base, *spoken, score, float(made is not None), both])
        return rows

    def weighed(
        self, request: Request, options: Sequence[Option], proposals: Sequence[Proposal]
    ) -> list[tuple[Option, float, tuple[str, ...]]]:
        """Best first, each with its share; "none of these" has the rest."""
        if not options:
            return []
        drafts, against, barred = seen(request, options)
        if self.joint and self.trunk:
            base = [self.joint.score(row) for row in self.joint_rows(request, options, proposals, against)]
        else:
            by_text = {one.text.strip(): self.alone.score(one.row) for one in proposals}
            base = [by_text[option.text.strip()] for option in options]
        live = any(piece.kind == "names" for piece in request.context)
        scores = [
            score - BARRED * bar + log_trust(certain(one, live))
            for score, bar, one in zip(base, barred, against, strict=True)
        ]
        top = max(0.0, *scores)
        odds = [math.exp(score - top) for score in scores]
        total = sum(odds) + math.exp(-top)
        told = [
            (f"does not parse: {draft.problem}",) if one is None else tuple(each.reason for each in one)
            for draft, one in zip(drafts, against, strict=True)
        ]
        order = sorted(range(len(options)), key=lambda place: -scores[place])
        return [(options[place], odds[place] / total, told[place]) for place in order]


@dataclass(frozen=True)
class Opened:
    recipes: Recipes
    settings: Mapping[str, Any]
    bundle: str


LOADED: WeakValueDictionary[Path, Opened] = WeakValueDictionary()
"""As long as an answering system holds them."""


def opened(folder: Path) -> Opened:
    from sayso.neural.bundle import load_bundle

    found = LOADED.get(folder)
    if found is None:
        bundle = load_bundle(folder)
        found = LOADED[folder] = Opened(load_recipes(bundle), bundle.settings, bundle.signature)
    return found


def recipes_system(workspace: Workspace) -> System:
    """Recipes alone, which come with this package."""
    found = at_hand()
    return System(
        Joint(found.recipes, alone_of(found), held=found), found.settings["abstain_below"]["alone"], bundle=found.bundle
    )


def asked_system(workspace: Workspace) -> System:
    """Recipes and the trunk (recipes alone where nobody fitted both); MissingPart without the weights of the trunk."""
    from sayso.neural.installed import find_bundle, open_bundle
    from sayso.targets.notebook.systems import cells

    find_bundle(cells.NAME)
    found = at_hand()
    weights = found.settings["weighings"].get("joint")
    if weights is None:
        return recipes_system(workspace)
    trunk = open_bundle(cells.NAME, cells.opened)
    model = trunk.translator.model
    joint = Joint(found.recipes, alone_of(found), weighing_from(weights, JOINT), model, held=found)
    return System(joint, found.settings["abstain_below"]["joint"], bundle=f"{trunk.bundle}+{found.bundle}")


def at_hand() -> Opened:
    from sayso.neural.installed import open_bundle

    return open_bundle(NAME, opened)


def alone_of(found: Opened) -> Weighing:
    return weighing_from(found.settings["weighings"]["alone"], RECIPE_COLUMNS)
