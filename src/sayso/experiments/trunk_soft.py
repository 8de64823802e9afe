"""Pairs whose command is now and then another one that is likely, too: what a network that never saw the request says.

People ask for one thing and write many commands for it. A network that only sees what one of them wrote learns it by
heart; the answers of cross-fitted ones (trunk_folds) say what else could have stood there (Furlanello et al., 2018).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sayso.core.errors import BadInstruction
from sayso.targets.bash.corpus.nl2bash import group_id, request_key
from sayso.targets.bash.corpus.unseen import NOTHING_HELD_OUT, HeldOut, Pair
from sayso.targets.bash.language import normalise
from sayso.targets.bash.review.check import findings

SHARE, TEMPERATURE = 0.3, 1.5
CONSTANT = re.compile(r"\"[^\"]+\"|'[^']+'|`[^`]+'|\S*[./*$_~0-9]\S*")


@dataclass(frozen=True)
class Likely:
    """A command with the log-probability that a network gave it."""

    text: str
    logprob: float


def read_candidates(path: Path) -> dict[str, list[Likely]]:
    """Group -> candidates, from a file of one request a line."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: [Likely(one["text"], one["logprob"]) for one in row["answers"]] for row in rows}


def constants(request: str) -> set[str]:
    """Letters and digits of what is quoted or looks like a name, a pattern or a number."""
    return {run for found in CONSTANT.findall(request) for run in re.findall(r"\w{2,}|\d", found)}


def alternatives(pair: Pair, candidates: Iterable[Likely], held: HeldOut = NOTHING_HELD_OUT) -> list[Likely]:
    """Of the candidates the command that was written, and others that have no finding, say its constants and are in
    no part that is held out."""
    wanted = {one for one in constants(pair.text) if one in pair.command}
    written = canonical(pair.command)
    kept: dict[str, Likely] = {}
    for one in candidates:
        known = canonical(one.text)
        if known == written:
            kept.setdefault(known, Likely(pair.command, one.logprob))
        elif (
            known and known not in held.commands and all(word in one.text for word in wanted) and not findings(one.text)
        ):
            kept.setdefault(known, one)
    return list(kept.values())


def canonical(command: str) -> str:
    """The canonical command, or nothing where it does not parse."""
    try:
        return normalise(command)
    except BadInstruction:
        return ""


def softened(
    pairs: Sequence[Pair],
    candidates: Mapping[str, Sequence[Likely]],
    seed: int,
    held: HeldOut = NOTHING_HELD_OUT,
    share: float = SHARE,
) -> Iterator[Pair]:
    """Every pair; a share of NL2Bash's with what the candidates say instead, the likelier the oftener."""
    random = Random(seed)
    others: dict[Pair, list[Likely]] = {}
    for pair in pairs:
        if pair.source == "nl2bash" and pair not in others:
            others[pair] = alternatives(pair, candidates.get(group_id(request_key(pair.text)), ()), held)
    for pair in pairs:
        found = others.get(pair)
        if found and random.random() < share:
            weights = [math.exp(one.logprob / TEMPERATURE) for one in found]
            pair = pair._replace(command=random.choices(found, weights)[0].text)
        yield pair
