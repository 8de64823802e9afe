"""Small changes to a command: a flag, a stage or an operand left out, a constant or a sign changed.

A judge that takes a reference and its mutant for the same cannot see what was changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sayso.core.errors import BadInstruction
from sayso.targets.bash.language import normalise
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import (
    Command,
    Flag,
    Node,
    Operand,
    Operator,
    Pipeline,
    Script,
    Word,
    children,
    commands,
)

# The ends of a class of characters say little: [0-9] is no number.
NUMBER = re.compile(r"(?<![\[\d])\d+(?!\d|[^\[\s]*\])")
LETTERS = re.compile(r"(?<!\[)[A-Za-z]{2,}(?![^\[\s]*\])")
MOST = 24


@dataclass(frozen=True)
class Mutant:
    """A changed command, and what of it was changed: `find -mtime: number`."""

    text: str
    what: str

    @property
    def how(self) -> str:
        """dropped, number, sign, letters or stage"""
        return self.what.rpartition(": ")[2] if ": " in self.what else "stage"


def mutants(command: str) -> list[Mutant]:
    """Those that parse, differ from the command in canonical form and from each other; none of what does not parse."""
    try:
        tree, form = parse(command), normalise(command)
    except BadInstruction:
        return []
    found: dict[str, Mutant] = {}
    for mutant in _all(tree, command):
        try:
            changed = normalise(mutant.text)
        except BadInstruction:
            continue
        if changed != form:
            found.setdefault(changed, mutant)
    return list(found.values())[:MOST]


def _all(tree: Script, text: str) -> Iterator[Mutant]:
    for command in commands(tree):
        if text[command.start : command.end].startswith(command.name.text if command.name else "\0"):
            yield from _arguments(command, text)
    for node in _nodes(tree):
        if isinstance(node, Pipeline):
            for before, item in zip(node.items, node.items[1:], strict=False):
                what = f"stage {item.utility}" if isinstance(item, Command) else "stage"
                yield Mutant(text[: before.end] + text[item.end :], what)


def _nodes(node: Node | Script) -> Iterator[Node | Script]:
    yield node
    for child in children(node):
        yield from _nodes(child)


def _arguments(command: Command, text: str) -> Iterator[Mutant]:
    name = command.utility
    operands = [argument for argument in command.arguments if isinstance(argument, Operand)]
    for argument in command.arguments:
        if isinstance(argument, Flag):
            what = f"{name} {argument.name}"
            if argument.inner is None and argument.script is None:
                yield Mutant(_without_flag(argument, text), f"{what}: dropped")
                for word in argument.values:
                    yield from _word(word, text, what)
        elif isinstance(argument, Operator) and argument.text in ("!", "-not"):
            yield Mutant(text[: argument.start] + text[argument.end :], f"{name} !: dropped")
        elif isinstance(argument, Operand):
            if len(operands) > 1:
                yield Mutant(
                    text[: argument.word.start] + text[argument.word.end :], f"{name} {argument.type}: dropped"
                )
            yield from _word(argument.word, text, f"{name} {argument.type}")


def _without_flag(flag: Flag, text: str) -> str:
    """ls -la -> ls -a: of letters that share a dash only one goes."""
    start, end = flag.start, flag.end
    after = text[end : end + 1]
    shares = len(flag.name) == 2 and not flag.values and text[start : start + 1] == "-" and after.isalpha()
    return text[: start + shares] + text[end:]


def _word(word: Word, text: str, what: str) -> Iterator[Mutant]:
    """Another number, another sign, other letters; what the shell works out stays."""
    if word.value is None or word.value in ("{}", ".", ";", "+") or word.value.startswith(("/proc", "/sys", "/dev")):
        return
    before, here, after = text[: word.start], text[word.start : word.end], text[word.end :]
    if number := NUMBER.search(here):
        other = str(int(number[0]) + 1) if len(number[0]) < 15 else "1"
        yield Mutant(before + here[: number.start()] + other + here[number.end() :] + after, f"{what}: number")
        if here[:1] in "+-" and number.start() == 1:
            yield Mutant(before + {"+": "-", "-": "+"}[here[0]] + here[1:] + after, f"{what}: sign")
    elif letters := LETTERS.search(here):
        at = letters.start() + 1
        yield Mutant(
            before + here[:at] + ("q" if here[at] != "q" else "z") + here[at + 1 :] + after, f"{what}: letters"
        )
