"""Training text from manuals and from commands without a description, as NL2Bash §6.3 recommends against sparsity.

A flag's own line (what the utility does, what the flag does) becomes a request for a command with that flag. A command
that nobody described becomes a pair by back-translation: the glosses of its words, with its arguments as they stand.
Nothing that dev or test hold, command or request, is among the pairs.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import BadInstruction
from sayso.core.types import Example, Request, Split, Workspace
from sayso.targets.bash import language
from sayso.targets.bash.corpus import nl2bash as corpus
from sayso.targets.bash.forms.skeleton import skeleton
from sayso.targets.bash.forms.structure import structure
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.review.explain import notes
from sayso.targets.bash.syntax.types import TYPES

TLDR = Path("tldr") / "tldr_pairs.jsonl.zst"
LONGEST = 25
COMPOUND = re.compile(r"(?:^|[;&|(]\s*)(?:for|while|until|if|case)\s")
PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}")
# Glosses that only name a type say nothing that the argument itself does not.
EMPTY = frozenset(TYPES.values())


@dataclass(frozen=True)
class Extra:
    """The pairs that were made, and how many of what kind were made and left out."""

    examples: tuple[Example, ...]
    counts: Mapping[str, int]


def extra_examples(workspace: Workspace, examples: Mapping[Split, Sequence[Example]], seed: int = 0) -> Extra:
    """At most as many as train has, drawn evenly from flags and unlabelled commands, cleaned of dev and test."""
    train = examples["train"]
    used = {part.text for one in train for text in one.references for part in structure(text) if part.kind == "utility"}
    draw = random.Random(seed)
    counts: Counter[str] = Counter()
    made = [
        *flag_pairs(sorted(used), arguments_by_type(train), draw),
        *command_pairs(unlabelled(workspace.data), used),
    ]
    counts.update(f"made from {pair.meta['from']}" for pair in made)
    clean = Cleaner(examples)
    kept = []
    for pair in made:
        if why := clean.why_not(pair):
            counts[f"left out: {why}"] += 1
        else:
            kept.append(pair)
    draw.shuffle(kept)
    kept = kept[: len(train)]
    counts.update(f"kept from {pair.meta['from']}" for pair in kept)
    return Extra(tuple(kept), dict(counts))


class Cleaner:
    """Knows what dev and test hold."""

    def __init__(self, examples: Mapping[Split, Sequence[Example]]) -> None:
        held = [one for split in ("dev", "test") for one in examples.get(split, ())]
        self.commands = {canonical(text) for one in held for text in one.references}
        self.requests = {corpus.request_key(one.request.text) for one in held}
        self.seen: set[tuple[str, str]] = set()

    def why_not(self, pair: Example) -> str:
        text = canonical(pair.references[0])
        key = corpus.request_key(pair.request.text)
        if text in self.commands:
            return "command of dev or test"
        if key in self.requests:
            return "request of dev or test"
        if (key, text) in self.seen:
            return "twice"
        self.seen.add((key, text))
        return ""


def canonical(command: str) -> str:
    try:
        return language.normalise(command)
    except BadInstruction:
        return command


def arguments_by_type(examples: Iterable[Example]) -> dict[str, list[str]]:
    """What train's arguments of each type look like, each text once."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for example in examples:
        for reference in example.references:
            for argument in skeleton(reference).arguments:
                found[argument.type][argument.text] = None
    return {kind: list(texts) for kind, texts in found.items()}


def flag_pairs(names: Iterable[str], arguments: Mapping[str, Sequence[str]], draw: random.Random) -> Iterator[Example]:
    """One pair for each flag of each utility that has a gloss."""
    for name in names:
        utility = find_utility(name)
        if not utility or not utility.gloss:
            continue
        for flag in utility.flags:
            if not flag.gloss or set(flag.arguments) & {"Command", "Script", "Utility"}:
                continue
            values = [draw.choice(arguments.get(kind) or ["x"]) for kind in flag.arguments]
            operands = [
                draw.choice(arguments.get(kind.rstrip("…?")) or ["x"])
                for kind in utility.operands[:2]
                if kind.rstrip("…?") in TYPES and not kind.endswith("?")
            ]
            written = " ".join([flag.names[0], *values])
            said = " ".join([f"{flag.gloss}", *values])
            words = [name, *operands, written] if utility.syntax == "find" else [name, written, *operands]
            request = f"{utility.gloss} {' '.join(operands)}, {said}"
            command = " ".join(words)
            yield Example(f"manual:{name}:{flag.names[0]}", Request(request), (command,), {"from": "flags"})


def unlabelled(data: Path) -> Iterator[tuple[str, str]]:
    """(where from, command): raw commands of NL2Bash that were not published, and those of tldr; no description."""
    published = {pair.command for split in corpus.SPLITS for pair in corpus.published_pairs(data, split)}
    for command in dict.fromkeys(pair.command for pair in corpus.raw_pairs(data)):
        if command not in published:
            yield "raw commands", command
    if (data / TLDR).is_file():
        for command in dict.fromkeys(tldr_commands(data / TLDR)):
            yield "tldr commands", command


def tldr_commands(path: Path) -> Iterator[str]:
    """The commands of the pages for Linux; placeholders as the text that stands in them."""
    import zstandard

    content = zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read().decode()
    for line in content.splitlines():
        row = json.loads(line)
        if row["platform"] in ("common", "linux") and not row.get("alias_page"):
            yield PLACEHOLDER.sub(lambda found: placeholder(found[1]), row["command"])


def placeholder(text: str) -> str:
    """[-a|--all] -> -a, path/to/file -> path/to/file"""
    return text.strip("[]").split("|")[0].strip()


def command_pairs(found: Iterable[tuple[str, str]], used: set[str]) -> Iterator[Example]:
    """Pairs by back-translation, of commands that parse, are not long and whose utilities train has."""
    for number, (where, command) in enumerate(found):
        parts = structure(command)
        names = {part.text for part in parts if part.kind in ("utility", "name", "text")}
        if not names or not names <= used or len(parts) > LONGEST or COMPOUND.search(command):
            continue
        if request := back_translated(command):
            yield Example(f"unlabelled:{number}", Request(request), (command,), {"from": where})


def back_translated(command: str) -> str:
    """`ls -a /tmp | wc -l` -> list files and folders also names that begin with a dot /tmp, count …"""
    said: list[str] = []
    for note in notes(command):
        if note.text in ("|", "{}", "\\;", ";", "+"):
            continue
        if note.gloss in EMPTY or note.gloss.startswith("cannot be read"):
            said.append(note.text)
            continue
        _, _, values = note.text.partition(" ")
        said += [note.gloss, values]
    return " ".join(part for part in said if part)
