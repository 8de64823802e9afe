"""Executed equivalence: does a candidate do the same as a reference, judged by running both on grounded fixtures.

A reference that cannot be judged gives a reason, fixed in `reach.REASONS`; a candidate that does not parse or run
is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from sayso.core.errors import BadInstruction
from sayso.core.types import Outcome, Sandbox, Unscored
from sayso.targets.bash.executed.clock import NOON
from sayso.targets.bash.executed.comparison import Reading, View, same, view, visible
from sayso.targets.bash.executed.facts import Facts, joined
from sayso.targets.bash.executed.fixture import SHAPES, Fixture, Shape
from sayso.targets.bash.executed.fixtures import build
from sayso.targets.bash.executed.grounding import ground
from sayso.targets.bash.executed.mutants import mutants
from sayso.targets.bash.executed.reach import counts_too_far, out_of_reach
from sayso.targets.bash.executed.reading import assigned_names, read_reading
from sayso.targets.bash.executed.request import (
    departs,
    missing_constants,
    moved_to,
    names_a_place,
    programs_asked_for,
    repeated_tests,
    utilities_of,
)
from sayso.targets.bash.executed.running import broken, execute_all
from sayso.targets.bash.language import risk
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Operand, Script, commands

CONSTANTS = frozenset(("letters", "number", "sign"))
MOST_MUTANTS = 10
# Constants that change how much is done at a time, and not what.
IDLE = frozenset(f"xargs {flag}: number" for flag in ("-n", "-P", "-L", "-l", "--max-procs"))
CROSS_SHAPES: tuple[Shape, ...] = ("rich", "swapped")
MISSING = "No such file"
VERSION = 5


@dataclass(frozen=True)
class Ready:
    """A reference that can be judged by: its fixtures and what it shows on each."""

    reading: Reading
    fixtures: tuple[Fixture, ...]
    views: tuple[View, ...]
    names: tuple[str, ...]
    places: frozenset[str] = frozenset()
    """Files and folders that it names."""
    request: str = ""
    reference: str = ""
    facts: Facts = field(default_factory=Facts)


def prepare(request: str, reference: str, sandbox: Sandbox) -> Ready | Unscored:
    """Run the reference on its fixtures; says why where that tells nothing."""
    try:
        tree = parse(reference)
    except BadInstruction:
        return Unscored("does not parse")
    if reason := out_of_reach(tree):
        return Unscored(reason)
    if departs(request, reference):
        return Unscored("departs from its request")
    if counts_too_far(tree):
        return Unscored("counts too far")
    facts = ground(reference, request)
    facts.only_reads = risk(reference).level == "reads"
    reading = read_reading(tree, facts.only_files, request)
    fixtures = tuple(build(facts, shape, reference, float(NOON)) for shape in SHAPES)
    names = assigned_names(tree)
    runs: list[tuple[Outcome, Outcome]] = []
    for fixture in fixtures:
        outcome, nothing = execute_all([reference, ":"], fixture, names, sandbox)
        if reason := broken(outcome):
            return Unscored(reason)
        if not runs:
            [again] = execute_all([reference], fixture, names, sandbox)
            if view(outcome, fixture, reading) != view(again, fixture, reading):
                reading = replace(reading, masks_times=True)
                if view(outcome, fixture, reading) != view(again, fixture, reading):
                    return Unscored("differs from itself")
        runs.append((outcome, nothing))
    # Where folders are all that a reference shows, it is about them, whatever its request calls them.
    for tried in (reading, replace(reading, drops_folders=False)):
        views = [view(outcome, fixture, tried) for fixture, (outcome, _) in zip(fixtures, runs, strict=True)]
        blank = [view(nothing, fixture, tried) for fixture, (_, nothing) in zip(fixtures, runs, strict=True)]
        if any(map(visible, views, blank)):
            reading = tried
            break
    else:
        return Unscored("does nothing visible")
    ready = Ready(reading, fixtures, tuple(views), names, frozenset(places(tree)), request, reference, facts)
    return ready if is_told(ready, sandbox) else Unscored("not told from its mutants")


def is_told(ready: Ready, sandbox: Sandbox) -> bool:
    """Whether most mutants with another constant show something else; where not, the fixtures say nothing of it."""
    changed = [mutant for mutant in mutants(ready.reference) if mutant.how in CONSTANTS and mutant.what not in IDLE]
    texts = [mutant.text for mutant in changed[:MOST_MUTANTS]]
    return 2 * len(_agreeing(ready, texts, sandbox)) <= len(texts)


def agreeing(ready: Ready, candidates: Sequence[str], sandbox: Sandbox) -> set[str]:
    """Those candidates that show the same as the reference on every fixture.

    Where a request does not say where, each of them searches where the reference does.
    """
    if names_a_place(ready.request):
        return _agreeing(ready, candidates, sandbox)
    tried = {candidate: moved_to(ready.reference, candidate) for candidate in candidates}
    found = _agreeing(ready, list(tried.values()), sandbox)
    return {candidate for candidate, text in tried.items() if text in found}


def _agreeing(ready: Ready, candidates: Sequence[str], sandbox: Sandbox) -> set[str]:
    wanted_programs = programs_asked_for(ready.request, ready.reference)
    left = [
        candidate
        for candidate in dict.fromkeys(candidates)
        if _parses(candidate)
        and wanted_programs <= utilities_of(candidate)
        and repeated_tests(candidate) <= repeated_tests(ready.reference)
        and not missing_constants(ready.request, candidate)
    ]
    unnamed = {candidate: set(places(parse(candidate))) - ready.places for candidate in left}
    for fixture, wanted in zip(ready.fixtures, ready.views, strict=True):
        outcomes = execute_all(left, fixture, ready.names, sandbox)
        left = [
            candidate
            for candidate, outcome in zip(left, outcomes, strict=True)
            if not outcome.stopped
            and not complains(outcome, unnamed[candidate])
            and same(wanted, view(outcome, fixture, ready.reading), ready.reading)
        ]
    return {candidate for candidate in left if cross_examined(ready, candidate, sandbox)}


def cross_examined(ready: Ready, candidate: str, sandbox: Sandbox) -> bool:
    """Whether the two show the same also where there is something on either side of what the candidate asks for."""
    facts = joined(ready.facts, ground(candidate, ready.request))
    if facts == ready.facts:
        return True
    for shape in CROSS_SHAPES:
        fixture = build(facts, shape, ready.reference, float(NOON))
        wanted, outcome = execute_all([ready.reference, candidate], fixture, ready.names, sandbox)
        if wanted.stopped or outcome.stopped:
            return False
        if not same(view(wanted, fixture, ready.reading), view(outcome, fixture, ready.reading), ready.reading):
            return False
    return True


def complains(outcome: Outcome, unnamed: Collection[str]) -> bool:
    """Whether a command says that one of these, which only it names, is not there."""
    lines = [line for line in outcome.stderr.decode("utf-8", "replace").splitlines() if MISSING in line]
    return any(re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w./-])", line) for line in lines for name in unnamed)


def places(tree: Script) -> Iterator[str]:
    """Files and folders that a command names in so many words."""
    for command in commands(tree):
        for argument in command.arguments:
            if isinstance(argument, Operand) and argument.type in ("File", "Path", "Directory") and argument.word.value:
                yield argument.word.value


def _parses(command: str) -> bool:
    try:
        parse(command)
    except BadInstruction:
        return False
    return True
