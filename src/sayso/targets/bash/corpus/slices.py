"""Kinds of examples that errors are counted by: what the reference is made of, what of it training has not seen.

NL2Bash §6.3 sorts the errors of two systems on 100 dev requests into classes by hand (table 10, figure 3); where the
release with these annotations is at hand, its classes are kinds too. The rest is read from request and references.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import BadFile, BadInstruction
from sayso.core.types import Example, Labels, Workspace
from sayso.english.tokens import CONSTANT_KINDS, tokenise
from sayso.targets.bash.corpus import nl2bash as corpus
from sayso.targets.bash.forms.structure import Part, structure
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Chain, Command, Flag, Operand, Pipeline, Script, commands

ANNOTATIONS = "error.analysis.csv"
# How the annotations call the two systems.
ANNOTATED = {"partial.token-copynet": "ST-CopyNet", "tellina": "Tellina"}
NO_CLASS = "no error"
SEEN, UNPARSED = "all seen", "does not parse"


@dataclass(frozen=True)
class Vocabulary:
    """What the commands of train hold."""

    utilities: frozenset[str]
    flags: frozenset[tuple[str, str]]
    constants: frozenset[str]


def slices(workspace: Workspace) -> dict[str, Labels]:
    """Title -> the kinds that an example is of, one or several; none where nothing is known about it."""
    train = vocabulary(example.references[0] for example in corpus.load(workspace, "train"))
    classes = read_classes(corpus.folder(workspace.data) / "manual_judgements" / ANNOTATIONS)
    found: dict[str, Labels] = {
        "utility": lambda example: utilities(example.references[0]),
        "flags": lambda example: [count_label(flag_count(example.references[0]), 5)],
        "pipeline length": lambda example: [count_label(pipeline_length(example.references[0]), 4)],
        "unseen in train": lambda example: unseen(example, train),
        "argument type": lambda example: argument_types(example.references[0]),
        "constants of one kind in the request": lambda example: [enumeration(example.request.text)],
    }
    if classes:
        found["class of the paper"] = lambda example: classes.get(corpus.request_key(example.request.text), ())
    return found


def utilities(command: str) -> list[str]:
    """'find . | xargs rm' -> find, xargs, rm"""
    return list(dict.fromkeys(part.text for part in structure(command) if part.kind == "utility")) or [UNPARSED]


def flag_count(command: str) -> int:
    return sum(part.kind == "flag" for part in structure(command))


def count_label(count: int, most: int) -> str:
    """(2, 5) -> "2"; (7, 5) -> "5 or more" """
    return f"{most} or more" if count >= most else str(count)


def pipeline_length(command: str) -> int:
    """The commands of the longest pipeline: 'a | b' -> 2"""
    try:
        tree = parse(command)
    except BadInstruction:
        return 1
    return max((len(node.items) for node in _walk(tree) if isinstance(node, Pipeline)), default=1)


def _walk(node: object) -> Iterator[object]:
    yield node
    if isinstance(node, (Script, Pipeline, Chain)):
        for item in node.items:
            yield from _walk(item)


def argument_types(command: str) -> list[str]:
    """The types of what a command is given: 'grep -l x *.c' -> File, Regex"""
    try:
        nodes = list(commands(parse(command)))
    except BadInstruction:
        return [UNPARSED]
    types = [kind for node in nodes for kind in _types(node)]
    return sorted(set(types)) or ["no argument"]


def _types(command: Command) -> Iterator[str]:
    for argument in command.arguments:
        if isinstance(argument, Operand):
            yield argument.type
        elif isinstance(argument, Flag) and argument.inner is None and argument.script is None:
            yield from argument.types[: len(argument.values)]


def vocabulary(texts: Iterable[str]) -> Vocabulary:
    parts = [part for text in texts for part in structure(text)]
    return Vocabulary(
        frozenset(part.text for part in parts if part.kind == "utility"),
        frozenset((part.owner, part.text) for part in parts if part.kind == "flag"),
        frozenset(part.text for part in parts if part.kind == "argument"),
    )


def unseen(example: Example, train: Vocabulary) -> list[str]:
    """What every reference of an example has and no command of train: a utility, a flag of a utility, a constant."""
    found = [set(_unseen(structure(reference), train)) for reference in example.references]
    return sorted(set.intersection(*found)) or [SEEN]


def _unseen(parts: Sequence[Part], train: Vocabulary) -> Iterator[str]:
    for part in parts:
        if part.kind == "utility" and part.text not in train.utilities:
            yield "utility"
        elif part.kind == "flag" and (part.owner, part.text) not in train.flags:
            yield "flag"
        elif part.kind == "argument" and part.text not in train.constants:
            yield "constant"


def enumeration(request: str) -> str:
    """Constant enumeration (§6.3): how many constants of one kind a request lists."""
    kinds = Counter(token.kind for token in tokenise(request) if token.kind in CONSTANT_KINDS)
    return count_label(max(kinds.values(), default=0), 4)


def read_classes(path: Path) -> dict[str, tuple[str, ...]]:
    """The key of a request -> the classes of the errors that either system made on it; {} where the file is missing."""
    found: dict[str, list[str]] = {}
    for description, _, category in read_annotations(path):
        found.setdefault(corpus.request_key(description), []).append(category)
    return {key: tuple(sorted({name for name in names if name})) or (NO_CLASS,) for key, names in found.items()}


def class_counts(path: Path) -> dict[str, Mapping[str, int]]:
    """Figure 3: class -> how many errors of it each of the two systems made."""
    counts: dict[str, Counter[str]] = {}
    for _, system, category in read_annotations(path):
        if category:
            counts.setdefault(category, Counter())[ANNOTATED.get(system, system)] += 1
    return dict(sorted(counts.items(), key=lambda item: (-sum(item[1].values()), item[0])))


def read_annotations(path: Path) -> Iterator[tuple[str, str, str]]:
    """Request, system and class of every row; none where the release has no such file."""
    if not path.is_file():
        return
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            try:
                yield row["description"], row["model"], (row["Error Category"] or "").strip().lower()
            except KeyError as error:
                raise BadFile(f"{path} has no column {error}", corpus.HINT) from error
