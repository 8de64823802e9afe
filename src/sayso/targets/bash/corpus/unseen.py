"""Pairs that may be trained on: none whose normalised NL or canonical command is in NL2Bash's dev or test part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sayso.core.errors import BadInstruction
from sayso.core.types import Split, Workspace
from sayso.english.stems import normalise_request
from sayso.targets.bash.corpus.nl2bash import published_pairs
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.language import normalise

HELD_OUT: tuple[Split, ...] = ("dev", "test")
SAME_REQUEST = "request of a dev or test part"
SAME_COMMAND = "command of a dev or test part"
UNPARSED = "command does not parse"
# Letters and digits of an argument. Whatever else the canonical form changes (flags, quotes, order), it keeps these.
RUN = re.compile(r"(?<![\w-])[A-Za-z_][A-Za-z0-9_]{4,}")


class Pair(NamedTuple):
    """What somebody may ask for, and a command that does it; `source` says where it is from (`tldr`, `grammar`)."""

    text: str
    command: str
    source: str


@dataclass(frozen=True)
class HeldOut:
    """Keys of what must not be learnt. `runs` are the words of those commands: another word shows another command."""

    requests: frozenset[str]
    commands: frozenset[str]
    runs: frozenset[str]

    def reason(self, text: str, command: str) -> str:
        """Why a pair may not be trained on, or "" where it may."""
        if normalise_request(text) in self.requests:
            return SAME_REQUEST
        return self.reason_of_command(command)

    def reason_of_command(self, command: str) -> str:
        if any(run not in self.runs and not find_utility(run) for run in RUN.findall(command)):
            return ""
        return SAME_COMMAND if canonical_or_text(command) in self.commands else ""


NOTHING_HELD_OUT = HeldOut(frozenset(), frozenset(), frozenset())


def held_out(workspace: Workspace) -> HeldOut:
    """The dev and test parts of the published split."""
    pairs = [pair for split in HELD_OUT for pair in published_pairs(workspace.data, split)]
    commands = frozenset(canonical_or_text(pair.command) for pair in pairs)
    texts = [*commands, *(pair.command for pair in pairs)]
    # Every run, also one behind a dash: `-name*old` must not make its command unlike itself.
    runs = frozenset(run for text in texts for run in re.findall(r"\w+", text))
    return HeldOut(frozenset(normalise_request(pair.nl) for pair in pairs), commands, runs)


def canonical_or_text(command: str) -> str:
    """The canonical command; text that is none stands for itself."""
    try:
        return normalise(command)
    except BadInstruction:
        return " ".join(command.split())


def unseen(pairs: Iterable[Pair], held: HeldOut, dropped: Counter[str]) -> Iterator[Pair]:
    """The pairs that may be trained on; the others are counted by reason."""
    for pair in pairs:
        if reason := held.reason(pair.text, pair.command):
            dropped[f"{pair.source}: {reason}"] += 1
        else:
            yield pair
