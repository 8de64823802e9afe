"""Words that are only known when they run: what they may become in the place where they stand.

A word that begins with an expansion or a pattern may be a flag, and one that is not quoted may be several: `sort $x`
writes where x is `-o f`. Text that is evaluated may run what stands in it. The script is followed in order, so that
what it sets itself is known (`held.py`); what xargs adds counts as words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.core.errors import BadInstruction
from sayso.targets.bash.effects.added import added
from sayso.targets.bash.effects.flag_words import LITERAL_NAME, each_found, may_be_flags
from sayso.targets.bash.effects.flags import Cause, flag_names
from sayso.targets.bash.effects.held import SHADOWED, Held, evaluated, evaluates, kind_of, nested
from sayso.targets.bash.effects.holding import (
    DECLARES,
    NAMES,
    assign,
    forget_loops,
    functions,
    hold,
    keep_common,
    loop_kind,
    parameters,
    set_in_functions,
    worst,
)
from sayso.targets.bash.effects.takes_more import NETWORK
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import (
    Assignment,
    Block,
    Chain,
    Command,
    Compound,
    Expansion,
    Negation,
    Node,
    Operand,
    Pipeline,
    Redirect,
    Script,
    Substitution,
    Word,
    commands,
    inner_commands,
)

COMPARES = re.compile(r"-(eq|ne|lt|le|gt|ge)")
# A part of `[[ … ]]`: quoted, a substitution, or bare.
TEST_TOKEN = re.compile(
    r"(?:\"(?:[^\"\\]|\\.)*\"|'[^']*'|\$\([^()]*(?:\([^()]*\)[^()]*)*\)|\$\{[^}]*\}|`[^`]*`|[^\s\"'`])+"
)
HEADER = re.compile(r"for\s*\(\((.*?)\)\)\s*(?:;|do|\{|\n)", re.S)
# What read, mapfile, getopts and select set without being told to.
SET_UNNAMED: Held = {"REPLY": "outside", "MAPFILE": "outside", "OPTARG": "outside"}
RUNS_TEXT = {"eval", "trap", "alias", "source", ".", "complete"}


def open_words(script: Script, text: str) -> Iterator[Cause]:
    """Every word of a script that may become a flag, and every text in it that may run something when evaluated."""
    walk = _Walk(script, text)
    yield from walk.script(script, walk.nothing())


class _Walk:
    """Follows a script in order; what a branch or a loop may have changed is forgotten after it."""

    def __init__(self, script: Script, text: str) -> None:
        self.text = text
        every = list(commands(script))
        # What a function sets it may set at any time; eval, trap and alias may set anything.
        self.elsewhere = set(set_in_functions(script))
        self.knows_nothing = any(command.utility in RUNS_TEXT for command in every)
        self.shadowed = self.knows_nothing or any(True for _ in functions(script))
        self.splits = any(
            one.name.startswith("IFS") for command in every if command.name is None for one in command.assignments
        ) or any(word.lead.startswith("IFS") for command in every for word in command.words[1:])

    def nothing(self) -> Held:
        """What is held where a script begins."""
        return {SHADOWED: "outside"} if self.shadowed else {}

    def forget(self, held: Held) -> None:
        for name in held:
            if self.knows_nothing or name in self.elsewhere:
                held[name] = "outside"
            elif self.splits and held[name] == "plain":  # with another IFS a word may become several
                held[name] = "path"

    def script(self, script: Script, held: Held) -> Iterator[Cause]:
        for item, separator in zip(script.items, script.separators, strict=True):
            inside = dict(held) if separator == "&" else held
            yield from self.node(item, inside)
            keep_common(held, [inside])

    def node(self, node: Node, held: Held) -> Iterator[Cause]:
        self.forget(held)
        if isinstance(node, Command):
            yield from self.command(node, held)
            yield from added(node, ())
        elif isinstance(node, Negation):
            yield from self.node(node.body, held)
        elif isinstance(node, Chain):
            yield from self.node(node.items[0], held)
            rest = dict(held)
            for item in node.items[1:]:
                yield from self.node(item, rest)
            keep_common(held, [rest])
        elif isinstance(node, Pipeline):
            for at, item in enumerate(node.items):
                inside = dict(held)
                if isinstance(item, Command):
                    yield from self.command(item, inside)
                    yield from added(item, node.items[:at])
                else:
                    yield from self.node(item, inside)
                keep_common(held, [inside])
        elif isinstance(node, Block):
            yield from self.redirects(node.redirects, held)
            yield from self.script(node.body, held if node.kind == "{" else dict(held))
        else:
            yield from self.compound(node, held)

    def compound(self, node: Compound, held: Held) -> Iterator[Cause]:
        yield from self.redirects(node.redirects, held)
        if node.kind == "test":
            yield from self.test(node, held)
            return
        for word in node.words:
            if node.kind != "((":
                yield from self.expansions(word, held)
            else:
                yield from (cause for one in _substitutions(word) for cause in self.script(one.body, dict(held)))
        if node.kind == "((":
            # Whatever stands between is evaluated; the grammar gives the substitutions in it.
            inner = tuple(p for w in node.words for p in _substitutions(w))
            yield from _unknown(evaluates(node.text.strip()[2:-2], held, inner))
            return
        if node.kind in ("while", "until", "for", "select"):
            forget_loops(held, node.bodies)
        if node.kind in ("for", "select"):
            yield from self.header(node, held)
            self.forget(held)
        if node.kind == "function":
            yield from (cause for body in node.bodies for cause in self.script(body, self.nothing()))
            return
        branches = []
        start = dict(held)
        for at, body in enumerate(node.bodies):
            # The first condition always runs; each later part may or may not.
            inside = held if at == 0 and node.kind in ("if", "while", "until") else dict(start if at == 0 else held)
            yield from self.script(body, inside)
            branches.append(inside)
        keep_common(held, branches)

    def header(self, node: Compound, held: Held) -> Iterator[Cause]:
        if node.kind == "select":
            held.update(SET_UNNAMED)
        if node.name:
            kinds = [loop_kind(word, held) for word in node.words]
            hold(held, node.name, worst(kinds) if kinds and node.kind == "for" else None)
        elif found := HEADER.match(node.text):
            if re.search(r"\$\((?!\()|`", found[1]):
                yield "unknown", f"{found[1].strip()} is evaluated"
            for part in found[1].split(";"):
                yield from _unknown(evaluates(part, held))

    def test(self, node: Compound, held: Held) -> Iterator[Cause]:
        if not node.text.startswith("[["):
            # Only `[[` keeps `<` and `>` for itself: to `[` they are redirects like any other.
            try:
                command = parse("test" + node.text[1:].rstrip()[:-1]).items[0]
            except BadInstruction:
                yield "unknown", node.text
                return
            yield from self.node(command, held)
            return
        for word in node.words:
            yield from self.expansions(word, held)
        inner = tuple(p for w in node.words for p in _substitutions(w))
        tokens = TEST_TOKEN.findall(node.text[2:-2])
        for at, token in enumerate(tokens):
            if COMPARES.fullmatch(token):
                for side in (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2]):
                    has = "$(" in side or "`" in side
                    yield from _unknown(evaluates(side.strip("()"), held, inner if has else ()))
            if token in ("-v", "-R") and not LITERAL_NAME.fullmatch("".join(tokens[at + 1 : at + 2])):
                yield "unknown", " ".join(tokens[at : at + 2])

    def command(self, command: Command, held: Held, *, nested_in: bool = False, found: bool = False) -> Iterator[Cause]:
        if not nested_in:
            for word in command.words:
                yield from self.expansions(word, held)
            yield from self.redirects(command.redirects, held)
            for assignment in command.assignments:
                yield from self.assignment(assignment, held)
        if command.name is None:
            for assignment in command.assignments:
                assign(held, assignment)
            return
        yield from may_be_flags(command, held)
        yield from _sends(command, held)
        yield from _named(command, held)
        for inner in inner_commands(command):
            if isinstance(inner, Command):
                if command.utility == "find":
                    yield from added(inner, ())
                yield from self.command(inner, held, nested_in=True, found=found or command.utility == "find")
            else:
                yield from self.script(inner, {**self.nothing(), **parameters(command, held, found)})
        yield from each_found(command)

    def expansions(self, word: Word, held: Held) -> Iterator[Cause]:
        for part in word.parts:
            if isinstance(part, Substitution):
                yield from self.script(part.body, dict(held))
            elif isinstance(part, Expansion):
                for inner in part.inner:
                    yield from self.script(inner.body, dict(held))
                yield from (("unknown", f"{part.text} is evaluated") for _ in evaluated(part, held))

    def assignment(self, assignment: Assignment, held: Held) -> Iterator[Cause]:
        if assignment.value:
            yield from self.expansions(assignment.value, held)
            if assignment.value.text.startswith("("):
                for subscript in re.findall(r"\[([^\]]+)\]=", assignment.value.text):
                    yield from _unknown(evaluates(subscript, dict(held), assignment.inner))
        if found := re.match(r"\w+\[(.*)\]\+?$", assignment.name, re.S):
            yield from _unknown(evaluates(found[1], dict(held), assignment.inner))
        if held.get(assignment.name.rstrip("+")) == "number" and assignment.name.endswith("+"):
            held.pop(assignment.name.rstrip("+"), None)

    def redirects(self, redirects: Sequence[Redirect], held: Held) -> Iterator[Cause]:
        for redirect in redirects:
            if (
                redirect.operator in ("<<", "<<-")
                and redirect.target
                and not re.search(r"['\"\\]", redirect.target.text)
            ):
                yield from (cause for one in redirect.inner for cause in self.script(one.body, dict(held)))
                body = self.text[redirect.start : redirect.end]
                yield from (("unknown", f"{one} is evaluated") for one in nested(body, held, redirect.inner))
            elif redirect.target:
                yield from self.expansions(redirect.target, held)


def _unknown(wrong: str) -> Iterator[Cause]:
    if wrong:
        yield "unknown", f"{wrong} is evaluated"


def _substitutions(word: Word) -> Iterator[Substitution]:
    for part in word.parts:
        if isinstance(part, Substitution):
            yield part
        elif isinstance(part, Expansion):
            yield from part.inner


def _named(command: Command, held: Held) -> Iterator[Cause]:
    """Words that built-ins take for names of variables; what these hold afterwards."""
    name = command.utility
    if name in DECLARES:
        yield from _declared(command, held)
    elif name == "let":
        for word in command.words[1:]:
            yield from _unknown(evaluates(word.text, held, tuple(_substitutions(word))))
    elif name in NAMES:
        held.update(SET_UNNAMED if name != "printf" else {})
        words = [argument.word for argument in command.arguments if isinstance(argument, Operand)]
        words = words[1:2] if name == "getopts" else [] if name in ("printf", "wait") else words
        flags = {"read": "-a", "printf": "-v", "wait": "-p"}.get(name)
        words += [flag.values[0] for flag, _ in flag_names(command) if flag.name == flags and flag.values]
        for word in words:
            if word.value is None or "[" in word.value:
                if not LITERAL_NAME.fullmatch(word.value or ""):
                    yield "unknown", f"{word.text} is evaluated"
            elif name != "unset":
                hold(held, word.value, None)
            else:
                held.pop(word.value, None)


def _declared(command: Command, held: Held) -> Iterator[Cause]:
    flags = "".join(word.value or "" for word in command.words[1:] if word.lead[:1] in ("-", "+"))
    integers = "i" in flags
    for word in command.words[1:]:
        if word.lead[:1] in ("-", "+"):
            continue
        name, equals, _ = word.lead.partition("=")
        if word.value is None and not equals:
            yield "unknown", f"{word.text} is evaluated"
            continue
        if "[" in name and not LITERAL_NAME.fullmatch(name.rstrip("+")):
            yield "unknown", f"{word.text} is evaluated"
        if integers:
            yield from _unknown(evaluates(word.text.partition("=")[2], held, tuple(_substitutions(word))))
        if integers and not equals:
            yield "unknown", f"{word.text} is evaluated whenever it is set"
        after = word.after(len(name) + 1)
        body = after.value if after.value is not None else after.text
        for subscript in re.findall(r"\[([^\]]+)\]=", body) if body.startswith("(") else ():
            yield from _unknown(evaluates(subscript, dict(held)))
        if equals:
            kind = kind_of(after, held) if not after.text.startswith("(") else None
            hold(held, name.rstrip("+"), "number" if integers else kind)


def _sends(command: Command, held: Held) -> Iterator[Cause]:
    """What a command or a file gave, in words that go out into the network."""
    if command.utility not in NETWORK:
        return
    for word in command.words[1:]:
        for part in word.parts:
            taken = isinstance(part, Expansion) and (part.inner or _is_taken(part, held))
            if isinstance(part, Substitution) or taken:
                yield "unknown", f"{word.text} is sent"
                break


def _is_taken(part: Expansion, held: Held) -> bool:
    name = re.match(r"\$\{?(\w+)", part.text)
    return name is not None and held.get(name[1]) == "outside"
