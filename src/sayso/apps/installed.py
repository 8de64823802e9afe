"""What this machine's manual pages add to an answer: tools that sayso does not ship, and flags that its base lacks.

Where a request names such a tool, a command with it comes first; where only its purpose is said, it is shown beside
what was not good enough to be an answer. Nothing here waits for the index, and a refusal stays one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from sayso.answer.answer import Answer, Proposal
from sayso.answer.weigh import look, lowered
from sayso.apps.said import overreaches
from sayso.core.types import Asked, Candidate, Request, Target
from sayso.targets.bash import offers
from sayso.targets.bash.knowledge import MachineIndex

LEAST = 0.3
"""What evidence must leave of a score for a command to be shown."""


def with_installed(
    target: Target, found: Answer, request: Request, index: MachineIndex, is_here: Callable[[str], bool], k: int
) -> Answer:
    """The answer with what the index knows; as it was where there is none."""
    if not (found.reason or found.barred or found.is_own):
        asked = target.read(request)
        said = offers.installed(asked, index, is_here, not found.abstained)
        if named := shown(target, asked, said.named, found):
            rest = () if found.abstained else found.candidates
            found = replace(found, candidates=(*named, *rest)[:k], abstained=False, question=None)
        elif found.abstained and (meant := shown(target, asked, said.meant, found)):
            # Sorting keeps the order of equals: what was measured comes first.
            first = sorted((*found.candidates, *meant), key=lambda one: -one.score)
            found = replace(found, candidates=tuple(first[:k]))
    return as_known_here(target, found, index)


def shown(target: Target, asked: Asked, said: Sequence[Candidate], found: Answer) -> list[Proposal]:
    """What may be shown of the commands: nothing that is barred, overreaches, or that the answer has already."""
    fresh = [one for one in said if not is_called(one.text.split()[0], found)]
    drafts = target.draft([one.text for one in fresh]) if fresh else []
    kept = []
    for one, draft, seen in zip(fresh, drafts, look(target, asked, drafts), strict=True):
        # That the base does not know the tool is why it is asked for here.
        against = [each for each in seen.evidence if each.name != "unheard_of"]
        score = round(lowered(one.score, against), 4)
        if seen.barred or score < one.score * LEAST or overreaches(draft.text, draft.risk, asked.request.text):
            continue
        kept.append(Proposal(draft.text, score, draft.risk, (*one.why, *(each.reason for each in against))))
    return kept


def is_called(tool: str, found: Answer) -> bool:
    """Whether a candidate runs it already."""
    return any(re.search(rf"(?:^|[|;&(] *|\bsudo ){re.escape(tool)}(?!\S)", one.text) for one in found.candidates)


def as_known_here(target: Target, found: Answer, index: MachineIndex) -> Answer:
    """Without reasons that the index disproves: a flag or a tool that is known here."""
    machine = target.made_from["machine"](index.cache)
    kept = []
    for one in found.candidates:
        shipped = {finding.message for finding in target.check(one.text)} if one.why else set()
        wrong = shipped.intersection(one.why)
        wrong -= {finding.message for finding in machine.check(one.text)} if wrong else set()
        kept.append(replace(one, why=tuple(why for why in one.why if why not in wrong)))
    return replace(found, candidates=tuple(kept))
