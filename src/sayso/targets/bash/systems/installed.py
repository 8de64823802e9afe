"""Commands for small tools that are installed here, put together from this machine's manual pages.

A tool is found where the request names it, or where the words of the request cover the one line that its page gives
as its purpose. Its flags are those that the request writes, or whose own words it says; its values and operands are
the request's constants, each whole. What is left over makes it worth less. It knows nothing of what a tool does to the
machine: its commands are rated and barred like all others, and a purpose that takes something away finds none.
"""

from __future__ import annotations

import math
import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from sayso.core.types import Asked, Candidate, Constant
from sayso.english.constants import word_set
from sayso.english.stems import stem
from sayso.targets.bash.knowledge.machine import MachineIndex, Purpose
from sayso.targets.bash.knowledge.utilities import FlagEntry, Utility, find_utility
from sayso.targets.bash.request.called_tools import WORD, called_words

NAMED, MEANT = 0.6, 0.5
"""The score of a command whose tool the request names, and of one whose purpose its words cover altogether."""
LEAST_COVERED, LEAST_SAID = 0.55, 0.35
"""The share of a purpose that a request must say, and of a request that the purpose must say, by weight."""
MOST_MEANT = 2
LEAST_SHARED = 2
"""Words that both must have: one alone, however rare, is no purpose."""
SHORT = 4
"""A name with fewer letters is one only where the request says that it is: "with tr"."""
OUTPUTS = frozenset(("-o", "--output", "--output-file", "--out", "--outfile"))
INTO = frozenset(("to", "into", "as", "in"))
AMOUNTS = frozenset(("number", "size", "timespan", "time", "date"))
PLACES = frozenset(("File", "Path", "Directory"))
FILES = frozenset(("file", "path", "glob"))
ORDINARY = word_set(
    """
    a an and are as at be by can do does for from give get has have how i in into is it its me my of on or out please
    run set show display print list report see tell that the then this to up use using via view want was what where
    which with would you here there each all any some various information tool utility program command machine system
    existing
    """
)
TAKES_AWAY = re.compile(
    r"\b(?:delet|remov|eras|discard|wip|format|kill|destroy|drop|purg|overwrit|shut|reboot|halt|unlink|truncat|clear|"
    r"deactivat|disabl|revok|reset|restor|repair|undo|encrypt)(?:t|p|m)?(?:|e|es|s|ed|d|ing)\b",
    re.IGNORECASE,
)
SAME = {"pid": "process", "dir": "directory", "num": "number", "exclude": "without"}


@dataclass(frozen=True)
class Shelf:
    """The tools of an index by name, the words of their purposes, and in how many purposes a word stands."""

    tools: Mapping[str, Purpose]
    words: Mapping[str, frozenset[str]]
    count: Mapping[str, int]

    def weight(self, word: str) -> float:
        return math.log(1 + len(self.tools) / (1 + self.count.get(word, 0)))

    def is_topic(self, name: str) -> bool:
        """Whether it is a word of other tools' purposes or names, too: "my fish script" calls nothing."""
        others = self.count.get(root(name), 0) - (root(name) in self.words[name])
        return others > 0 or any(one.startswith((f"{name}-", f"{name}_")) for one in self.tools)

    def total(self, words: Collection[str]) -> float:
        return sum(map(self.weight, words))


@lru_cache(maxsize=2)
def shelf_of(purposes: tuple[Purpose, ...]) -> Shelf:
    """Of pages whose name means itself in a shell; a page's file may be called anything."""
    plain = [one for one in purposes if WORD.fullmatch(one.name)]
    words = {one.name: words_of(first_sentence(one.gloss)) for one in plain}
    return Shelf({one.name: one for one in plain}, words, Counter(word for some in words.values() for word in some))


class Proposed(NamedTuple):
    """Commands of a tool that the request names, or of tools whose purpose it says; never both."""

    named: list[Candidate]
    meant: list[Candidate]


def proposals(asked: Asked, index: MachineIndex, is_here: Callable[[str], bool], is_known: bool) -> Proposed:
    """Best first; where an answer is known already, only of a tool that is plainly named."""
    purposes = index.purposes()
    if not purposes:
        return Proposed([], [])
    shelf, text = shelf_of(purposes), asked.request.text
    named = [name for name in named_in(text, shelf, is_known) if is_here(name)]
    if named:
        found = commands_for([(named[0], NAMED)], asked, index)
        return Proposed(*([one for one in found if (one.score >= NAMED) == is_sure] for is_sure in (True, False)))
    if is_known or TAKES_AWAY.search(text):
        return Proposed([], [])
    meant = [(name, MEANT * share) for name, share in meant_by(text, shelf) if is_here(name)]
    return Proposed([], commands_for(meant[:MOST_MEANT], asked, index))


def named_in(text: str, shelf: Shelf, needs_cue: bool) -> list[str]:
    """Tools that the request calls by their names and that the shipped base lacks."""
    found = []
    for at, word, is_cued in called_words(text):
        if word not in shelf.tools or find_utility(word) is not None:
            continue
        is_odd = len(word) >= SHORT and not shelf.is_topic(word)
        if is_cued or (is_odd and (not at or not needs_cue)):
            found.append(word)
    return list(dict.fromkeys(found))


def meant_by(text: str, shelf: Shelf) -> list[tuple[str, float]]:
    """Tools whose purposes the request says, with how far; the fullest first, a short name before a long one."""
    said = words_of(text)
    all_said = shelf.total({word for word in said if shelf.count.get(word)}) or 1.0
    found = []
    for name, words in shelf.words.items():
        shared = words & said
        if len(shared) < LEAST_SHARED or is_shipped(name) or TAKES_AWAY.search(shelf.tools[name].gloss):
            continue
        weight = shelf.total(shared)
        covered, told = weight / shelf.total(words), weight / all_said
        if covered >= LEAST_COVERED and told >= LEAST_SAID:
            found.append((name, round(2 * covered * told / (covered + told), 4)))
    return sorted(found, key=lambda one: (-one[1], len(one[0]), one[0]))


