"""A command word by word: what each utility, flag, operand and operator does, from the tree and the knowledge base."""

from __future__ import annotations

from collections.abc import Iterator

from sayso.core.errors import BadInstruction
from sayso.core.types import Note
from sayso.targets.bash.knowledge.utilities import Find, FlagEntry, Utility, find_utility
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import (
    Argument,
    Block,
    Chain,
    Command,
    Compound,
    Expansion,
    Flag,
    Inner,
    InnerScript,
    Negation,
    Node,
    Operand,
    Operator,
    Pipeline,
    Redirect,
    Script,
    Word,
    scripts_in,
)
from sayso.targets.bash.syntax.types import CLOSED, TYPES
from sayso.targets.bash.syntax.utility import entry_at

LINKS = {
    "|": "sends what the command before it prints into the next one",
    "|&": "sends what the command before it prints, errors included, into the next one",
    "&&": "goes on only if the command before it succeeded",
    "||": "goes on only if the command before it failed",
    ";": "then, whatever happened before",
    "&": "runs the command before it in the background",
}
REDIRECTS = {
    ">": "writes the output into this file, replacing what was there",
    ">|": "writes the output into this file, replacing what was there in any case",
    ">>": "adds the output to the end of this file",
    "<": "reads the input from this file",
    "<<": "reads the input from the lines that follow",
    "<<-": "reads the input from the lines that follow, without leading tabs",
    "<<<": "reads the input from this text",
    "&>": "writes output and errors into this file, replacing what was there",
    "&>>": "adds output and errors to the end of this file",
    ">&": "sends the output to the same place as this descriptor",
    "<&": "reads the input from the same place as this descriptor",
    "<>": "opens this file for reading and writing",
}
FIND_OPERATORS = {
    "(": "opens a group of tests",
    ")": "closes a group of tests",
    "!": "not: turns the next test around",
    "-not": "not: turns the next test around",
    "-o": "or",
    "-or": "or",
    "-a": "and",
    "-and": "and",
    ",": "and then, whatever came out before",
    "--": "ends the flags: what follows are operands",
    "]": "closes the test",
}
SUBSTITUTIONS = {
    "$(": "is replaced by what the command inside prints",
    "<(": "is a file from which the output of the command inside can be read",
    ">(": "is a file whose content goes to the command inside",
}
COMPOUNDS = {
    "if": "does one thing or another, by whether a command succeeds",
    "for": "repeats commands for each of several values",
    "while": "repeats commands as long as a command succeeds",
    "until": "repeats commands until a command succeeds",
    "case": "chooses commands by a pattern",
    "select": "lets the user choose from a menu",
    "test": "checks a condition",
    "((": "computes",
    "function": "defines a function",
}


def notes(command: str, find: Find = find_utility) -> list[Note]:
    """Notes in the order of the text; for text that does not parse, one that says where reading stopped."""
    try:
        script = parse(command, find)
    except BadInstruction as error:
        at = max(error.offset, 0)
        return [
            Note(command[at : at + 20], f"cannot be read from here: {error.message}", at, min(at + 20, len(command)))
        ]
    found = _Explainer(command, find).script(script)
    return sorted(found, key=lambda note: (note.start, -note.end))


