"""Repair a command that failed, from its text, exit code and standard error: candidates with reasons, best first.

Rules look at what was said, the command tree, the knowledge base and the names around; what they propose must parse,
differ from what failed, and have no more wrong with it. Nothing is ever run.
"""

from __future__ import annotations

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate
from sayso.targets.bash.repair import archives, files, spelling, tools, values
from sayso.targets.bash.repair import text as bash_text
from sayso.targets.bash.repair.scene import Failure, Repair, Rule, Scene, Surroundings
from sayso.targets.bash.review.check import findings
from sayso.targets.bash.safety.taken_words import acting
from sayso.targets.bash.syntax.parser import parse

__all__ = ["Failure", "Surroundings", "repair"]

RULES: tuple[Rule, ...] = (
    *bash_text.RULES,
    *spelling.RULES,
    *files.RULES,
    *archives.RULES,
    *tools.RULES,
    *values.RULES,
)
ODD = 0.8
"""What is left of a repair's score for each new thing that is wrong with it."""


def repair(failure: Failure, here: Surroundings, most: int = 5) -> list[Candidate]:
    """Candidates for what was meant; empty where nothing is known to help."""
    found = _round(failure, here)
    if found and failure.stderr.count("not found") > 1:  # one slip often comes with another
        found = [*_again(failure, found[0], here), *found]
    kept: dict[str, Repair] = {}
    for one in sorted(found, key=lambda repair: -repair.sure):
        kept.setdefault(one.text, one)
    return [Candidate(one.text, round(one.sure, 4), (one.why,)) for one in kept.values()][:most]


def _round(failure: Failure, here: Surroundings) -> list[Repair]:
    scene = Scene(failure, here)
    before = _wrong(failure.command, here)
    found = []
    for rule in RULES:
        for one in rule(scene):
            text = one.text.strip()
            if text == failure.command.strip() or not _parses(text, here):
                continue
            if any(acting(failure.stderr, text, failure.command, options=False)):
                continue  # what a program prints is not to become shell text
            new = len(_wrong(text, here) - before)
            found.append(Repair(text, one.why, one.sure * ODD**new))
    return sorted(found, key=lambda repair: -repair.sure)


def _again(failure: Failure, first: Repair, here: Surroundings) -> list[Repair]:
    """The best repair, repaired once more for the rest of what was said."""
    more = _round(Failure(first.text, failure.exit_code, failure.stderr), here)
    return [Repair(one.text, f"{first.why}; {one.why}", min(1.0, first.sure + 0.01)) for one in more[:1]]


def _wrong(text: str, here: Surroundings) -> set[str]:
    found = (one.message for one in findings(text, here.find))
    return {one for one in found if not one.startswith("unknown utility")}


def _parses(text: str, here: Surroundings) -> bool:
    try:
        parse(text, here.find)
    except BadInstruction:
        return False
    return True
