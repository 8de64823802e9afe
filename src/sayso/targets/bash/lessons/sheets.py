"""Training pairs from cheat sheets: tldr, cheat and chubin, cleaned, filled with values, none of them held out.

`python -m sayso.targets.bash.lessons.sheets DATA` prints how many pairs each source gives and why the others were
dropped.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from sayso.core.errors import BadFile, BadInstruction, MissingData
from sayso.core.types import Workspace
from sayso.targets.bash.corpus.clean import PROMPT
from sayso.targets.bash.corpus.unseen import UNPARSED, HeldOut, Pair, held_out
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.lessons.placeholders import PLACEHOLDER, choose_flags, fill
from sayso.targets.bash.syntax.parser import parse

__all__ = ["Pair", "sheet_counts", "sheet_pairs"]

FILES = {
    "tldr": "tldr/tldr_pairs.jsonl.zst",
    "cheat": "cheat/cheat_pairs.jsonl",
    "chubin": "chubin/chubin_pairs.jsonl",
}
HINT = "get it with `sayso data get`; `sayso data list` says where corpora lie"
FILLINGS, LONGEST_TEXT, LONGEST_COMMAND, FEWEST_WORDS = 4, 300, 300, 2
CLEAR_ALONE, NAMED_ANYWAY = 4, 0.15
"""A known program is named where the text has fewer words, and now and then."""
PLATFORMS = frozenset(("linux", "common"))

OTHER_PLATFORM, ALIAS = "another platform", "page of an alias"
NOT_ENGLISH, NO_TEXT, TOO_LONG, NO_COMMAND = "not English", "says nothing on its own", "too long", "no shell command"
REPEATED = "stands there already"
# Comments that go on from the one before, or point elsewhere.
DEPENDS = re.compile(
    r"(?i)^(?:or|and|also|then|same|alternatively|note|see|e\.g|i\.e|example|output|https?:|this|it|these)\b|https?://"
)
LIST_MARK = re.compile(r"^(?:[-*#>=]+|\d+[.)])\s+")
KEYS = re.compile(r"(?:C|M|Ctrl|Alt|Shift|Esc|<\w+>)[-+]", re.I)


def sheet_pairs(workspace: Workspace, dropped: Counter[str] | None = None) -> Iterator[Pair]:
    """Every pair of the three sources; `dropped` counts what was left out, as "source: reason"."""
    held = held_out(workspace)
    counts = dropped if dropped is not None else Counter()
    seen: set[tuple[str, str]] = set()
    for source in FILES:
        for row in read_rows(workspace.data, source):
            reason = why_dropped(row, source)
            if reason:
                counts[f"{source}: {reason}"] += 1
                continue
            for pair in fillings(row, source):
                reason = refused(pair, held) or (REPEATED if pair[:2] in seen else "")
                if reason:
                    counts[f"{source}: {reason}"] += 1
                else:
                    seen.add(pair[:2])
                    yield pair


def sheet_counts(workspace: Workspace) -> tuple[Counter[str], Counter[str]]:
    """(pairs by source, dropped by reason)"""
    dropped: Counter[str] = Counter()
    return Counter(pair.source for pair in sheet_pairs(workspace, dropped)), dropped


def read_rows(data: Path, source: str) -> Iterator[dict[str, Any]]:
    path = data / FILES[source]
    try:
        raw = path.read_bytes()
    except FileNotFoundError as error:
        raise MissingData(f"{source} is not on this machine: no {path}", HINT) from error
    if path.suffix == ".zst":
        from zstandard import ZstdDecompressor, ZstdError

        try:
            raw = ZstdDecompressor().stream_reader(io.BytesIO(raw)).read()
        except ZstdError as error:
            raise BadFile(f"{path} is damaged: {error}", HINT) from error
    for line in raw.decode("utf-8").splitlines():
        yield json.loads(line)


def why_dropped(row: dict[str, Any], source: str) -> str:
    """Why a line of a source is of no use, or ""."""
    if source == "tldr":
        if row["platform"] not in PLATFORMS:
            return OTHER_PLATFORM
        if row["alias_page"]:
            return ALIAS
        if row["description"].lower().startswith("[interactive]"):  # typed at a prompt of the program's own
            return NO_COMMAND
    text, command = clean_text(row["description"]), row["command"]
    if not text.isascii():
        return NOT_ENGLISH
    if len(text.split()) < FEWEST_WORDS or DEPENDS.search(text):
        return NO_TEXT
    if len(text) > LONGEST_TEXT or len(command) > LONGEST_COMMAND or "\n" in command:
        return TOO_LONG
    return "" if source == "tldr" or is_command(row) else NO_COMMAND


def is_command(row: dict[str, Any]) -> bool:
    """Whether a line of a cheat sheet begins with a program, and is no key to press and no line of a file."""
    words = without_prompt(row["command"]).split()
    first = words[0] if words else ""
    if not re.fullmatch(r"[\w./+-]+", first) or KEYS.match(first):
        return False
    return bool(row["starts_with_utility"] or find_utility(first))


def without_prompt(command: str) -> str:
    prompt = PROMPT.match(command)
    return command[prompt.end() :] if prompt else command


def clean_text(text: str) -> str:
    """'To view the [l]ist of `x`:' -> 'view the list of x'"""
    text = re.sub(r"\[(\w+)\]", r"\1", text).replace("`", "")
    text = LIST_MARK.sub("", " ".join(text.split())).rstrip(" :.;,")
    return re.sub(r"(?i)^to (?=[a-z]+ )", "", text)


def fillings(row: dict[str, Any], source: str) -> Iterator[Pair]:
    """The pair itself, its placeholders in capitals, and where it has some, a few with values in both texts."""
    text = clean_text(row["description"])
    command = without_prompt(row["command"])
    random = Random(f"{source} {command}")
    for turn in range(FILLINGS if PLACEHOLDER.search(choose_flags(command, Random(0))) else 1):
        found = fill(text, choose_flags(command, random), random, named=turn > 0)
        if found:
            said, ran = naming_tool(found[0], row["utility"], random), found[1]
            yield Pair(said if turn % 2 else lower_first(said), " ".join(ran.split("\n")), source)


def naming_tool(text: str, tool: str, random: Random) -> str:
    """The text with the program's name where nothing else says which is meant: "display version, using imhex"."""
    if tool.lower() in text.lower() or tool.startswith("_"):
        return text
    known = find_utility(tool.partition(" ")[0]) is not None
    if known and len(text.split()) >= CLEAR_ALONE and random.random() > NAMED_ANYWAY:
        return text
    return random.choice(("{} with {}", "{} using {}", "{} in {}", "{}, {}")).format(text, tool)


def lower_first(text: str) -> str:
    """'Count all lines' -> 'count all lines', but 'SSH into' stays."""
    return text[:1].lower() + text[1:] if not text[1:2].isupper() else text


def refused(pair: Pair, held: HeldOut) -> str:
    try:
        parse(pair.command)
    except BadInstruction:
        return UNPARSED
    return held.reason(pair.text, pair.command)


if __name__ == "__main__":
    kept, gone = sheet_counts(Workspace(Path(sys.argv[1]), Path(sys.argv[1])))
    json.dump({"pairs": dict(kept), "dropped": dict(gone.most_common())}, sys.stdout, indent=1)
    print()
