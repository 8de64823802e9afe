"""Edits of a command at places of its tree: a flag added, a test of find, a word replaced, a stage at the end.

Each takes a `Line` and returns the new text, so that everything that was not touched stays as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.core.errors import BadInstruction
from sayso.english.constants import word_set
from sayso.targets.bash.knowledge.utilities import Find, find_subcommand, find_utility
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Chain, Command, Flag, Inner, Operand, Operator, Pipeline, Script, Word

# Programs that only change how the command behind them runs.
WRAPPERS = frozenset(("sudo", "doas", "time", "nice", "ionice", "nohup", "env", "command", "timeout", "stdbuf"))
ACTIONS = word_set(
    "-print -print0 -printf -ls -exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -quit -prune"
)
CLUSTER = re.compile(r"-[A-Za-z]+")
OR = frozenset(("-o", "-or", ","))


@dataclass(frozen=True)
class Line:
    """A command as text and tree; `stages` are the commands of its last pipeline, from left to right."""

    text: str
    script: Script
    stages: tuple[Command, ...]

    @property
    def first(self) -> Command:
        return unwrapped(self.stages[0])

    @property
    def last(self) -> Command:
        return unwrapped(self.stages[-1])

    def replaced(self, start: int, end: int, new: str) -> str:
        return self.text[:start] + new + self.text[end:]


def read_line(text: str, find: Find = find_utility) -> Line | None:
    """None where it does not parse, or where its last part is no plain pipeline."""
    try:
        script = parse(text, find)
    except BadInstruction:
        return None
    return line_of(script, text)


def line_of(script: Script, text: str) -> Line | None:
    """The same of a tree."""
    node = script.items[-1]
    while isinstance(node, Chain):
        node = node.items[-1]
    items = node.items if isinstance(node, Pipeline) else (node,)
    stages = tuple(item for item in items if isinstance(item, Command) and item.name)
    return Line(text, script, stages) if len(stages) == len(items) else None


def unwrapped(command: Command) -> Command:
    """What sudo, time and the like run."""
    while command.utility in WRAPPERS:
        inner = next((one.command for one in command.arguments if isinstance(one, Inner)), None)
        if inner is None:
            break
        command = inner
    return command


def flags(command: Command, *names: str) -> list[Flag]:
    """The flags of these names, in any of their spellings: flags(ls, "-a") finds --all."""
    wanted = set(names)
    for name in names:
        wanted.update(spellings(command, name))
    return [one for one in command.arguments if isinstance(one, Flag) and one.name in wanted]


def has_flag(command: Command, *names: str) -> bool:
    return bool(flags(command, *names))


def spellings(command: Command, name: str, find: Find = find_utility) -> tuple[str, ...]:
    entry = find_subcommand(command.utility, [one.value or "" for one in words_of(command)], find)
    entry = entry or find(command.utility)
    known = entry.flag(name) if entry else None
    return known.names if known else (name,)


def operands(command: Command, *kinds: str) -> list[Operand]:
    found = [one for one in command.arguments if isinstance(one, Operand)]
    return [one for one in found if not kinds or one.type in kinds]


def words_of(command: Command) -> list[Word]:
    return [one.word for one in operands(command)]


def subcommand(command: Command) -> str:
    """`git log` for git and the like; else "" """
    entry = find_utility(command.utility)
    if entry is None or entry.syntax != "subcommands":
        return ""
    found = find_subcommand(command.utility, [one.value or "" for one in words_of(command)])
    return found.name if found else ""


def kind_of(command: Command) -> str:
    """By what the tables of edits are looked up: `git log`, or the name of the utility."""
    return subcommand(command) or command.utility


def end_of_arguments(command: Command) -> int:
    """Behind the last word, before any redirect that follows it."""
    return command.words[-1].end if command.words else command.end


def with_flag(line: Line, command: Command, flag: str) -> str:
    """The flag among the others: `ls -l` and -t -> `ls -lt`; `git log` and -p -> `git log -p`."""
    name = flag.split("=")[0].split()[0]
    if has_flag(command, name) and "=" not in flag and " " not in flag:
        return line.text
    cluster = next((one for one in command.words[1:] if CLUSTER.fullmatch(one.text) and takes_more(command, one)), None)
    if cluster and re.fullmatch(r"-[A-Za-z]", flag) and command.utility not in ("find", "ps", "java"):
        return line.replaced(cluster.end, cluster.end, flag[1:])
    assert command.name
    bundle = [one for one in command.arguments if isinstance(one, Flag) and one.style == "bundle"]
    if bundle and re.fullmatch(r"-[A-Za-z]", flag) and command.utility == "tar":
        return line.replaced(bundle[0].start, bundle[0].start, flag[1:])
    if bundle:  # `ps aux` is read only where its letters come first
        return line.replaced(end_of_arguments(command), end_of_arguments(command), f" {flag}")
    at = command.name.end
    count = len(kind_of(command).split()) - 1
    if count and len(words_of(command)) >= count:
        at = words_of(command)[count - 1].end
    return line.replaced(at, at, f" {flag}")


def takes_more(command: Command, word: Word) -> bool:
    """Whether another letter may join it: all of its letters are known flags without values, and no number follows."""
    following = next((one for one in command.words if one.start > word.start), None)
    if following and following.text.isdigit():  # the 50 of journalctl -n 50 may be left out
        return False
    inside = [one for one in command.arguments if isinstance(one, Flag) and word.start <= one.start < word.end]
    return bool(inside) and all(one.known and not one.values and len(one.name) == 2 for one in inside)


def without_flags(line: Line, command: Command, *names: str) -> str:
    """The text without these flags, a letter of a cluster as well as a word with its value."""
    text = line.text
    for one in sorted(flags(command, *names), key=lambda flag: -flag.start):
        text = _cut(text, one, command)
    return text


def _cut(text: str, flag: Flag, command: Command) -> str:
    word = next((one for one in command.words if one.start <= flag.start < one.end), None)
    if word and CLUSTER.fullmatch(word.text) and word.end - word.start > 2 and flag.style in ("cluster", "bundle"):
        start = flag.start + (text[flag.start] == "-")
        return text[:start] + text[start + 1 :]
    return text[: flag.start].rstrip(" ") + text[flag.end :]


def with_test(line: Line, command: Command, test: str) -> str | None:
    """A further test of find, before its actions; alternatives (`-o`) get brackets first."""
    expression = [one for one in command.arguments if not isinstance(one, Operand)]
    expression = [one for one in expression if not (isinstance(one, Flag) and one.name in ("-H", "-L", "-P"))]
    acts = [one for one in expression if isinstance(one, Flag) and one.name in ACTIONS]
    at = acts[0].start if acts else end_of_arguments(command)
    if any(one.name == "-prune" for one in acts):
        return None
    if any(isinstance(one, Operator) and one.text in OR for one in expression) and not _bracketed(expression):
        if len(acts) > 1:
            return None
        first = next(one for one in expression if isinstance(one, (Flag, Operator)))
        tests = line.text[first.start : at].rstrip()
        rest = line.text[at:]
        return f"{line.text[: first.start]}\\( {tests} \\) {test}" + (f" {rest}" if acts else rest)
    return line.replaced(at, at, f"{test} " if acts else f" {test}")


def _bracketed(expression: Sequence[object]) -> bool:
    """Whether every alternative already stands in brackets."""
    depth = 0
    for one in expression:
        if isinstance(one, Operator):
            depth += {"(": 1, ")": -1}.get(one.text, 0)
            if one.text in OR and depth == 0:
                return False
    return True


def piped(line: Line, stage: str) -> str:
    """A further stage behind the last one; a redirect of its output moves along to the end."""
    last = line.stages[-1]
    end = end_of_arguments(last)
    moved = [one for one in last.redirects if one.start >= end and one.descriptor in ("", "1") and ">" in one.operator]
    text, tail = line.text, ""
    for one in reversed(moved):
        tail = f" {text[one.start : one.end]}{tail}"
        text = text[: one.start].rstrip() + text[one.end :]
    at = max([end, *(one.end for one in last.redirects if one not in moved)])
    return f"{text[:at]} | {stage}{tail}{text[at:]}"


def without_stage(line: Line, index: int) -> str:
    """The text without one stage of the pipeline."""
    stages = line.stages
    at = index % len(stages)
    if at == 0:
        return line.text[: stages[0].start] + line.text[stages[1].start :]
    return line.text[: stages[at - 1].end] + line.text[stages[at].end :]


def places(command: Command) -> Iterator[Word]:
    """The words that name the files or folders which a command works on, its pattern left out."""
    kinds = ("Path", "File", "Directory")
    yield from (one.word for one in operands(command, *kinds))