class _Explainer:
    """Knows the source, to quote from it, and whom to ask about utilities."""

    def __init__(self, source: str, find: Find) -> None:
        self.source = source
        self.find = find

    def note(self, start: int, end: int, gloss: str) -> Note:
        return Note(self.source[start:end], gloss, start, end)

    def link(self, text: str, left: int, right: int) -> Iterator[Note]:
        """An operator, found between what stands left and right of it."""
        at = self.source.find(text, left, right)
        if at >= 0:
            yield self.note(at, at + len(text), LINKS[text])

    def script(self, script: Script) -> Iterator[Note]:
        for index, (item, separator) in enumerate(zip(script.items, script.separators, strict=True)):
            yield from self.node(item)
            after = script.items[index + 1].start if index + 1 < len(script.items) else len(self.source)
            if separator in LINKS:
                yield from self.link(separator, item.end, after)

    def node(self, node: Node) -> Iterator[Note]:
        if isinstance(node, Command):
            yield from self.command(node)
        elif isinstance(node, (Pipeline, Chain)):
            for index, item in enumerate(node.items):
                if index:
                    yield from self.link(node.operators[index - 1], node.items[index - 1].end, item.start)
                yield from self.node(item)
        elif isinstance(node, Negation):
            at = self.source.rfind("!", 0, node.start + 1)
            if at >= 0:
                yield self.note(at, at + 1, "turns success and failure around")
            yield from self.node(node.body)
        elif isinstance(node, Block):
            gloss = "runs what is inside in a shell of its own" if node.kind == "(" else "groups what is inside"
            yield self.note(node.start, node.start + 1, gloss)
            yield from self.script(node.body)
            yield from self.redirects(node.redirects)
        else:
            yield from self.compound(node)

    def compound(self, node: Compound) -> Iterator[Note]:
        first = node.text.split(maxsplit=1)[0] if node.text else node.kind
        yield self.note(node.start, node.start + len(first), COMPOUNDS.get(node.kind, "a statement of several parts"))
        for word in node.words:
            yield from self.word(word)
        for body in node.bodies:
            yield from self.script(body)
        yield from self.redirects(node.redirects)

    def command(self, command: Command) -> Iterator[Note]:
        for assignment in command.assignments:
            scope = "for this command only" if command.name else "in this shell"
            yield self.note(assignment.start, assignment.end, f"sets {assignment.name} {scope}")
            if assignment.value:
                yield from self.word(assignment.value)
        if command.name:
            utility = self.find(command.utility)
            yield self.note(command.name.start, command.name.end, _gloss_of(command, utility))
            yield from self.word(command.name)
            for argument in command.arguments:
                at = argument.start if isinstance(argument, Flag) else command.end
                yield from self.argument(argument, entry_at(command, at, self.find))
        yield from self.redirects(command.redirects)

    def argument(self, argument: Argument, utility: Utility | None) -> Iterator[Note]:
        if isinstance(argument, Operand):
            yield self.note(argument.word.start, argument.word.end, _operand_gloss(argument, utility))
            yield from self.word(argument.word)
        elif isinstance(argument, Operator):
            yield self.note(argument.start, argument.end, FIND_OPERATORS.get(argument.text, "compares"))
        elif isinstance(argument, Inner):
            yield from self.command(argument.command)
        elif isinstance(argument, InnerScript):
            yield from self.inner_script(argument)
        else:
            yield from self.flag(argument, utility)

    def inner_script(self, argument: InnerScript) -> Iterator[Note]:
        first, last = argument.words[0], argument.words[-1]
        yield self.note(first.start, last.end, "the commands to run there")
        if argument.script and argument.script.start > first.start:
            yield from self.script(argument.script)

    def flag(self, flag: Flag, utility: Utility | None) -> Iterator[Note]:
        entry = utility.flag(flag.name) if utility else None
        gloss = _flag_gloss(entry, utility) if entry and utility else "a flag that is not known here"
        if not flag.known and utility:
            gloss = f"not a flag of {utility.name}"
        if flag.inner:
            yield self.note(flag.start, flag.start + len(flag.name), gloss)
            yield from self.command(flag.inner)
            if flag.closer:
                each = "ends the command, which runs once for each" if flag.closer == ";" else "ends it: many at once"
                yield self.note(flag.inner.end + 1, flag.end, each)
            return
        yield self.note(flag.start, flag.end, gloss)
        for word in flag.values:
            yield from self.word(word)
        if flag.script and flag.values and flag.script.start > flag.values[0].start:
            yield from self.script(flag.script)

    def word(self, word: Word) -> Iterator[Note]:
        for substitution in scripts_in(word):
            width = 1 if self.source[substitution.start : substitution.start + 1] == "`" else 2
            opener = SUBSTITUTIONS[substitution.opener]
            yield self.note(substitution.start, substitution.start + width, opener)
            yield from self.script(substitution.body)
        for part in word.parts:
            if isinstance(part, Expansion):
                at = self.source.find(part.text, word.start, word.end)
                if at >= 0:
                    yield self.note(at, at + len(part.text), _expansion_gloss(part.text))

    def redirects(self, redirects: tuple[Redirect, ...]) -> Iterator[Note]:
        for redirect in redirects:
            gloss = REDIRECTS.get(redirect.operator, "redirects")
            if redirect.target and redirect.target.value == "/dev/null":
                gloss = "throws the output away" if ">" in redirect.operator else "gives it no input"
            if redirect.descriptor == "2":
                gloss = gloss.replace("the output", "error messages")
            yield self.note(redirect.start, redirect.end, gloss)
            if redirect.target:
                yield from self.word(redirect.target)


def _gloss_of(command: Command, utility: Utility | None) -> str:
    if utility:
        return utility.gloss
    return "a program that is not known here" if command.utility else "the program to run, worked out when it runs"


def _operand_gloss(operand: Operand, utility: Utility | None) -> str:
    if operand.word.value == "{}":
        return "stands for what was found or read"
    if utility and operand.type == "Word" and utility.name.endswith(f" {operand.word.value}") and utility.gloss:
        return utility.gloss
    if operand.type == "Stray":
        return "does not belong here"
    return {**TYPES, **CLOSED}.get(operand.type, "an argument")


def _flag_gloss(entry: FlagEntry, utility: Utility) -> str:
    """What a flag does; where nobody has written it down, what it takes."""
    if entry.gloss:
        return f"{entry.gloss} ({entry.differs})" if entry.differs else entry.gloss
    takes = [{**TYPES, **CLOSED}.get(kind, "a value") for kind in entry.arguments]
    return f"a flag of {utility.name}" + (f" that takes {' and '.join(takes)}" if takes else "")


def _expansion_gloss(text: str) -> str:
    if text.startswith(("$((", "$[")):
        return "is replaced by the result of the calculation"
    return "is replaced by the value of the variable"