def is_shipped(name: str) -> bool:
    """Whether the shipped base has it, be it for another machine: `x86_64-linux-gnu-size`."""
    return find_utility(name) is not None or find_utility(name.rpartition("-")[2]) is not None


def commands_for(tools: Sequence[tuple[str, float]], asked: Asked, index: MachineIndex) -> list[Candidate]:
    known = ((index.find(name), score) for name, score in tools)
    return [command_for(tool, asked, score) for tool, score in known if tool]


def command_for(tool: Utility, asked: Asked, score: float) -> Candidate:
    """The tool with what the request gives it; a number that has no place there makes it worth less."""
    text = asked.request.text
    rest = [one for one in asked.constants if tool.name not in (one.value, one.text)]
    flags = [*written_flags(text, tool)]
    said = words_of(text) - words_of(first_sentence(tool.gloss)) - {root(tool.name)}
    for entry in tool.flags:
        if any(entry is other for other, _ in flags):
            continue
        value = value_for(entry, rest, text, said)
        if value is None:
            continue
        flags.append((entry, value))
        rest = [one for one in rest if one.value != value and one.value not in parts_in(entry)]
    words = [tool.name, *(word for entry, value in flags for word in spelt(entry, value))]
    takes = {kind.rstrip("?…") for kind in tool.operands}
    is_placed = not any(one.kind in AMOUNTS for one in rest) or not takes <= PLACES
    why = f"{tool.name} is installed here: {first_sentence(tool.gloss)}"
    return Candidate(" ".join([*words, *map(operand, rest)]), round(score if is_placed else score / 2, 4), (why,))


def written_flags(text: str, tool: Utility) -> Iterator[tuple[FlagEntry, str]]:
    """Flags that the request writes as flags."""
    for found in re.finditer(r"(?<!\S)(--?[A-Za-z][\w-]*)", text):
        if entry := tool.flag(found[1]):
            yield entry, ""


def value_for(entry: FlagEntry, rest: Sequence[Constant], text: str, said: Collection[str]) -> str | None:
    """What a flag is given: "" where it takes nothing, None where the request does not want it."""
    if entry.arguments and not entry.optional:
        if OUTPUTS.intersection(entry.names) and len(files := [one for one in rest if one.kind in FILES]) > 1:
            last = files[-1]
            return last.value if before(text, last.text) in INTO else None
        numbers = [one for one in rest if one.kind == "number"]
        if numbers and "process" in said and is_process(entry):
            return numbers[0].value
        return says_name(entry, text) or None
    return "" if says(entry, said) else None


def is_process(entry: FlagEntry) -> bool:
    return entry.arguments[0] == "Process" or any(name.lstrip("-") == "pid" for name in entry.names)


def says(entry: FlagEntry, said: Collection[str]) -> bool:
    """Whether the request says all words of a long name."""
    return any(bool(parts) and all(root(part) in said for part in parts) for parts in map(parts_of, entry.names))


def parts_of(name: str) -> list[str]:
    """`--leak-check` -> leak, check; a short flag says nothing."""
    return [part for part in name.lstrip("-").split("-") if part] if name.startswith("--") else []


def parts_in(entry: FlagEntry) -> set[str]:
    return {part for name in entry.names for part in parts_of(name)}


def says_name(entry: FlagEntry, text: str) -> str:
    """The word beside the words of a long name: "a full leak check" -> full; "" where there is none."""
    for name in entry.names:
        parts = parts_of(name)
        if not parts or len("".join(parts)) < SHORT:
            continue
        phrase = r"[\s-]+".join(map(re.escape, parts))
        if found := re.search(rf"(?<!\S)(?:(\S+)\s+)?{phrase}(?:\s+(\S+))?(?!\S)", text):
            for word in (found[2], found[1]):
                if word and re.fullmatch(r"[\w.]+", word) and word.lower() not in ORDINARY:
                    return word
    return ""


def before(text: str, word: str) -> str:
    found = re.search(rf"(\S+)\s+['\"]?{re.escape(word)}", text)
    return found[1].lower() if found else ""


def spelt(entry: FlagEntry, value: str) -> list[str]:
    """A flag as a person writes it: `--leak-check=full`, `-o out.pot`."""
    long = next((name for name in entry.names if name.startswith("--")), "")
    name = entry.names[0] if not long or entry.names[0] in OUTPUTS else long
    if not value:
        return [name]
    quoted = shlex.quote(value)
    return [f"{name}={quoted}"] if name.startswith("--") else [name, quoted]


def operand(one: Constant) -> str:
    """A constant as a word of the command: a pattern stays one, everything else means itself."""
    return one.value if one.kind == "glob" or one.value.startswith("~/") else shlex.quote(one.value)


def first_sentence(gloss: str) -> str:
    return re.split(r"[.;]\s", gloss, maxsplit=1)[0]


def words_of(text: str) -> frozenset[str]:
    """The roots of the words that tell one purpose from another."""
    words = (word.lower() for word in re.findall(r"[A-Za-z0-9]+(?:\.[A-Za-z0-9]+)*", text))
    return frozenset(root(word) for word in words if word not in ORDINARY and "." not in word)


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    """One form of "dump", "dumper", "prettify" and "prettifier"."""
    word = SAME.get(word.lower(), word.lower())
    found = stem(stem(word))
    return re.sub(r"(?:ier|er|or|i|e|y)$", "", found) if len(found) > SHORT else found
