"""The tokens of a command: utilities, flags, reserved tokens and arguments (NL2Bash §3.3, appendix C).

Text that does not parse is one token, itself: it equals the same text and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sayso.core.errors import BadInstruction
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import (
    Block,
    Chain,
    Command,
    Compound,
    Flag,
    Inner,
    InnerScript,
    Negation,
    Node,
    Operand,
    Operator,
    Pipeline,
    Script,
    Word,
    commands,
    scripts_in,
)

# find has two spellings for each of its operators.
SAME_OPERATOR = {"-or": "-o", "-and": "-a", "-not": "!"}


Kind = Literal["utility", "name", "flag", "reserved", "argument", "text"]
CLOSED: frozenset[Kind] = frozenset({"utility", "name", "flag", "text"})
"""The closed vocabulary but for reserved tokens; a "name" is a utility's that the shell works out, such as $EDITOR."""


@dataclass(frozen=True)
class Part:
    """One token; `owner` is the utility that a flag belongs to, `known` whether its man page has it."""

    kind: Kind
    text: str
    owner: str = ""
    known: bool = True


def structure(command: str) -> list[Part]:
    """'ls -la "a b" | wc' -> utility ls, flag -l, flag -a, argument a b, reserved |, utility wc"""
    try:
        return list(parts_of(parse(command)))
    except BadInstruction:
        return [Part("text", command.strip())]


def utilities_with_flags(command: str) -> list[tuple[str, frozenset[str]]]:
    """Every utility in order with the set of its flags, each by the first name that the man page gives it."""
    try:
        script = parse(command)
    except BadInstruction:
        return [(command.strip(), frozenset())]
    return utilities_in(script)


def utilities_in(script: Script) -> list[tuple[str, frozenset[str]]]:
    """The same of a tree."""
    return [
        (found.utility, frozenset(flag_name(found.utility, a.name) for a in found.arguments if isinstance(a, Flag)))
        for found in commands(script)
        if found.name
    ]


def flag_name(utility: str, name: str) -> str:
    """--recursive of rm -> -r"""
    known = find_utility(utility)
    entry = known.flag(name) if known else None
    return entry.names[0] if entry else name


def parts_of(node: Node | Script) -> Iterator[Part]:
    """The structure of a tree in source order."""
    if isinstance(node, Script):
        for at, item in enumerate(node.items):
            yield from parts_of(item)
            separator = node.separators[at]
            if separator == "&" or (separator and at + 1 < len(node.items)):
                yield Part("reserved", ";" if separator == "\n" else separator)
    elif isinstance(node, (Pipeline, Chain)):
        yield from parts_of(node.items[0])
        for operator, item in zip(node.operators, node.items[1:], strict=True):
            yield Part("reserved", operator)
            yield from parts_of(item)
    elif isinstance(node, Negation):
        yield Part("reserved", "!")
        yield from parts_of(node.body)
    elif isinstance(node, Block):
        yield Part("reserved", node.kind)
        yield from parts_of(node.body)
    elif isinstance(node, Compound):
        yield Part("reserved", node.kind)
        for body in node.bodies:
            yield from parts_of(body)
    else:
        yield from _command(node)


def _command(command: Command) -> Iterator[Part]:
    for assignment in command.assignments:
        yield Part("reserved", "=")
        if assignment.value:
            yield from _word(assignment.value)
    if command.name:
        if command.utility:
            yield Part("utility", command.utility)
        elif inside := list(_substituted(command.name)):
            yield from inside
        else:
            yield Part("name", command.name.text)
    for argument in command.arguments:
        if isinstance(argument, Flag):
            yield from _flag(argument, command.utility)
        elif isinstance(argument, Operand):
            yield from _word(argument.word)
        elif isinstance(argument, Operator):
            yield Part("reserved", SAME_OPERATOR.get(argument.text, argument.text))
        elif isinstance(argument, Inner):
            yield from _command(argument.command)
        elif isinstance(argument, InnerScript):
            yield from parts_of(argument.script) if argument.script else map(_plain, argument.words)
    for redirect in command.redirects:
        yield Part("reserved", redirect.operator)
        if redirect.target:
            yield from _word(redirect.target)


def _flag(flag: Flag, utility: str) -> Iterator[Part]:
    yield Part("flag", flag.name, utility, flag.known)
    if flag.inner:
        yield from _command(flag.inner)
        if flag.closer:
            yield Part("reserved", flag.closer)
    elif flag.script:
        yield from parts_of(flag.script)
    else:
        for word in flag.values:
            yield from _word(word)


def _word(word: Word) -> Iterator[Part]:
    if word.value == "{}":
        yield Part("reserved", "{}")
        return
    inside = list(_substituted(word))
    yield from inside
    if len(word.parts) > 1 or not inside:
        yield Part("argument", word.text if word.value is None else word.value)


def _plain(word: Word) -> Part:
    return Part("argument", word.text)


def _substituted(word: Word) -> Iterator[Part]:
    for inner in scripts_in(word):
        yield Part("reserved", inner.opener)
        yield from parts_of(inner.body)
        yield Part("reserved", ")")
