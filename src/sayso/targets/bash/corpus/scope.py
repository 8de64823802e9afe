"""Whether a command lies within table 2 of NL2Bash, and every reason why it does not, with the words that show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sayso.core.errors import BadInstruction
from sayso.targets.bash.effects.effects import effects
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import (
    Block,
    Command,
    Compound,
    Flag,
    InnerScript,
    Node,
    Redirect,
    Script,
    children,
    inner_commands,
    substitutions,
)

# Table 2, out of scope 1–4, in its order; the first is what the table takes for granted.
REASONS = {
    "not a command": "the text does not parse",
    "redirection": "I/O redirection: <, >, <<",
    "assignment": "a variable is assigned",
    "compound statement": "if, for, while, until, case, select, [[ ]], (( ))",
    "function": "a function is defined",
    "interpreter program": "a program in another language, such as awk's or python's",
}
PROGRAMS = {"awk", "gawk", "mawk", "nawk", "sed", "gsed"}


@dataclass(frozen=True, slots=True)
class OutOfScope:
    reason: str
    word: str
    start: int = -1


def out_of_scope(command: str) -> tuple[OutOfScope, ...]:
    """Why a command is out of scope; nothing for one that is in scope."""
    try:
        script = parse(command)
    except BadInstruction as error:
        return (OutOfScope("not a command", error.message, error.offset),)
    return tuple(_reasons(script))


def _reasons(node: Node | Script) -> Iterator[OutOfScope]:
    if isinstance(node, Command):
        yield from _command(node)
        return
    if isinstance(node, Compound):
        reason = "function" if node.kind == "function" else "compound statement"
        yield OutOfScope(reason, node.name if reason == "function" else node.kind, node.start)
    if isinstance(node, (Block, Compound)):
        yield from map(_redirection, node.redirects)
    for child in children(node):
        yield from _reasons(child)


def _redirection(redirect: Redirect) -> OutOfScope:
    return OutOfScope("redirection", redirect.descriptor + redirect.operator, redirect.start)


def _command(command: Command, *, nested: bool = False) -> Iterator[OutOfScope]:
    yield from map(_redirection, command.redirects)
    for assignment in command.assignments:
        yield OutOfScope("assignment", assignment.name, assignment.start)
    if not nested:
        for substitution in substitutions(command):
            yield from _reasons(substitution.body)
    if _has_program(command):
        yield OutOfScope("interpreter program", command.utility, command.start)
    for inner in inner_commands(command):
        yield from _command(inner, nested=True) if isinstance(inner, Command) else _reasons(inner)


def _has_program(command: Command) -> bool:
    """awk and sed always carry one; a shell's text that could not be read is as opaque."""
    if command.utility in PROGRAMS or command.utility in effects().interpreters:
        return True
    return any(
        (isinstance(a, InnerScript) and a.script is None)
        or (isinstance(a, Flag) and a.types == ("Script",) and a.script is None)
        for a in command.arguments
    )
