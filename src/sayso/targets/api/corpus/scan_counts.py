"""SCAN beside Okapi (its tables 2 and 8): how many commands, how alike, and how far test is from train.

Okapi takes its divergence from Keysers et al. and does not say of which split. Here atoms are the words of a command
and compounds the phrases that its grammar makes of them, of two words and more; both counted on the length split.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random

from sayso.core.types import Workspace
from sayso.targets.api.corpus.divergence import ATOM_ALPHA, COMPOUND_ALPHA, divergence
from sayso.targets.api.corpus.okapi import load_scan

Row = dict[str, float | None]
PAPER_DIVERGENCE = {"atom": 0.03, "compound": 0.437}
VERBS = frozenset(("walk", "look", "run", "jump", "turn"))
SIDES = frozenset(("left", "right"))
MOST_PAIRS = 2_000


def scan_commands(data: Path) -> dict[str, list[str]]:
    """Commands of the length split by part, train with the tenth that is dev; nothing where SCAN is not here."""
    if not (data / "scan").is_dir():
        return {}
    workspace = Workspace(data, data)
    parts = {
        part: [one.request.text for one in load_scan("length", workspace, part)] for part in ("train", "dev", "test")
    }
    return {"train": [*parts["train"], *parts["dev"]], "test": parts["test"]}


def scan_sizes(commands: dict[str, list[str]], alike: Row) -> dict[str, Row]:
    n = sum(map(len, commands.values()))
    return {
        "SCAN, questions": {"ours": n, "paper": 20_910},
        "SCAN, calls": {"ours": n, "paper": 20_910},
        "SCAN, domains": {"ours": 1, "paper": 1},
        "SCAN, 2-gram Jaccard": alike,
    }


def outline(command: str) -> str:
    """A command without its verbs and sides: "jump left twice" -> "VERB SIDE twice" """
    return " ".join("VERB" if word in VERBS else "SIDE" if word in SIDES else word for word in command.split())


def same_outline(commands: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of commands that differ in verbs and sides alone; of large groups some are drawn."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for command in commands:
        groups[outline(command)].append(command)
    random = Random(0)
    for members in groups.values():
        pairs = list(combinations(members[:200], 2))
        yield from pairs if len(pairs) <= MOST_PAIRS else random.sample(pairs, MOST_PAIRS)


def scan_divergence(commands: dict[str, list[str]]) -> dict[str, Row]:
    train, test = commands["train"], commands["test"]
    atom = divergence(train, test, words_of, ATOM_ALPHA)
    compound = divergence(train, test, phrases, COMPOUND_ALPHA)
    return {
        f"SCAN, {name}": {"ours": round(value, 3), "paper": PAPER_DIVERGENCE[name]}
        for name, value in (("atom", atom), ("compound", compound))
    }


def words_of(command: str) -> list[str]:
    return command.split()


def phrases(command: str) -> list[str]:
    """ "jump left twice and run" -> jump left, jump left twice, jump left twice and run"""
    found = [command] if len(command.split()) > 1 else []
    for joint in (" and ", " after "):
        if joint in command:
            return [*found, *(phrase for part in command.split(joint) for phrase in phrases(part))]
    words = command.split()
    if words[-1] in ("twice", "thrice"):
        return [*found, *phrases(" ".join(words[:-1]))]
    return found
